// The player: reads the page's data, puts the parts together, and draws whenever something has changed.

import { attachCamera } from "surefoot/camera.js";
import { attachKeys, element, fillChecks, fillHelp, make, press, showMessage, table } from "surefoot/controls.js";
import { readDocument } from "surefoot/document.js";
import { add } from "surefoot/math.js";
import { Playback } from "surefoot/playback.js";
import { drawPlots, seriesOf, valueAt } from "surefoot/plots.js";
import { Stage } from "surefoot/stage.js";
import { ACTOR_INKS, initTheme, toggleTheme } from "surefoot/theme.js";
import { attachScrubbing, drawTimeline, TimeRange } from "surefoot/timeline.js";
import { attachTransport, playbackShortcuts, showTransport } from "surefoot/transport.js";

/** @typedef {import("surefoot/document.js").Document} PageData */
/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/camera.js").View} View */

/** @type {[View, string, string][]} */
const VIEWS = [
  ["free", "3D", "1"],
  ["side", "Side", "2"],
  ["front", "Front", "3"],
  ["top", "Top", "4"],
];
/** @type {[keyof import("surefoot/stage.js").Layers, string][]} */
const LAYERS = [
  ["prints", "Footprints"],
  ["contacts", "Contacts"],
  ["trails", "Trajectories"],
  ["ghosts", "Onion skin"],
  ["shadows", "Shadows"],
  ["grid", "Grid"],
  ["labels", "Labels"],
];
/** Most actors whose bars are drawn at once. */
const MOST_BARS = 4;
/** Milliseconds between two updates of the numbers while it plays. */
const NUMBERS_EVERY = 100;
/** So many pictures one after the other that take longer, in milliseconds, make the picture coarser. */
const SLOW = 45;
const MANY_SLOW = 20;

