// Contacts in the time line: a bar for each plant of heel and ball, with ends to drag, above the heights and speeds that they were found
// from. Toes follow from the two, so that their bars are shown and not dragged.

import { moveEnd, ROWS } from "studio/contact_ranges.js";
import { drawBar } from "studio/track_bar.js";
import { currentTheme } from "surefoot/theme.js";
import { GUTTER } from "surefoot/timeline.js";

/** @typedef {import("studio/contact_ranges.js").Ranges} Ranges */
/** @typedef {import("studio/contact_ranges.js").Which} Which */
/** @typedef {import("studio/contact_ranges.js").Foot} Foot */
/** @typedef {import("studio/view.js").TrackPointer} TrackPointer */
/** @typedef {{ height_mm: (number | null)[], height_limits_mm: [number, number], speed: (number | null)[], planted_speed: (number | null)[] }} Trace */
/** @typedef {Record<"left" | "right", Record<"heel" | "ball", Trace>>} Traces */
/**
 * What the track shows and changes.
 *
 * @typedef {{
 *   ranges: Ranges | null, detected: Ranges | null, traces: Traces | null, rate: number, selected: Which | null,
 *   select: (which: Which | null) => void, moved: (ranges: Ranges) => void, settled: (before: Ranges, after: Ranges) => void,
 * }} Contacts
 */

const TOP = 4;
const BAR = 13;
const TOE = 6;
const LANE = 30;
const FOOT = 2 * (BAR + 2) + TOE + 3 + 2 * (LANE + 3) + 4;
const RIGHT = 14;
/** Pixels around an end that are it. */
const NEAR = 7;
/** Heights and speeds beyond these are cut off: what matters is near the limits. */
const MOST_MM = 120;
const MOST_SPEED = 1.5;

/** @param {Foot} foot */
const footTop = (foot) => TOP + (foot === "left" ? 0 : FOOT);
/** @param {{ foot: Foot, part: "heel" | "ball" }} row */
const rowTop = ({ foot, part }) => footTop(foot) + (part === "heel" ? 0 : BAR + 2);

