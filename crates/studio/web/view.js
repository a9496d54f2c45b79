// The 3D view and the time line below: they show the motion of the panel in front, and hand it the pointer.
//
// A panel shows a document under a key of its own. What it shows again under that key keeps camera and time, and what comes back keeps
// those that it had. Places are the world's; the stage draws from an origin near the motion, and only this module knows of it.

import { hitGround } from "studio/picking.js";
import { element, fillChecks, showMessage } from "surefoot/controls.js";
import { Looks, openStage, startClock } from "surefoot/looks.js";
import { add, project, subtract } from "surefoot/math.js";
import { Playback } from "surefoot/playback.js";
import { drawPlots, seriesOf } from "surefoot/plots.js";
import { attachScrubbing, drawPlayhead, drawTimeline, prepareCanvas, TimeRange } from "surefoot/timeline.js";
import { attachTransport, showTransport } from "surefoot/transport.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/document.js").Document} MotionDocument */
/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/prints.js").Decal} Decal */
/** @typedef {import("surefoot/theme.js").Theme} Theme */
/** @typedef {import("surefoot/stage.js").Write} Write */
/** @typedef {import("studio/picking.js").Ray} Ray */
/**
 * The pointer over the picture: CSS pixels of the picture, what lies behind it, and where that meets the ground.
 *
 * @typedef {{ x: number, y: number, ray: Ray, ground: Vec3 | null, event: PointerEvent }} Pointer
 */
/** @typedef {{ move: (pointer: Pointer) => void, up: (pointer: Pointer) => void, cancel?: () => void }} Drag */
/**
 * What a panel does in the picture, all in the world. `down` returns `null` where the camera shall turn; `click` is a press that was not
 * dragged there. `hover` returns a cursor of CSS.
 *
 * @typedef {{
 *   decals?: (theme: Theme) => Decal[],
 *   paint?: (pen: CanvasRenderingContext2D, write: Write, theme: Theme, pixel: (at: Vec3) => [number, number] | null) => void,
 *   down?: (pointer: Pointer) => Drag | null,
 *   hover?: (pointer: Pointer) => string | null,
 *   click?: (pointer: Pointer) => void,
 * }} Tool
 */
/** @typedef {{ x: number, y: number, time: number, width: number, event: PointerEvent }} TrackPointer */
/** @typedef {{ move: (pointer: TrackPointer) => void, up: (pointer: TrackPointer) => void, cancel?: () => void }} TrackDrag */
/**
 * Rows of a panel above the bars of the time line. `down` returns `null` where time shall be scrubbed.
 *
 * @typedef {{
 *   label: string, height: () => number,
 *   draw: (pen: CanvasRenderingContext2D, width: number, range: TimeRange, time: number) => void,
 *   down?: (pointer: TrackPointer) => TrackDrag | null, hover?: (pointer: TrackPointer) => string | null,
 *   hidesBars?: boolean,
 * }} Track
 */
/** @typedef {{ document: MotionDocument, index: number, time: number, camera: Record<string, any> | null }} Shown */

/** Pixels that a press may move and still be a click. */
const STILL = 5;

export class View {
  /** @param {{ tool: () => Tool | undefined, track: () => Track | undefined }} front what the panel in front brings */
  constructor(front) {
    this.front = front;
    this.isDirty = true;
    this.playback = new Playback(() => this.touch());
    this.range = new TimeRange();
    /** @type {Set<string>} */
    this.plots = new Set();
    /** @type {Map<string, Shown>} */
    this.known = new Map();
    /** @type {string | null} */
    this.key = null;
    /** @type {Show | null} */
    this.show = null;
    /** Of the ground that is shown, where it was asked for. @type {{ of: Show | null, known: Map<string, number> }} */
    this.heights = { of: null, known: new Map() };
    /** Called with milliseconds since the page opened once a picture is drawn. @type {((now: number) => void)[]} */
    this.afterDraw = [];
    this.picture = /** @type {HTMLCanvasElement} */ (element("picture"));
    this.attachPicture();
    const none = /** @type {any} */ ({ packed: { shows: [], skins: [] } });
    this.stage = openStage(none, "Panels, time line, plots and export work.");
    this.stage?.guests.push({
      decals: (theme) => this.guestDecals(theme),
      paint: (pen, write, theme) => this.paintTool(pen, write, theme),
    });
    if (this.stage) this.stage.arrived = () => this.touch();
    this.looks = new Looks(this.stage, {
      show: () => this.show,
      time: () => this.playback.time,
      changed: () => this.touch(),
    });
    attachTransport(this.playback);
    this.attachTrack();
    for (const id of ["timeline", "plots"]) attachScrubbing(element(id), this.range, this.playback, () => this.touch());
    startClock(this.playback, this.stage, () => {
      if (this.isDirty) this.draw();
    });
    // The picture changes its size with the rows of the time line, too.
    const observer = new ResizeObserver(() => this.touch());
    for (const one of [element("app"), this.picture]) observer.observe(one);
  }

