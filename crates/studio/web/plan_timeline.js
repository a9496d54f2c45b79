// The plan in the time line: a bar for each stance, with ends to drag, and strips that show where a metric is bad.
//
// Times of a plan are absolute (`land`, `leave`) or relative to the steps around (`swing`, `support`). Where the plan has absolute ones an
// end changes those. Else the end of a swing changes that footprint's `swing`, and the end of a stance the `support` of the landing
// before it, so that what follows moves along.

import { findingOf } from "studio/plan_findings.js";
import { merge } from "studio/plan_model.js";
import { drawBar } from "studio/track_bar.js";
import { clamp } from "surefoot/math.js";
import { currentTheme } from "surefoot/theme.js";
import { GUTTER } from "surefoot/timeline.js";

/** @typedef {import("studio/plan_model.js").Print} Print */
/** @typedef {import("studio/view.js").TrackPointer} TrackPointer */
/** @typedef {{ index: number, from: number, to: number }} Stance seconds */
/** @typedef {{ index: number, end: "land" | "leave" }} Grip */

const TOP = 6;
const BAR = 17;
const STRIP = 9;
const RIGHT = 14;
/** Pixels around an end that are it. */
const NEAR = 7;
/** Seconds that swings and supports may take. */
const SWINGS = /** @type {const} */ ([0.15, 3]);
const SUPPORTS = /** @type {const} */ ([0.02, 3]);
/** Metrics of the player, what of them is bad, and from where to where it goes from nothing to all of its colour. */
const STRIPS = /** @type {const} */ ([
  { key: "slide", label: "Slide", unit: "cm/s", bad: (/** @type {number} */ value) => value, from: 1, to: 10 },
  { key: "height", label: "In the ground", unit: "mm", bad: (/** @type {number} */ value) => -value, from: 1, to: 8 },
  { key: "knee", label: "Knee pops", unit: "deg/frame²", bad: null, from: 1.5, to: 5 },
]);

