// A motion as `pack_motion.rs` packs it, and its poses at any time.

import { unpackIntegers } from "surefoot/integers.js";
import { rotate } from "surefoot/math.js";

/** As in `pack_motion.rs`. */
const ROTATION_STEP = 1 / 46340;

/**
 * The world transforms of all joints: quaternions `x y z w` and places.
 *
 * @typedef {{ rotations: Float64Array, places: Float64Array }} Pose
 */

/** A motion that can be asked for its pose at any time. */
export class Motion {
  /** @param {DataView} view @param {number} at */
  constructor(view, at) {
    this.nJoints = view.getUint32(at, true);
    this.nFrames = view.getUint32(at + 4, true);
    const step = view.getFloat64(at + 8, true);
    const { nJoints, nFrames } = this;
    /** Index of each joint's parent, -1 for a root. */
    this.parents = new Int32Array(nJoints);
    /** @type {Pose} */
    this.rest = { rotations: new Float64Array(4 * nJoints), places: new Float64Array(3 * nJoints) };
    // Local transforms, frame after frame; those that never vary are held once.
    this.fixedRotations = new Float64Array(4 * nJoints);
    this.fixedPlaces = new Float64Array(3 * nJoints);
    /** @type {number[]} */
    const turning = [];
    /** @type {number[]} */
    const moving = [];
    let next = at + 16;
    const read = (/** @type {Float64Array} */ into, /** @type {number} */ first, /** @type {number} */ n) => {
      for (let i = 0; i < n; i++, next += 8) into[first + i] = view.getFloat64(next, true);
    };
    for (let joint = 0; joint < nJoints; joint++) {
      this.parents[joint] = view.getInt32(next, true);
      const flags = view.getUint8(next + 4);
      next += 8;
      read(this.rest.rotations, 4 * joint, 4);
      read(this.rest.places, 3 * joint, 3);
      if (flags & 1) turning.push(joint);
      else read(this.fixedRotations, 4 * joint, 4);
      if (flags & 2) moving.push(joint);
      else read(this.fixedPlaces, 3 * joint, 3);
    }
    const leftOut = unpackIntegers(view, next);
    const rotations = unpackIntegers(view, leftOut.end);
    const places = unpackIntegers(view, rotations.end);
    /** Index of each joint among those whose rotation varies, or -1. */
    this.turning = new Int32Array(nJoints).fill(-1);
    this.moving = new Int32Array(nJoints).fill(-1);
    turning.forEach((joint, index) => {
      this.turning[joint] = index;
    });
    moving.forEach((joint, index) => {
      this.moving[joint] = index;
    });
    this.nTurning = turning.length;
    this.nMoving = moving.length;
    this.rotations = new Float32Array(4 * nFrames * turning.length);
    this.places = new Float64Array(3 * nFrames * moving.length);
    for (let index = 0; index < turning.length; index++) {
      for (let frame = 0; frame < nFrames; frame++) {
        const omitted = leftOut.tracks[index][frame];
        const to = 4 * (frame * turning.length + index);
        let rest = 1;
        for (let part = 0, track = 0; part < 4; part++) {
          if (part === omitted) continue;
          const value = rotations.tracks[3 * index + track++][frame] * ROTATION_STEP;
          this.rotations[to + part] = value;
          rest -= value * value;
        }
        this.rotations[to + omitted] = Math.sqrt(Math.max(rest, 0));
      }
    }
    for (let index = 0; index < moving.length; index++) {
      for (let frame = 0; frame < nFrames; frame++) {
        for (let axis = 0; axis < 3; axis++) {
          this.places[3 * (frame * moving.length + index) + axis] = places.tracks[3 * index + axis][frame] * step;
        }
      }
    }
  }

  /**
   * Replaces frames by live ones, as `live_frames.rs` packs them; the motion grows if they go on beyond its end.
   *
   * @param {number} first
   * @param {Float32Array} values of each joint of each frame: local rotation, local translation in the world
   * @param {import("surefoot/math.js").Vec3} origin of this motion in the world
   */
  patch(first, values, origin) {
    const { nJoints } = this;
    const count = Math.floor(values.length / (7 * nJoints));
    this.loosen(Math.max(this.nFrames, first + count));
    for (let i = 0; i < count * nJoints; i++) {
      const to = first * nJoints + i;
      this.rotations.set(values.subarray(7 * i, 7 * i + 4), 4 * to);
      const isRoot = this.parents[i % nJoints] < 0;
      for (let k = 0; k < 3; k++) this.places[3 * to + k] = values[7 * i + 4 + k] - (isRoot ? origin[k] : 0);
    }
  }

