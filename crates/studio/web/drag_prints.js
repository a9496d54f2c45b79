// Footprints under the pointer: select, drag, turn, raise, add, and a rectangle that selects. What a drag did is one step of undo.

import { hitPlane, hitPrint } from "studio/picking.js";
import * as edits from "studio/plan_edits.js";
import { findingOf } from "studio/plan_findings.js";
import { clamp, normalize, add as plus, scale, subtract } from "surefoot/math.js";
import { axesOn } from "surefoot/prints.js";
import { currentTheme } from "surefoot/theme.js";

/** @typedef {import("studio/view.js").Pointer} Pointer */
/** @typedef {import("studio/view.js").Drag} Drag */
/** @typedef {import("studio/plan_model.js").Print} Print */
/** @typedef {[number, number, number]} Vec3 */
/**
 * What the tool and its panel share.
 *
 * @typedef {{
 *   selection: Set<number>, hovered: number | null, isAdding: boolean, grid: number,
 *   select: (ids: Iterable<number>) => void, addAt: (position: Vec3) => void,
 *   goTo: (id: number) => void,
 * }} Hands
 */

/** Length of the sole that is drawn, in metres. */
const SOLE = 0.27;
/** Where the handles are: before the toes, and above the ball. */
const TURN_REACH = 0.3;
const RAISE_REACH = 0.24;
/** Pixels around a handle that are it, for a mouse and for a finger. */
const NEAR = 12;
const NEAR_FINGER = 24;
/** Radians between two steps of turning with Shift. */
const NOTCH = Math.PI / 12;

