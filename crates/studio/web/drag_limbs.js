// Hands and feet in the picture, to be dragged: where one is let go becomes a key of that frame.

import { hitPlane } from "studio/picking.js";
import { add, subtract } from "surefoot/math.js";

/** @typedef {import("studio/signal_request.js").Limb} Limb */
/** @typedef {[number, number, number]} Vec3 */
/**
 * @typedef {{
 *   joints: () => Partial<Record<Limb, string>>, isOn: () => boolean,
 *   dragged: (limb: Limb, frame: number, by: Vec3, isDone: boolean) => void, cancelled: () => void,
 * }} Grips the joints that are dragged, by their names; `by` is counted from where they are in the unedited clip
 */

/** Pixels around a hand or foot that are it. */
const NEAR = 16;

/** @param {import("studio/app.js").Studio} studio @param {Grips} grips @returns {import("studio/view.js").Tool} */
export function dragLimbs(studio, grips) {
  const { view } = studio;
  /** Where hands and feet of an actor are now, in the world. @param {import("surefoot/document.js").Actor | undefined} actor @returns {[Limb, Vec3][]} */
  const placesOf = (actor) => {
    const { show } = view;
    if (!show || !actor || !grips.isOn()) return [];
    const pose = actor.track.newPose();
    actor.track.sample(Math.min(Math.round(view.playback.time * actor.rate), actor.frames - 1), pose);
    return Object.entries(grips.joints()).flatMap(([limb, name]) => {
      const joint = actor.joints.indexOf(name);
      if (joint < 0) return [];
      const local = /** @type {Vec3} */ ([...pose.places.slice(3 * joint, 3 * joint + 3)]);
      return [[/** @type {Limb} */ (limb), /** @type {Vec3} */ (add(local, show.origin))]];
    });
  };
  /** Of the edited motion, which is the last. */
  const places = () => placesOf(view.show?.actors.at(-1));
  const under = (/** @type {import("studio/view.js").Pointer} */ { x, y }) => {
    let [best, nearest] = [/** @type {[Limb, Vec3] | null} */ (null), NEAR];
    for (const found of places()) {
      const at = view.pixel(found[1]);
      const apart = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (apart < nearest) [best, nearest] = [found, apart];
    }
    return best;
  };
  /** @type {{ limb: Limb, place: Vec3 } | null} */
  let held = null;

  return {
    hover: (pointer) => (under(pointer) ? "grab" : null),
    down: (pointer) => {
      const found = under(pointer);
      const actor = view.show?.actors.at(-1);
      if (!found || !actor) return null;
      view.playback.isPlaying = false;
      const [limb, from] = found;
      const frame = Math.min(Math.round(view.playback.time * actor.rate), actor.frames - 1);
      view.playback.seek(frame / actor.rate);
      const unedited = placesOf(view.show?.actors[0]).find(([name]) => name === limb)?.[1] ?? from;
      // In the plane that faces the eye, by as much as the pointer moves in it.
      const facing = view.stage?.camera.ray(0, 0).along ?? pointer.ray.along;
      const begun = hitPlane(pointer.ray, from, facing) ?? from;
      const place = (/** @type {import("studio/view.js").Pointer} */ { ray }) => {
        const at = hitPlane(ray, from, facing) ?? begun;
        return /** @type {Vec3} */ (add(from, subtract(at, begun)));
      };
      return {
        move: (moved) => {
          held = { limb, place: place(moved) };
          grips.dragged(limb, frame, /** @type {Vec3} */ (subtract(held.place, unedited)), false);
          studio.touch();
        },
        up: (moved) => {
          held = null;
          grips.dragged(limb, frame, /** @type {Vec3} */ (subtract(place(moved), unedited)), true);
        },
        cancel: () => {
          held = null;
          grips.cancelled();
        },
      };
    },
    paint: (pen, _write, theme, pixel) => {
      for (const [limb, place] of places()) {
        const at = pixel(place);
        if (!at) continue;
        pen.beginPath();
        pen.arc(at[0], at[1], 8, 0, 7);
        pen.fillStyle = limb.startsWith("left") ? theme.leftInk : theme.rightInk;
        pen.globalAlpha = 0.35;
        pen.fill();
        pen.globalAlpha = 1;
        pen.strokeStyle = theme.panel;
        pen.lineWidth = 3.5;
        pen.stroke();
        pen.strokeStyle = pen.fillStyle;
        pen.lineWidth = 2;
        pen.stroke();
      }
      const target = held && pixel(held.place);
      if (target) {
        pen.beginPath();
        pen.moveTo(target[0] - 7, target[1]);
        pen.lineTo(target[0] + 7, target[1]);
        pen.moveTo(target[0], target[1] - 7);
        pen.lineTo(target[0], target[1] + 7);
        pen.strokeStyle = theme.ink;
        pen.lineWidth = 2;
        pen.stroke();
      }
    },
  };
}
