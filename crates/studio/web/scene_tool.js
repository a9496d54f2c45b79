// The scene in the picture: outlines, corners, start, goal and the places between, to be dragged; the corridor and the path that were found in it.

import { hitPlane } from "studio/picking.js";
import { changeObstacle, isInside, moved, rectangle } from "studio/scene_model.js";

/** @typedef {import("studio/scene_model.js").Scene} Scene */
/** @typedef {import("studio/scene_model.js").Place} Place */
/** @typedef {[number, number, number]} Vec3 */
/** @typedef {{ kind: "start" | "goal" } | { kind: "waypoint", waypoint: number } | { kind: "corner", obstacle: number | null, corner: number } | { kind: "obstacle", obstacle: number }} Grip */
/**
 * @typedef {{
 *   scene: () => Scene, selected: () => number | null, isDrawing: () => boolean, isPlacing: () => boolean, corridor: () => [number, number, number][], path: () => Place[],
 *   select: (obstacle: number | null) => void, changed: (scene: Scene, isDone: boolean) => void, drawn: () => void,
 * }} Hands
 */

/** Pixels around a handle that are it. */
const NEAR = 13;
/** Sides that an obstacle has at least, in metres. */
const LEAST = 0.1;
const GREEN = "#1f8a70";
const RED = "#c0392b";

