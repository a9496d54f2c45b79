// The time line: a ruler, and for each actor bars of heel, ball and toe of both feet, with the numbers of the footprints.

import { clamp } from "surefoot/math.js";
import { ACTOR_INKS, currentTheme } from "surefoot/theme.js";

/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/playback.js").Playback} Playback */

/** Pixels from the left edge to time 0, for labels. */
export const GUTTER = 128;
const RIGHT = 14;
const RULER = 22;
const BAR = 6;
const PART_NAMES = ["heel", "ball", "toe"];
const ROW = 3 * (BAR + 2) + 6;

/** The part of time that is shown, shared with the plots. */
export class TimeRange {
  constructor() {
    this.from = 0;
    this.to = 1;
    this.duration = 1;
  }

  /** @param {number} duration */
  reset(duration) {
    this.duration = Math.max(duration, 1e-3);
    [this.from, this.to] = [0, this.duration];
  }

  /** @param {number} time @param {number} width in pixels */
  x(time, width) {
    return GUTTER + ((time - this.from) / (this.to - this.from)) * (width - GUTTER - RIGHT);
  }

  /** @param {number} x in pixels @param {number} width */
  time(x, width) {
    return this.from + ((x - GUTTER) / (width - GUTTER - RIGHT)) * (this.to - this.from);
  }

  /** @param {number} factor below 1 to come nearer @param {number} around a time that stays where it is */
  zoom(factor, around) {
    const span = clamp((this.to - this.from) * factor, Math.min(0.1, this.duration), this.duration);
    const share = (around - this.from) / (this.to - this.from);
    this.from = clamp(around - share * span, 0, this.duration - span);
    this.to = this.from + span;
  }

  /** @param {number} seconds */
  pan(seconds) {
    const span = this.to - this.from;
    this.from = clamp(this.from + seconds, 0, this.duration - span);
    this.to = this.from + span;
  }

  /** Keeps a time in sight. @param {number} time */
  show(time) {
    if (time < this.from || time > this.to) this.pan(time - this.from - 0.1 * (this.to - this.from));
  }
}

/** A canvas of the size of its element, ready to draw in CSS pixels. @param {HTMLCanvasElement} canvas @param {number} height */
export function prepareCanvas(canvas, height) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = canvas.clientWidth;
  if (canvas.style.height !== `${height}px`) canvas.style.height = `${height}px`;
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width };
}

/** The line at now. @param {CanvasRenderingContext2D} pen @param {number} x @param {number} height */
export function drawPlayhead(pen, x, height) {
  if (x < GUTTER - 1) return;
  pen.fillStyle = currentTheme().playhead;
  pen.fillRect(Math.round(x) - 0.75, 0, 1.5, height);
}

/**
 * Scrubbing by drag, zooming by wheel, all of it again by a double click.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {TimeRange} range
 * @param {Playback} playback
 * @param {() => void} changed
 */
export function attachScrubbing(canvas, range, playback, changed) {
  const seek = (/** @type {PointerEvent} */ event) => {
    const x = event.clientX - canvas.getBoundingClientRect().left;
    playback.seek(range.time(x, canvas.clientWidth));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    seek(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) seek(event);
  });
  canvas.addEventListener("dblclick", () => {
    range.reset(range.duration);
    changed();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (
        !event.ctrlKey &&
        !event.shiftKey &&
        Math.abs(event.deltaX) < Math.abs(event.deltaY) &&
        range.to - range.from >= range.duration &&
        event.deltaY > 0
      )
        return;
      event.preventDefault();
      const x = event.clientX - canvas.getBoundingClientRect().left;
      const span = range.to - range.from;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        range.pan(((event.deltaX || event.deltaY) / canvas.clientWidth) * span);
      else range.zoom(Math.exp(clamp(event.deltaY, -100, 100) * 0.003), range.time(x, canvas.clientWidth));
      changed();
    },
    { passive: false },
  );
}

/** Seconds between two ticks of the ruler. @param {number} span @param {number} width */
function tickStep(span, width) {
  const least = (span * 70) / Math.max(width, 1);
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600].find((step) => step >= least) ?? 1200;
}

