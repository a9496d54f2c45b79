// The steps of a database as points: in space, which is turned by dragging, or in one of its three projections. The hull is drawn as lines,
// steps to record as rings.

import { currentTheme } from "surefoot/theme.js";
import { prepareCanvas } from "surefoot/timeline.js";

/** @typedef {[number, number, number]} Vec3 */
/** @typedef {{ step: number, parameters: Vec3, source: string, rise: number }} Point */
/** @typedef {{ parameters: Vec3, name: string }} Shot */
/** @typedef {{ points: Point[], hull_edges: [number, number][], shots: Shot[], played: number | null, shot: number | null }} Space */
/** @typedef {"space" | "start-end" | "start-length" | "end-length"} Projection */

const HEIGHT = 268;
const EDGE = 30;
const NAMES = ["feet apart at the start, m", "to the side at the end, m", "ahead at the end, m"];
/** Axes of the flat projections: across and up. @type {Record<string, [number, number]>} */
const FLAT = { "start-end": [0, 1], "start-length": [0, 2], "end-length": [1, 2] };
/** Pixels around a point that are it. */
const NEAR = 9;

export class StepSpace {
  /** @param {{ played: (step: number) => void, chosen: (shot: number) => void }} said */
  constructor(said) {
    this.said = said;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "diagram space";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    /** @type {Space} */
    this.space = { points: [], hull_edges: [], shots: [], played: null, shot: null };
    /** @type {Projection} */
    this.projection = "space";
    this.yaw = 0.7;
    this.pitch = 0.45;
    /** Where points and shots are on the canvas. @type {[number, number][]} */
    this.placed = [];
    /** @type {[number, number][]} */
    this.placedShots = [];
    this.attach();
  }

  /** @param {Space} space */
  show(space) {
    this.space = space;
    this.canvas.setAttribute(
      "aria-label",
      `${space.points.length} steps as points of three lengths, and ${space.shots.length} to record. Click a point to play its step; the lists below do the same.`,
    );
    this.draw();
  }

  /** @param {Projection} projection */
  look(projection) {
    this.projection = projection;
    this.draw();
  }

