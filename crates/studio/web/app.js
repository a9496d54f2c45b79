// The studio's page: puts its parts together. A panel is a function of one list; what it can use is `Studio`, what it gives is `Panel`.

import { History, Keys } from "studio/commands.js";
import { Connection, Lost } from "studio/connection.js";
import { ask, copyable, task, tell } from "studio/dialogs.js";
import { isOfStudio } from "studio/file_choice.js";
import { baseName, downloadText, Files, stem } from "studio/files.js";
import { PANELS } from "studio/panels.js";
import { PlanModel } from "studio/plan_model.js";
import { View } from "studio/view.js";
import { element, make, press, showMessage } from "surefoot/controls.js";
import { openDocument } from "surefoot/document.js";
import { initTheme, toggleTheme } from "surefoot/theme.js";
import { playbackShortcuts } from "surefoot/transport.js";

/**
 * A panel: a tab, its element, and what it brings to the picture, the time line, files and keys while it is in front. Everything but the
 * first three is optional.
 *
 * @typedef {{
 *   id: string,
 *   label: string,
 *   element: HTMLElement,
 *   open?: () => void,
 *   close?: () => void,
 *   tool?: import("studio/view.js").Tool,
 *   track?: import("studio/view.js").Track,
 *   opens?: (file: string) => boolean,
 *   load?: (file: string) => Promise<void>,
 *   loadAll?: (files: string[]) => Promise<void>,
 *   name?: () => string,
 *   save?: () => { label: string, file: string, run: (file: string, replaces: boolean) => Promise<unknown>, done?: (file: string) => void },
 *   exports?: () => import("studio/files.js").Export[],
 *   commandLine?: () => string,
 *   shortcuts?: import("surefoot/controls.js").Shortcut[],
 *   state?: () => unknown,
 *   restore?: (state: any, isReload: boolean) => unknown,
 *   repaint?: () => void,
 *   isUnsaved?: () => boolean,
 *   commandNeeds?: () => string,
 *   isIdle?: () => boolean,
 * }} Panel
 */
/** @typedef {{ report: any, notMet: import("studio/connection.js").JobError | null, document: import("surefoot/document.js").Document | null }} Result */

/** Milliseconds after the last change until the state is kept for recovery. */
const AUTOSAVE_AFTER = 800;

/** What every panel is given. */
export class Studio {
  constructor() {
    this.history = new History(() => this.showHistory());
    this.connection = new Connection(new URL("./socket", location.href).href.replace(/^http/, "ws"));
    this.plan = new PlanModel(this.connection, this.history);
    /** What the server said first: folder, files of the command line, built-in plans, limits. @type {Record<string, any>} */
    this.hello = { folder: "", demos: [], upload_bytes: 0, autosave: null, has_begun: false, run: "", window: 0 };
    /** @type {Panel | undefined} */
    this.front = undefined;
    /** @type {Panel[]} */
    this.panels = [];
    this.view = new View({ tool: () => this.front?.tool, track: () => this.front?.track });
    this.keys = new Keys(() => this.front?.shortcuts ?? []);
    this.files = new Files(this);
    this.commandLine = copyable(() => this.front?.commandLine?.() ?? "");
    element("command-line").append(this.commandLine.element);
    this.autosaveTimer = 0;
    /** Until it is settled what of an earlier page is taken up: nothing is kept over that. */
    this.isRecovering = true;
    this.nScratch = 0;
    this.attach();
    this.panels = PANELS.map((create) => create(this));
    /** States of panels in which nothing was done yet: these are not kept. */
    this.untouched = new Map(this.panels.map((panel) => [panel.id, JSON.stringify(panel.state?.())]));
    this.fillTabs();
    this.connection.on("state", ({ head }) => this.showLine(head.state));
    this.connection.on("hello", ({ head }) => this.greeted(head));
    this.plan.listeners.push(() => this.changed());
    this.connection.connect();
    addEventListener("beforeunload", (event) => {
      // With a server behind it nothing is lost; without one the page is all there is.
      if (this.connection.state !== "open" && this.isUnsaved) event.preventDefault();
    });
  }

