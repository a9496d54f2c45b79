// Tracks of integers, as `pack_integers.rs` packs them: zigzag differences of first or second order in planes of bytes.

/** Bytes before the orders of the tracks. */
const HEADER = 12;

/**
 * @param {DataView} view
 * @param {number} at where the packed tracks begin
 * @returns {{ tracks: Int32Array[], end: number }} the tracks, and where what follows begins
 */
export function unpackIntegers(view, at) {
  const nTracks = view.getUint32(at, true);
  const nValues = view.getUint32(at + 4, true);
  const nPlanes = view.getUint32(at + 8, true);
  const size = nTracks * nValues;
  const planes = at + HEADER + nTracks;
  /** @type {Int32Array[]} */
  const tracks = [];
  for (let index = 0; index < nTracks; index++) {
    const isSecondOrder = view.getUint8(at + HEADER + index) === 2;
    const track = new Int32Array(nValues);
    for (let i = 0; i < nValues; i++) {
      let coded = 0;
      for (let plane = 0; plane < nPlanes; plane++) {
        coded |= view.getUint8(planes + plane * size + index * nValues + i) << (8 * plane);
      }
      const difference = (coded >>> 1) ^ -(coded & 1);
      const last = i > 0 ? track[i - 1] : 0;
      const expected = isSecondOrder && i > 1 ? 2 * last - track[i - 2] : last;
      track[i] = (expected + difference) | 0;
    }
    tracks.push(track);
  }
  return { tracks, end: planes + nPlanes * size };
}