/** @param {import("studio/app.js").Studio} studio @param {Contacts} contacts @returns {import("studio/view.js").Track} */
export function contactTrack(studio, contacts) {
  const { view } = studio;
  /** A frame's left edge: plants begin half a frame before their first. @param {number} frame @param {number} width */
  const x = (frame, width) => view.range.x((frame - 0.5) / contacts.rate, width);

  /** @param {TrackPointer} pointer @returns {(Which & { end: 0 | 1 | null }) | null} */
  const plantAt = ({ x: at, y, width }) => {
    const { ranges } = contacts;
    const row = ROWS.find((one) => y >= rowTop(one) - 1 && y <= rowTop(one) + BAR + 1);
    if (!ranges || !row) return null;
    /** @type {(Which & { end: 0 | 1 | null }) | null} */
    let best = null;
    let nearest = NEAR + 0.5;
    ranges[row.foot][row.part].forEach(([from, to], index) => {
      const ends = [x(from, width), x(to, width)];
      ends.forEach((end, which) => {
        // Of two ends at one place the one of the bar under the pointer is meant.
        const apart = Math.abs(at - end) + (at >= ends[0] && at <= ends[1] ? 0 : 0.5);
        if (apart >= nearest) return;
        nearest = apart;
        best = { ...row, index, end: /** @type {0 | 1} */ (which) };
      });
      if (!best && at >= ends[0] && at <= ends[1]) best = { ...row, index, end: null };
    });
    return best;
  };

  return {
    label: "Contacts of heel and ball: their ends can be dragged. The list of contacts has the same frames as fields.",
    hidesBars: true,
    height: () => TOP + 2 * FOOT,
    hover: (pointer) => {
      const found = plantAt(pointer);
      return found ? (found.end === null ? "pointer" : "ew-resize") : null;
    },
    down: (pointer) => {
      const found = plantAt(pointer);
      if (!found || !contacts.ranges) return null;
      contacts.select(found);
      const before = contacts.ranges;
      let after = before;
      const { end } = found;
      if (end === null) return { move: () => {}, up: () => {} };
      return {
        move: ({ time }) => {
          after = moveEnd(before, found, end, time * contacts.rate + 0.5);
          contacts.moved(after);
          // The picture shows the frame that the end is at.
          const range = after[found.foot][found.part][found.index];
          view.playback.seek((end === 0 ? range[0] : range[1] - 1) / contacts.rate);
        },
        up: () => contacts.settled(before, after),
        cancel: () => contacts.moved(before),
      };
    },
    draw: (pen, width, range, time) => {
      const theme = currentTheme();
      const right = width - RIGHT;
      for (const foot of /** @type {const} */ (["left", "right"])) {
        const top = footTop(foot);
        const ink = foot === "left" ? theme.leftInk : theme.rightInk;
        pen.textBaseline = "middle";
        pen.textAlign = "left";
        pen.font = "600 11px system-ui, sans-serif";
        pen.fillStyle = ink;
        pen.fillText(foot === "left" ? "Left" : "Right", 12, top + BAR / 2 + 1);
        const lanes = top + 2 * (BAR + 2) + TOE + 3;
        const names = /** @type {[string, number][]} */ ([
          ["heel", top + BAR / 2 + 1],
          ["ball", top + BAR + 2 + BAR / 2 + 1],
          ["toe", top + 2 * (BAR + 2) + TOE / 2 + 1],
          ["height", lanes + LANE - 8],
          ["speed", lanes + LANE + 3 + LANE - 8],
        ]);
        pen.font = "10px system-ui, sans-serif";
        pen.fillStyle = theme.faint;
        for (const [name, y] of names) pen.fillText(name, 56, y);
        pen.textAlign = "right";
        pen.fillText(`${MOST_MM} mm`, GUTTER - 4, lanes + 5);
        pen.fillText(`${MOST_SPEED} m/s`, GUTTER - 4, lanes + LANE + 8);
        pen.fillStyle = theme.rule;
        pen.globalAlpha = 0.4;
        for (let row = 0; row < 2; row++) pen.fillRect(GUTTER, top + row * (BAR + 2), right - GUTTER, BAR);
        pen.fillRect(GUTTER, top + 2 * (BAR + 2), right - GUTTER, TOE);
        for (let lane = 0; lane < 2; lane++) pen.fillRect(GUTTER, lanes + lane * (LANE + 3), right - GUTTER, LANE);
        pen.globalAlpha = 1;
      }
      pen.save();
      pen.beginPath();
      pen.rect(GUTTER - 1, 0, right - GUTTER + 2, TOP + 2 * FOOT);
      pen.clip();
      drawBars(pen, width);
      drawToes(pen, width);
      drawTraces(pen, width, range, time);
      pen.restore();
    },
  };

  /** @param {CanvasRenderingContext2D} pen @param {number} width */
  function drawBars(pen, width) {
    const theme = currentTheme();
    const { ranges, detected, selected } = contacts;
    if (!ranges) return;
    for (const row of ROWS) {
      const top = rowTop(row);
      // What was detected, under what it became.
      pen.strokeStyle = theme.faint;
      pen.lineWidth = 1;
      for (const [from, to] of detected?.[row.foot][row.part] ?? []) {
        const [a, b] = [x(from, width), x(to, width)];
        pen.strokeRect(a + 0.5, top + 0.5, b - a - 1, BAR - 1);
      }
      ranges[row.foot][row.part].forEach(([from, to], index) => {
        const [a, b] = [x(from, width), x(to, width)];
        const isChosen = selected?.foot === row.foot && selected.part === row.part && selected.index === index;
        drawBar(pen, {
          from: a,
          to: b,
          top,
          height: BAR,
          least: 2,
          radius: 3.5,
          ink: row.foot === "left" ? theme.leftInk : theme.rightInk,
          alpha: isChosen ? 1 : 0.7,
          isChosen,
          inset: 3,
          ends: ["first", "last"],
        });
      });
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} width */
  function drawToes(pen, width) {
    const theme = currentTheme();
    const bars = view.show?.actors[0].contacts?.bars;
    if (!bars) return;
    [0, 1].forEach((side) => {
      const top = footTop(side === 0 ? "left" : "right") + 2 * (BAR + 2);
      pen.fillStyle = side === 0 ? theme.leftInk : theme.rightInk;
      pen.globalAlpha = 0.4;
      for (const [from, to] of bars[3 * side + 2]) {
        const [a, b] = [x(from, width), x(to, width)];
        pen.fillRect(a, top, Math.max(b - a, 1), TOE);
      }
      pen.globalAlpha = 1;
    });
  }

  /** Heights and speeds, what is within their limits behind them. @param {CanvasRenderingContext2D} pen @param {number} width @param {import("surefoot/timeline.js").TimeRange} range @param {number} time */
  function drawTraces(pen, width, range, time) {
    const theme = currentTheme();
    if (!contacts.traces) return;
    const first = Math.max(0, Math.floor(range.from * contacts.rate) - 1);
    for (const foot of /** @type {const} */ (["left", "right"])) {
      const lanes = footTop(foot) + 2 * (BAR + 2) + TOE + 3;
      const ink = foot === "left" ? theme.leftInk : theme.rightInk;
      const part = contacts.selected?.foot === foot ? contacts.selected.part : "ball";
      const trace = contacts.traces[foot][part];
      const last = Math.min(trace.speed.length - 1, Math.ceil(range.to * contacts.rate) + 1);
      const line = (
        /** @type {(number | null)[] | number} */ values,
        /** @type {number} */ most,
        /** @type {number} */ top,
      ) => {
        pen.beginPath();
        let isDown = false;
        for (let frame = first; frame <= last; frame++) {
          const value = typeof values === "number" ? values : values[frame];
          if (value === null) {
            isDown = false;
            continue;
          }
          const at = range.x(frame / contacts.rate, width);
          const y = top + LANE - 1 - Math.min(Math.max(value / most, 0), 1) * (LANE - 3);
          if (isDown) pen.lineTo(at, y);
          else pen.moveTo(at, y);
          isDown = true;
        }
        pen.stroke();
      };
      pen.lineWidth = 1;
      pen.strokeStyle = theme.faint;
      pen.setLineDash([3, 3]);
      line(trace.height_limits_mm[1], MOST_MM, lanes);
      line(trace.planted_speed, MOST_SPEED, lanes + LANE + 3);
      pen.setLineDash([]);
      pen.strokeStyle = ink;
      for (const one of /** @type {const} */ (["heel", "ball"])) {
        const isFront = one === part;
        pen.globalAlpha = isFront ? 1 : 0.35;
        pen.lineWidth = isFront ? 1.6 : 1;
        line(contacts.traces[foot][one].height_mm, MOST_MM, lanes);
        line(contacts.traces[foot][one].speed, MOST_SPEED, lanes + LANE + 3);
      }
      pen.globalAlpha = 1;
      const frame = Math.round(time * contacts.rate);
      const [height, speed] = [trace.height_mm[frame], trace.speed[frame]];
      pen.font = "600 10px system-ui, sans-serif";
      pen.textBaseline = "top";
      const at = range.x(time, width);
      const isRight = at > width - 110;
      pen.textAlign = isRight ? "right" : "left";
      pen.fillStyle = theme.ink;
      const beside = at + (isRight ? -6 : 6);
      if (height !== null && height !== undefined) pen.fillText(`${part} ${height.toFixed(0)} mm`, beside, lanes + 1);
      if (speed !== null && speed !== undefined)
        pen.fillText(`${part} ${speed.toFixed(2)} m/s`, beside, lanes + LANE + 4);
    }
  }
}
