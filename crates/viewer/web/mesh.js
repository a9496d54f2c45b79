// Triangles as `pack_mesh.rs` packs them, and characters as `pack_character.rs` does.

import { unpackIntegers } from "surefoot/integers.js";

/**
 * Joints and shares are four for each vertex; of a character the joints are indices of its bones.
 *
 * @typedef {{
 *   positions: Float32Array, normals: Float32Array, colours: Float32Array, corners: Uint32Array,
 *   joints: Float32Array | null, shares: Float32Array | null, places: Float32Array | null, paint: Float32Array | null,
 * }} Mesh
 */
/** @typedef {{ at: number, length: number }} Span */
/**
 * What a part of a character looks like.
 *
 * @typedef {{ colour: [number, number, number, number], image: number | null, is_two_sided: boolean, cut: number | null, is_blended: boolean }} Look
 */
/** @typedef {Look & { mesh: Span, has_places: boolean, has_colours: boolean }} PackedPart */
/** @typedef {{ key: string, bones: Span, parts: PackedPart[], images: { span: Span, kind: string }[] }} PackedCharacter */
/** The joint of each bone, and the rows of the transform from the mesh's space to that joint's. @typedef {{ joints: Uint32Array, rows: Float32Array }} Bones */
/**
 * What somebody is drawn as. Bodies of ours have no bones, hang on the joints themselves, and are coloured by side.
 *
 * @typedef {{ key: string | null, bones: Bones | null, parts: { mesh: Mesh, look: Look | null }[], images: Blob[] }} Body
 */

/** Steps of an image's width, as in `pack_character.rs`. */
const IMAGE_STEPS = 16384;

/** Numbers of several tracks, vertex after vertex, `width` for each; those beyond the tracks are 0. @param {Int32Array[]} tracks @param {number} width @param {number} scale */
function gather(tracks, width, scale) {
  const out = new Float32Array((tracks[0]?.length ?? 0) * width);
  tracks.forEach((track, k) => {
    for (let i = 0; i < track.length; i++) out[i * width + k] = track[i] * scale;
  });
  return out;
}

/** @param {DataView} view @param {number} at @returns {Mesh} */
export function unpackMesh(view, at) {
  const step = view.getFloat64(at, true);
  const { tracks, end } = unpackIntegers(view, at + 8);
  const corners = Uint32Array.from(unpackIntegers(view, end).tracks[0]);
  const isBody = tracks.length > 7;
  return {
    positions: gather(tracks.slice(0, 3), 3, step),
    normals: gather(tracks.slice(3, 6), 3, 1 / 127),
    colours: gather(tracks.slice(6, 7), 1, 1),
    corners,
    joints: isBody ? gather(tracks.slice(7, 10), 4, 1) : null,
    shares: isBody ? gather(tracks.slice(10, 13), 4, 1 / 255) : null,
    places: null,
    paint: null,
  };
}

/** @param {DataView} view @param {PackedCharacter} packed @returns {Body} */
export function unpackCharacter(view, packed) {
  const { at } = packed.bones;
  const nBones = view.getUint32(at, true);
  const bones = { joints: new Uint32Array(nBones), rows: new Float32Array(12 * nBones) };
  for (let bone = 0, next = at + 4; bone < nBones; bone++) {
    bones.joints[bone] = view.getUint32(next, true);
    next += 4;
    for (let i = 0; i < 12; i++, next += 4) bones.rows[12 * bone + i] = view.getFloat32(next, true);
  }
  const parts = packed.parts.map((part) => ({ mesh: unpackPart(view, part), look: part }));
  const images = packed.images.map(({ span, kind }) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset + span.at, span.length);
    return new Blob([bytes.slice()], { type: kind });
  });
  return { key: packed.key, bones, parts, images };
}

/** @param {DataView} view @param {PackedPart} part @returns {Mesh} */
function unpackPart(view, part) {
  const { at } = part.mesh;
  const step = view.getFloat64(at, true);
  const { tracks, end } = unpackIntegers(view, at + 8);
  const corners = Uint32Array.from(unpackIntegers(view, end).tracks[0]);
  const places = part.has_places ? 2 : 0;
  return {
    positions: gather(tracks.slice(0, 3), 3, step),
    normals: gather(tracks.slice(3, 6), 3, 1 / 127),
    colours: new Float32Array(tracks[0]?.length ?? 0),
    corners,
    joints: gather(tracks.slice(6, 10), 4, 1),
    shares: gather(tracks.slice(10, 14), 4, 1 / 255),
    places: part.has_places ? gather(tracks.slice(14, 16), 2, 1 / IMAGE_STEPS) : null,
    paint: part.has_colours ? gather(tracks.slice(14 + places, 17 + places), 3, 1 / 255) : null,
  };
}