  /** Colours have changed: everything is drawn again. */
  repaint() {
    this.front?.repaint?.();
    this.touch();
  }

  /** Whether a panel has something that would be lost. */
  get isUnsaved() {
    return this.panels.some((panel) => panel.isUnsaved?.() ?? false);
  }

  // For panels

  /** Draws again soon. */
  touch() {
    this.view.touch();
  }

  /** Something was changed: the command line is written again, and the state kept for recovery. */
  changed() {
    this.commandLine.refresh();
    element("command").hidden = !this.front?.commandLine;
    const isUnsaved = this.front?.isUnsaved?.() ?? false;
    element("unsaved").hidden = !isUnsaved;
    element("command-title").textContent =
      `The same as a command${isUnsaved && this.front?.commandNeeds ? `, once ${this.front.commandNeeds()}` : ""}`;
    const name = baseName(this.front?.name?.() ?? "");
    element("title").textContent = name || "Surefoot studio";
    document.title = name ? `${isUnsaved ? "• " : ""}${name} · Surefoot` : "Surefoot studio";
    clearTimeout(this.autosaveTimer);
    this.autosaveTimer = setTimeout(() => this.autosave(), AUTOSAVE_AFTER);
    this.touch();
  }

  /**
   * Runs a job, with a bar and a way to end it once it takes longer. Rejects with `Refused` (a job's error), `Stale` or `Lost`.
   *
   * @param {string} label
   * @param {{ job?: string, request?: unknown, show?: unknown, live?: string }} what `show` is a request of `render` whose motions come back
   *   as a document; of jobs with one `live` name the newest counts
   * @returns {Promise<Result>}
   */
  async run(label, what) {
    const shown = task(label, () => this.connection.cancel(asked.n));
    const asked = this.connection.ask("job", what, (head) => shown.progress(head));
    try {
      const { head, bytes, at } = await asked.answer;
      const document = head.document ? openDocument(head.document, bytes, at) : null;
      return { report: head.envelope?.result ?? null, notMet: head.not_met ?? null, document };
    } finally {
      shown.end();
    }
  }

  /**
   * A file in the scratch folder that no other window or request has; it goes when `use` is done.
   *
   * @template T @param {string} ending @param {(file: string) => Promise<T>} use @returns {Promise<T>}
   */
  async withScratch(ending, use) {
    const file = `scratch:export-${this.hello.window}-${this.nScratch++}${ending}`;
    try {
      return await use(file);
    } finally {
      this.connection.ask("forget", { file }).answer.catch(() => {});
    }
  }

  /** A line above the picture; empty takes it away. @param {string} text */
  hint(text) {
    element("hint").textContent = text;
  }

  /** @param {string} id */
  openPanel(id) {
    const panel = this.panels.find((one) => one.id === id);
    if (!panel || panel === this.front) return;
    this.view.cancelDrag?.();
    this.front?.close?.();
    this.front = panel;
    for (const one of this.panels) {
      one.element.hidden = one !== panel;
      const tab = element(`tab-${one.id}`);
      tab.setAttribute("aria-selected", String(one === panel));
      tab.tabIndex = one === panel ? 0 : -1;
    }
    this.hint("");
    panel.open?.();
    this.changed();
  }

  // The page

