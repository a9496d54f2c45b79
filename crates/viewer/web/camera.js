// The viewer's eye: turns around a target, moves along the ground, follows a person, and looks from the sides.

import {
  add,
  clamp,
  cross,
  lookAt,
  mix,
  multiply,
  normalize,
  orthographic,
  perspective,
  scale,
  subtract,
} from "surefoot/math.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {"free" | "side" | "front" | "top"} View */

const FIELD_OF_VIEW = 0.6;
/** Radians a pixel of a drag. */
const TURN = 0.006;
const STEEPEST = 1.55;

export class Camera {
  constructor() {
    this.yaw = 0.7;
    this.pitch = 0.28;
    this.distance = 6;
    /** @type {Vec3} */
    this.target = [0, 0.9, 0];
    this.isFlat = false;
    this.isFollowing = false;
    /** Direction in which the people go: what side and front mean. */
    this.heading = 0;
    /** @type {View} */
    this.view = "free";
    this.aspect = 1;
  }

  get back() {
    const c = Math.cos(this.pitch);
    return /** @type {Vec3} */ ([c * Math.sin(this.yaw), Math.sin(this.pitch), c * Math.cos(this.yaw)]);
  }

  get eye() {
    return add(this.target, scale(this.back, this.distance));
  }

  /** What is up on the screen, or near it: not [0, 1, 0] where the camera looks down. */
  get up() {
    return /** @type {Vec3} */ (this.pitch > 1.5 ? [-Math.sin(this.yaw), 0, -Math.cos(this.yaw)] : [0, 1, 0]);
  }

  /**
   * What lies behind a point of the screen.
   *
   * @param {number} x from -1 to 1, to the right
   * @param {number} y from -1 to 1, upward
   * @returns {{ from: Vec3, along: Vec3 }}
   */
  ray(x, y) {
    const right = normalize(cross(this.up, this.back), [1, 0, 0]);
    const above = cross(this.back, right);
    const half = this.distance * Math.tan(FIELD_OF_VIEW / 2);
    const aside = add(scale(right, x * half * this.aspect), scale(above, y * half));
    if (this.isFlat) return { from: add(add(this.target, aside), scale(this.back, 200)), along: scale(this.back, -1) };
    return { from: this.eye, along: normalize(subtract(add(this.target, aside), this.eye)) };
  }

  /** The matrix from the world to the screen. */
  matrix() {
    const { up } = this;
    const view = lookAt(this.eye, this.target, up);
    const near = Math.max(0.02, this.distance * 0.02);
    const far = this.distance * 12 + 80;
    const half = this.distance * Math.tan(FIELD_OF_VIEW / 2);
    return multiply(
      this.isFlat
        ? orthographic(half * this.aspect, half, -far, far)
        : perspective(FIELD_OF_VIEW, this.aspect, near, far),
      view,
    );
  }

  /** @param {View} view */
  look(view) {
    this.view = view;
    this.isFlat = view !== "free";
    if (view === "side") [this.yaw, this.pitch] = [this.heading - Math.PI / 2, 0.02];
    if (view === "front") [this.yaw, this.pitch] = [this.heading, 0.02];
    if (view === "top") [this.yaw, this.pitch] = [this.heading - Math.PI / 2, STEEPEST];
    if (view === "free") [this.yaw, this.pitch] = [this.heading - 0.95, 0.3];
  }

  /** Shows a box: the middle and half of its sides. @param {Vec3} low @param {Vec3} high @param {number} margin */
  fit(low, high, margin) {
    this.target = mix(low, high, 0.5);
    const right = normalize(cross([0, 1, 0], this.back), [1, 0, 0]);
    const above = cross(this.back, right);
    let needed = 0.8;
    for (let i = 0; i < 8; i++) {
      const corner = /** @type {Vec3} */ ([
        i & 1 ? high[0] : low[0],
        i & 2 ? high[1] : low[1],
        i & 4 ? high[2] : low[2],
      ]);
      const from = subtract(corner, this.target);
      const part = (/** @type {Vec3} */ axis) => from[0] * axis[0] + from[1] * axis[1] + from[2] * axis[2];
      const tangent = Math.tan(FIELD_OF_VIEW / 2);
      const toward = this.isFlat ? 0 : part(this.back);
      needed = Math.max(
        needed,
        toward + Math.abs(part(above)) / tangent,
        toward + Math.abs(part(right)) / (tangent * this.aspect),
      );
    }
    this.distance = needed * margin;
  }

  /** @param {number} dx @param {number} dy in pixels */
  turn(dx, dy) {
    this.isFlat = false;
    this.view = "free";
    this.yaw -= dx * TURN;
    this.pitch = clamp(this.pitch + dy * TURN, -0.15, STEEPEST);
  }

  /** @param {number} dx @param {number} dy in pixels @param {number} height of the canvas in pixels */
  pan(dx, dy, height) {
    const perPixel = (2 * this.distance * Math.tan(FIELD_OF_VIEW / 2)) / height;
    const right = normalize(cross([0, 1, 0], this.back), [1, 0, 0]);
    const above = cross(this.back, right);
    this.target = add(this.target, add(scale(right, -dx * perPixel), scale(above, dy * perPixel)));
    this.isFollowing = false;
  }

  /** @param {number} factor */
  zoom(factor) {
    this.distance = clamp(this.distance * factor, 0.3, 400);
  }

  /** @param {Vec3} place of the pelvis */
  follow(place) {
    if (!this.isFollowing) return;
    this.target = [place[0], mix(this.target, place, 0.15)[1], place[2]];
  }
}

/**
 * Drags, wheels and touches move the camera.
 *
 * @param {HTMLElement} element
 * @param {Camera} camera
 * @param {() => void} changed
 */
export function attachCamera(element, camera, changed) {
  /** @type {Map<number, [number, number]>} */
  const pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { size: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  element.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread() : null;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
    if (before) {
      const now = spread();
      camera.zoom(before.size / Math.max(now.size, 1));
      camera.pan(now.x - before.x, now.y - before.y, element.clientHeight);
    } else if (event.shiftKey || event.buttons & 6) camera.pan(dx, dy, element.clientHeight);
    else camera.turn(dx, dy);
    changed();
  });
  const release = (/** @type {PointerEvent} */ event) => pointers.delete(event.pointerId);
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(clamp(event.deltaY, -200, 200) * 0.0015));
      changed();
    },
    { passive: false },
  );
}
