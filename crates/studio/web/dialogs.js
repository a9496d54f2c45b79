// Messages, questions, and what is being worked on.

import { button } from "studio/widgets.js";
import { element, make } from "surefoot/controls.js";

/** Milliseconds that a message stays. */
const STAYS = 7000;

/** A message at the edge; errors stay until they are closed. @param {string} text @param {"note" | "error"} [kind] */
export function tell(text, kind = "note") {
  const box = make(
    "div",
    { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" },
    make("span", { dir: "auto" }, text),
  );
  const close = button("×", () => box.remove(), { title: "Close" });
  close.setAttribute("aria-label", "Close the message");
  box.append(close);
  const list = element("toasts");
  for (const other of list.children) if (other.firstChild?.textContent === text) other.remove();
  list.append(box);
  while (list.children.length > 4) list.firstChild?.remove();
  if (kind === "note") setTimeout(() => box.remove(), STAYS);
}

/**
 * A dialog that is filled and answered: the value of the button that closed it, "" if it was left.
 *
 * @param {string} heading
 * @param {(Node | string)[]} body
 * @param {{ value: string, label: string, kind?: "primary" | "plain" }[]} answers
 * @param {(dialog: HTMLDialogElement) => void} [shown]
 * @returns {Promise<string>}
 */
export function ask(heading, body, answers, shown) {
  const id = "dialog-title";
  const buttons = answers.map(({ value, label, kind = "plain" }) =>
    make("button", { type: "submit", value, class: kind }, label),
  );
  const form = make("form", { method: "dialog" }, ...body, make("div", { class: "answers" }, ...buttons));
  const dialog = make("dialog", { "aria-labelledby": id }, make("h2", { id }, heading), form);
  document.body.append(dialog);
  // Enter in a field means the primary button, which need not be the first.
  form.addEventListener("keydown", (event) => {
    const primary = buttons.find((made) => made.classList.contains("primary"));
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || !primary) return;
    event.preventDefault();
    dialog.close(primary.value);
  });
  dialog.showModal();
  shown?.(dialog);
  return new Promise((answer) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue);
    });
  });
}

/** A line of text that can be copied. @param {() => string} text */
export function copyable(text) {
  const code = make("code", { tabindex: "0" }, text());
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      tell("Copied.");
    } catch {
      getSelection()?.selectAllChildren(code);
      tell("The browser does not let pages copy here; the text is selected, press Ctrl+C.");
    }
  });
  const refresh = () => {
    code.textContent = text();
  };
  return { element: make("div", { class: "copyable" }, code, copy), refresh };
}

/**
 * Something that takes its time, with a bar and a way to end it. It is seen from half a second on.
 *
 * @param {string} label
 * @param {() => void} cancel
 */
export function task(label, cancel) {
  const bar = make("progress", { max: "1", "aria-label": label });
  const what = make("span", {}, label);
  const box = make("div", { class: "task" }, what, bar, button("Cancel", cancel));
  const timer = setTimeout(() => element("tasks").append(box), 500);
  return {
    /** @param {Record<string, any>} head */
    progress: (head) => {
      if (head.total) bar.value = head.done / head.total;
      what.textContent = head.item ? `${label}: ${head.item}` : label;
    },
    end: () => {
      clearTimeout(timer);
      box.remove();
    },
  };
}
