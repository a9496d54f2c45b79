// The clock: time in seconds, playing or not, at a speed, around a loop.

import { clamp } from "surefoot/math.js";

/** Speeds to choose from. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Playback {
  /** @param {() => void} changed called whenever anything changes */
  constructor(changed) {
    this.changed = changed;
    this.time = 0;
    this.duration = 0;
    this.rate = 60;
    this.isPlaying = false;
    this.isLooping = true;
    this.speed = 1;
  }

  /** @param {number} duration in seconds @param {number} rate in frames per second */
  reset(duration, rate) {
    this.duration = duration;
    this.rate = rate;
    this.time = 0;
    this.changed();
  }

  /** The frame, with its fraction. */
  get frame() {
    return this.time * this.rate;
  }

  get lastFrame() {
    return Math.round(this.duration * this.rate);
  }

  /** @param {number} time */
  seek(time) {
    this.time = clamp(time, 0, this.duration);
    this.changed();
  }

  toggle() {
    this.isPlaying = !this.isPlaying && this.duration > 0;
    if (this.isPlaying && !this.isLooping && this.time >= this.duration) this.time = 0;
    this.changed();
  }

  /** Pauses on the next full frame. @param {number} frames how many, backward if negative */
  step(frames) {
    this.isPlaying = false;
    const now = this.frame;
    const from =
      Math.abs(now - Math.round(now)) < 1e-3 ? Math.round(now) : frames > 0 ? Math.floor(now) : Math.ceil(now);
    this.seek((from + frames) / this.rate);
  }

  /** @param {number} direction faster if positive */
  changeSpeed(direction) {
    const index = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[clamp((index < 0 ? 3 : index) + direction, 0, SPEEDS.length - 1)];
    this.changed();
  }

  /** @param {number} seconds since the last call */
  advance(seconds) {
    if (!this.isPlaying) return;
    const next = this.time + seconds * this.speed;
    if (next <= this.duration) this.time = next;
    else if (this.isLooping) this.time = this.duration > 0 ? next % this.duration : 0;
    else {
      this.time = this.duration;
      this.isPlaying = false;
    }
    this.changed();
  }
}
