// Everything that is clicked or pressed: buttons, lists, keys, and the sheet that explains them.

/** An element of the page. @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return /** @type {T} */ (found);
}

/**
 * A new element with text, never with markup.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @typedef {{ keys: string[], shown: string, about: string, run: (event: KeyboardEvent) => void }} Shortcut */

/** The key of an event as shortcuts name it, such as `a`, `?` or `Ctrl+Shift+z`. @param {KeyboardEvent} event */
function keyOf(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  return isCommand ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}` : event.key;
}

/** @param {() => Shortcut[]} shortcuts */
export function attachKeys(shortcuts) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    // Text is undone by the browser; a list has no use for keys with Ctrl.
    const isList = target?.matches("select") && !event.ctrlKey && !event.metaKey;
    const isField = isList || target?.matches("textarea, input:not([type=range], [type=checkbox], [type=radio])");
    const isButton = target?.matches("button, input, a, dialog *") && (event.key === " " || event.key === "Enter");
    if (isField || isButton || document.querySelector("dialog[open]")) return;
    const found = shortcuts().find((shortcut) => shortcut.keys.includes(keyOf(event)));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
}

/** What the mouse and fingers do. */
export const MOUSE = [
  ["Drag", "Turn the view; on touch, one finger"],
  ["Shift drag", "Move the view; on touch, two fingers"],
  ["Wheel", "Zoom; on touch, pinch"],
  ["Drag below", "Scrub through time"],
  ["Wheel below", "Zoom into time; double click shows all of it"],
];

/** @param {Shortcut[]} shortcuts @param {string[][]} mouse */
export function fillHelp(shortcuts, mouse = MOUSE) {
  const rows = [...shortcuts.map(({ shown, about }) => [shown, about]), ...mouse];
  element("keys").replaceChildren(
    ...rows.flatMap(([keys, about]) => [make("div", {}, make("kbd", {}, keys)), make("div", {}, about)]),
  );
}

/** @param {string} id @param {boolean} isOn */
export function press(id, isOn) {
  element(id).setAttribute("aria-pressed", String(isOn));
}

/** A list of boxes to tick. @param {string} id @param {[string, string, boolean][]} choices key, label and whether it is on @param {(key: string, isOn: boolean) => void} changed */
export function fillChecks(id, choices, changed) {
  const labels = choices.map(([key, label, isOn]) => {
    const box = make("input", { type: "checkbox", name: key });
    box.checked = isOn;
    box.addEventListener("change", () => changed(key, box.checked));
    return make("label", {}, box, label);
  });
  element(id).replaceChildren(...labels);
}

/** A table of texts. @param {string[]} head @param {(string | Node)[][]} rows */
export function table(head, rows) {
  const cells = (/** @type {"td" | "th"} */ tag, /** @type {(string | Node)[]} */ list) =>
    make("tr", {}, ...list.map((cell) => make(tag, {}, cell)));
  const body = make("tbody", {}, ...rows.map((row) => cells("td", row)));
  return head.length > 0 ? make("table", {}, make("thead", {}, cells("th", head)), body) : make("table", {}, body);
}

/** @param {string} heading @param {string} text */
export function showMessage(heading, text) {
  const message = element("message");
  message.replaceChildren(make("h2", {}, heading), make("p", {}, text));
  message.hidden = false;
}
