// The plan that all windows share, as this one knows it.
//
// Every edit is a pair: the plan before and after it, as this window saw it. The server merges it into what it has, and answers all
// windows with a new version. At most one edit is on its way; while it is, later ones are joined, so that a drag never queues up. What
// this window did is shown at once, and stays shown until the server has answered all of it.

import { Stale } from "studio/connection.js";
import { tell } from "studio/dialogs.js";
import { openDocument } from "surefoot/document.js";

/** @typedef {import("studio/connection.js").Message} Message */
/** @typedef {[number, number, number]} Vec3 */
/**
 * A footprint as plan files have it, with an id that stays.
 *
 * @typedef {{
 *   id: number, foot: "left" | "right", position: Vec3, heading?: number, land?: number, leave?: number, swing?: number,
 *   support?: number, normal?: Vec3, behaviour?: string, fixed?: boolean,
 * }} Print
 */
/** @typedef {{ file: string | null, terrain: string | null, on: string | null, with: "compose" | "steps" | "gait" }} Settings */
/** @typedef {{ target: number | null, actual: number | null, difference: number | null }} Target */
/**
 * @typedef {{
 *   footprint: number, foot: string, behaviour: string | null, reason: string | null, origin: string, outside_cm: number,
 *   height_outside_cm: number, land_seconds: Target, leave_seconds: Target, stance_frames: [number, number],
 *   placement: { mid_stance_mm: number, middle_60_mm: number, middle_60_slide_mm: number } | null, is_beyond_motion?: boolean,
 *   heading_degrees: Target, swing_seconds: Target, support_seconds: Target, sources: { name: string, weight: number }[],
 * }} Row
 */
/**
 * @typedef {{
 *   verdict: { grade: "good" | "check" | "poor", reasons: string[] }, synthesizer: string, seconds: number, frame_rate: number,
 *   missed: number, largest_placement_error_mm: number | null, metrics: Record<string, number | null>, each: Row[],
 * }} Report
 */
/** @typedef {{ version: number, report: Report, document: import("surefoot/document.js").Document, ids: number[] }} Solved */

