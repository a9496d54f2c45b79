// Which time of one clip belongs to which of another: both as bars of one scale, with lines between seconds that correspond.

import { ACTOR_INKS, currentTheme } from "surefoot/theme.js";
import { GUTTER } from "surefoot/timeline.js";

/** @typedef {{ pairs: [number, number][], names: [string, string] }} Correspondence seconds of the edited clip, and of the other */

const TOP = 6;
const BAR = 12;
const GAP = 58;
const RIGHT = 14;
/** Pixels between two lines. */
const APART = 9;

/** @param {() => Correspondence | null} current @returns {import("studio/view.js").Track} */
export function correspondenceTrack(current) {
  return {
    label: "Which second of the edited clip belongs to which of the other",
    height: () => (current() ? 2 * TOP + 2 * BAR + GAP : 1),
    draw: (pen, width, range, time) => {
      const found = current();
      if (!found || found.pairs.length === 0) return;
      const theme = currentTheme();
      const { pairs, names } = found;
      const inks = [ACTOR_INKS[0], ACTOR_INKS[1]];
      const tops = [TOP, TOP + BAR + GAP];
      pen.font = "600 11px system-ui, sans-serif";
      pen.textBaseline = "middle";
      pen.textAlign = "left";
      names.forEach((name, index) => {
        pen.fillStyle = inks[index];
        pen.fillText(shortened(pen, name, GUTTER - 20), 12, tops[index] + BAR / 2);
      });
      pen.fillStyle = theme.faint;
      pen.font = "10px system-ui, sans-serif";
      pen.fillText("belongs to", 12, TOP + BAR + GAP / 2);
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER - 1, 0, width - GUTTER - RIGHT + 2, 2 * TOP + 2 * BAR + GAP);
      pen.clip();
      const ends = [pairs[pairs.length - 1][0], Math.max(...pairs.map(([, b]) => b))];
      ends.forEach((end, index) => {
        const [a, b] = [range.x(0, width), range.x(end, width)];
        pen.fillStyle = inks[index];
        pen.globalAlpha = 0.7;
        pen.beginPath();
        pen.roundRect(a, tops[index], Math.max(b - a, 2), BAR, 3);
        pen.fill();
      });
      pen.globalAlpha = 1;
      const line = (/** @type {[number, number]} */ [a, b]) => {
        pen.beginPath();
        pen.moveTo(range.x(a, width), TOP + BAR);
        pen.lineTo(range.x(b, width), TOP + BAR + GAP);
        pen.stroke();
      };
      pen.strokeStyle = theme.faint;
      pen.lineWidth = 1;
      pen.globalAlpha = 0.6;
      let last = Number.NEGATIVE_INFINITY;
      for (const pair of pairs) {
        const at = range.x(pair[0], width);
        if (at - last < APART) continue;
        last = at;
        line(pair);
      }
      pen.globalAlpha = 1;
      const now = pairs.reduce((best, pair) => (Math.abs(pair[0] - time) < Math.abs(best[0] - time) ? pair : best));
      pen.strokeStyle = theme.playhead;
      pen.lineWidth = 2;
      line(now);
      pen.fillStyle = theme.ink;
      pen.font = "600 10px system-ui, sans-serif";
      pen.fillText(`${now[0].toFixed(2)} s`, range.x(now[0], width) + 6, TOP + BAR + 8);
      pen.fillText(`${now[1].toFixed(2)} s`, range.x(now[1], width) + 6, TOP + BAR + GAP - 8);
      pen.restore();
    },
  };
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} width */
function shortened(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}
