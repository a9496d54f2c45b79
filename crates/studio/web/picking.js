// What lies under the pointer: ground, planes and footprints.

import { add, cross, dot, scale, subtract } from "surefoot/math.js";
import { axesOn } from "surefoot/prints.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {{ from: Vec3, along: Vec3 }} Ray */
/** @typedef {import("surefoot/mesh.js").Mesh} Mesh */

/** Where a ray meets a plane; `null` behind the eye or along the plane. @param {Ray} ray @param {Vec3} through @param {Vec3} normal @returns {Vec3 | null} */
export function hitPlane(ray, through, normal) {
  const slope = dot(ray.along, normal);
  if (Math.abs(slope) < 1e-6) return null;
  const distance = dot(subtract(through, ray.from), normal) / slope;
  return distance > 0 ? add(ray.from, scale(ray.along, distance)) : null;
}

/** The first triangle of a mesh that a ray meets from above: how far along the ray. @param {Ray} ray @param {Mesh} mesh */
function hitMesh({ from, along }, { positions, corners }) {
  let nearest = Infinity;
  const corner = (/** @type {number} */ i) =>
    /** @type {Vec3} */ ([positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]);
  for (let i = 0; i + 2 < corners.length; i += 3) {
    const a = corner(corners[i]);
    const [ab, ac] = [subtract(corner(corners[i + 1]), a), subtract(corner(corners[i + 2]), a)];
    const p = cross(along, ac);
    const size = dot(ab, p);
    if (Math.abs(size) < 1e-12) continue;
    const start = subtract(from, a);
    const u = dot(start, p) / size;
    const q = cross(start, ab);
    const v = dot(along, q) / size;
    const distance = dot(ac, q) / size;
    if (u >= 0 && v >= 0 && u + v <= 1 && distance > 1e-4 && distance < nearest) nearest = distance;
  }
  return nearest;
}

/** Where a ray meets what is walked on. @param {Ray} ray @param {{ ground: Mesh | null, floor: number | null }} show @returns {Vec3 | null} */
export function hitGround(ray, { ground, floor }) {
  const mesh = ground ? hitMesh(ray, ground) : Infinity;
  const plane = floor === null ? null : hitPlane(ray, [0, floor, 0], [0, 1, 0]);
  const there = plane ? dot(subtract(plane, ray.from), ray.along) : Infinity;
  const nearest = Math.min(mesh, there);
  return nearest < Infinity ? add(ray.from, scale(ray.along, nearest)) : null;
}

/** Whether a ray meets a footprint, in soles: how far along the ray, or Infinity. @param {Ray} ray @param {Vec3} at @param {number} heading @param {number} size of the sole @param {number} margin around it, in metres */
export function hitPrint(ray, at, heading, size, margin) {
  const point = hitPlane(ray, at, [0, 1, 0]);
  if (!point) return Infinity;
  const { across, along } = axesOn([0, 1, 0], heading, 1);
  const from = subtract(point, at);
  const [x, y] = [dot(from, across), dot(from, along)];
  const isInside = Math.abs(x) < 0.19 * size + margin && y > -0.72 * size - margin && y < 0.32 * size + margin;
  return isInside ? dot(subtract(point, ray.from), ray.along) : Infinity;
}