  touch() {
    this.isDirty = true;
  }

  /** From the world to what the stage draws. @type {Vec3} */
  get origin() {
    return this.show?.origin ?? [0, 0, 0];
  }

  /**
   * Shows a document. What is shown again under its key keeps camera and time.
   *
   * @param {string} key
   * @param {MotionDocument} document
   * @param {number} [index] of its shows
   */
  present(key, document, index = 0) {
    this.remember();
    const before = this.known.get(key);
    const isSame = this.key === key && this.show !== null;
    const show = document.show(index);
    this.known.set(key, { document, index, time: this.playback.time, camera: before?.camera ?? null });
    const { stage, playback } = this;
    if (stage && isSame) stage.reload(show, document);
    else if (stage) {
      stage.data = document;
      stage.people.forget();
      stage.load(show);
      if (before?.camera) Object.assign(stage.camera, before.camera);
    }
    const [key0, isPlaying, time] = [this.key, playback.isPlaying, isSame ? playback.time : (before?.time ?? 0)];
    this.key = key;
    this.show = show;
    const duration = Math.max(...show.actors.map((actor) => (actor.frames - 1) / actor.rate));
    const isWhole = this.range.to - this.range.from >= this.range.duration - 1e-6;
    const { from, to } = this.range;
    this.range.reset(duration);
    if (isSame && !isWhole && to <= duration) [this.range.from, this.range.to] = [from, to];
    playback.reset(duration, show.actors[0].rate);
    playback.seek(time);
    if (key0 !== key && isPlaying) playback.isPlaying = true;
    this.fillPlots();
    this.looks.fillLegend();
    element("message").hidden = this.stage !== null;
    this.looks.moved();
  }

  /** Whether something was shown under a key; it comes back. @param {string} key */
  comeBack(key) {
    const known = this.known.get(key);
    if (known) this.present(key, known.document, known.index);
    return known !== undefined;
  }

  remember() {
    const known = this.key === null ? undefined : this.known.get(this.key);
    if (!known) return;
    known.time = this.playback.time;
    if (this.stage) {
      const { yaw, pitch, distance, target, isFlat, isFollowing, view } = this.stage.camera;
      known.camera = { yaw, pitch, distance, target, isFlat, isFollowing, view };
    }
  }

  /** Nothing is shown. @param {string} text what to do instead */
  clear(text) {
    this.remember();
    [this.key, this.show] = [null, null];
    if (this.stage) {
      this.stage.show = null;
      this.stage.lines.clear();
      const { gl } = this.stage;
      gl.clear(gl.COLOR_BUFFER_BIT);
      showMessage("Nothing to see yet", text);
    }
    this.playback.reset(0, 60);
    this.looks.fillLegend();
    this.touch();
  }

  /** Replaces frames of the first actor by live ones. @param {string} key @param {number} first @param {Float32Array} values */
  patch(key, first, values) {
    const known = this.known.get(key);
    if (!known) return;
    const show = known.document.show(known.index);
    const actor = show.actors[0];
    actor.track.patch(first, values, show.origin);
    actor.frames = actor.track.nFrames;
    if (this.key !== key) return;
    const duration = (actor.frames - 1) / actor.rate;
    if (duration > this.playback.duration) {
      this.playback.duration = duration;
      this.range.duration = duration;
    }
    this.touch();
  }