/** Height that the time line needs. @param {Show} show @param {number[]} shown indices of actors */
export const timelineHeight = (show, shown) =>
  RULER + shown.filter((index) => show.actors[index].contacts).length * (2 * ROW + 4) + 4;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Show} show
 * @param {number[]} shown indices of actors whose bars are drawn
 * @param {TimeRange} range
 * @param {number} time
 */
export function drawTimeline(canvas, show, shown, range, time) {
  const theme = currentTheme();
  const height = timelineHeight(show, shown);
  const { pen, width } = prepareCanvas(canvas, height);
  const rate = show.actors[0].rate;
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const step = tickStep(range.to - range.from, width - GUTTER);
  for (let tick = Math.ceil(range.from / step) * step; tick <= range.to + 1e-9; tick += step) {
    const x = range.x(tick, width);
    pen.fillStyle = theme.rule;
    pen.fillRect(Math.round(x), RULER - 4, 1, height);
    pen.fillStyle = theme.faint;
    pen.textAlign = "center";
    pen.fillText(`${+tick.toFixed(2)}`, x, RULER / 2 - 1);
  }
  pen.textAlign = "left";
  pen.fillStyle = theme.faint;
  pen.fillText("seconds", 12, RULER / 2 - 1);
  let y = RULER;
  pen.save();
  for (const index of shown) {
    const actor = show.actors[index];
    if (!actor.contacts) continue;
    for (let side = 0; side < 2; side++) {
      pen.fillStyle = side === 0 ? theme.leftInk : theme.rightInk;
      pen.textAlign = "left";
      pen.font = "600 11px system-ui, sans-serif";
      pen.fillText(side === 0 ? "Left" : "Right", 12, y + ROW / 2 - 2);
      if (show.actors.length > 1) {
        pen.fillStyle = ACTOR_INKS[index % ACTOR_INKS.length];
        pen.fillRect(3, y + 1, 3, ROW - 4);
      }
      pen.font = "9px system-ui, sans-serif";
      pen.fillStyle = theme.faint;
      for (let part = 0; part < 3; part++) pen.fillText(PART_NAMES[part], 62, y + part * (BAR + 2) + BAR / 2);
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER, y - 2, width - GUTTER - RIGHT + 2, ROW + 4);
      pen.clip();
      for (let part = 0; part < 3; part++) {
        const top = y + part * (BAR + 2);
        pen.fillStyle = theme.rule;
        pen.globalAlpha = 0.45;
        pen.fillRect(GUTTER, top, width, BAR);
        pen.globalAlpha = part === 2 ? 0.45 : part === 0 ? 0.75 : 1;
        pen.fillStyle = side === 0 ? theme.leftInk : theme.rightInk;
        for (const [from, to] of actor.contacts.bars[3 * side + part]) {
          const [a, b] = [range.x((from - 0.5) / actor.rate, width), range.x((to - 0.5) / actor.rate, width)];
          pen.beginPath();
          pen.roundRect(a + 0.5, top, Math.max(b - a - 1, 1.5), BAR, 2.5);
          pen.fill();
        }
        pen.globalAlpha = 1;
      }
      pen.font = "700 9px system-ui, sans-serif";
      pen.textAlign = "center";
      for (const print of show.prints) {
        if (print.actor !== index || print.side !== side || print.number === null || !print.frames) continue;
        const middle = range.x((print.frames[0] + print.frames[1]) / 2 / actor.rate, width);
        pen.fillStyle = theme.panel;
        pen.fillText(String(print.number), middle, y + BAR + 2 + BAR / 2 + 0.5);
      }
      pen.restore();
      y += ROW;
    }
    y += 4;
  }
  pen.restore();
  const x = range.x(time, width);
  drawPlayhead(pen, x, height);
  if (x >= GUTTER - 1) {
    pen.fillStyle = theme.playhead;
    const text = `${Math.round(time * rate)}`;
    pen.font = "600 10px system-ui, sans-serif";
    const half = pen.measureText(text).width / 2 + 5;
    const at = clamp(x, GUTTER + half, width - half - 2);
    pen.beginPath();
    pen.roundRect(at - half, 2, 2 * half, 15, 4);
    pen.fill();
    pen.fillStyle = theme.panel;
    pen.textAlign = "center";
    pen.fillText(text, at, 10);
  }
}
