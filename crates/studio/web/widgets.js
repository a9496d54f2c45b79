// What panels are made of. Every control has a label that is read out, and says when its value changes.

import { make } from "surefoot/controls.js";

/** @param {string} heading @param {(Node | string)[]} children */
export function section(heading, ...children) {
  const id = `section-${nextId++}`;
  return make("section", { "aria-labelledby": id }, make("h2", { id }, heading), ...children);
}
let nextId = 1;

/**
 * @param {string} label
 * @param {() => void} run
 * @param {{ title?: string, kind?: "primary" | "plain", id?: string }} [options]
 */
export function button(label, run, { title, kind = "plain", id } = {}) {
  const made = make(
    "button",
    { type: "button", class: kind, ...(title ? { title } : {}), ...(id ? { id } : {}) },
    label,
  );
  made.addEventListener("click", run);
  return made;
}

/** Buttons in a row that wraps. @param {(Node | string)[]} children */
export const row = (...children) => make("div", { class: "row" }, ...children);

/** A sentence in small letters. @param {string} text */
export const note = (text) => make("p", { class: "fine" }, text);

/** `good`, `check` or `poor`. @param {string} grade */
export const badge = (grade) =>
  make("span", { class: `badge ${["good", "check", "poor"].includes(grade) ? grade : ""}` }, grade);

/**
 * A slider with its number, which can be typed too. `changed` is called while it is dragged, `settled` when it is let go.
 *
 * @param {{
 *   label: string, min: number, max: number, step: number, value: number, unit?: string, title?: string,
 *   changed: (value: number) => void, settled?: (value: number) => void,
 * }} options
 * @returns {{ element: HTMLElement, value: () => number, set: (value: number) => void }}
 */
export function slider({ label, min, max, step, value, unit = "", title = "", changed, settled }) {
  const limits = { min: String(min), max: String(max), step: String(step) };
  const range = make("input", { type: "range", ...limits, "aria-label": label });
  const number = make("input", { type: "number", ...limits, "aria-label": `${label}${unit ? ` in ${unit}` : ""}` });
  const digits = Math.max(0, Math.min(4, Math.ceil(-Math.log10(step) - 1e-9)));
  const set = (/** @type {number} */ to) => {
    range.value = String(to);
    number.value = to.toFixed(digits);
    range.setAttribute("aria-valuetext", `${number.value} ${unit}`);
  };
  const take = (/** @type {HTMLInputElement} */ from, /** @type {boolean} */ isDone) => {
    const typed = from.valueAsNumber;
    if (Number.isNaN(typed)) return;
    const to = Math.min(Math.max(typed, min), max);
    if (from === number && !isDone) range.value = String(to);
    else set(to);
    changed(to);
    if (isDone) settled?.(to);
  };
  for (const input of [range, number]) {
    input.addEventListener("input", () => take(input, false));
    input.addEventListener("change", () => take(input, true));
  }
  const element = make(
    "label",
    { class: "slider", ...(title ? { title } : {}) },
    make("span", { class: "name" }, label),
    range,
    number,
    make("span", { class: "unit" }, unit),
  );
  set(value);
  return { element, value: () => Number(range.value), set };
}

/**
 * A number to type; empty is `null`.
 *
 * @param {{ label: string, unit?: string, step?: number, title?: string, changed: (value: number | null) => void }} options
 */
export function numberField({ label, unit = "", step = 0.01, title = "", changed }) {
  const input = make("input", {
    type: "number",
    step: String(step),
    "aria-label": `${label}${unit ? ` in ${unit}` : ""}`,
  });
  input.addEventListener("change", () => changed(input.value === "" ? null : input.valueAsNumber));
  const element = make(
    "label",
    { class: "field", ...(title ? { title } : {}) },
    make("span", { class: "name" }, label),
    input,
    make("span", { class: "unit" }, unit),
  );
  const set = (/** @type {number | null} */ value, hint = "") => {
    if (document.activeElement !== input) input.value = value === null ? "" : String(+value.toFixed(4));
    input.placeholder = hint;
  };
  return { element, input, set };
}

/**
 * A list to choose from.
 *
 * @param {{ label: string, choices: [string, string][], value: string, title?: string, changed: (value: string) => void }} options choices are values and what is read
 */
export function choice({ label, choices, value, title = "", changed }) {
  const select = make("select", { "aria-label": label });
  const fill = (/** @type {[string, string][]} */ list, /** @type {string} */ chosen) => {
    select.replaceChildren(...list.map(([key, text]) => make("option", { value: key }, text)));
    select.value = chosen;
  };
  fill(choices, value);
  select.addEventListener("change", () => changed(select.value));
  const element = make(
    "label",
    { class: "field", ...(title ? { title } : {}) },
    make("span", { class: "name" }, label),
    select,
  );
  const set = (/** @type {string} */ chosen) => {
    select.value = chosen;
  };
  return { element, select, set, fill };
}

/** A box to tick. @param {{ label: string, value: boolean, title?: string, changed: (isOn: boolean) => void }} options */
export function check({ label, value, title = "", changed }) {
  const box = make("input", { type: "checkbox" });
  box.checked = value;
  box.addEventListener("change", () => changed(box.checked));
  const element = make("label", { class: "tick", ...(title ? { title } : {}) }, box, label);
  return { element, box };
}