/** The fields of a footprint in the order of files, without those that say nothing. @param {Print} print @returns {Print} */
function plain({ id, foot, position, heading, land, leave, swing, support, normal, behaviour, fixed }) {
  const given = Object.entries({ heading, land, leave, swing, support, normal, behaviour }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { id, foot, position, ...Object.fromEntries(given), ...(fixed ? { fixed } : {}) };
}

/** @param {unknown} a @param {unknown} b */
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * The present plan with an edit that made `after` of `before`, as the server merges it (`editor_plan.rs`).
 *
 * @param {Print[]} present @param {Print[]} before @param {Print[]} after @returns {Print[]}
 */
export function merge(present, before, after) {
  const byId = (/** @type {Print[]} */ prints) => new Map(prints.map((print) => [print.id, print]));
  const [old, now, there] = [byId(before), byId(after), byId(present)];
  const isChanged = (/** @type {Print} */ print) => old.has(print.id) && !isSame(old.get(print.id), print);
  const merged = present.flatMap((print) => {
    const edited = now.get(print.id);
    if (!edited) return old.has(print.id) ? [] : [print];
    return [isChanged(edited) ? edited : print];
  });
  after.forEach((print, index) => {
    if (there.has(print.id) || (old.has(print.id) && !isChanged(print))) return;
    // Inserted: behind the nearest footprint before it that is there.
    const places = after
      .slice(0, index)
      .reverse()
      .map(({ id }) => merged.findIndex((other) => other.id === id));
    merged.splice((places.find((place) => place >= 0) ?? -1) + 1, 0, print);
  });
  return merged;
}

export class PlanModel {
  /** @param {import("studio/connection.js").Connection} connection @param {import("studio/commands.js").History} history */
  constructor(connection, history) {
    this.connection = connection;
    this.history = history;
    /** @type {Print[]} */
    this.prints = [];
    /** What the server has, as far as is known. @type {Print[]} */
    this.confirmed = [];
    /** @type {Settings} */
    this.settings = { file: null, terrain: null, on: null, with: "compose" };
    this.version = 0;
    /** Whether the server was heard. */
    this.isKnown = false;
    /** When it was heard first. @type {Promise<void>} */
    this.heard = new Promise((done) => {
      this.firstHeard = done;
    });
    /** Changes of settings go one after the other, each with what the one before it made. @type {Promise<unknown>} */
    this.setting = Promise.resolve();
    this.isSending = false;
    this.snaps = true;
    /** @type {Solved | null} */
    this.solved = null;
    /** @type {import("studio/connection.js").JobError | null} */
    this.refused = null;
    /** What the server works on: `steps` or `motion`. @type {string | null} */
    this.working = null;
    /** What a plan that has no file is called. */
    this.title = "walk";
    /** What was saved last, as text. @type {string | null} */
    this.savedText = null;
    /** Called when footprints, settings, motion or state change. @type {((what: "plan" | "solved" | "state") => void)[]} */
    this.listeners = [];
    /** Called with live frames. @type {((first: number, values: Float32Array) => void)[]} */
    this.previews = [];
    /** Milliseconds from an edit to its first frames: of the last ones, and those that the server took. @type {{ round: number, server: number }[]} */
    this.latencies = [];
    this.sentAt = 0;
    /** What a server that was started again gets. @type {{ prints: Print[], settings: Settings } | null} */
    this.kept = null;
    connection.on("plan", (message) => this.heardPlan(message.head));
    connection.on("solved", (message) => this.heardSolved(message));
    connection.on("preview", (message) => this.heardPreview(message));
    connection.on("refused", ({ head }) => {
      if (head.version < this.version) return;
      [this.refused, this.working] = [head.error, null];
      this.tellAll("state");
    });
    connection.on("working", ({ head }) => {
      this.working = head.on;
      this.tellAll("state");
    });
  }

  /** @param {"plan" | "solved" | "state"} what */
  tellAll(what) {
    for (const listener of this.listeners) listener(what);
  }

  // What the server says

  /** @param {Record<string, any>} head */
  heardPlan(head) {
    const isOther = this.isKnown && head.version > this.version;
    [this.version, this.confirmed, this.isKnown] = [head.version, head.footprints.map(plain), true];
    this.settings = head.settings;
    this.refused = null;
    const { kept } = this;
    this.kept = null;
    if (kept && !isSame(kept, { prints: this.confirmed, settings: head.settings })) {
      this.prints = kept.prints;
      this.tellAll("plan");
      if (!isSame(kept.settings, this.settings)) this.sendSettings(kept.settings).then(() => this.show(kept.prints));
      else this.send();
      return;
    }
    // While edits of this window are on their way it shows them; the plan that follows has them.
    if (!this.isSending) this.prints = this.confirmed;
    if (this.savedText === null) this.savedText = this.text();
    if (isOther) this.working = "motion";
    this.tellAll("plan");
    this.firstHeard?.();
  }

  /** @param {Message} message */
  heardSolved({ head, bytes, at }) {
    if (head.version < this.version) return;
    const document = openDocument(head.document, bytes, at);
    this.solved = { version: head.version, report: head.report, document, ids: this.confirmed.map(({ id }) => id) };
    [this.refused, this.working] = [null, null];
    this.tellAll("solved");
  }

  /** @param {Message} message */
  heardPreview({ head, bytes, at }) {
    if (head.version < this.version) return;
    this.latencies = [...this.latencies.slice(-99), { round: performance.now() - this.sentAt, server: head.server_ms }];
    const values = new Float32Array(bytes.slice(at));
    for (const show of this.previews) show(head.first_frame, values);
  }

  /** The line is back. A server that was started again has another plan: it gets that of this window. @param {boolean} isNew */
  reconnected(isNew) {
    if (!isNew || !this.isKnown) return;
    this.kept = { prints: this.prints, settings: this.settings };
    this.connection.drop(["edit", "set", "open"]);
    [this.version, this.isSending, this.isKnown] = [0, false, false];
  }

  // Edits

  /**
   * Makes the plan `after`, at once.
   *
   * @param {string} label as undo has it
   * @param {Print[]} after
   */
  edit(label, after) {
    const before = this.prints;
    this.show(after);
    this.remember(label, before, this.prints);
  }

  /** Shows a plan and sends it, without a step of undo: while something is dragged. @param {Print[]} prints */
  show(prints) {
    this.prints = prints.map(plain);
    this.tellAll("plan");
    this.send();
  }

  /** A step of undo for what is shown already. @param {string} label @param {Print[]} before @param {Print[]} after */
  remember(label, before, after) {
    if (isSame(before, after)) return;
    const turn = (/** @type {Print[]} */ from, /** @type {Print[]} */ to) => () =>
      this.show(merge(this.prints, from, to));
    this.history.push({ label, undo: turn(after, before), redo: turn(before, after) });
  }

  /** Sends what is shown, unless something is on its way: then it goes after that. */
  send() {
    if (this.isSending || isSame(this.confirmed, this.prints)) return;
    this.isSending = true;
    this.sentAt = performance.now();
    const [before, after] = [this.confirmed, this.prints];
    this.sendPair(before, after).then((isAnswered) => {
      if (!isAnswered) return;
      this.isSending = false;
      // What was done since is an edit of what the server made of the last one.
      this.prints = merge(this.confirmed, after, this.prints);
      this.send();
      this.tellAll("plan");
    });
  }

  /** @param {Print[]} before @param {Print[]} after @returns {Promise<boolean>} whether the server answered */
  async sendPair(before, after) {
    const edit = { before, after, snap: this.snaps };
    try {
      await this.connection.ask("edit", { edit }).answer;
    } catch (error) {
      if (error instanceof Stale) return false;
      // What the server will not have is not shown either.
      this.prints = this.confirmed;
      tell(error instanceof Error ? error.message : String(error), "error");
      this.tellAll("plan");
    }
    return true;
  }

  /** Whoever walks where, as a step of undo. @param {string} label @param {Partial<Settings>} change */
  set(label, change) {
    return this.inTurn(async () => {
      const { prints, settings } = this;
      const before = Object.fromEntries(
        Object.keys(change).map((key) => [key, settings[/** @type {keyof Settings} */ (key)]]),
      );
      if (isSame(settings, { ...settings, ...change }) || !(await this.putSettings(change))) return;
      const made = this.prints;
      // Only what this changed goes back: other windows may have edited since.
      const turn =
        (/** @type {Partial<Settings>} */ to, /** @type {Print[]} */ from, /** @type {Print[]} */ there) => () =>
          this.sendSettings(to).then(() => this.show(merge(this.prints, from, there)));
      this.history.push({ label, undo: turn(before, made, prints), redo: turn(change, prints, made) });
    });
  }

  /** The settings that are named, once those before them are there. @param {Partial<Settings>} change */
  sendSettings(change) {
    return this.inTurn(() => this.putSettings(change));
  }

  /** @template T @param {() => Promise<T>} run @returns {Promise<T>} */
  inTurn(run) {
    const made = this.setting.then(run);
    this.setting = made.catch(() => {});
    return made;
  }

  /** @param {Partial<Settings>} settings those that change; the server keeps the others */
  async putSettings(settings) {
    try {
      await this.connection.ask("set", { settings }).answer;
      return true;
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), "error");
      this.tellAll("plan");
      return false;
    }
  }

  /** Opens a plan of a file or a built-in one. @param {{ file: string } | { demo: string }} what */
  async open(what) {
    const [before, old, savedBefore] = [this.prints, this.settings, this.savedText];
    await this.connection.ask("open", what).answer;
    const [after, settings] = [this.prints, this.settings];
    this.savedText = this.text();
    if ("demo" in what) this.title = what.demo;
    const savedAfter = this.savedText;
    const back =
      (/** @type {Settings} */ to, /** @type {Print[]} */ prints, /** @type {string | null} */ saved) => async () => {
        await this.sendSettings(to);
        this.savedText = saved;
        this.show(prints);
      };
    this.history.push({ label: "open", undo: back(old, before, savedBefore), redo: back(settings, after, savedAfter) });
    this.tellAll("plan");
  }

  // Reading

  /** What is known of a footprint since the motion was solved. @param {number} id @returns {Row | undefined} */
  row(id) {
    const { solved } = this;
    return solved ? solved.report.each[solved.ids.indexOf(id)] : undefined;
  }

  /** An id that no other window gives. */
  newId() {
    const taken = new Set([...this.prints, ...this.confirmed].map(({ id }) => id));
    for (;;) {
      const id = 1_000_000 + (crypto.getRandomValues(new Uint32Array(1))[0] % 4_000_000_000);
      if (!taken.has(id)) return id;
    }
  }

  /** The plan as a file: for a page whose server is gone, and to see whether something changed. */
  text() {
    const lines = this.prints.map((print) => `  ${JSON.stringify({ ...plain(print), id: undefined })}`);
    return `{ "footplan": 2, "footprints": [\n${lines.join(",\n")}\n] }\n`;
  }

  get isUnsaved() {
    return this.savedText !== null && this.savedText !== this.text();
  }

  saved() {
    this.savedText = this.text();
    this.tellAll("state");
  }
}

export { isSame };
