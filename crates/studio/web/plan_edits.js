// What is done to footprints: each edit makes a new list of an old one, and changes nothing else.
//
// Copied and spliced footprints go through the frame of a footprint: where it is, and where it points. What followed one print follows
// another as it did before; if that is of the other foot, mirrored, so that feet go on taking turns.

/** @typedef {import("studio/plan_model.js").Print} Print */
/** @typedef {[number, number, number]} Vec3 */
/** @typedef {Omit<Print, "id">} Loose */
/** @typedef {{ anchor: Loose, prints: Loose[] }} Copied footprints, and the one that they followed */

const DEGREES = 180 / Math.PI;
/** Metres from the middle of a walk to a foot, for a footprint that is put down freely. */
const ASIDE = 0.09;
const STRIDE = 0.65;

/** @param {"left" | "right"} foot */
export const otherFoot = (foot) => (foot === "left" ? "right" : "left");

/** @param {number} degrees from -180 to 180 */
export const turned = (degrees) => {
  const whole = ((((degrees + 180) % 360) + 360) % 360) - 180;
  return Math.round(whole * 1000) / 1000;
};

/** @param {number} metres to a tenth of a millimetre */
const rounded = (metres) => Math.round(metres * 1e4) / 1e4;

/** Where a footprint points, in radians: its own heading, else as the way goes. @param {readonly Loose[]} prints @param {number} index */
export function headingOf(prints, index) {
  const own = prints[index].heading;
  if (own !== undefined && own !== null) return own / DEGREES;
  for (const step of [2, 1, 3, 4]) {
    const [before, after] = [prints[Math.max(0, index - step)], prints[Math.min(prints.length - 1, index + step)]];
    const [x, z] = [after.position[0] - before.position[0], after.position[2] - before.position[2]];
    if (Math.hypot(x, z) > 0.15) return Math.atan2(x, z);
  }
  return 0;
}

/** @param {readonly Print[]} prints @param {Set<number>} ids @param {(print: Print, index: number) => Print} change @returns {Print[]} */
export const changeEach = (prints, ids, change) =>
  prints.map((print, index) => (ids.has(print.id) ? change(print, index) : print));

/** @param {readonly Print[]} prints @param {Set<number>} ids @param {Vec3} by @returns {Print[]} */
export function move(prints, ids, by) {
  return changeEach(prints, ids, (print) => ({
    ...print,
    position: /** @type {Vec3} */ (print.position.map((value, axis) => rounded(value + by[axis]))),
  }));
}

/** Turns footprints around their middle; one alone turns where it is. @param {readonly Print[]} prints @param {Set<number>} ids @param {number} angle in radians @returns {Print[]} */
export function rotate(prints, ids, angle) {
  const chosen = prints.filter(({ id }) => ids.has(id));
  const middle = [0, 2].map((axis) => chosen.reduce((sum, print) => sum + print.position[axis], 0) / chosen.length);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return changeEach(prints, ids, (print, index) => {
    const [x, z] = [print.position[0] - middle[0], print.position[2] - middle[1]];
    const position = /** @type {Vec3} */ ([
      rounded(middle[0] + c * x + s * z),
      print.position[1],
      rounded(middle[1] - s * x + c * z),
    ]);
    return { ...print, position, heading: turned((headingOf(prints, index) + angle) * DEGREES) };
  });
}

/** @param {readonly Print[]} prints @param {Set<number>} ids */
export const remove = (prints, ids) => prints.filter(({ id }) => !ids.has(id));

/** Swaps left and right across the line that footprints go along. @param {readonly Print[]} prints @param {Set<number>} ids @returns {Print[]} */
export function mirror(prints, ids) {
  const chosen = prints.filter(({ id }) => ids.has(id));
  if (chosen.length === 0) return [...prints];
  const [first, last] = [chosen[0].position, chosen[chosen.length - 1].position];
  const away = Math.hypot(last[0] - first[0], last[2] - first[2]);
  const heading =
    away > 0.5 ? Math.atan2(last[0] - first[0], last[2] - first[2]) : headingOf(prints, prints.indexOf(chosen[0]));
  const middle = [0, 2].map((axis) => chosen.reduce((sum, print) => sum + print.position[axis], 0) / chosen.length);
  const [ax, az] = [Math.cos(heading), -Math.sin(heading)];
  return changeEach(prints, ids, (print, index) => {
    const aside = (print.position[0] - middle[0]) * ax + (print.position[2] - middle[1]) * az;
    const position = /** @type {Vec3} */ ([
      rounded(print.position[0] - 2 * aside * ax),
      print.position[1],
      rounded(print.position[2] - 2 * aside * az),
    ]);
    return {
      ...print,
      foot: otherFoot(print.foot),
      position,
      heading: turned((2 * heading - headingOf(prints, index)) * DEGREES),
    };
  });
}

/** @param {Print} print @returns {Loose} without what only one place can have */
function loosened({ id, land, leave, ...rest }) {
  return rest;
}

/** @param {readonly Print[]} prints @param {Set<number>} ids @returns {Copied | null} */
export function copy(prints, ids) {
  const first = prints.findIndex(({ id }) => ids.has(id));
  if (first < 0) return null;
  const withHeading = prints.map((print, index) => ({
    ...loosened(print),
    heading: headingOf(prints, index) * DEGREES,
  }));
  const chosen = withHeading.filter((_, index) => ids.has(prints[index].id));
  // What a copy from the very start follows is its own first footprint.
  return first > 0
    ? { anchor: withHeading[first - 1], prints: chosen }
    : { anchor: chosen[0], prints: chosen.slice(1) };
}