  attach() {
    const { canvas } = this;
    /** @type {[number, number, boolean] | null} */
    let held = null;
    const at = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return /** @type {[number, number]} */ ([event.clientX - box.left, event.clientY - box.top]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      held = [event.clientX, event.clientY, false];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) {
        canvas.style.cursor = this.nearest(at(event)) ? "pointer" : this.projection === "space" ? "grab" : "";
        return;
      }
      const [dx, dy] = [event.clientX - held[0], event.clientY - held[1]];
      if (!held[2] && Math.hypot(dx, dy) < 4) return;
      held = [event.clientX, event.clientY, true];
      this.turn(-dx * 0.01, dy * 0.01);
    });
    canvas.addEventListener("pointerup", (event) => {
      const isClick = held !== null && !held[2];
      held = null;
      const found = isClick ? this.nearest(at(event)) : null;
      if (found?.point !== undefined) this.said.played(this.space.points[found.point].step);
      else if (found?.shot !== undefined) this.said.chosen(found.shot);
    });
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.turn(by[0], by[1]);
    });
  }

  /** @param {number} yaw @param {number} pitch */
  turn(yaw, pitch) {
    if (this.projection !== "space") return;
    this.yaw += yaw;
    this.pitch = Math.min(Math.max(this.pitch + pitch, -1.5), 1.5);
    this.draw();
  }

  /** What is under a place: a point, or a step to record. @param {[number, number]} place @returns {{ point?: number, shot?: number } | null} */
  nearest([x, y]) {
    let [best, least] = [/** @type {{ point?: number, shot?: number } | null} */ (null), NEAR];
    const look = (/** @type {[number, number][]} */ places, /** @type {"point" | "shot"} */ kind) =>
      places.forEach((place, index) => {
        const apart = Math.hypot(place[0] - x, place[1] - y);
        if (apart < least) [best, least] = [{ [kind]: index }, apart];
      });
    look(this.placed, "point");
    look(this.placedShots, "shot");
    return best;
  }

  draw() {
    const theme = currentTheme();
    const { pen, width } = prepareCanvas(this.canvas, HEIGHT);
    const { points, hull_edges, shots, played, shot } = this.space;
    if (width === 0 || points.length === 0) return;
    const all = [...points, ...shots].map((one) => one.parameters);
    const low = [0, 1, 2].map((axis) => Math.min(...all.map((at) => at[axis])));
    const high = [0, 1, 2].map((axis) => Math.max(...all.map((at) => at[axis])));
    const flat = FLAT[this.projection];
    const place = flat ? this.flatPlace(flat, low, high, width) : this.spacePlace(low, high, width);
    this.placed = points.map((one) => place(one.parameters));
    this.placedShots = shots.map((one) => place(one.parameters));
    this.drawAxes(pen, theme, place, low, high, flat);
    pen.strokeStyle = theme.faint;
    pen.globalAlpha = 0.35;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const [a, b] of hull_edges) {
      pen.moveTo(...this.placed[a]);
      pen.lineTo(...this.placed[b]);
    }
    pen.stroke();
    points.forEach((one, index) => {
      pen.globalAlpha = 0.75;
      pen.fillStyle = one.rise > 0.04 ? "#1f8a70" : one.rise < -0.04 ? "#b0447c" : theme.leftInk;
      pen.beginPath();
      pen.arc(...this.placed[index], 2.4, 0, 7);
      pen.fill();
    });
    pen.globalAlpha = 1;
    shots.forEach((_, index) => {
      pen.strokeStyle = theme.rightInk;
      pen.lineWidth = index === shot ? 3 : 1.6;
      pen.beginPath();
      pen.arc(...this.placedShots[index], index === shot ? 7 : 5, 0, 7);
      pen.stroke();
    });
    const of = points.findIndex((one) => one.step === played);
    if (of >= 0) {
      pen.fillStyle = theme.ink;
      pen.strokeStyle = theme.panel;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(...this.placed[of], 5.5, 0, 7);
      pen.fill();
      pen.stroke();
    }
  }

  /** @param {[number, number]} axes @param {number[]} low @param {number[]} high @param {number} width @returns {(at: Vec3) => [number, number]} */
  flatPlace([across, up], low, high, width) {
    // Metres are as long on both axes.
    const size = Math.min(
      (width - 2 * EDGE) / Math.max(high[across] - low[across], 0.1),
      (HEIGHT - 2 * EDGE) / Math.max(high[up] - low[up], 0.1),
    );
    const middle = [across, up].map((axis) => (low[axis] + high[axis]) / 2);
    return (at) => [width / 2 + (at[across] - middle[0]) * size, HEIGHT / 2 - (at[up] - middle[1]) * size];
  }

  /** @param {number[]} low @param {number[]} high @param {number} width @returns {(at: Vec3) => [number, number]} */
  spacePlace(low, high, width) {
    const middle = [0, 1, 2].map((axis) => (low[axis] + high[axis]) / 2);
    const reach = Math.hypot(...[0, 1, 2].map((axis) => high[axis] - low[axis])) / 2;
    // Points seldom reach into the corners of the box.
    const size = (Math.min(width, HEIGHT) / 2 - 12) / Math.max(0.8 * reach, 0.1);
    const [c, s] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const [cp, sp] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    return (at) => {
      const [x, y, z] = [at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]];
      // Ahead is up.
      const [across, away] = [c * x + s * y, -s * x + c * y];
      return [width / 2 + across * size, HEIGHT / 2 - (cp * z + sp * away) * size];
    };
  }

  /** @param {CanvasRenderingContext2D} pen @param {import("surefoot/theme.js").Theme} theme @param {(at: Vec3) => [number, number]} place @param {number[]} low @param {number[]} high @param {[number, number] | undefined} flat */
  drawAxes(pen, theme, place, low, high, flat) {
    pen.font = "10px system-ui, sans-serif";
    pen.strokeStyle = theme.rule;
    pen.fillStyle = theme.faint;
    pen.lineWidth = 1;
    const corner = /** @type {Vec3} */ (low.map((value) => Math.min(value, 0)));
    for (const axis of flat ?? [0, 1, 2]) {
      const end = /** @type {Vec3} */ ([...corner]);
      end[axis] = high[axis];
      const [a, b] = [place(corner), place(end)];
      pen.beginPath();
      pen.moveTo(...a);
      pen.lineTo(...b);
      pen.stroke();
      for (let at = Math.ceil(low[axis] / 0.5) * 0.5; at <= high[axis]; at += 0.5) {
        const tick = /** @type {Vec3} */ ([...corner]);
        tick[axis] = at;
        const [x, y] = place(tick);
        pen.fillRect(x - 1, y - 1, 3, 3);
        if (!flat) continue;
        pen.textAlign = axis === flat[0] ? "center" : "right";
        pen.textBaseline = axis === flat[0] ? "top" : "middle";
        pen.fillText(at.toFixed(1), axis === flat[0] ? x : x - 6, axis === flat[0] ? y + 5 : y);
      }
      if (flat) continue;
      pen.textAlign = b[0] > a[0] + 20 ? "right" : b[0] < a[0] - 20 ? "left" : "center";
      pen.textBaseline = b[1] < a[1] ? "bottom" : "top";
      pen.fillText(NAMES[axis], ...b);
    }
    if (!flat) return;
    const width = this.canvas.clientWidth;
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    pen.fillText(NAMES[flat[0]], width / 2, HEIGHT - 1);
    pen.save();
    pen.translate(8, HEIGHT / 2);
    pen.rotate(-Math.PI / 2);
    pen.textBaseline = "middle";
    pen.fillText(NAMES[flat[1]], 0, 0);
    pen.restore();
  }
}