  /** Everybody's frame of a stream, one after the other. @param {string} key @param {Float32Array} values */
  patchAll(key, values) {
    const known = this.known.get(key);
    if (!known) return;
    const show = known.document.show(known.index);
    let at = 0;
    for (const { track } of show.actors) {
      const next = at + 7 * track.nJoints;
      track.patch(0, values.subarray(at, next), show.origin);
      at = next;
    }
    if (this.key === key) this.touch();
  }

  // The pointer

  /** @param {PointerEvent} event @returns {Pointer} */
  pointer(event) {
    const box = this.picture.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const camera = this.stage?.camera;
    if (!camera) return { x, y, ray: { from: [0, 0, 0], along: [0, -1, 0] }, ground: null, event };
    camera.aspect = Math.max(box.width, 1) / Math.max(box.height, 1);
    const local = camera.ray((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
    const hit = this.show ? hitGround(local, this.show) : null;
    return {
      x,
      y,
      ray: { from: add(local.from, this.origin), along: local.along },
      ground: hit && add(hit, this.origin),
      event,
    };
  }

  /** Where a place of the world is on the picture, in CSS pixels; `null` outside of it. @param {Vec3} at @returns {[number, number] | null} */
  pixel(at) {
    if (!this.stage) return null;
    const [x, y, z, w] = project(this.stage.camera.matrix(), subtract(at, this.origin));
    if (w <= 0 || z > 1) return null;
    return [((x + 1) / 2) * this.picture.clientWidth, ((1 - y) / 2) * this.picture.clientHeight];
  }

  /** How high the ground is at a place; 0 where there is none. @param {number} x @param {number} z */
  groundHeight(x, z) {
    const { show } = this;
    if (!show?.ground) return show?.floor ? show.floor + this.origin[1] : 0;
    if (this.heights.of !== show) this.heights = { of: show, known: new Map() };
    const key = `${x.toFixed(2)},${z.toFixed(2)}`;
    let height = this.heights.known.get(key);
    if (height === undefined) {
      const above = subtract([x, 100, z], this.origin);
      height = (hitGround({ from: above, along: [0, -1, 0] }, show)?.[1] ?? -this.origin[1]) + this.origin[1];
      this.heights.known.set(key, height);
    }
    return height;
  }

  attachPicture() {
    const { picture } = this;
    /** @type {Drag | null} */
    let drag = null;
    let id = -1;
    /** @type {[number, number] | null} */
    let pressed = null;
    const stop = (/** @type {Event} */ event) => event.stopImmediatePropagation();
    picture.addEventListener("pointerdown", (event) => {
      // A second finger moves the camera: what the first began is taken back.
      if (drag) {
        drag.cancel?.();
        drag = null;
        return;
      }
      pressed = event.isPrimary ? [event.clientX, event.clientY] : null;
      if (event.button !== 0 || !event.isPrimary) return;
      drag = this.front.tool()?.down?.(this.pointer(event)) ?? null;
      if (!drag) return;
      id = event.pointerId;
      picture.setPointerCapture(id);
      picture.focus();
      stop(event);
    });
    picture.addEventListener("pointermove", (event) => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > STILL) pressed = null;
      if (drag && event.pointerId === id) {
        drag.move(this.pointer(event));
        stop(event);
      } else if (event.buttons === 0 && event.pointerType !== "touch") {
        picture.style.cursor = this.front.tool()?.hover?.(this.pointer(event)) ?? "";
      }
    });
    picture.addEventListener("pointerup", (event) => {
      const isClick = pressed !== null && event.button === 0;
      pressed = null;
      if (drag && event.pointerId === id) {
        drag.up(this.pointer(event));
        drag = null;
        stop(event);
      } else if (isClick) this.front.tool()?.click?.(this.pointer(event));
    });
    picture.addEventListener("pointercancel", () => {
      drag?.cancel?.();
      [drag, pressed] = [null, null];
    });
    this.cancelDrag = () => {
      drag?.cancel?.();
      drag = null;
    };
  }