/** Footprints as they would follow another one. @param {readonly Loose[]} prints @param {Loose} from what they follow, with its heading @param {Loose} to the other one, with its heading @returns {Loose[]} */
function follow(prints, from, to) {
  const isMirrored = from.foot !== to.foot;
  const [a, b] = [(from.heading ?? 0) / DEGREES, (to.heading ?? 0) / DEGREES];
  return prints.map((print) => {
    const [x, z] = [print.position[0] - from.position[0], print.position[2] - from.position[2]];
    const [along, left] = [
      x * Math.sin(a) + z * Math.cos(a),
      (x * Math.cos(a) - z * Math.sin(a)) * (isMirrored ? -1 : 1),
    ];
    const turn = (print.heading ?? 0) / DEGREES - a;
    return {
      ...print,
      foot: isMirrored ? otherFoot(print.foot) : print.foot,
      position: [
        rounded(to.position[0] + along * Math.sin(b) + left * Math.cos(b)),
        rounded(to.position[1] + print.position[1] - from.position[1]),
        rounded(to.position[2] + along * Math.cos(b) - left * Math.sin(b)),
      ],
      heading: turned((b + (isMirrored ? -turn : turn)) * DEGREES),
    };
  });
}

/**
 * Puts copied footprints after one of a plan. What followed it follows the last of them now, as it followed before.
 *
 * @param {readonly Print[]} prints
 * @param {number} after an index
 * @param {Copied} copied
 * @param {() => number} newId
 * @returns {{ prints: Print[], ids: number[] }} the plan, and the new footprints in it
 */
export function splice(prints, after, copied, newId) {
  const headed = prints.map((print, index) => ({ ...print, heading: headingOf(prints, index) * DEGREES }));
  const anchor = headed[after];
  const pasted = follow(copied.prints, copied.anchor, anchor).map((print) => ({ ...print, id: newId() }));
  const last = pasted.at(-1) ?? anchor;
  const rest = follow(headed.slice(after + 1), anchor, last).map((print, index) => {
    // Times of day cannot stay where footprints were put before them; how long things take does.
    const { land, leave, ...relative } = { ...prints[after + 1 + index], ...print };
    return relative;
  });
  return { prints: [...prints.slice(0, after + 1), ...pasted, ...rest], ids: pasted.map(({ id }) => id) };
}

/** Two footprints between one and the next, so that feet go on taking turns; nothing else moves. At the end, one more. @param {readonly Print[]} prints @param {number} after an index @param {() => number} newId @returns {{ prints: Print[], ids: number[] }} */
export function insert(prints, after, newId) {
  const next = prints[after + 1];
  if (!next) {
    const [here, heading] = [prints[after], headingOf(prints, after)];
    const side = here.foot === "left" ? -1 : 1;
    const step = [
      STRIDE * Math.sin(heading) + 2 * ASIDE * side * Math.cos(heading),
      STRIDE * Math.cos(heading) - 2 * ASIDE * side * Math.sin(heading),
    ];
    return add(prints, after, [here.position[0] + step[0], here.position[1], here.position[2] + step[1]], newId);
  }
  const here = prints[after];
  const isTurn = next.foot !== here.foot;
  const shares = isTurn ? [1 / 3, 2 / 3] : [1 / 2];
  const [a, b] = [headingOf(prints, after), headingOf(prints, after + 1)];
  const made = shares.map((share, index) => {
    const foot = index === 0 ? otherFoot(here.foot) : here.foot;
    const heading = a + Math.atan2(Math.sin(b - a), Math.cos(b - a)) * share;
    // On its own side of the line between the two: half a width over.
    const width = (/** @type {Print} */ print) => (print.foot === "left" ? ASIDE : -ASIDE);
    const centre = [here, next].map((print, k) => {
      const angle = k === 0 ? a : b;
      return [print.position[0] - width(print) * Math.cos(angle), print.position[2] + width(print) * Math.sin(angle)];
    });
    const side = foot === "left" ? ASIDE : -ASIDE;
    const position = /** @type {Vec3} */ ([
      rounded(centre[0][0] + (centre[1][0] - centre[0][0]) * share + side * Math.cos(heading)),
      rounded(here.position[1] + (next.position[1] - here.position[1]) * share),
      rounded(centre[0][1] + (centre[1][1] - centre[0][1]) * share - side * Math.sin(heading)),
    ]);
    return /** @type {Print} */ ({ id: newId(), foot, position, heading: turned(heading * DEGREES) });
  });
  return {
    prints: [...prints.slice(0, after + 1), ...made, ...prints.slice(after + 1)],
    ids: made.map(({ id }) => id),
  };
}

/** One footprint at a place after another one. @param {readonly Print[]} prints @param {number} after an index @param {Vec3} position @param {() => number} newId @returns {{ prints: Print[], ids: number[] }} */
export function add(prints, after, position, newId) {
  const here = prints[after];
  const foot = here ? otherFoot(here.foot) : "left";
  const heading = here ? turned(headingOf(prints, after) * DEGREES) : 0;
  /** @type {Print} */
  const made = { id: newId(), foot, position: /** @type {Vec3} */ (position.map(rounded)), heading };
  return { prints: [...prints.slice(0, after + 1), made, ...prints.slice(after + 1)], ids: [made.id] };
}

/** On the corners of a grid. @param {Vec3} position @param {number} size of a square in metres; 0 for none @returns {Vec3} */
export function snapped([x, y, z], size) {
  if (size <= 0) return [x, y, z];
  const snap = (/** @type {number} */ value) => rounded(Math.round(value / size) * size);
  return [snap(x), y, snap(z)];
}
