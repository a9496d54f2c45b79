// What is wrong with a footprint, in a word and a sentence: as its report has it, or as the plan was refused.

/** @typedef {import("studio/plan_model.js").Row} Row */
/** @typedef {{ grade: "good" | "check" | "poor", word: string, text: string }} Finding */

/** Millimetres that a ball may be off its footprint before somebody should look, and before it has missed: as verdicts have it. */
const OFF_MM = 2;
const MISSED_MM = 10;

/** @type {Record<string, [string, (row: Row) => string]>} */
const ORIGINS = {
  extrapolated: [
    "extrapolated",
    (row) =>
      `Recorded steps do not reach it: it is ${row.outside_cm.toFixed(0)} cm outside, and they were extrapolated.`,
  ],
  "height-extrapolated": [
    "height made up",
    (row) =>
      `No recorded step goes up or down like that: ${row.height_outside_cm.toFixed(0)} cm of the height were made up.`,
  ],
  "ik-corrected": [
    "IK-corrected",
    (row) =>
      `No recorded steps surround it: the nearest was brought there by inverse kinematics, ${row.outside_cm.toFixed(0)} cm away.`,
  ],
};

/**
 * @param {number} index of the footprint
 * @param {Row | undefined} row
 * @param {import("studio/connection.js").JobError | null} refused
 * @returns {Finding | null} `null` if there is nothing to say
 */
export function findingOf(index, row, refused) {
  if (refused?.footprint === index) return { grade: "poor", word: "impossible", text: sentence(refused.message) };
  if (!row) return null;
  if (!row.placement && !row.is_beyond_motion)
    return { grade: "poor", word: "missed", text: "The foot is never planted here." };
  const off = row.placement?.middle_60_mm ?? 0;
  if (off > MISSED_MM)
    return {
      grade: "poor",
      word: `${off.toFixed(0)} mm off`,
      text: `The ball of the foot is up to ${off.toFixed(0)} mm off.`,
    };
  const origin = ORIGINS[row.origin];
  if (origin) return { grade: "check", word: origin[0], text: origin[1](row) };
  if (off > OFF_MM)
    return {
      grade: "check",
      word: `${off.toFixed(1)} mm off`,
      text: `The ball of the foot is up to ${off.toFixed(1)} mm off.`,
    };
  return null;
}

/** An error as a sentence that calls footprints what everybody calls them. @param {string} message */
export function sentence(message) {
  const text = message.replaceAll(/footprints\[(\d+)\](?:\.\w+)?/g, "footprint $1").trim();
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
