// The player: reads the page's data, puts the parts together, and draws whenever something has changed.

import { attachKeys, element, fillChecks, fillHelp, make, press, showMessage, table } from "surefoot/controls.js";
import { readDocument } from "surefoot/document.js";
import { Looks, openStage, startClock } from "surefoot/looks.js";
import { add } from "surefoot/math.js";
import { Playback } from "surefoot/playback.js";
import { drawPlots, seriesOf, valueAt } from "surefoot/plots.js";
import { initTheme, toggleTheme } from "surefoot/theme.js";
import { attachScrubbing, drawTimeline, TimeRange } from "surefoot/timeline.js";
import { attachTransport, playbackShortcuts, showTransport } from "surefoot/transport.js";

/** @typedef {import("surefoot/document.js").Document} PageData */
/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/math.js").Vec3} Vec3 */

/** Most actors whose bars are drawn at once. */
const MOST_BARS = 4;
/** Milliseconds between two updates of the numbers while it plays. */
const NUMBERS_EVERY = 100;
/** A player of the page's shows. */
class Player {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.isDirty = true;
    this.playback = new Playback(() => this.touch());
    this.range = new TimeRange();
    this.stage = openStage(data, "The time line, plots and numbers below work.");
    if (this.stage) this.stage.arrived = () => this.touch();
    this.looks = new Looks(this.stage, {
      show: () => this.show,
      time: () => this.playback.time,
      changed: () => this.touch(),
    });
    /** @type {Set<string>} */
    this.plots = new Set();
    this.index = 0;
    this.show = data.show(0);
    this.lastNumbers = 0;
    /** Milliseconds that the last pictures took, newest last. @type {number[]} */
    this.times = [];
    for (const id of ["timeline", "plots"]) attachScrubbing(element(id), this.range, this.playback, () => this.touch());
    this.attach();
    this.open(0);
    startClock(this.playback, this.stage, (now) => {
      if (this.isDirty) this.draw(now);
    });
    new ResizeObserver(() => this.touch()).observe(element("app"));
  }

  touch() {
    this.isDirty = true;
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
    this.looks.fillLegend();
    for (const button of document.querySelectorAll("#shows button")) {
      button.setAttribute("aria-current", String(button.getAttribute("data-index") === String(index)));
    }
    element("arrange").hidden = show.actors.length < 2;
    press("arrange", this.stage?.isSideBySide ?? false);
    this.looks.moved();
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

  arrange() {
    if (!this.stage || this.show.actors.length < 2) return;
    this.stage.setSideBySide(!this.stage.isSideBySide);
    press("arrange", this.stage.isSideBySide);
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
    this.fillShows();
    /** @type {import("surefoot/controls.js").Shortcut[]} */
    const shortcuts = [
      ...playbackShortcuts(playback),
      ...this.looks.shortcuts(),
      { keys: ["b"], shown: "B", about: "Side by side or overlaid", run: () => this.arrange() },
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