/** @param {import("studio/view.js").View} view @param {Hands} hands @returns {import("studio/view.js").Tool} */
export function sceneTool(view, hands) {
  /** Where the ray meets the ground; beyond its edge, level ground. @param {import("studio/view.js").Pointer} pointer @returns {Place | null} */
  const onGround = ({ ray, ground }) => {
    const at = ground ?? hitPlane(ray, [0, 0, 0], [0, 1, 0]);
    return at && [at[0], at[2]];
  };
  const pixel = (/** @type {Place} */ [x, z]) => view.pixel([x, view.groundHeight(x, z), z]);
  /** @param {import("studio/view.js").Pointer} pointer @returns {Grip | null} */
  const under = (pointer) => {
    const scene = hands.scene();
    const isNear = (/** @type {Place} */ place) => {
      const at = pixel(place);
      return at !== null && Math.hypot(at[0] - pointer.x, at[1] - pointer.y) < NEAR;
    };
    if (isNear(scene.start)) return { kind: "start" };
    if (isNear(scene.goal)) return { kind: "goal" };
    const waypoint = scene.waypoints.findIndex(isNear);
    if (waypoint >= 0) return { kind: "waypoint", waypoint };
    const chosen = hands.selected();
    const outline = chosen === null ? scene.bounds : scene.obstacles[chosen]?.outline;
    const corner = outline?.findIndex(isNear) ?? -1;
    if (corner >= 0) return { kind: "corner", obstacle: chosen, corner };
    const at = onGround(pointer);
    const obstacle = at ? scene.obstacles.findLastIndex((one) => isInside(one.outline, at)) : -1;
    return obstacle >= 0 ? { kind: "obstacle", obstacle } : null;
  };

  return {
    hover: (pointer) => {
      if (hands.isDrawing() || hands.isPlacing()) return "crosshair";
      const grip = under(pointer);
      return grip === null ? null : grip.kind === "corner" ? "nwse-resize" : "grab";
    },
    down: (pointer) => {
      const from = onGround(pointer);
      if (!from) return null;
      const before = hands.scene();
      /** @type {(at: Place) => Scene} */
      let change;
      if (hands.isDrawing()) {
        change = (at) => {
          const isLarge = Math.abs(at[0] - from[0]) > LEAST && Math.abs(at[1] - from[1]) > LEAST;
          return isLarge
            ? { ...before, obstacles: [...before.obstacles, { outline: rectangle(from, at), height: 1 }] }
            : before;
        };
      } else if (hands.isPlacing()) {
        change = (at) => ({ ...before, waypoints: [...before.waypoints, at] });
      } else {
        const grip = under(pointer);
        if (!grip) return null;
        if (grip.kind === "obstacle") hands.select(grip.obstacle);
        change = (at) => changeBy(before, grip, at, [at[0] - from[0], at[1] - from[1]]);
      }
      let last = before;
      const move = (/** @type {import("studio/view.js").Pointer} */ to) => {
        const at = onGround(to);
        if (at) last = change(at);
      };
      return {
        move: (to) => {
          move(to);
          hands.changed(last, false);
        },
        up: (to) => {
          move(to);
          if (hands.isDrawing() && last !== before) hands.select(last.obstacles.length - 1);
          hands.changed(last, true);
          hands.drawn();
        },
        cancel: () => hands.changed(before, true),
      };
    },
    click: (pointer) => {
      if (!under(pointer)) hands.select(null);
    },
    paint: (pen, _write, theme, toPixel) => {
      const scene = hands.scene();
      const at = (/** @type {Place} */ [x, z]) => toPixel([x, view.groundHeight(x, z), z]);
      const outline = (/** @type {Place[]} */ places) => {
        const all = places.map(at);
        if (all.some((one) => one === null)) return false;
        pen.beginPath();
        all.forEach((one, index) => {
          const [x, y] = /** @type {[number, number]} */ (one);
          if (index === 0) pen.moveTo(x, y);
          else pen.lineTo(x, y);
        });
        pen.closePath();
        return true;
      };
      pen.lineJoin = "round";
      pen.strokeStyle = theme.faint;
      pen.lineWidth = 1.5;
      pen.setLineDash([6, 4]);
      if (outline(scene.bounds)) pen.stroke();
      pen.setLineDash([]);
      // Free discs of the corridor, as they lie on the ground, all of them as one.
      pen.fillStyle = GREEN;
      pen.globalAlpha = 0.16;
      pen.beginPath();
      for (const [x, z, radius] of hands.corridor()) {
        const y = view.groundHeight(x, z);
        for (let step = 0; step <= 20; step++) {
          const angle = (2 * Math.PI * step) / 20;
          const there = toPixel([x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)]);
          if (!there) break;
          if (step === 0) pen.moveTo(...there);
          else pen.lineTo(...there);
        }
      }
      pen.fill();
      pen.globalAlpha = 1;
      const path = hands.path();
      pen.strokeStyle = GREEN;
      pen.lineWidth = 2.5;
      pen.beginPath();
      let isDown = false;
      for (const place of path) {
        const there = at(place);
        if (there && isDown) pen.lineTo(...there);
        else if (there) pen.moveTo(...there);
        isDown = there !== null;
      }
      pen.stroke();
      scene.obstacles.forEach((one, index) => {
        if (!outline(one.outline)) return;
        const isChosen = index === hands.selected();
        pen.fillStyle = theme.faint;
        pen.globalAlpha = isChosen ? 0.35 : 0.18;
        pen.fill();
        pen.globalAlpha = 1;
        pen.strokeStyle = isChosen ? theme.ink : theme.faint;
        pen.lineWidth = isChosen ? 2 : 1;
        pen.stroke();
      });
      const chosen = hands.selected();
      const corners = chosen === null ? scene.bounds : (scene.obstacles[chosen]?.outline ?? []);
      for (const corner of corners) {
        const there = at(corner);
        if (!there) continue;
        pen.fillStyle = theme.panel;
        pen.strokeStyle = chosen === null ? theme.faint : theme.ink;
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.rect(there[0] - 4, there[1] - 4, 8, 8);
        pen.fill();
        pen.stroke();
      }
      for (const [place, label, ink] of /** @type {[Place, string, string][]} */ ([
        [scene.start, "S", GREEN],
        [scene.goal, "G", RED],
        ...scene.waypoints.map((place, index) => [place, String(index + 1), theme.leftInk]),
      ])) {
        const there = at(place);
        if (!there) continue;
        pen.beginPath();
        pen.arc(...there, 10, 0, 7);
        pen.fillStyle = ink;
        pen.fill();
        pen.strokeStyle = "#fff";
        pen.lineWidth = 2;
        pen.stroke();
        pen.fillStyle = "#fff";
        pen.font = "700 11px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(label, there[0], there[1] + 0.5);
      }
    },
  };
}

/** @param {Scene} scene @param {Grip} grip @param {Place} at @param {Place} by @returns {Scene} */
function changeBy(scene, grip, at, by) {
  switch (grip.kind) {
    case "start":
      return { ...scene, start: at };
    case "goal":
      return { ...scene, goal: at };
    case "waypoint":
      return { ...scene, waypoints: scene.waypoints.map((place, index) => (index === grip.waypoint ? at : place)) };
    case "obstacle":
      return changeObstacle(scene, grip.obstacle, { outline: moved(scene.obstacles[grip.obstacle].outline, by) });
    case "corner": {
      const outline = grip.obstacle === null ? scene.bounds : scene.obstacles[grip.obstacle].outline;
      const next = outline.map((place, index) => (index === grip.corner ? at : place));
      return grip.obstacle === null
        ? { ...scene, bounds: next }
        : changeObstacle(scene, grip.obstacle, { outline: next });
    }
  }
}
