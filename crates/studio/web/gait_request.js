// What the sliders of a gait ask for: as a request of the job, and as the words of the command that does the same.

import { plainName } from "studio/file_choice.js";
import { quoted } from "studio/files.js";

/**
 * What was set; what was not is natural, or the preset's.
 *
 * @typedef {{
 *   gait: "walk" | "run", presets: { name: string, weight: number }[], pace: Record<string, number>, lock: string,
 *   set: Record<string, string>, course: Record<string, number>, limpFoot: "left" | "right", plain: boolean, on: string | null,
 * }} Gait
 */

/** @returns {Gait} */
export const naturalGait = () => ({
  gait: "walk",
  presets: [],
  pace: {},
  lock: "",
  set: {},
  course: {},
  limpFoot: "left",
  plain: false,
  on: null,
});

/**
 * What is not of the catalogue: name, label, unit, range, value where it is not set, and its option of the command.
 *
 * @type {{ name: string, label: string, unit: string, min: number, max: number, step: number, usual: number, about: string }[]}
 */
export const COURSE = [
  { name: "steps", label: "Steps", unit: "", min: 1, max: 60, step: 1, usual: 12, about: "The last closes the feet" },
  {
    name: "turn",
    label: "Turn",
    unit: "°",
    min: -60,
    max: 60,
    step: 1,
    usual: 0,
    about: "With each step, to the left",
  },
  {
    name: "direction",
    label: "Direction",
    unit: "°",
    min: -180,
    max: 180,
    step: 5,
    usual: 0,
    about: "Where steps lead from where the body faces: 90 is left, 180 back",
  },
  { name: "standing", label: "Standing", unit: "s", min: 0, max: 5, step: 0.1, usual: 0.5, about: "Before and after" },
  { name: "height", label: "Height", unit: "m", min: 0.5, max: 2.5, step: 0.01, usual: 1.8, about: "Of the person" },
  {
    name: "variability",
    label: "Variability",
    unit: "",
    min: 0,
    max: 1,
    step: 0.01,
    usual: 0,
    about: "How much steps vary; 1 is that of people",
  },
  { name: "limp", label: "Limp", unit: "", min: 0, max: 1, step: 0.01, usual: 0, about: "How much a leg hurts" },
  { name: "gaze", label: "Gaze", unit: "°", min: -70, max: 70, step: 1, usual: 0, about: "How far aside, to the left" },
];

/** Fields of a request for parameters of the catalogue, and what makes their units those of the request. @type {Record<string, [string, number]>} */
const PACE = {
  speed: ["speed", 1 / 3.6],
  "step-length": ["step_length", 1],
  cadence: ["cadence", 1 / 60],
  "flight-height": ["flight_height", 1],
  level: ["level", 1],
};
/** Of these three at most two are given. */
export const THREE = ["speed", "step-length", "cadence"];

const preset = (/** @type {{ name: string, weight: number }} */ { name, weight }) =>
  weight === 1 ? name : `${name}:${+weight.toFixed(2)}`;
const given = (/** @type {Gait} */ gait, /** @type {string} */ name) => gait.course[name];

/** @param {Gait} gait */
export function gaitRequest(gait) {
  const pace = Object.fromEntries(
    Object.entries(gait.pace).map(([name, value]) => [PACE[name][0], value * PACE[name][1]]),
  );
  const isOurs = gait.on === null;
  return {
    pace: { ...pace, ...(gait.lock ? { lock: gait.lock.replace("-", "_") } : {}) },
    style: { preset: gait.presets.map(preset), plain: gait.plain, set: Object.entries(gait.set) },
    course: {
      steps: given(gait, "steps") ?? 12,
      turn_degrees: given(gait, "turn") ?? null,
      direction_degrees: given(gait, "direction") ?? null,
      standing: given(gait, "standing") ?? null,
    },
    control: {
      variability: given(gait, "variability") ?? null,
      limp: given(gait, "limp") ? [gait.limpFoot, given(gait, "limp")] : null,
      gaze_degrees: given(gait, "gaze") ?? null,
    },
    ...(isOurs ? { height: given(gait, "height") ?? null } : { on: { file: gait.on } }),
  };
}

/** The command, without its output. @param {Gait} gait */
export function gaitCommand(gait) {
  const units = /** @type {Record<string, string>} */ ({
    speed: "km/h",
    "step-length": "m",
    cadence: "/min",
    "flight-height": "m",
  });
  const words = [`surefoot gait ${gait.gait}`];
  for (const [name, value] of Object.entries(gait.pace)) words.push(`--${name} ${value}${units[name] ?? ""}`);
  if (gait.lock) words.push(`--lock ${gait.lock}`);
  for (const one of gait.presets) words.push(`--preset ${quoted(plainName(preset(one)))}`);
  if (gait.plain) words.push("--plain");
  for (const [name, value] of Object.entries(gait.set)) words.push(`--set ${quoted(`${name}=${value}`)}`);
  words.push(`--steps ${given(gait, "steps") ?? 12}`);
  for (const name of ["turn", "direction", "standing", "variability", "gaze"])
    if (given(gait, name) !== undefined) words.push(`--${name} ${given(gait, name)}`);
  if (given(gait, "limp")) words.push(`--limp ${gait.limpFoot}:${given(gait, "limp")}`);
  if (gait.on) words.push(`--on ${quoted(plainName(gait.on))}`);
  else if (given(gait, "height") !== undefined) words.push(`--height ${given(gait, "height")}m`);
  return words.join(" ");
}
