// How the picture is looked at: views, following, layers, and who is seen, with their buttons and keys; and the clock that draws it.

import { attachCamera } from "surefoot/camera.js";
import { element, fillChecks, make, press, showMessage } from "surefoot/controls.js";
import { Stage } from "surefoot/stage.js";
import { ACTOR_INKS } from "surefoot/theme.js";

/** @typedef {import("surefoot/camera.js").View} View */
/** @typedef {import("surefoot/controls.js").Shortcut} Shortcut */
/** @typedef {keyof import("surefoot/stage.js").Layers} Layer */
/** @typedef {import("surefoot/stage.js").Visibility} Visibility */
/** @typedef {import("surefoot/document.js").Document} PageData */
/** @typedef {import("surefoot/document.js").Show} Show */

/** @type {[View, string, string][]} */
const VIEWS = [
  ["free", "3D", "1"],
  ["side", "Side", "2"],
  ["front", "Front", "3"],
  ["top", "Top", "4"],
];
/** @type {[Layer, string][]} */
const LAYERS = [
  ["prints", "Footprints"],
  ["contacts", "Contacts"],
  ["trails", "Trajectories"],
  ["ghosts", "Onion skin"],
  ["shadows", "Shadows"],
  ["grid", "Grid"],
  ["labels", "Labels"],
];
/** @type {[Layer, string, string][]} */
const LAYER_KEYS = [
  ["ghosts", "g", "Onion skin"],
  ["prints", "p", "Footprints"],
  ["trails", "r", "Trajectories"],
];
/** Most people who have a button of their own. */
const MOST_NAMES = 12;
/** So many pictures one after the other that take longer, in milliseconds, make the picture coarser. */
const SLOW = 45;
const MANY_SLOW = 20;

/** The stage of the page, or a message where the browser has none. @param {PageData} data @param {string} rest what works without it */
export function openStage(data, rest) {
  try {
    return new Stage(element("picture"), element("overlay"), data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    showMessage(
      "No 3D picture here",
      `This browser shows no WebGL2 (${reason}). ${rest} A current Chrome, Edge, Firefox or Safari with graphics acceleration shows the people too.`,
    );
    return null;
  }
}

/** Lets time run, and draws what has changed. @param {import("surefoot/playback.js").Playback} playback @param {Stage | null} stage @param {(now: number) => void} draw */
export function startClock(playback, stage, draw) {
  let last = performance.now();
  let nSlow = 0;
  const frame = (/** @type {number} */ now) => {
    playback.advance(Math.min((now - last) / 1000, 0.25));
    nSlow = playback.isPlaying && now - last > SLOW ? nSlow + 1 : 0;
    if (nSlow === MANY_SLOW && stage?.isFine) stage.makeCoarse();
    last = now;
    draw(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

export class Looks {
  /** @param {Stage | null} stage @param {{ show: () => Show | null, time: () => number, changed: () => void }} page */
  constructor(stage, page) {
    this.stage = stage;
    this.page = page;
    if (stage) attachCamera(element("picture"), stage.camera, () => this.moved());
    element("views").replaceChildren(
      ...VIEWS.map(([view, label, key]) => {
        const title = `${label} view (${key})`;
        const made = make("button", { type: "button", id: `view-${view}`, "aria-pressed": "false", title }, label);
        made.addEventListener("click", () => this.look(view));
        return made;
      }),
    );
    element("follow").addEventListener("click", () => this.follow());
    fillChecks(
      "layers",
      LAYERS.map(([key, label]) => [key, label, stage?.layers[key] ?? false]),
      (key, isOn) => this.setLayer(/** @type {Layer} */ (key), isOn),
    );
  }

  /** The camera has moved, or is another. */
  moved() {
    for (const [view] of VIEWS) press(`view-${view}`, this.stage?.camera.view === view);
    press("follow", this.stage?.camera.isFollowing ?? false);
    this.page.changed();
  }

  /** @param {View} view */
  look(view) {
    if (!this.stage?.show) return;
    this.stage.camera.look(view);
    this.stage.camera.isFollowing = false;
    this.stage.frameAll();
    this.moved();
  }

  follow() {
    if (!this.stage?.show) return;
    const { camera } = this.stage;
    camera.isFollowing = !camera.isFollowing;
    if (camera.isFollowing) this.stage.frameNow(this.page.time());
    else this.stage.frameAll();
    this.moved();
  }

  /** @param {Layer} layer @param {boolean} isOn */
  setLayer(layer, isOn) {
    if (!this.stage) return;
    this.stage.layers[layer] = isOn;
    const box = document.querySelector(`#layers input[name="${layer}"]`);
    if (box instanceof HTMLInputElement) box.checked = isOn;
    this.page.changed();
  }

  /** Names of several people; a click makes one solid, see-through or hidden. */
  fillLegend() {
    const { stage } = this;
    const actors = (stage && this.page.show()?.actors) ?? [];
    const next = { solid: "ghost", ghost: "hidden", hidden: "solid" };
    const isNamed = actors.length > 1 && actors.length <= MOST_NAMES;
    element("legend").replaceChildren(
      ...(isNamed ? actors : []).map((actor, index) => {
        const state = stage?.visible[index] ?? "solid";
        const dot = make("i");
        dot.style.background = ACTOR_INKS[index % ACTOR_INKS.length];
        const attributes = { type: "button", title: "Solid, see-through or hidden" };
        const made = make("button", attributes, dot, make("b", { dir: "auto" }, actor.name), make("small", {}, state));
        made.classList.toggle("is-hidden", state === "hidden");
        made.addEventListener("click", () => {
          if (!stage) return;
          stage.visible[index] = /** @type {Visibility} */ (next[state]);
          if (stage.visible[index] === "solid") stage.lead = index;
          this.fillLegend();
          this.page.changed();
        });
        return made;
      }),
    );
  }

  /** @returns {Shortcut[]} */
  shortcuts() {
    return [
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
      ...LAYER_KEYS.map(([layer, key, about]) => ({
        keys: [key],
        shown: key.toUpperCase(),
        about,
        run: () => this.setLayer(layer, !this.stage?.layers[layer]),
      })),
    ];
  }
}
