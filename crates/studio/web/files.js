// Files: what is opened, dropped, saved and exported. All names are those of the server: files of its folder, or `scratch:NAME`.

import { Refused, Stale } from "studio/connection.js";
import { ask, copyable, tell } from "studio/dialogs.js";
import { isMotion } from "studio/file_choice.js";
import { note } from "studio/widgets.js";
import { element, make } from "surefoot/controls.js";

/** @typedef {import("studio/app.js").Studio} Studio */
/**
 * Something that a panel can export. `run` writes a file of that name, `commandLine` is the command that does the same.
 *
 * @typedef {{
 *   label: string, ending: string, about: string, run: (file: string, replaces: boolean) => Promise<unknown>,
 *   commandLine: (file: string) => string,
 * }} Export
 */

/** A word of a command line, quoted where a shell needs it. @param {string} word */
export const quoted = (word) => (/^[\w./:=,@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** JSON of a file, or what is wrong with it. @param {string} text @returns {any} */
export const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`this is no JSON: ${error instanceof Error ? error.message : error}`);
  }
};

/** A name without its folder, as the server calls it. @param {string} file */
export const baseName = (file) => (file.split("/").at(-1) ?? file).replace(/^(scratch|opened):/, "");

/** A name without its folder and its endings. @param {string} file */
export const stem = (file) => baseName(file).replace(/\.(plan\.json|[^.]*)$/i, "") || "motion";

