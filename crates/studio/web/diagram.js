// The hip-knee diagram of a stride: a closed loop for the motion, and one for each recording that it is compared with.

import { ACTOR_INKS, currentTheme } from "surefoot/theme.js";
import { prepareCanvas } from "surefoot/timeline.js";

/** @typedef {{ name: string, speed_km_per_hour: number, hip_degrees: number[], knee_degrees: number[], events: [string, number][] }} Diagram */

const LEFT = 34;
const BOTTOM = 30;
const EDGE = 10;
const HEIGHT = 250;

/** @param {HTMLCanvasElement} canvas @param {Diagram[]} diagrams the motion's first */
export function drawDiagram(canvas, diagrams) {
  const theme = currentTheme();
  const { pen, width } = prepareCanvas(canvas, HEIGHT);
  const all = diagrams.flatMap(({ hip_degrees, knee_degrees }) =>
    hip_degrees.map((hip, index) => [hip, knee_degrees[index]]),
  );
  if (all.length === 0 || width === 0) return;
  const span = (/** @type {number} */ axis) => {
    const values = all.map((point) => point[axis]);
    return [Math.floor(Math.min(...values) / 10) * 10, Math.ceil(Math.max(...values) / 10) * 10];
  };
  const [hips, knees] = [span(0), span(1)];
  const x = (/** @type {number} */ hip) => LEFT + ((hip - hips[0]) / (hips[1] - hips[0] || 1)) * (width - LEFT - EDGE);
  const y = (/** @type {number} */ knee) =>
    HEIGHT - BOTTOM - ((knee - knees[0]) / (knees[1] - knees[0] || 1)) * (HEIGHT - BOTTOM - EDGE);
  pen.font = "10px system-ui, sans-serif";
  pen.lineWidth = 1;
  for (const [from, to, isHip] of /** @type {[number, number, boolean][]} */ ([
    [hips[0], hips[1], true],
    [knees[0], knees[1], false],
  ])) {
    const step = to - from > 60 ? 20 : 10;
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      pen.fillStyle = theme.rule;
      if (isHip) pen.fillRect(Math.round(x(at)), EDGE, 1, HEIGHT - BOTTOM - EDGE);
      else pen.fillRect(LEFT, Math.round(y(at)), width - LEFT - EDGE, 1);
      pen.fillStyle = theme.faint;
      pen.textAlign = isHip ? "center" : "right";
      pen.textBaseline = isHip ? "top" : "middle";
      pen.fillText(`${at}`, isHip ? x(at) : LEFT - 5, isHip ? HEIGHT - BOTTOM + 4 : y(at));
    }
  }
  pen.fillStyle = theme.faint;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  pen.fillText("hip, degrees forward", (LEFT + width) / 2, HEIGHT - 1);
  pen.save();
  pen.translate(9, (HEIGHT - BOTTOM) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText("knee, degrees bent", 0, 0);
  pen.restore();
  diagrams.forEach(({ hip_degrees, knee_degrees, events }, index) => {
    const ink = inkOf(index);
    pen.strokeStyle = ink;
    pen.fillStyle = ink;
    pen.lineWidth = index === 0 ? 2.2 : 1.4;
    pen.setLineDash(index === 0 ? [] : [5, 3]);
    pen.beginPath();
    hip_degrees.forEach((hip, at) => {
      if (at === 0) pen.moveTo(x(hip), y(knee_degrees[at]));
      else pen.lineTo(x(hip), y(knee_degrees[at]));
    });
    pen.closePath();
    pen.stroke();
    pen.setLineDash([]);
    if (index > 0) return;
    for (const [name, phase] of events) {
      const at = Math.floor(phase * hip_degrees.length) % hip_degrees.length;
      pen.beginPath();
      pen.arc(x(hip_degrees[at]), y(knee_degrees[at]), 3, 0, 7);
      pen.fill();
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillText(name, x(hip_degrees[at]) + 5, y(knee_degrees[at]) - 6);
    }
  });
  canvas.setAttribute("aria-label", describe(diagrams));
}

/** @param {number} index of a diagram */
export const inkOf = (index) => (index === 0 ? currentTheme().leftInk : ACTOR_INKS[(index - 1) % ACTOR_INKS.length]);

/** The diagrams in a sentence. @param {Diagram[]} diagrams */
function describe(diagrams) {
  const range = (/** @type {number[]} */ values) =>
    `${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} degrees`;
  const each = diagrams.map(
    ({ name, hip_degrees, knee_degrees }) => `${name}: hip ${range(hip_degrees)}, knee ${range(knee_degrees)}`,
  );
  return `Hip-knee diagram of a stride. ${each.join("; ")}`;
}