/** @param {import("studio/app.js").Studio} studio @param {import("studio/drag_prints.js").Hands} hands @returns {import("studio/view.js").Track} */
export function planTimeline(studio, hands) {
  const { plan, view } = studio;
  /** What is dragged, while the server has not answered yet. @type {(Grip & { time: number }) | null} */
  let held = null;

  /** @returns {Stance[]} */
  const stances = () => {
    const end = plan.solved?.report.seconds ?? 0;
    return plan.prints.flatMap((print, index) => {
      const row = plan.row(print.id);
      if (!row) return [];
      const isHeld = (/** @type {"land" | "leave"} */ name) => held?.index === index && held.end === name;
      const from = isHeld("land") ? (held?.time ?? 0) : index < 2 ? 0 : (row.land_seconds.actual ?? 0);
      const to = isHeld("leave") ? (held?.time ?? 0) : (row.leave_seconds.actual ?? end);
      return [{ index, from, to: Math.max(to, from + 0.02) }];
    });
  };
  const top = (/** @type {Print} */ print) => TOP + (print.foot === "left" ? 0 : BAR + 4);

  /** Which end of which bar, or which bar. @param {TrackPointer} pointer @returns {(Stance & { end: "land" | "leave" | null }) | null} */
  const stanceAt = ({ x, y, width }) => {
    let best = null;
    for (const stance of stances()) {
      const [from, to, above] = [
        view.range.x(stance.from, width),
        view.range.x(stance.to, width),
        top(plan.prints[stance.index]),
      ];
      if (y < above - 1 || y > above + BAR + 1 || x < from - NEAR || x > to + NEAR) continue;
      const near = Math.min(NEAR, (to - from) / 3);
      const end = Math.abs(x - from) <= near ? "land" : Math.abs(x - to) <= near ? "leave" : null;
      const found = {
        ...stance,
        end: /** @type {"land" | "leave" | null} */ (end && gripOf(plan.prints, stance.index, end) ? end : null),
      };
      if (found.end || !best) best = found;
    }
    return best;
  };

  return {
    label: "Stances of the plan: their ends can be dragged. The list of footprints has the same times as fields.",
    height: () => TOP + 2 * (BAR + 4) + STRIPS.length * (STRIP + 3) + 4,
    hover: (pointer) => {
      const found = stanceAt(pointer);
      return found?.end ? "ew-resize" : found ? "pointer" : null;
    },
    down: (pointer) => {
      const found = stanceAt(pointer);
      if (!found) return null;
      const { id } = plan.prints[found.index];
      if (!found.end) {
        hands.select(pointer.event.shiftKey ? [...hands.selection, id] : [id]);
        view.playback.seek((found.from + found.to) / 2);
        return { move: () => {}, up: () => {} };
      }
      const before = plan.prints;
      const rows = plan.prints.map((print) => plan.row(print.id));
      const { index, end } = found;
      let last = before;
      return {
        move: ({ time }) => {
          held = { index, end, time };
          const changed = retimed(before, rows, index, end, time);
          if (changed) {
            last = changed.prints;
            held.time = changed.time;
          }
          studio.touch();
        },
        up: () => {
          held = null;
          // Others may have edited meanwhile.
          plan.edit("timing", merge(plan.prints, before, last));
        },
        cancel: () => {
          held = null;
          studio.touch();
        },
      };
    },
    draw: (pen, width, range) => {
      const theme = currentTheme();
      const right = width - RIGHT;
      pen.textBaseline = "middle";
      for (const [word, foot] of /** @type {const} */ ([
        ["Left steps", "left"],
        ["Right steps", "right"],
      ])) {
        const above = TOP + (foot === "left" ? 0 : BAR + 4);
        pen.textAlign = "left";
        pen.font = "600 11px system-ui, sans-serif";
        pen.fillStyle = foot === "left" ? theme.leftInk : theme.rightInk;
        pen.fillText(word, 12, above + BAR / 2);
        pen.fillStyle = theme.rule;
        pen.globalAlpha = 0.45;
        pen.fillRect(GUTTER, above, right - GUTTER, BAR);
        pen.globalAlpha = 1;
      }
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER - 1, 0, right - GUTTER + 2, 400);
      pen.clip();
      for (const { index, from, to } of stances()) {
        const print = plan.prints[index];
        const row = plan.row(print.id);
        const found = findingOf(index, row, plan.refused);
        const [a, b, above] = [range.x(from, width), range.x(to, width), top(print)];
        const isChosen = hands.selection.has(print.id);
        const ink = found?.grade === "poor" ? "#d03030" : print.foot === "left" ? theme.leftInk : theme.rightInk;
        drawBar(pen, {
          from: a,
          to: b,
          top: above,
          height: BAR,
          least: 3,
          radius: 4,
          ink,
          alpha: isChosen ? 1 : 0.72,
          isChosen,
          inset: 4,
          ends: [
            ...(gripOf(plan.prints, index, "land") ? [/** @type {const} */ ("first")] : []),
            ...(gripOf(plan.prints, index, "leave") ? [/** @type {const} */ ("last")] : []),
          ],
        });
        pen.fillStyle = theme.panel;
        pen.textAlign = "center";
        pen.font = "650 10.5px system-ui, sans-serif";
        const behaviour =
          row?.behaviour && row.behaviour !== "walk" && row.behaviour !== "stand" ? ` ${row.behaviour}` : "";
        const mark = found ? (found.grade === "poor" ? " ✕" : " !") : "";
        const long = `${index}${behaviour}${mark}`;
        const text = pen.measureText(long).width < b - a - 18 ? long : `${index}${mark}`;
        if (pen.measureText(text).width < b - a - 4) pen.fillText(text, (a + b) / 2, above + BAR / 2 + 0.5);
      }
      pen.restore();
      drawStrips(pen, width, range);
    },
  };

  /** @param {CanvasRenderingContext2D} pen @param {number} width @param {import("surefoot/timeline.js").TimeRange} range */
  function drawStrips(pen, width, range) {
    const theme = currentTheme();
    const actor = view.show?.actors[0];
    const right = width - RIGHT;
    STRIPS.forEach(({ key, label, bad, from, to }, rank) => {
      const above = TOP + 2 * (BAR + 4) + rank * (STRIP + 3);
      pen.textAlign = "left";
      pen.font = "10px system-ui, sans-serif";
      pen.fillStyle = theme.faint;
      pen.fillText(label, 12, above + STRIP / 2);
      pen.fillStyle = theme.rule;
      pen.globalAlpha = 0.45;
      pen.fillRect(GUTTER, above, right - GUTTER, STRIP);
      const at = actor?.series.findIndex((series) => series.key === key) ?? -1;
      const lines = actor?.plots[at] ?? [];
      pen.fillStyle = "#d03030";
      for (let x = GUTTER; actor && x < right; x += 2) {
        const [first, last] = [range.time(x, width), range.time(x + 2, width)].map((time) =>
          Math.round(time * actor.rate),
        );
        let worst = 0;
        for (const values of lines) {
          for (let frame = Math.max(first, 1); frame <= Math.min(Math.max(last, first), values.length - 2); frame++) {
            const value = bad
              ? bad(values[frame])
              : Math.abs(values[frame + 1] - 2 * values[frame] + values[frame - 1]);
            if (value > worst) worst = value;
          }
        }
        const share = clamp((worst - from) / (to - from), 0, 1);
        if (share <= 0) continue;
        pen.globalAlpha = 0.15 + 0.85 * share;
        pen.fillRect(x, above, 2, STRIP);
      }
      pen.globalAlpha = 1;
    });
  }
}