  /** @param {Theme} theme @returns {Decal[]} */
  guestDecals(theme) {
    const decals = this.front.tool()?.decals?.(theme) ?? [];
    return decals.map((decal) => ({ ...decal, at: subtract(decal.at, this.origin) }));
  }

  /** @param {CanvasRenderingContext2D} pen @param {Write} write @param {Theme} theme */
  paintTool(pen, write, theme) {
    const tool = this.front.tool();
    if (!tool?.paint) return;
    const ratio = this.picture.width / Math.max(this.picture.clientWidth, 1);
    const inWorld = (/** @type {Parameters<Write>} */ ...[text, at, ...rest]) =>
      write(text, subtract(at, this.origin), ...rest);
    pen.save();
    // The pen is in CSS pixels for tools; `write` scales by itself.
    pen.scale(ratio, ratio);
    tool.paint(
      pen,
      (...args) => {
        pen.save();
        pen.setTransform(1, 0, 0, 1, 0, 0);
        inWorld(...args);
        pen.restore();
      },
      theme,
      (at) => this.pixel(at),
    );
    pen.restore();
  }

  // The time line

  attachTrack() {
    const canvas = /** @type {HTMLCanvasElement} */ (element("track"));
    /** @type {TrackDrag | null} */
    let drag = null;
    const at = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      return { x, y, time: this.range.time(x, canvas.clientWidth), width: canvas.clientWidth, event };
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      drag = this.front.track()?.down?.(at(event)) ?? null;
      if (!drag) return;
      canvas.setPointerCapture(event.pointerId);
      event.stopImmediatePropagation();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag) {
        drag.move(at(event));
        event.stopImmediatePropagation();
      } else canvas.style.cursor = this.front.track()?.hover?.(at(event)) ?? "";
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!drag) return;
      if (event.type === "pointerup") drag.up(at(event));
      else drag.cancel?.();
      drag = null;
      event.stopImmediatePropagation();
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    attachScrubbing(canvas, this.range, this.playback, () => this.touch());
  }

  draw() {
    this.isDirty = false;
    const { playback, show, range, stage } = this;
    if (playback.isPlaying) range.show(playback.time);
    stage?.draw(playback.time);
    const track = this.front.track();
    const trackCanvas = /** @type {HTMLCanvasElement} */ (element("track"));
    trackCanvas.hidden = !track || !show;
    if (track && show) {
      trackCanvas.setAttribute("aria-label", track.label);
      const height = track.height();
      const { pen, width } = prepareCanvas(trackCanvas, height);
      pen.save();
      track.draw(pen, width, range, playback.time);
      pen.restore();
      drawPlayhead(pen, range.x(playback.time, width), height);
    }
    for (const id of ["timeline", "plots"]) element(id).hidden = !show;
    if (show) {
      drawTimeline(element("timeline"), show, track?.hidesBars ? [] : this.shown, range, playback.time);
      drawPlots(element("plots"), show, this.shown, this.plots, range, playback.time);
      const frame = Math.round(playback.frame);
      this.picture.setAttribute(
        "aria-label",
        `${show.name || "Motion"}: frame ${frame} of ${playback.lastFrame}. Drag to turn, scroll to zoom.`,
      );
    }
    showTransport(playback);
    for (const run of this.afterDraw) run(performance.now());
  }

  /** Actors that are not hidden. */
  get shown() {
    const all = (this.show?.actors ?? []).map((_, index) => index);
    return all.filter((index) => this.stage?.visible[index] !== "hidden").slice(-2);
  }

  // Buttons

  /** Who is seen was changed. */
  fillLegend() {
    this.looks.fillLegend();
  }

  fillPlots() {
    const all = this.show ? seriesOf(this.show) : [];
    fillChecks(
      "chosen",
      all.map(({ key, label }) => [key, label, this.plots.has(key)]),
      (key, isOn) => {
        if (isOn) this.plots.add(key);
        else this.plots.delete(key);
        this.touch();
      },
    );
  }
}