/** @param {import("studio/app.js").Studio} studio @param {Hands} hands @returns {import("studio/view.js").Tool} */
export function dragPrints(studio, hands) {
  const { plan, view } = studio;

  const place = (/** @type {Print} */ print) => /** @type {Vec3} */ (print.position);
  const primary = () => plan.prints.findLastIndex((print) => hands.selection.has(print.id));
  const finding = (/** @type {Print} */ print, /** @type {number} */ index) =>
    findingOf(index, plan.row(print.id), plan.refused);

  /** Where the handles of the selection are. */
  const handles = () => {
    const index = primary();
    if (index < 0) return null;
    const at = place(plan.prints[index]);
    const { along } = axesOn([0, 1, 0], edits.headingOf(plan.prints, index), TURN_REACH);
    return { index, at, turn: plus(at, along), raise: plus(at, [0, RAISE_REACH, 0]) };
  };

  /** @param {Pointer} pointer */
  const near = (pointer) => (pointer.event.pointerType === "touch" ? NEAR_FINGER : NEAR);

  /** @param {Pointer} pointer @returns {"turn" | "raise" | null} */
  const handleAt = (pointer) => {
    const all = handles();
    if (!all) return null;
    for (const kind of /** @type {const} */ (["turn", "raise"])) {
      const pixel = view.pixel(all[kind]);
      const isSeen = kind === "turn" || isRaiseSeen();
      if (pixel && isSeen && Math.hypot(pixel[0] - pointer.x, pixel[1] - pointer.y) < near(pointer)) return kind;
    }
    return null;
  };
  // From above it lies on the ball.
  const isRaiseSeen = () => (view.stage?.camera.pitch ?? 0) < 1.2;

  /** @param {Pointer} pointer @returns {number} index of the footprint, or -1 */
  const printAt = (pointer) => {
    let [found, nearest] = [-1, Infinity];
    const margin = pointer.event.pointerType === "touch" ? 0.06 : 0.015;
    plan.prints.forEach((print, index) => {
      const distance = hitPrint(pointer.ray, place(print), edits.headingOf(plan.prints, index), SOLE, margin);
      if (distance < nearest) [found, nearest] = [index, distance];
    });
    return found;
  };

  /**
   * A drag of the selection: `change` makes of the plan at its start what it is now.
   *
   * @param {string} label
   * @param {(before: Print[], ids: Set<number>, pointer: Pointer) => Print[]} change
   * @returns {Drag}
   */
  const dragging = (label, change) => {
    const before = plan.prints;
    const ids = new Set(hands.selection);
    const show = (/** @type {Print[]} */ changed) => {
      const own = new Map(changed.filter(({ id }) => ids.has(id)).map((print) => [print.id, print]));
      plan.show(plan.prints.map((print) => own.get(print.id) ?? print));
    };
    let last = before;
    return {
      move: (pointer) => {
        last = change(before, ids, pointer);
        show(last);
      },
      up: () => plan.remember(label, before, last),
      cancel: () => show(before),
    };
  };

  /** @param {Pointer} pointer @param {number} index @returns {Drag} */
  const moving = (pointer, index) => {
    const grabbed = place(plan.prints[index]);
    const onGround = () => plan.snaps && plan.settings.terrain !== null;
    const start = hitPlane(pointer.ray, grabbed, [0, 1, 0]) ?? grabbed;
    const offset = subtract(grabbed, start);
    return dragging("move", (before, ids, now) => {
      const level = hitPlane(now.ray, grabbed, [0, 1, 0]);
      const hit = onGround() && now.ground ? now.ground : level;
      if (!hit) return before;
      const [x, y, z] = edits.snapped(plus(hit, [offset[0], 0, offset[2]]), hands.grid);
      return edits.move(before, ids, [x - grabbed[0], onGround() ? y - grabbed[1] : 0, z - grabbed[2]]);
    });
  };

  /** @param {Pointer} pointer @returns {Drag} */
  const turning = (pointer) => {
    const chosen = plan.prints.filter(({ id }) => hands.selection.has(id));
    const middle = /** @type {Vec3} */ (
      [0, 1, 2].map((axis) => chosen.reduce((sum, print) => sum + print.position[axis], 0) / chosen.length)
    );
    const angle = (/** @type {Pointer} */ now) => {
      const hit = hitPlane(now.ray, middle, [0, 1, 0]) ?? middle;
      return Math.atan2(hit[0] - middle[0], hit[2] - middle[2]);
    };
    const start = angle(pointer);
    return dragging("turn", (before, ids, now) => {
      const turn = angle(now) - start;
      return edits.rotate(before, ids, now.event.shiftKey ? Math.round(turn / NOTCH) * NOTCH : turn);
    });
  };

  /** @param {Pointer} pointer @returns {Drag} */
  const raising = (pointer) => {
    const at = handles()?.at ?? [0, 0, 0];
    const back = view.stage?.camera.back ?? [0, 0, 1];
    const facing = normalize([back[0], 0, back[2]], [0, 0, 1]);
    const height = (/** @type {Pointer} */ now) => (hitPlane(now.ray, at, facing) ?? at)[1];
    const start = height(pointer);
    return dragging("raise", (before, ids, now) => {
      const rise = height(now) - start;
      return edits.move(before, ids, [0, hands.grid > 0 ? Math.round(rise / hands.grid) * hands.grid : rise, 0]);
    });
  };

  /** @type {{ from: [number, number], to: [number, number] } | null} */
  let box = null;
  /** @param {Pointer} pointer @returns {Drag} */
  const selecting = (pointer) => {
    const before = [...hands.selection];
    return {
      move: (now) => {
        box = { from: [pointer.x, pointer.y], to: [now.x, now.y] };
        const inside = plan.prints.filter((print) => {
          const pixel = view.pixel(place(print));
          if (!pixel || !box) return false;
          return pixel.every(
            (value, k) =>
              value >= Math.min(pointer[k === 0 ? "x" : "y"], k === 0 ? now.x : now.y) &&
              value <= Math.max(pointer[k === 0 ? "x" : "y"], k === 0 ? now.x : now.y),
          );
        });
        hands.select([...(pointer.event.shiftKey ? before : []), ...inside.map(({ id }) => id)]);
      },
      up: () => {
        box = null;
        studio.touch();
      },
      cancel: () => {
        box = null;
        hands.select(before);
      },
    };
  };

  return {
    down: (pointer) => {
      if (hands.isAdding) return null;
      const handle = handleAt(pointer);
      if (handle === "turn") return turning(pointer);
      if (handle === "raise") return raising(pointer);
      const index = printAt(pointer);
      if (index < 0) return pointer.event.ctrlKey || pointer.event.metaKey ? selecting(pointer) : null;
      const { id } = plan.prints[index];
      const isMore = pointer.event.shiftKey || pointer.event.ctrlKey || pointer.event.metaKey;
      if (isMore) {
        const others = [...hands.selection].filter((other) => other !== id);
        hands.select(hands.selection.has(id) ? others : [...others, id]);
      } else if (!hands.selection.has(id)) hands.select([id]);
      if (!hands.selection.has(id)) return null;
      // Who drags a footprint wants to see the person step there; a camera that follows would move what is under the pointer.
      if (!view.stage?.camera.isFollowing) hands.goTo(id);
      return moving(pointer, index);
    },
    hover: (pointer) => {
      if (hands.isAdding) return "crosshair";
      if (handleAt(pointer)) return "pointer";
      const index = printAt(pointer);
      const hovered = index < 0 ? null : plan.prints[index].id;
      if (hovered !== hands.hovered) {
        hands.hovered = hovered;
        studio.touch();
      }
      return index < 0 ? null : "move";
    },
    click: (pointer) => {
      if (hands.isAdding && pointer.ground) hands.addAt(pointer.ground);
      else if (!hands.isAdding && printAt(pointer) < 0) hands.select([]);
    },
    decals: (theme) => {
      const time = view.playback.time;
      return plan.prints.flatMap((print, index) => {
        const found = finding(print, index);
        const row = plan.row(print.id);
        const rate = plan.solved?.report.frame_rate ?? 60;
        const isNow = row !== undefined && time * rate >= row.stance_frames[0] && time * rate < row.stance_frames[1];
        const isChosen = hands.selection.has(print.id);
        const heading = edits.headingOf(plan.prints, index);
        const colour = found?.grade === "poor" ? theme.bad : print.foot === "left" ? theme.left : theme.right;
        const at = plus(place(print), [0, 0.004, 0]);
        const normal = print.normal ?? [0, 1, 0];
        const decal = {
          shape: print.foot,
          at,
          ...axesOn(normal, heading, SOLE),
          colour,
          rim: 1,
          fill: isChosen ? 0.85 : isNow ? 0.62 : print.id === hands.hovered ? 0.5 : 0.3,
        };
        if (!isChosen) return [decal];
        const halo = {
          ...decal,
          ...axesOn(normal, heading, SOLE * 1.28),
          at: plus(at, scale(axesOn(normal, heading, 1).along, 0.012)),
          fill: 0.22,
        };
        return [halo, decal];
      });
    },
    paint: (pen, write, theme, pixel) => {
      /** @type {Callout[]} */
      const callouts = [];
      plan.prints.forEach((print, index) => {
        const heading = edits.headingOf(plan.prints, index);
        const outward = scale(axesOn([0, 1, 0], heading, 1).across, print.foot === "left" ? 0.15 : -0.15);
        const isChosen = hands.selection.has(print.id);
        const ink = print.foot === "left" ? theme.leftInk : theme.rightInk;
        write(String(index), plus(place(print), outward), ink, isChosen ? 14 : 11, isChosen ? "700" : "550");
        const found = finding(print, index);
        const at = found && pixel(plus(place(print), [0, 0.02, 0]));
        if (!found || !at) return;
        const isWhole = isChosen || print.id === hands.hovered || plan.refused?.footprint === index;
        callouts.push({ at, grade: found.grade, text: isWhole ? found.text : found.word, isWhole });
      });
      paintCallouts(pen, callouts, view.picture.clientWidth);
      paintHandles(pen, pixel);
      if (box) {
        pen.strokeStyle = theme.leftInk;
        pen.fillStyle = theme.leftInk;
        pen.lineWidth = 1;
        const size = /** @type {const} */ ([box.to[0] - box.from[0], box.to[1] - box.from[1]]);
        pen.globalAlpha = 0.12;
        pen.fillRect(...box.from, ...size);
        pen.globalAlpha = 1;
        pen.strokeRect(...box.from, ...size);
      }
    },
  };

  /** @param {CanvasRenderingContext2D} pen @param {(at: Vec3) => [number, number] | null} pixel */
  function paintHandles(pen, pixel) {
    const all = handles();
    if (!all || hands.isAdding) return;
    const theme = currentTheme();
    const from = pixel(all.at);
    for (const kind of /** @type {const} */ (["turn", "raise"])) {
      const to = pixel(all[kind]);
      if (!from || !to || (kind === "raise" && !isRaiseSeen())) continue;
      pen.strokeStyle = theme.playhead;
      pen.fillStyle = theme.panel;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(...from);
      pen.lineTo(...to);
      pen.stroke();
      pen.beginPath();
      if (kind === "turn") pen.arc(to[0], to[1], 6.5, 0, 7);
      else {
        pen.moveTo(to[0], to[1] - 9);
        pen.lineTo(to[0] + 7, to[1] + 4);
        pen.lineTo(to[0] - 7, to[1] + 4);
        pen.closePath();
      }
      pen.fill();
      pen.stroke();
    }
  }
}