/** Whether an end can be dragged: what the time of a step is counted from. @param {Print[]} prints @param {number} index @param {"land" | "leave"} end @returns {{ from: number, to: number } | null} footprints: whose time it is counted from, and whose field changes */
function gripOf(prints, index, end) {
  if (end === "land") {
    const before = prints.findLastIndex((print, other) => other < index && print.foot === prints[index].foot);
    return index >= 2 && before >= 0 ? { from: before, to: index } : null;
  }
  // The foot leaves after the other one has landed: how long after is a field of that landing.
  const landing = Math.max(index + 1, 2);
  const isOther = prints[landing] && prints[landing].foot !== prints[index].foot;
  const leaves = prints.slice(landing).some((print) => print.foot === prints[index].foot);
  return isOther && leaves ? { from: landing, to: landing } : null;
}

/**
 * The plan with an end of a stance at another time, and the time that it came to.
 *
 * @param {Print[]} prints
 * @param {(import("studio/plan_model.js").Row | undefined)[]} rows as the motion is now
 * @param {number} index
 * @param {"land" | "leave"} end
 * @param {number} time
 */
export function retimed(prints, rows, index, end, time) {
  const grip = gripOf(prints, index, end);
  if (!grip) return null;
  const change = (/** @type {number} */ at, /** @type {Partial<Print>} */ fields) =>
    prints.map((print, other) => (other === at ? { ...print, ...fields } : print));
  const given = (/** @type {number | undefined} */ value) => value !== undefined && value !== null;
  const tidy = (/** @type {number} */ seconds) => Math.round(seconds * 1000) / 1000;
  if (prints.some((print) => given(print.land) || given(print.leave))) {
    const row = rows[index];
    const other =
      end === "land" ? (row?.leave_seconds.actual ?? Infinity) - 0.1 : (row?.land_seconds.actual ?? 0) + 0.1;
    const to = tidy(end === "land" ? clamp(time, 0, other) : Math.max(time, other));
    return { prints: change(index, { [end]: to }), time: to };
  }
  const start = end === "land" ? rows[grip.from]?.leave_seconds.actual : rows[grip.from]?.land_seconds.actual;
  if (start === undefined || start === null) return null;
  const [least, most] = end === "land" ? SWINGS : SUPPORTS;
  const seconds = tidy(clamp(time - start, least, most));
  return { prints: change(grip.to, end === "land" ? { swing: seconds } : { support: seconds }), time: start + seconds };
}
