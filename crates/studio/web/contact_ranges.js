// When heels and balls are planted, as a contacts file has it: ranges of frames, half-open, in order and apart. Edits keep them so.

/** @typedef {"left" | "right"} Foot */
/** @typedef {"heel" | "ball"} Part */
/** @typedef {[number, number]} Range */
/** @typedef {{ frames: number, left: Record<Part, Range[]>, right: Record<Part, Range[]> }} Ranges */
/** @typedef {{ foot: Foot, part: Part, index: number }} Which */

/** @type {{ foot: Foot, part: Part }[]} */
export const ROWS = [
  { foot: "left", part: "heel" },
  { foot: "left", part: "ball" },
  { foot: "right", part: "heel" },
  { foot: "right", part: "ball" },
];

/** @param {number} frames @returns {Ranges} */
const none = (frames) => ({ frames, left: { heel: [], ball: [] }, right: { heel: [], ball: [] } });

/** Of a report's plants. @param {number} frames @param {{ foot: string, part: string, frames: Range }[]} plants @returns {Ranges} */
export function rangesOf(frames, plants) {
  const ranges = none(frames);
  for (const plant of plants)
    ranges[/** @type {Foot} */ (plant.foot)][/** @type {Part} */ (plant.part)].push(plant.frames);
  for (const { foot, part } of ROWS) ranges[foot][part].sort((a, b) => a[0] - b[0]);
  return ranges;
}

/** As a contacts file. @param {Ranges} ranges */
export const contactsText = ({ frames, left, right }) => `${JSON.stringify({ contacts: 1, frames, left, right })}\n`;

/** A contacts file that was read; throws where it is none. @param {any} file @returns {Ranges} */
export function readContacts(file) {
  const frames = file?.frames;
  if (file?.contacts !== 1) throw new Error('this is no contacts file: "contacts" has to be 1');
  if (!Number.isInteger(frames) || frames < 1) throw new Error('"frames" has to be the number of frames of the motion');
  const read = none(frames);
  for (const { foot, part } of ROWS) {
    const list = file[foot]?.[part];
    if (!Array.isArray(list))
      throw new Error(`"${foot}" has no list "${part}" of ranges [first frame, frame after the last]`);
    let last = 0;
    for (const [index, range] of list.entries()) {
      const isRange = Array.isArray(range) && range.length === 2 && range.every(Number.isInteger);
      if (!isRange || range[0] < last || range[0] >= range[1] || range[1] > frames) {
        const would = `two frames between ${last} and ${frames}, the first before the second, would be right`;
        throw new Error(`range ${index} of the ${foot} ${part} is ${JSON.stringify(range)}; ${would}`);
      }
      last = range[1];
      read[foot][part].push([range[0], range[1]]);
    }
  }
  return read;
}

/** With other ranges of one part. @param {Ranges} ranges @param {Foot} foot @param {Part} part @param {Range[]} list @returns {Ranges} */
const withPart = (ranges, foot, part, list) => ({ ...ranges, [foot]: { ...ranges[foot], [part]: list } });

/** How far an end may go: to its neighbours, and not past the other end. @param {Ranges} ranges @param {Which} which @param {0 | 1} end @returns {[number, number]} */
export function roomOf(ranges, { foot, part, index }, end) {
  const list = ranges[foot][part];
  const [from, to] = list[index];
  return end === 0 ? [list[index - 1]?.[1] ?? 0, to - 1] : [from + 1, list[index + 1]?.[0] ?? ranges.frames];
}

/** @param {Ranges} ranges @param {Which} which @param {0 | 1} end @param {number} frame @returns {Ranges} */
export function moveEnd(ranges, which, end, frame) {
  const [least, most] = roomOf(ranges, which, end);
  const to = Math.min(Math.max(Math.round(frame), least), most);
  const list = ranges[which.foot][which.part].map((range, index) =>
    index === which.index ? /** @type {Range} */ (end === 0 ? [to, range[1]] : [range[0], to]) : range,
  );
  return withPart(ranges, which.foot, which.part, list);
}

/** @param {Ranges} ranges @param {Which} which @returns {Ranges} */
export const removeRange = (ranges, { foot, part, index }) =>
  withPart(
    ranges,
    foot,
    part,
    ranges[foot][part].filter((_, other) => other !== index),
  );

/**
 * A contact around a frame that has none, as long as there is room.
 *
 * @param {Ranges} ranges @param {Foot} foot @param {Part} part @param {number} frame @param {number} reach frames to both sides
 * @returns {{ ranges: Ranges, index: number } | null} `null` where there is one already
 */
export function addRange(ranges, foot, part, frame, reach) {
  const list = ranges[foot][part];
  if (list.some(([from, to]) => frame >= from && frame < to)) return null;
  const before = list.findLast(([, to]) => to <= frame)?.[1] ?? 0;
  const after = list.find(([from]) => from > frame)?.[0] ?? ranges.frames;
  /** @type {Range} */
  const made = [Math.max(before, frame - reach), Math.min(after, frame + reach + 1)];
  const next = [...list, made].sort((a, b) => a[0] - b[0]);
  return { ranges: withPart(ranges, foot, part, next), index: next.indexOf(made) };
}
