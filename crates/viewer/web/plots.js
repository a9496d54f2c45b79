// Metrics over time, a lane for each, with their values at the cursor.

import { ACTOR_INKS, currentTheme } from "surefoot/theme.js";
import { drawPlayhead, GUTTER, prepareCanvas } from "surefoot/timeline.js";

/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/timeline.js").TimeRange} TimeRange */

const LANE = 42;
const GAP = 8;
const DASHES = [[], [5, 3], [2, 2], [8, 3, 2, 3]];

/** All metrics of a show, by the first actor that has them. @param {Show} show */
export const seriesOf = (show) => show.actors.find((actor) => actor.series.length > 0)?.series ?? [];

/** The value of a line at a time; NaN where there is none. @param {Float32Array} values @param {number} frame */
export function valueAt(values, frame) {
  return values[Math.min(Math.max(Math.round(frame), 0), values.length - 1)];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Show} show
 * @param {number[]} shown indices of actors
 * @param {Set<string>} chosen keys of metrics
 * @param {TimeRange} range
 * @param {number} time
 */
export function drawPlots(canvas, show, shown, chosen, range, time) {
  const theme = currentTheme();
  const lanes = seriesOf(show).filter((series) => chosen.has(series.key));
  const height = lanes.length > 0 ? lanes.length * (LANE + GAP) + 4 : 1;
  const { pen, width } = prepareCanvas(canvas, height);
  lanes.forEach((lane, row) => {
    const top = row * (LANE + GAP) + 4;
    const drawn = shown.flatMap((index) => {
      const actor = show.actors[index];
      const at = actor.series.findIndex((series) => series.key === lane.key);
      return at < 0
        ? []
        : actor.series[at].lines.map((line, i) => ({ index, actor, of: line.of, values: actor.plots[at][i] }));
    });
    let [least, most] = [Infinity, -Infinity];
    for (const { values } of drawn) {
      for (const value of values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    if (!(least <= most)) [least, most] = [0, 1];
    if (least > 0 && least < 0.4 * most) least = 0;
    if (most - least < 1e-3) most = least + 1;
    const y = (/** @type {number} */ value) => top + LANE - 3 - ((value - least) / (most - least)) * (LANE - 6);
    pen.fillStyle = theme.rule;
    pen.globalAlpha = 0.35;
    pen.fillRect(GUTTER, top, width - GUTTER - 14, LANE);
    pen.globalAlpha = 1;
    if (least < 0 && most > 0) pen.fillRect(GUTTER, Math.round(y(0)), width - GUTTER - 14, 1);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = theme.ink;
    pen.font = "600 11px system-ui, sans-serif";
    wrapLabel(pen, lane.label, 12, top + 8, GUTTER - 44);
    pen.fillStyle = theme.faint;
    pen.font = "10px system-ui, sans-serif";
    pen.fillText(lane.unit, 12, top + LANE - 6);
    pen.textAlign = "right";
    pen.fillText(most.toFixed(lane.digits), GUTTER - 5, top + 6);
    pen.fillText(least.toFixed(lane.digits), GUTTER - 5, top + LANE - 6);
    pen.save();
    pen.beginPath();
    pen.rect(GUTTER, top - 1, width - GUTTER - 13, LANE + 2);
    pen.clip();
    for (const { index, actor, of, values } of drawn) {
      pen.strokeStyle =
        of === "left"
          ? theme.leftInk
          : of === "right"
            ? theme.rightInk
            : show.actors.length > 1
              ? ACTOR_INKS[index % ACTOR_INKS.length]
              : theme.pelvisInk;
      pen.lineWidth = 1.5;
      const isFaint = shown.length > 1 && index !== shown[shown.length - 1];
      pen.globalAlpha = isFaint ? 0.55 : 1;
      pen.setLineDash(DASHES[(shown.length - 1 - shown.indexOf(index)) % DASHES.length]);
      trace(pen, values, actor.rate, range, width, y);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    for (const { index, actor, of, values } of drawn) {
      const value = valueAt(values, time * actor.rate);
      if (Number.isNaN(value)) continue;
      pen.fillStyle = of === "left" ? theme.leftInk : of === "right" ? theme.rightInk : theme.pelvisInk;
      pen.globalAlpha = index === shown[shown.length - 1] ? 1 : 0.5;
      pen.beginPath();
      pen.arc(range.x(time, width), y(value), 3, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    pen.restore();
  });
  drawPlayhead(pen, range.x(time, width), height);
}

/** A line through values; where many lie in one pixel, through the least and the largest of them. @param {CanvasRenderingContext2D} pen @param {Float32Array} values @param {number} rate @param {TimeRange} range @param {number} width @param {(value: number) => number} y */
function trace(pen, values, rate, range, width, y) {
  const [first, last] = [
    Math.max(0, Math.floor(range.from * rate) - 1),
    Math.min(values.length - 1, Math.ceil(range.to * rate) + 1),
  ];
  const perPixel = Math.max(1, Math.floor((last - first) / (2 * Math.max(width - GUTTER, 1))));
  pen.beginPath();
  let isDown = false;
  for (let frame = first; frame <= last; frame += perPixel) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = frame; i < Math.min(frame + perPixel, last + 1); i++) {
      if (values[i] < least) least = values[i];
      if (values[i] > most) most = values[i];
    }
    if (least > most) {
      isDown = false;
      continue;
    }
    const x = range.x(frame / rate, width);
    if (isDown) pen.lineTo(x, y(most));
    else pen.moveTo(x, y(most));
    if (perPixel > 1) pen.lineTo(x, y(least));
    isDown = true;
  }
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y @param {number} width */
function wrapLabel(pen, text, x, y, width) {
  let line = "";
  let row = 0;
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && pen.measureText(longer).width > width) {
      pen.fillText(line, x, y + 12 * row++);
      line = word;
    } else line = longer;
  }
  pen.fillText(line, x, y + 12 * row);
}
