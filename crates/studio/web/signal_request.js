// What the controls of the signal panel ask for: tools with options, as the job and the command have them.

import { plainName } from "studio/file_choice.js";
import { quoted } from "studio/files.js";

/** @typedef {"left-hand" | "right-hand" | "left-foot" | "right-foot"} Limb */
/** @typedef {{ frame: number, limb: Limb, by: [number, number, number] }} Key metres from where it is in the clip */
/** @typedef {"equalize" | "blend" | "warp" | "displace"} Tool */
/**
 * @typedef {{
 *   tool: Tool, preset: string, amount: number, gains: Record<string, number>, positions: boolean, joints: string,
 *   other: string | null, weight: number, timing: number, isTimed: boolean, register: string, pace: number,
 *   keys: Key[], fade: number, flow: string, keepPlants: boolean,
 * }} Signal
 */

/** @returns {Signal} */
export const noEdits = () => ({
  tool: "equalize",
  preset: "",
  amount: 1,
  gains: {},
  positions: false,
  joints: "",
  other: null,
  weight: 0.5,
  timing: 0.5,
  isTimed: false,
  register: "movement",
  pace: 1,
  keys: [],
  fade: 1,
  flow: "local",
  keepPlants: false,
});

const short = (/** @type {number} */ value) => String(+value.toFixed(4));

/** Tool and options; `null` where there is nothing to do yet. @param {Signal} signal @returns {{ tool: string, options: Record<string, string[]> } | null} */
function toolOf(signal) {
  /** @type {Record<string, string[]>} */
  const options = {};
  /** An option that is not as it is without. @param {string} name @param {string | number} value @param {string | number} usual */
  const option = (name, value, usual) => {
    if (value !== usual) options[name] = [typeof value === "number" ? short(value) : value];
  };
  const { tool } = signal;
  if (tool === "equalize") {
    const gains = Object.entries(signal.gains).map(([band, gain]) => `${band}=${short(gain)}`);
    // A gain of 1 changes nothing, so that there always is one to ask for.
    if (!signal.preset) options.gain = gains.length > 0 ? gains : ["0=1"];
    option("preset", signal.preset, "");
    if (signal.preset) option("amount", signal.amount, 1);
    if (signal.positions) options.positions = ["true"];
  } else if (tool === "displace") {
    if (signal.keys.length === 0) return null;
    options.reach = signal.keys.map(({ frame, limb, by }) => `${frame}:${limb}=${by.map(short).join(",")}`);
    option("fade", signal.fade, 1);
    option("flow", signal.flow, "local");
  } else {
    if (!signal.other) return null;
    options[tool === "blend" ? "with" : "to"] = [signal.other];
    if (tool === "blend") options.weights = [short(signal.weight)];
    if (tool === "blend" && signal.isTimed) options.timing = [short(signal.timing)];
    if (tool === "warp") option("amount", signal.pace, 1);
    option("register", signal.register, "movement");
  }
  if (tool === "equalize" || tool === "blend") option("joints", signal.joints.trim(), "");
  return { tool, options };
}

/** The tools of a request. @param {Signal} signal */
export function toolsOf(signal) {
  const tool = toolOf(signal);
  if (!tool) return [];
  return [tool, ...(signal.keepPlants ? [{ tool: "keep-plants", options: {} }] : [])];
}

/** The command, without its output. @param {Signal} signal @param {string} file */
export function signalCommand(signal, file) {
  const tool = toolOf(signal);
  if (!tool) return "";
  const words = ["surefoot signal", tool.tool, quoted(plainName(file))];
  for (const [name, values] of Object.entries(tool.options)) {
    // The clip whose pace is taken has a word of its own here.
    const option = tool.tool === "warp" && name === "to" ? "pace" : name;
    if (name === "positions") words.push("--positions");
    else if (name === "gain") words.push(`--gain ${quoted(values.join(","))}`);
    else for (const value of values) words.push(`--${option} ${quoted(plainName(value))}`);
  }
  if (signal.keepPlants) words.push("--keep-plants");
  return words.join(" ");
}
