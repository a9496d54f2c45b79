// Triangles as `pack_mesh.rs` packs them.

import { unpackIntegers } from "surefoot/integers.js";

/**
 * @typedef {{
 *   positions: Float32Array, normals: Float32Array, colours: Float32Array, corners: Uint32Array,
 *   joints: Float32Array | null, shares: Float32Array | null,
 * }} Mesh
 */

/** @param {DataView} view @param {number} at @returns {Mesh} */
export function unpackMesh(view, at) {
  const step = view.getFloat64(at, true);
  const { tracks, end } = unpackIntegers(view, at + 8);
  const corners = Uint32Array.from(unpackIntegers(view, end).tracks[0]);
  const n = tracks[0].length;
  const gather = (/** @type {number} */ first, /** @type {number} */ width, /** @type {number} */ scale) => {
    const out = new Float32Array(n * width);
    for (let i = 0; i < n; i++) for (let k = 0; k < width; k++) out[i * width + k] = tracks[first + k][i] * scale;
    return out;
  };
  const isBody = tracks.length > 7;
  return {
    positions: gather(0, 3, step),
    normals: gather(3, 3, 1 / 127),
    colours: gather(6, 1, 1),
    corners,
    joints: isBody ? gather(7, 3, 1) : null,
    shares: isBody ? gather(10, 3, 1 / 255) : null,
  };
}