  fillTabs() {
    const tabs = element("tabs");
    element("panels").replaceChildren(...this.panels.map((panel) => panel.element));
    tabs.replaceChildren(
      ...this.panels.map((panel) => {
        const { id, label } = panel;
        panel.element.setAttribute("role", "tabpanel");
        panel.element.setAttribute("aria-labelledby", `tab-${id}`);
        panel.element.id = `panel-${id}`;
        panel.element.hidden = true;
        const tab = make(
          "button",
          { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, "aria-selected": "false" },
          label,
        );
        tab.addEventListener("click", () => this.openPanel(id));
        return tab;
      }),
    );
    tabs.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0 || !this.front) return;
      event.stopPropagation();
      const at = this.panels.indexOf(this.front);
      const next = this.panels[(at + step + this.panels.length) % this.panels.length];
      this.openPanel(next.id);
      element(`tab-${next.id}`).focus();
    });
    tabs.hidden = this.panels.length < 2;
  }

  attach() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ run) => element(id).addEventListener("click", run);
    const undo = () => this.history.undo();
    const redo = () => this.history.redo();
    const theme = () => {
      toggleTheme();
      this.repaint();
    };
    const help = () => this.keys.showHelp();
    on("undo", undo);
    on("redo", redo);
    on("theme", theme);
    on("help-open", help);
    on("layers-open", () => {
      const box = element("layers-box");
      box.hidden = !box.hidden;
      element("layers-open").setAttribute("aria-expanded", String(!box.hidden));
      press("layers-open", !box.hidden);
    });
    element("command").addEventListener("toggle", () => this.commandLine.refresh());
    this.keys.add([
      { keys: ["Ctrl+z"], shown: "Ctrl Z", about: "Undo", run: undo },
      { keys: ["Ctrl+Shift+z", "Ctrl+y"], shown: "Ctrl Shift Z", about: "Redo", run: redo },
      { keys: ["Ctrl+o"], shown: "Ctrl O", about: "Open", run: () => this.files.showOpen() },
      { keys: ["Ctrl+s"], shown: "Ctrl S", about: "Save", run: () => this.files.save() },
      { keys: ["Ctrl+e"], shown: "Ctrl E", about: "Export", run: () => this.files.showExport() },
      ...playbackShortcuts(this.view.playback),
      ...this.view.looks.shortcuts(),
      { keys: ["t"], shown: "T", about: "Light or dark", run: theme },
      { keys: ["?", "h"], shown: "?", about: "This sheet", run: help },
    ]);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      initTheme();
      this.repaint();
    });
  }

  showHistory() {
    const { past, future } = this.history;
    const show = (
      /** @type {string} */ id,
      /** @type {string} */ word,
      /** @type {import("studio/commands.js").Step | undefined} */ step,
      /** @type {string} */ keys,
    ) => {
      const made = /** @type {HTMLButtonElement} */ (element(id));
      made.disabled = step === undefined;
      made.title = step ? `${word}: ${step.label} (${keys})` : `Nothing to ${word.toLowerCase()}`;
    };
    show("undo", "Undo", past.at(-1), "Ctrl+Z");
    show("redo", "Redo", future.at(-1), "Ctrl+Shift+Z");
  }

  /** @param {import("studio/connection.js").LineState} state */
  showLine(state) {
    const line = element("line");
    line.dataset.state = state;
    const words = { connecting: "Connecting", open: "Connected", lost: "Not connected" };
    line.replaceChildren(words[state]);
    line.title =
      state === "lost"
        ? "The server does not answer. Edits are kept in this page, and go to the server when it is back."
        : "";
    if (state !== "lost") return;
    const keep = make(
      "button",
      { type: "button", title: "A file of the plan as it is in this page" },
      "Download the plan",
    );
    keep.addEventListener("click", () =>
      downloadText(`${stem(this.plan.settings.file ?? "walk")}.plan.json`, this.plan.text()),
    );
    line.append(keep);
  }

  /** @param {Record<string, any>} hello */
  greeted(hello) {
    const isFirst = this.hello.run === "";
    const isNew = hello.run !== this.hello.run;
    this.hello = hello;
    if (!isFirst) {
      this.plan.reconnected(isNew);
      // This page has its plan; no other one shall put the files of the command line over it.
      if (isNew) this.connection.ask("begin", {}).answer.catch(() => {});
      tell(
        isNew ? "Connected to the studio that was started again; the plan of this page is there." : "Connected again.",
      );
      return;
    }
    this.openPanel(this.panels[0].id);
    this.begin(hello);
  }

  /** What the page begins with: the server's plan and the panels as they were, what is recovered, or files of the command line. @param {Record<string, any>} hello */
  async begin(hello) {
    try {
      await this.plan.heard;
      if (hello.has_begun) {
        await this.resume(hello.autosave);
        return;
      }
      const isRestored = await this.offerRecovery(hello.autosave);
      // The first window that begins gets them, and no later one.
      const { head } = await this.connection.ask("begin", {}).answer;
      if (isRestored && head.files.length > 0) {
        const names = head.files.map(baseName).join(", ");
        tell(`${names}: not opened, as the plan of before was restored; Open has the files of the folder.`);
        return;
      }
      for (const file of head.files) await this.files.open(file).catch((error) => this.files.complain(error, file));
    } finally {
      this.isRecovering = false;
      this.changed();
    }
  }

  /** A page that was loaded again, or a second window: the server has the plan, and what panels worked on. @param {any} kept */
  async resume(kept) {
    if (kept?.unsaved?.plan) this.plan.savedText = "";
    await this.restorePanels(kept, true);
  }

  /** @param {any} saved @returns {Promise<boolean>} whether it was taken up */
  async offerRecovery(saved) {
    const isUnsaved = Object.values(saved?.unsaved ?? { plan: true }).some(Boolean);
    if (!isUnsaved || !saved?.plan?.footprints?.length) return false;
    const when = new Date(saved.at).toLocaleString();
    const text = `The studio ended before this was saved: a plan of ${saved.plan.footprints.length} footprints and the other panels, ${when}.`;
    const answer = await ask(
      "Take up where you left off?",
      [make("p", {}, text)],
      [
        { value: "", label: "Discard" },
        { value: "restore", label: "Restore", kind: "primary" },
      ],
    );
    if (answer === "restore") await this.restore(saved);
    else this.connection.ask("autosave", { state: null }).answer.catch(() => {});
    return answer === "restore";
  }

  /** @param {any} saved */
  async restore(saved) {
    // Names that only the studio knew that ended are of other files now, or of none.
    const settings = Object.entries(saved.plan.settings).map(([key, value]) => [
      key,
      isOfStudio(String(value)) ? null : value,
    ]);
    await this.plan.sendSettings(Object.fromEntries(settings));
    this.plan.edit("restore", saved.plan.footprints);
    await this.restorePanels(saved, false);
    if (saved.front) this.openPanel(saved.front);
  }

  /** @param {any} saved @param {boolean} isReload whether the server is still the same */
  async restorePanels(saved, isReload) {
    for (const panel of this.panels) {
      const state = saved?.panels?.[panel.id];
      if (state === undefined) continue;
      try {
        await panel.restore?.(state, isReload);
      } catch (error) {
        this.files.complain(error, panel.label);
      }
    }
  }

  /** Keeps the state of the page, and what of it is not saved. Of panels in which nothing was done, what other windows sent stays. */
  autosave() {
    if (this.connection.state !== "open" || !this.plan.isKnown || this.isRecovering) return;
    /** @type {Record<string, unknown>} */
    const panels = {};
    /** @type {Record<string, boolean>} */
    const unsaved = { plan: this.plan.isUnsaved };
    for (const { id, state, isUnsaved } of this.panels) {
      if (!state) continue;
      const value = state();
      if (this.untouched.get(id) === JSON.stringify(value)) continue;
      this.untouched.delete(id);
      panels[id] = value;
      if (isUnsaved) unsaved[id] = isUnsaved();
    }
    const { prints: footprints, settings } = this.plan;
    const state = { at: Date.now(), plan: { footprints, settings }, panels, unsaved, front: this.front?.id };
    this.connection.ask("autosave", { state }).answer.catch(() => {});
  }
}

/** Says what went wrong in words that a user can act on. @param {unknown} error */
function complain(error) {
  if (error instanceof Lost) tell(error.message, "error");
  else if (error instanceof Error && error.name !== "Stale") console.error(error);
}

/** Starts the page. `window.studio` is for scripts and tests. */
export function start() {
  initTheme();
  addEventListener("unhandledrejection", (event) => complain(event.reason));
  try {
    Object.assign(window, { studio: new Studio() });
  } catch (error) {
    showMessage("The studio could not start", error instanceof Error ? error.message : String(error));
    console.error(error);
  }
}