/** A player of the page's shows. */
class Player {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.isDirty = true;
    this.playback = new Playback(() => this.touch());
    this.range = new TimeRange();
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Set<string>} */
    this.plots = new Set();
    this.index = 0;
    this.show = data.show(0);
    this.lastNumbers = 0;
    /** Milliseconds that the last pictures took, newest last. @type {number[]} */
    this.times = [];
    try {
      this.stage = new Stage(element("picture"), element("overlay"), data);
      attachCamera(element("picture"), this.stage.camera, () => this.cameraMoved());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      showMessage(
        "No 3D picture here",
        `This browser shows no WebGL2 (${reason}). The time line, plots and numbers below work. A current Chrome, Edge, Firefox or Safari with graphics acceleration shows the people too.`,
      );
    }
    for (const id of ["timeline", "plots"]) attachScrubbing(element(id), this.range, this.playback, () => this.touch());
    this.attach();
    this.open(0);
    let last = performance.now();
    let nSlow = 0;
    const frame = (/** @type {number} */ now) => {
      this.playback.advance(Math.min((now - last) / 1000, 0.25));
      nSlow = this.playback.isPlaying && now - last > SLOW ? nSlow + 1 : 0;
      if (nSlow === MANY_SLOW && this.stage?.isFine) this.stage.makeCoarse();
      last = now;
      if (this.isDirty) this.draw(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    new ResizeObserver(() => this.touch()).observe(element("app"));
  }

  touch() {
    this.isDirty = true;
  }

  cameraMoved() {
    this.showView();
    this.touch();
  }

  /** Actors that are not hidden; bars and plots are theirs. */
  get shown() {
    const visible = this.stage?.visible;
    return this.show.actors
      .map((_, index) => index)
      .filter((index) => visible?.[index] !== "hidden")
      .slice(-MOST_BARS);
  }

  /** @param {number} index of a show */
  open(index) {
    this.index = index;
    this.show = this.data.show(index);
    const { show } = this;
    const rate = show.actors[0].rate;
    const duration = Math.max(...show.actors.map((actor) => (actor.frames - 1) / actor.rate));
    this.stage?.load(show);
    this.range.reset(duration);
    this.playback.reset(duration, rate);
    const several = this.data.packed.shows.length > 1;
    element("title").textContent = several
      ? `${this.data.packed.title} · ${show.name}`
      : show.name || this.data.packed.title;
    document.title = this.data.packed.title;
    const keys = seriesOf(show).map((series) => series.key);
    if (![...this.plots].some((key) => keys.includes(key)))
      this.plots = new Set(["height", "slide"].filter((key) => keys.includes(key)));
    fillChecks(
      "chosen",
      seriesOf(show).map(({ key, label }) => [key, label, this.plots.has(key)]),
      (key, isOn) => {
        if (isOn) this.plots.add(key);
        else this.plots.delete(key);
        this.touch();
      },
    );
    this.fillDetails();
    this.fillLegend();
    for (const button of document.querySelectorAll("#shows button")) {
      button.setAttribute("aria-current", String(button.getAttribute("data-index") === String(index)));
    }
    element("arrange").hidden = show.actors.length < 2;
    press("arrange", this.stage?.isSideBySide ?? false);
    this.showView();
    this.touch();
  }

  fillDetails() {
    const { show } = this;
    const badge = element("badge");
    badge.hidden = !show.verdict;
    if (show.verdict) {
      badge.textContent = show.verdict.grade;
      badge.className = `badge ${["good", "check", "poor"].includes(show.verdict.grade) ? show.verdict.grade : ""}`;
    }
    element("about").textContent = show.about;
    element("reasons").replaceChildren(...(show.verdict?.reasons ?? []).map((reason) => make("li", {}, reason)));
    const hasBefore = show.facts.some((fact) => fact.before !== undefined);
    const rows = show.facts.map((fact) =>
      hasBefore ? [fact.name, fact.before ?? "", fact.value] : [fact.name, fact.value],
    );
    element("facts").replaceChildren(
      ...(rows.length > 0 ? [table(hasBefore ? ["", "before", "after"] : [], rows)] : []),
    );
    element("about-section").hidden = !show.about && rows.length === 0 && !show.verdict;
    element("links").replaceChildren(
      ...show.links.map((link) => make("a", { href: `./${encodeURIComponent(link)}` }, link)),
    );
    element("files-section").hidden = show.links.length === 0;
    const error = Math.max(...show.actors.map((actor) => actor.error_mm));
    const detected = show.actors.some((actor) => actor.contacts?.from === "detected");
    element("fine").textContent =
      `Joints are within ${error.toFixed(3)} mm of the file.${detected ? " Contacts were detected in the motion." : ""} Toe bars: tip under 20 mm and slower than 0.4 m/s.`;
  }

  fillLegend() {
    const { show, stage } = this;
    const legend = element("legend");
    if (!stage || show.actors.length < 2 || show.actors.length > 12) {
      legend.replaceChildren();
      return;
    }
    const next = { solid: "ghost", ghost: "hidden", hidden: "solid" };
    legend.replaceChildren(
      ...show.actors.map((actor, index) => {
        const state = stage.visible[index];
        const dot = make("i");
        dot.style.background = ACTOR_INKS[index % ACTOR_INKS.length];
        const button = make(
          "button",
          { type: "button", title: "Solid, see-through or hidden" },
          dot,
          make("b", { dir: "auto" }, actor.name),
          make("small", {}, state),
        );
        button.classList.toggle("is-hidden", state === "hidden");
        button.addEventListener("click", () => {
          stage.visible[index] = /** @type {import("surefoot/stage.js").Visibility} */ (next[state]);
          if (stage.visible[index] === "solid") stage.lead = index;
          this.fillLegend();
          this.touch();
        });
        return button;
      }),
    );
  }

  showView() {
    for (const [view] of VIEWS) press(`view-${view}`, this.stage?.camera.view === view);
    press("follow", this.stage?.camera.isFollowing ?? false);
  }

  /** @param {View} view */
  look(view) {
    if (!this.stage) return;
    this.stage.camera.look(view);
    this.stage.camera.isFollowing = false;
    this.stage.frameAll();
    this.cameraMoved();
  }

  follow() {
    if (!this.stage) return;
    const { camera } = this.stage;
    camera.isFollowing = !camera.isFollowing;
    if (camera.isFollowing) this.stage.frameNow(this.playback.time);
    else this.stage.frameAll();
    this.cameraMoved();
  }

  arrange() {
    if (!this.stage || this.show.actors.length < 2) return;
    this.stage.setSideBySide(!this.stage.isSideBySide);
    press("arrange", this.stage.isSideBySide);
    this.touch();
  }

  /** @param {keyof import("surefoot/stage.js").Layers} layer @param {boolean} isOn */
  setLayer(layer, isOn) {
    if (!this.stage) return;
    this.stage.layers[layer] = isOn;
    const box = document.querySelector(`#layers input[name="${layer}"]`);
    if (box instanceof HTMLInputElement) box.checked = isOn;
    this.touch();
  }

  togglePanel() {
    const panel = element("panel");
    panel.hidden = !panel.hidden;
    element("panel-toggle").setAttribute("aria-expanded", String(!panel.hidden));
    this.touch();
  }

  attach() {
    const { playback } = this;
    const on = (/** @type {string} */ id, /** @type {() => void} */ run) => element(id).addEventListener("click", run);
    element("views").replaceChildren(
      ...VIEWS.map(([view, label, key]) => {
        const button = make(
          "button",
          { type: "button", id: `view-${view}`, "aria-pressed": "false", title: `${label} view (${key})` },
          label,
        );
        button.addEventListener("click", () => this.look(view));
        return button;
      }),
    );
    on("follow", () => this.follow());
    on("arrange", () => this.arrange());
    on("panel-toggle", () => this.togglePanel());
    const theme = () => {
      toggleTheme();
      this.touch();
    };
    on("theme", theme);
    const help = () => /** @type {HTMLDialogElement} */ (element("help")).showModal();
    on("help-open", help);
    attachTransport(playback);
    const layers = /** @type {import("surefoot/stage.js").Layers} */ (this.stage?.layers ?? {});
    fillChecks(
      "layers",
      LAYERS.map(([key, label]) => [key, label, layers[key]]),
      (key, isOn) => this.setLayer(/** @type {keyof import("surefoot/stage.js").Layers} */ (key), isOn),
    );
    this.fillShows();
    const toggle = (/** @type {keyof import("surefoot/stage.js").Layers} */ layer) =>
      this.setLayer(layer, !this.stage?.layers[layer]);
    /** @type {import("surefoot/controls.js").Shortcut[]} */
    const shortcuts = [
      ...playbackShortcuts(playback),
      ...VIEWS.map(([view, label, key]) => ({
        keys: [key],
        shown: key,
        about: `${label} view`,
        run: () => this.look(view),
      })),
      {
        keys: ["f"],
        shown: "F",
        about: "Everything in sight",
        run: () => this.look(this.stage?.camera.view ?? "free"),
      },
      { keys: ["o"], shown: "O", about: "Follow the person", run: () => this.follow() },
      { keys: ["b"], shown: "B", about: "Side by side or overlaid", run: () => this.arrange() },
      { keys: ["g"], shown: "G", about: "Onion skin", run: () => toggle("ghosts") },
      { keys: ["p"], shown: "P", about: "Footprints", run: () => toggle("prints") },
      { keys: ["r"], shown: "R", about: "Trajectories", run: () => toggle("trails") },
      {
        keys: ["[", "]"],
        shown: "[ ]",
        about: "Motion before or after, of several",
        run: (event) => this.openNext(event.key === "]" ? 1 : -1),
      },
      { keys: ["d"], shown: "D", about: "Details", run: () => this.togglePanel() },
      { keys: ["t"], shown: "T", about: "Light or dark", run: theme },
      { keys: ["?", "h"], shown: "?", about: "This sheet", run: help },
    ];
    attachKeys(() => shortcuts);
    fillHelp(shortcuts.filter(({ shown }) => shown !== ""));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      initTheme();
      this.touch();
    });
    if (matchMedia("(max-width: 900px)").matches) this.togglePanel();
  }

  /** @param {number} step */
  openNext(step) {
    const n = this.data.packed.shows.length;
    this.open((this.index + step + n) % n);
  }

  fillShows() {
    const { shows } = this.data.packed;
    const nav = element("shows");
    nav.hidden = shows.length < 2;
    nav.replaceChildren(
      ...shows.map((show, index) => {
        const name = make("strong", {}, make("span", { dir: "auto" }, show.name));
        if (show.verdict) name.append(make("span", { class: `badge ${show.verdict.grade}` }, show.verdict.grade));
        const button = make(
          "button",
          { type: "button", "data-index": String(index) },
          name,
          make("span", { class: "what", dir: "auto" }, show.about),
        );
        button.addEventListener("click", () => this.open(index));
        return button;
      }),
    );
  }

  /** @param {number} now in milliseconds */
  draw(now) {
    this.isDirty = false;
    const { playback, show } = this;
    const before = performance.now();
    if (playback.isPlaying) this.range.show(playback.time);
    this.stage?.draw(playback.time);
    drawTimeline(element("timeline"), show, this.shown, this.range, playback.time);
    drawPlots(element("plots"), show, this.shown, this.plots, this.range, playback.time);
    this.times = [...this.times.slice(-119), performance.now() - before];
    if (!playback.isPlaying || now - this.lastNumbers > NUMBERS_EVERY) {
      this.lastNumbers = now;
      this.showNumbers();
    }
  }

  showNumbers() {
    const { playback, show } = this;
    const frame = Math.round(playback.frame);
    showTransport(playback);
    const lead = this.stage?.lead ?? 0;
    const actor = show.actors[lead];
    const rows = actor.series.map((series, i) => {
      const cells = series.lines.map((line, k) => {
        const value = valueAt(actor.plots[i][k], playback.time * actor.rate);
        return make("span", { class: line.of }, Number.isNaN(value) ? "–" : value.toFixed(series.digits));
      });
      const values = make(
        "span",
        {},
        ...cells.flatMap((cell, k) => (k > 0 ? [" · ", cell] : [cell])),
        ` ${series.unit}`,
      );
      return [series.label, values];
    });
    element("values").replaceChildren(table([], rows));
    const planted = plantedNow(actor, playback.time * actor.rate);
    element("picture").setAttribute(
      "aria-label",
      `${show.name}: frame ${frame} of ${playback.lastFrame}; ${planted}. Drag to turn, scroll to zoom.`,
    );
  }

  /** Where a joint is in the world at a frame. @param {number} actor @param {string | number} joint @param {number} frame @returns {Vec3} */
  jointPosition(actor, joint, frame) {
    const { track, joints } = this.show.actors[actor];
    const index = typeof joint === "number" ? joint : joints.indexOf(joint);
    const pose = track.newPose();
    track.sample(frame, pose);
    return add([pose.places[3 * index], pose.places[3 * index + 1], pose.places[3 * index + 2]], this.show.origin);
  }

  /** Milliseconds that pictures take with so many people, the GPU's work included: the median and the slowest. @param {number} n @param {number} [pictures] */
  measure(n, pictures = 12) {
    const { stage } = this;
    if (!stage) return null;
    stage.copies = Math.max(n - this.show.actors.length, 0);
    const pixel = new Uint8Array(4);
    const times = [];
    for (let i = 0; i < pictures; i++) {
      const before = performance.now();
      stage.draw((i / pictures) * this.playback.duration);
      stage.gl.readPixels(0, 0, 1, 1, stage.gl.RGBA, stage.gl.UNSIGNED_BYTE, pixel);
      times.push(performance.now() - before);
    }
    stage.copies = 0;
    this.touch();
    times.sort((a, b) => a - b);
    return { median: times[Math.floor(times.length / 2)], slowest: times[times.length - 1] };
  }
}

/** Which parts are planted, in words. @param {import("surefoot/document.js").Actor} actor @param {number} frame */
function plantedNow(actor, frame) {
  if (!actor.contacts) return "contacts unknown";
  const names = ["left heel", "left ball", "left toe", "right heel", "right ball", "right toe"];
  const planted = actor.contacts.bars.flatMap((bar, i) =>
    bar.some(([from, to]) => frame >= from && frame < to) ? [names[i]] : [],
  );
  return planted.length > 0 ? `planted: ${planted.join(", ")}` : "no foot planted";
}

/** Starts the page. `window.surefoot` is for scripts and tests. */
export async function start() {
  initTheme();
  try {
    const data = await readDocument();
    Object.assign(window, { surefoot: new Player(data) });
  } catch (error) {
    showMessage("The motion could not be shown", error instanceof Error ? error.message : String(error));
    console.error(error);
  }
}