/** @typedef {{ at: [number, number], grade: "good" | "check" | "poor", text: string, isWhole: boolean }} Callout */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */

/** Texts in boxes with a tip at their places, those that matter most above others; where boxes would lie on each other, a mark. @param {CanvasRenderingContext2D} pen @param {Callout[]} callouts @param {number} width of the picture */
function paintCallouts(pen, callouts, width) {
  const style = getComputedStyle(document.documentElement);
  pen.font = "600 11.5px system-ui, sans-serif";
  pen.lineWidth = 1;
  pen.textBaseline = "middle";
  const rank = (/** @type {Callout} */ { isWhole, grade }) => (isWhole ? 0 : grade === "poor" ? 1 : 2);
  /** @type {Box[]} */
  const taken = [];
  const placed = [...callouts]
    .sort((a, b) => rank(a) - rank(b))
    .map((callout) => {
      const lines = wrapped(pen, callout.text, 250);
      const wide = Math.max(...lines.map((line) => pen.measureText(line).width)) + 16;
      const high = 15 * lines.length + 8;
      const x = clamp(callout.at[0] + 16, 6, Math.max(width - wide - 6, 6));
      const box = { x, y: Math.max(callout.at[1] - high - 14, 6), wide, high };
      const isFree = callout.isWhole || !taken.some((other) => overlap(box, other));
      if (isFree) taken.push(box);
      return { ...callout, lines, box: isFree ? box : null };
    });
  for (const { at, grade, lines, box } of placed.reverse()) {
    pen.fillStyle = style.getPropertyValue(`--${grade}-back`);
    pen.strokeStyle = style.getPropertyValue(`--${grade}`);
    pen.beginPath();
    if (box) {
      pen.moveTo(...at);
      pen.lineTo(box.x + 6, box.y + box.high);
      pen.stroke();
      pen.beginPath();
      pen.roundRect(box.x, box.y, box.wide, box.high, 6);
    } else pen.arc(at[0], at[1] - 12, 7, 0, 7);
    pen.fill();
    pen.stroke();
    pen.fillStyle = pen.strokeStyle;
    pen.textAlign = box ? "left" : "center";
    if (!box) pen.fillText("!", at[0], at[1] - 11.5);
    else
      lines.forEach((line, index) => {
        pen.fillText(line, box.x + 8, box.y + 11.5 + 15 * index);
      });
  }
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.high && b.y < a.y + a.high;
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} width */
function wrapped(pen, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && pen.measureText(`${last} ${word}`).width < width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