export class Files {
  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    element("open").addEventListener("click", () => this.showOpen());
    element("save").addEventListener("click", () => this.save());
    element("export").addEventListener("click", () => this.showExport());
    this.attachDrops();
  }

  attachDrops() {
    const sign = element("drop");
    let depth = 0;
    const isFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
    document.addEventListener("dragenter", (event) => {
      if (isFile(event)) sign.hidden = ++depth <= 0;
    });
    document.addEventListener("dragleave", (event) => {
      if (isFile(event)) sign.hidden = --depth <= 0;
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      [depth, sign.hidden] = [0, true];
      this.take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** Sends files to the server and opens them. Skeletons of AMC files go first: they are found beside these. @param {File[]} files */
  async take(files) {
    const isSkeleton = (/** @type {File} */ { name }) => /\.asf$/i.test(name);
    const together = files.filter(({ name }) => isMotion(name));
    const crowd = this.studio.panels.find((panel) => panel.loadAll);
    if (together.length > 1 && crowd) return this.takeTogether(files, crowd);
    for (const file of [...files].sort((a, b) => Number(isSkeleton(b)) - Number(isSkeleton(a)))) {
      try {
        const name = await this.upload(file);
        if (!isSkeleton(file)) await this.open(name);
        else if (files.every(isSkeleton)) tell(`${file.name} is a skeleton; drop its .amc now.`);
      } catch (error) {
        this.complain(error, file.name);
      }
    }
  }

  /** Several motions at once are played together. @param {File[]} files @param {import("studio/app.js").Panel} crowd */
  async takeTogether(files, crowd) {
    /** @type {string[]} */
    const names = [];
    for (const file of files) {
      try {
        const name = await this.upload(file);
        if (isMotion(name)) names.push(name);
      } catch (error) {
        this.complain(error, file.name);
      }
    }
    this.studio.openPanel(crowd.id);
    await crowd.loadAll?.(names);
  }

  /** @param {unknown} error @param {string} what */
  complain(error, what) {
    if (error instanceof Stale) return;
    tell(
      error instanceof Error
        ? error.message.includes(what)
          ? error.message
          : `${what}: ${error.message}`
        : String(error),
      "error",
    );
  }

  /** @param {File} file @returns {Promise<string>} its name on the server */
  async upload(file) {
    const most = this.studio.hello.upload_bytes;
    if (file.size > most)
      throw new Error(
        `${file.name} is larger than ${Math.round(most / 1e6)} MB, the most that the page takes; start the studio with it: surefoot studio ${quoted(file.name)}`,
      );
    if (file.size === 0) throw new Error(`${file.name} is empty`);
    let response;
    try {
      response = await fetch(`./upload/${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    } catch {
      throw new Error(`${file.name} could not be read or sent; folders cannot be dropped, their files can`);
    }
    if (!response.ok) throw new Error((await response.text()).trim() || `${file.name} was refused`);
    return (await response.json()).file;
  }

  /** Opens a file in the panel that takes its kind; the one in front first. @param {string} file */
  async open(file) {
    const { panels, front } = this.studio;
    const panel = [front, ...panels].find((panel) => panel?.opens?.(file));
    if (!panel) {
      const known =
        "foot plans (.plan.json), terrains (.terrain.json), motions (.bvh, .glb, .gltf, .fbx, .amc, .take), contacts (.contacts.json), scenes (.scene.json), gaits (.gait.toml), databases (.steps)";
      throw new Error(`no panel opens ${file}; there are ${known}`);
    }
    await panel.load?.(file);
    if (panel !== this.studio.front) this.studio.openPanel(panel.id);
  }

  async showOpen() {
    const list = make("div", { class: "files", role: "list" });
    const pick = make("input", { type: "file", multiple: "", "aria-label": "Files of this computer" });
    /** @type {(() => Promise<void>) | null} */
    let chosen = null;
    /** @type {HTMLDialogElement | null} */
    let dialog = null;
    const entry = (/** @type {string} */ name, /** @type {string} */ about, /** @type {() => Promise<void>} */ run) => {
      const made = make(
        "button",
        { type: "button", role: "listitem" },
        make("b", { dir: "auto" }, name),
        make("small", {}, about),
      );
      made.addEventListener("click", () => {
        chosen = run;
        dialog?.close("open");
      });
      return made;
    };
    const { plan, hello } = this.studio;
    const demos = hello.demos.map((/** @type {{ name: string, what: string }} */ demo) =>
      entry(demo.name, demo.what, async () => {
        await plan.open({ demo: demo.name });
        this.studio.openPanel("plan");
      }),
    );
    pick.addEventListener("change", () => {
      const files = [...(pick.files ?? [])];
      chosen = () => this.take(files);
      dialog?.close("open");
    });
    list.replaceChildren(make("p", { class: "fine" }, "Reading the folder…"));
    this.studio.connection.ask("files", {}).answer.then(
      ({ head }) => {
        const known = head.files.filter((/** @type {string} */ file) =>
          this.studio.panels.some((panel) => panel.opens?.(file)),
        );
        list.replaceChildren(...known.map((/** @type {string} */ file) => entry(file, "", () => this.open(file))));
        if (known.length === 0) list.replaceChildren(note(`No plans or motions in ${hello.folder}.`));
      },
      () => list.replaceChildren(note("The folder could not be read.")),
    );
    const body = [
      make("h3", {}, "Built-in plans"),
      make("div", { class: "files", role: "list" }, ...demos),
      make("h3", {}, "In the folder ", make("span", { class: "path", dir: "auto" }, hello.folder)),
      list,
      make("h3", {}, "From this computer"),
      pick,
      note("Files can be dropped on the page too."),
    ];
    await ask("Open", body, [{ value: "", label: "Cancel" }], (made) => {
      dialog = made;
      demos[0]?.focus();
    });
    const run = /** @type {(() => Promise<void>) | null} */ (chosen);
    if (run) await run().catch((error) => this.complain(error, ""));
  }

  /** What the panel in front saves. */
  async save() {
    const save = this.studio.front?.save;
    if (!save) return this.showExport();
    await this.write(save());
  }

  /**
   * Asks for a name, writes, and asks before it replaces something.
   *
   * @param {{ label: string, file: string, run: (file: string, replaces: boolean) => Promise<unknown>, done?: (file: string) => void }} what
   * @returns {Promise<boolean>} whether it was written
   */
  async write({ label, file, run, done }) {
    const field = make("input", {
      type: "text",
      class: "name",
      value: file,
      "aria-label": "File",
      spellcheck: "false",
    });
    const body = [
      make("label", { class: "field" }, make("span", { class: "name" }, "File"), field),
      make("p", { class: "fine", dir: "auto" }, `In ${this.studio.hello.folder}`),
    ];
    const answer = await ask(
      label,
      body,
      [
        { value: "", label: "Cancel" },
        { value: "save", label: "Save", kind: "primary" },
      ],
      () => {
        field.focus();
        field.setSelectionRange(0, field.value.indexOf(".") < 0 ? field.value.length : field.value.indexOf("."));
      },
    );
    return answer === "save" && field.value.trim() !== "" && this.writeAs(field.value.trim(), run, done);
  }

  /** @param {string} file @param {(file: string, replaces: boolean) => Promise<unknown>} run @param {(file: string) => void} [done] @returns {Promise<boolean>} */
  async writeAs(file, run, done) {
    try {
      await run(file, false);
    } catch (error) {
      if (!(error instanceof Refused) || error.error.kind !== "exists") {
        this.complain(error, file);
        return false;
      }
      const answer = await ask(
        "Replace it?",
        [make("p", { dir: "auto" }, `${file} is there already.`)],
        [
          { value: "", label: "Cancel" },
          { value: "replace", label: "Replace", kind: "primary" },
        ],
      );
      if (answer !== "replace") return false;
      try {
        await run(file, true);
      } catch (second) {
        this.complain(second, file);
        return false;
      }
    }
    done?.(file);
    tell(`${file} was written.`);
    return true;
  }

  async showExport() {
    const all = this.studio.front?.exports?.() ?? [];
    if (all.length === 0) {
      tell("There is nothing to export in this panel yet.");
      return;
    }
    const base = stem(this.studio.front?.name?.() ?? "motion");
    let chosen = all[0];
    const field = make("input", { type: "text", class: "name", "aria-label": "File", spellcheck: "false" });
    const about = make("p", { class: "fine" });
    const line = copyable(() => chosen.commandLine(field.value));
    const choose = (/** @type {Export} */ one) => {
      chosen = one;
      field.value = `${base}${one.ending}`;
      about.textContent = one.about;
      line.refresh();
    };
    field.addEventListener("input", () => line.refresh());
    const kinds = all.map((one, index) => {
      const radio = make("input", { type: "radio", name: "kind" });
      radio.checked = index === 0;
      radio.addEventListener("change", () => choose(one));
      return make("label", { class: "tick" }, radio, one.label);
    });
    choose(chosen);
    const body = [
      make("div", { class: "kinds", role: "radiogroup", "aria-label": "Kind of file" }, ...kinds),
      about,
      make("label", { class: "field" }, make("span", { class: "name" }, "File"), field),
      make("p", { class: "fine", dir: "auto" }, `In ${this.studio.hello.folder}`),
      make("h3", {}, "The same as a command"),
      line.element,
    ];
    const answers = [
      { value: "", label: "Cancel" },
      { value: "download", label: "Download" },
      { value: "save", label: "Export", kind: /** @type {const} */ ("primary") },
    ];
    const answer = await ask("Export", body, answers);
    const file = field.value.trim();
    if (answer === "save" && file) await this.writeAs(file, chosen.run);
    if (answer === "download" && file) await this.download(file, chosen.run);
  }

  /** Makes a file in the scratch folder and hands it to the browser. @param {string} file @param {(file: string, replaces: boolean) => Promise<unknown>} run */
  async download(file, run) {
    // Not the name of a dropped file, nor what another window downloads.
    const own = file.split("/").at(-1) ?? file;
    const name = `scratch:download-${this.studio.hello.window}-${own}`;
    try {
      await run(name, true);
      make("a", { href: `./download/${encodeURIComponent(name)}`, download: own }).click();
    } catch (error) {
      this.complain(error, file);
    }
  }
}

/** Hands a text to the browser, without the server. @param {string} name @param {string} text */
export function downloadText(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