  /** Holds every joint of every frame, and so many frames; those that are new are like the last. @param {number} nFrames */
  loosen(nFrames) {
    const { nJoints, nTurning, nMoving } = this;
    if (nFrames === this.nFrames && nTurning === nJoints && nMoving === nJoints) return;
    const rotations = new Float32Array(4 * nFrames * nJoints);
    const places = new Float64Array(3 * nFrames * nJoints);
    for (let frame = 0; frame < nFrames; frame++) {
      const from = Math.min(frame, this.nFrames - 1);
      for (let joint = 0; joint < nJoints; joint++) {
        const [turning, moving] = [this.turning[joint], this.moving[joint]];
        const to = frame * nJoints + joint;
        const [r, at] = turning < 0 ? [this.fixedRotations, joint] : [this.rotations, from * nTurning + turning];
        const [p, there] = moving < 0 ? [this.fixedPlaces, joint] : [this.places, from * nMoving + moving];
        for (let k = 0; k < 4; k++) rotations[4 * to + k] = r[4 * at + k];
        for (let k = 0; k < 3; k++) places[3 * to + k] = p[3 * there + k];
      }
    }
    [this.rotations, this.places] = [rotations, places];
    this.turning = Int32Array.from({ length: nJoints }, (_, joint) => joint);
    this.moving = Int32Array.from(this.turning);
    [this.nTurning, this.nMoving, this.nFrames] = [nJoints, nJoints, nFrames];
  }

  /** @returns {Pose} a pose to be filled by {@link sample} */
  newPose() {
    return { rotations: new Float64Array(4 * this.nJoints), places: new Float64Array(3 * this.nJoints) };
  }

  /**
   * The pose at a frame; between two frames, local rotations and places are interpolated.
   *
   * @param {number} frame
   * @param {Pose} pose
   */
  sample(frame, pose) {
    const at = Math.min(Math.max(frame, 0), this.nFrames - 1);
    const first = Math.floor(at);
    const second = Math.min(first + 1, this.nFrames - 1);
    const share = at - first;
    const { rotations, places } = pose;
    for (let joint = 0; joint < this.nJoints; joint++) {
      let [x, y, z, w] = [0, 0, 0, 1];
      const turning = this.turning[joint];
      if (turning < 0) {
        [x, y, z, w] = this.fixedRotations.subarray(4 * joint, 4 * joint + 4);
      } else {
        const a = 4 * (first * this.nTurning + turning);
        const b = 4 * (second * this.nTurning + turning);
        const r = this.rotations;
        const inner = r[a] * r[b] + r[a + 1] * r[b + 1] + r[a + 2] * r[b + 2] + r[a + 3] * r[b + 3];
        const [s, t] = [1 - share, inner < 0 ? -share : share];
        [x, y, z, w] = [
          s * r[a] + t * r[b],
          s * r[a + 1] + t * r[b + 1],
          s * r[a + 2] + t * r[b + 2],
          s * r[a + 3] + t * r[b + 3],
        ];
        const size = 1 / Math.hypot(x, y, z, w);
        [x, y, z, w] = [x * size, y * size, z * size, w * size];
      }
      let [px, py, pz] = [0, 0, 0];
      const moving = this.moving[joint];
      if (moving < 0) {
        [px, py, pz] = this.fixedPlaces.subarray(3 * joint, 3 * joint + 3);
      } else {
        const a = 3 * (first * this.nMoving + moving);
        const b = 3 * (second * this.nMoving + moving);
        const p = this.places;
        px = (1 - share) * p[a] + share * p[b];
        py = (1 - share) * p[a + 1] + share * p[b + 1];
        pz = (1 - share) * p[a + 2] + share * p[b + 2];
      }
      const parent = this.parents[joint];
      if (parent >= 0) {
        const q = 4 * parent;
        const moved = rotate(rotations, q, px, py, pz);
        px = moved[0] + places[3 * parent];
        py = moved[1] + places[3 * parent + 1];
        pz = moved[2] + places[3 * parent + 2];
        const [a, b, c, d] = [rotations[q], rotations[q + 1], rotations[q + 2], rotations[q + 3]];
        [x, y, z, w] = [
          d * x + a * w + b * z - c * y,
          d * y - a * z + b * w + c * x,
          d * z + a * y - b * x + c * w,
          d * w - a * x - b * y - c * z,
        ];
      }
      rotations.set([x, y, z, w], 4 * joint);
      places.set([px, py, pz], 3 * joint);
    }
  }
}

/**
 * A point that is rigid in a joint's space.
 *
 * @param {Pose} pose
 * @param {{ joint: number, at: import("surefoot/math.js").Vec3 }} mark
 * @returns {import("surefoot/math.js").Vec3}
 */
export function placeOf(pose, mark) {
  const [x, y, z] = rotate(pose.rotations, 4 * mark.joint, mark.at[0], mark.at[1], mark.at[2]);
  const at = 3 * mark.joint;
  return [x + pose.places[at], y + pose.places[at + 1], z + pose.places[at + 2]];
}
