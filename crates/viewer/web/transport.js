// The buttons for playing, of `transport.html`, and their keys.

import { element, make, press } from "surefoot/controls.js";
import { SPEEDS } from "surefoot/playback.js";

/** @typedef {import("surefoot/playback.js").Playback} Playback */

/** @param {Playback} playback */
function toggleLoop(playback) {
  playback.isLooping = !playback.isLooping;
  playback.changed();
}

/** @param {Playback} playback */
export function attachTransport(playback) {
  const on = (/** @type {string} */ id, /** @type {() => void} */ run) => element(id).addEventListener("click", run);
  on("first", () => playback.seek(0));
  on("back", () => playback.step(-1));
  on("play", () => playback.toggle());
  on("forth", () => playback.step(1));
  on("loop", () => toggleLoop(playback));
  const speed = /** @type {HTMLSelectElement} */ (element("speed"));
  speed.replaceChildren(...SPEEDS.map((choice) => make("option", { value: String(choice) }, `${choice}×`)));
  speed.addEventListener("change", () => {
    playback.speed = Number(speed.value);
    playback.changed();
  });
  const scrub = /** @type {HTMLInputElement} */ (element("scrub"));
  scrub.addEventListener("input", () => playback.seek(Number(scrub.value) / playback.rate));
}

/** @param {Playback} playback @returns {import("surefoot/controls.js").Shortcut[]} */
export function playbackShortcuts(playback) {
  return [
    { keys: [" ", "k"], shown: "Space", about: "Play or pause", run: () => playback.toggle() },
    {
      keys: ["ArrowLeft"],
      shown: "← →",
      about: "One frame back or on; with Shift ten",
      run: (event) => playback.step(event.shiftKey ? -10 : -1),
    },
    { keys: ["ArrowRight"], shown: "", about: "", run: (event) => playback.step(event.shiftKey ? 10 : 1) },
    { keys: ["Home"], shown: "Home End", about: "To the start or the end", run: () => playback.seek(0) },
    { keys: ["End"], shown: "", about: "", run: () => playback.seek(playback.duration) },
    { keys: [",", "<"], shown: ", .", about: "Slower or faster", run: () => playback.changeSpeed(-1) },
    { keys: [".", ">"], shown: "", about: "", run: () => playback.changeSpeed(1) },
    { keys: ["l"], shown: "L", about: "Loop", run: () => toggleLoop(playback) },
  ];
}

/** Shows where it is. @param {Playback} playback */
export function showTransport(playback) {
  const frame = Math.round(playback.frame);
  element("clock").replaceChildren(
    make("b", {}, `${playback.time.toFixed(2)} s`),
    ` of ${playback.duration.toFixed(2)} · frame ${frame} of ${playback.lastFrame}`,
  );
  const scrub = /** @type {HTMLInputElement} */ (element("scrub"));
  scrub.max = String(playback.lastFrame);
  scrub.value = String(frame);
  scrub.setAttribute("aria-valuetext", `frame ${frame}, ${playback.time.toFixed(2)} seconds`);
  element("play").setAttribute("aria-label", playback.isPlaying ? "Pause" : "Play");
  element("play-icon").setAttribute("d", playback.isPlaying ? "M4 2.5h3v11H4zM9 2.5h3v11H9z" : "M4 2.5v11l9-5.5z");
  press("loop", playback.isLooping);
  /** @type {HTMLSelectElement} */ (element("speed")).value = String(playback.speed);
}
