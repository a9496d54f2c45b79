// A job that follows controls: one is on its way at a time, and of those that were asked for meanwhile only the last is sent.
//
// Answers come in the order of requests, so nothing older is shown after something newer, and a slider that is dragged for a second shows
// as many results as the server can make in it. Results that nobody saves lie in two scratch files that take turns: one is shown while the
// other is written.

import { Lost, Refused, Stale } from "studio/connection.js";

/** @typedef {import("studio/app.js").Result} Result */
/** @typedef {import("studio/connection.js").JobError} JobError */
/** @typedef {{ job?: string, request?: unknown, show?: unknown }} What */
/** Called when the request is sent, with names for files that it writes; `null` asks for nothing. @typedef {(scratch: (ending: string) => string) => What | null | Promise<What | null>} Make */

export class LiveJob {
  /**
   * @param {import("studio/app.js").Studio} studio
   * @param {string} name of its own among live jobs
   * @param {string} label
   * @param {{ done: (result: Result) => void, failed: (error: JobError) => void, busy?: (isBusy: boolean) => void }} shown
   */
  constructor(studio, name, label, shown) {
    this.studio = studio;
    this.name = name;
    this.label = label;
    this.shown = shown;
    this.count = 0;
    this.isRunning = false;
    /** @type {Make | null} */
    this.next = null;
  }

  /** Whether everything that was asked for is shown. */
  get isIdle() {
    return !this.isRunning && this.next === null;
  }

  /** Asks again. @param {Make} make */
  ask(make) {
    this.next = make;
    if (!this.isRunning) this.run();
  }

  async run() {
    this.isRunning = true;
    this.shown.busy?.(true);
    try {
      while (this.next) await this.once(this.next);
    } finally {
      this.isRunning = false;
      this.shown.busy?.(false);
    }
  }

  /** @param {Make} make */
  async once(make) {
    this.next = null;
    const stem = `scratch:${this.name}-${this.studio.hello.window}-${this.count++ % 2}`;
    try {
      const what = await make((ending) => `${stem}${ending}`);
      if (what) this.shown.done(await this.studio.run(this.label, { ...what, live: this.name }));
    } catch (error) {
      if (error instanceof Refused) this.shown.failed(error.error);
      else if (error instanceof Lost) this.next ??= make;
      else if (!(error instanceof Stale)) throw error;
    }
  }
}
