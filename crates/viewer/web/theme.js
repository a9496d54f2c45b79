// Colours of both themes, for what WebGL and canvases draw. What the style sheet draws has its own in `style.css`.

/** @typedef {[number, number, number]} Rgb */
/**
 * @typedef {{
 *   sky: Rgb, ground: Rgb, line: Rgb, axis: Rgb, step: Rgb, face: Rgb, obstacle: Rgb, left: Rgb, right: Rgb, trunk: Rgb,
 *   head: Rgb, bad: Rgb, ink: string, faint: string, rule: string, panel: string, leftInk: string, rightInk: string,
 *   pelvisInk: string, playhead: string, halo: string, light: number, ambient: number,
 * }} Theme
 */

/** @param {string} text such as `#3366ff` @returns {Rgb} in linear light */
export function rgb(text) {
  const channel = (/** @type {number} */ at) => (Number.parseInt(text.slice(at, at + 2), 16) / 255) ** 2.2;
  return [channel(1), channel(3), channel(5)];
}

/** @type {Theme} */
const LIGHT = {
  sky: rgb("#e6eaef"),
  ground: rgb("#c9d0d8"),
  line: rgb("#aeb8c4"),
  axis: rgb("#8a96a5"),
  step: rgb("#c9bfab"),
  face: rgb("#a99f8d"),
  obstacle: rgb("#b4bcc8"),
  left: rgb("#2f6fd6"),
  right: rgb("#e0731d"),
  trunk: rgb("#8d939c"),
  head: rgb("#c9b8a4"),
  bad: rgb("#d03030"),
  ink: "#1d242d",
  faint: "#66717f",
  rule: "#d5dae1",
  panel: "#ffffff",
  leftInk: "#2463c4",
  rightInk: "#c75f0e",
  pelvisInk: "#4d7a4a",
  playhead: "#111820",
  halo: "rgba(255,255,255,0.85)",
  light: 0.78,
  ambient: 0.62,
};

/** @type {Theme} */
const DARK = {
  sky: rgb("#14181e"),
  ground: rgb("#1d232b"),
  line: rgb("#343d49"),
  axis: rgb("#5b6878"),
  step: rgb("#4a4740"),
  face: rgb("#2f2d29"),
  obstacle: rgb("#465060"),
  left: rgb("#4d8dff"),
  right: rgb("#ff8a30"),
  trunk: rgb("#9aa1ab"),
  head: rgb("#cdbba6"),
  bad: rgb("#ff5a5a"),
  ink: "#e8ecf1",
  faint: "#929dab",
  rule: "#2d3540",
  panel: "#1a1f26",
  leftInk: "#6ea3ff",
  rightInk: "#ff9d52",
  pelvisInk: "#86c281",
  playhead: "#f5f8fb",
  halo: "rgba(15,18,23,0.8)",
  light: 0.85,
  ambient: 0.42,
};

/** Colours that tell several actors apart. */
export const ACTOR_INKS = ["#b0447c", "#1f8a70", "#7a5cd0", "#8a7a1f", "#2b7fa8", "#a0522d"];

/** @returns {Theme} */
export const currentTheme = () => (document.documentElement.dataset.theme === "dark" ? DARK : LIGHT);

/** As the system has it, until the reader chooses. */
export function initTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
}

export function toggleTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}
