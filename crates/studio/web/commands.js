// Undo and redo, and every key of the page in one list.

import { attachKeys, element, fillHelp, MOUSE } from "surefoot/controls.js";

/** @typedef {import("surefoot/controls.js").Shortcut} Shortcut */
/** `of` names what a step is about, where it makes no sense without that. @typedef {{ label: string, undo: () => void, redo: () => void, of?: string }} Step */

/** Most steps that can be taken back. */
const DEEPEST = 500;

export class History {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Step[]} */
    this.past = [];
    /** @type {Step[]} */
    this.future = [];
  }

  /** Remembers what was done already. @param {Step} step */
  push(step) {
    this.past = [...this.past.slice(1 - DEEPEST), step];
    this.future = [];
    this.changed();
  }

  /**
   * Remembers that one state became another; `show` goes to either.
   *
   * @template T @param {string} label @param {T} before @param {T} after @param {(state: T) => void} show @param {string} [of]
   */
  pushChange(label, before, after, show, of) {
    this.push({ label, undo: () => show(before), redo: () => show(after), ...(of ? { of } : {}) });
  }

  /** What steps were about is there no more. @param {string} of */
  forget(of) {
    const isKept = (/** @type {Step} */ step) => step.of !== of;
    [this.past, this.future] = [this.past.filter(isKept), this.future.filter(isKept)];
    this.changed();
  }

  undo() {
    const step = this.past.pop();
    if (!step) return;
    this.future.push(step);
    step.undo();
    this.changed();
  }

  redo() {
    const step = this.future.pop();
    if (!step) return;
    this.past.push(step);
    step.redo();
    this.changed();
  }
}

/** The keys of the page, and of the panel in front. */
export class Keys {
  /** @param {() => Shortcut[]} ofPanel */
  constructor(ofPanel) {
    /** @type {Shortcut[]} */
    this.always = [];
    this.ofPanel = ofPanel;
    attachKeys(() => [...ofPanel(), ...this.always]);
  }

  /** @param {Shortcut[]} shortcuts */
  add(shortcuts) {
    this.always.push(...shortcuts);
  }

  showHelp() {
    const all = [...this.ofPanel(), ...this.always].filter(({ shown }) => shown !== "");
    fillHelp(all, [
      ["Click", "Select; with Shift one more"],
      ["Ctrl drag", "Select everything in a rectangle"],
      ...MOUSE,
    ]);
    /** @type {HTMLDialogElement} */ (element("help")).showModal();
  }
}
