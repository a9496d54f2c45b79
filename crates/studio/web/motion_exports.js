// What every panel with a motion can export: the motion in each format, and pictures of it.

import { lookingLike, plainName } from "studio/file_choice.js";
import { quoted, stem } from "studio/files.js";

/** @typedef {import("studio/app.js").Studio} Studio */
/** @typedef {import("studio/files.js").Export} Export */

/**
 * @param {Studio} studio
 * @param {(file: string, replaces: boolean) => Promise<unknown>} write makes the motion as a file
 * @param {(file: string) => string} command does the same
 * @param {{ terrain?: string | null, on?: string | null }} [shown] the ground that pictures have, and the character whose mesh a player draws
 * @returns {Export[]}
 */
export function motionExports(studio, write, command, { terrain = null, on = null } = {}) {
  const drawn = terrain ? { terrain: { file: terrain } } : {};
  const ground = terrain ? ` --terrain ${quoted(plainName(terrain))}` : "";
  const looks = lookingLike(on);
  const motion = (/** @type {string} */ label, /** @type {string} */ ending, /** @type {string} */ about) => ({
    label,
    ending,
    about,
    run: write,
    commandLine: command,
  });
  const picture = (
    /** @type {string} */ label,
    /** @type {string} */ ending,
    /** @type {string} */ about,
    /** @type {Record<string, unknown>} */ more = {},
  ) => ({
    label,
    ending,
    about,
    run: (/** @type {string} */ file, /** @type {boolean} */ replaces) =>
      studio.withScratch(".take", async (take) => {
        await write(take, true);
        const request = { input: { file: take }, output: file, if_exists: replaces ? "replace" : "refuse", ...drawn };
        return studio.run(`Drawing ${plainName(file)}`, { job: "render", request: { ...request, ...more } });
      }),
    commandLine: (/** @type {string} */ file) => {
      const take = `${stem(file)}.take`;
      const flags = `${ground}${more.on && on ? ` --on ${quoted(plainName(on))}` : ""}${more.strobe ? " --strobe" : ""}`;
      return `${command(take)} && surefoot render ${quoted(take)}${flags} -o ${quoted(file)}`;
    },
  });
  return [
    motion("BVH", ".bvh", "Skeleton and motion, for every animation program."),
    motion("GLB", ".glb", "Skeleton, motion and body as glTF, for engines and the web."),
    motion("FBX", ".fbx", "Skeleton, motion and body, for Autodesk's programs and engines."),
    picture("Player", ".html", "One page that plays the motion anywhere.", looks),
    picture("Sheet", ".png", "Twelve poses in one picture."),
    picture("Strobe", ".svg", "All poses along the path, as lines.", { strobe: true }),
    picture("GIF", ".gif", "An animation."),
  ];
}

/**
 * What a command writes beside its motion: a field of the request, and the option that is the same.
 *
 * @typedef {{ label: string, ending: string, about: string, field: string, option: string }} Beside
 */
/** @type {Beside} */
export const REPORT = {
  label: "Report",
  ending: ".report.json",
  about: "Verdict, metrics and all that was found, as JSON.",
  field: "report",
  option: "--report",
};
/** @type {Beside} */
export const CONTACTS = {
  label: "Contacts",
  ending: ".contacts.json",
  about: "When heels and balls are planted.",
  field: "write_contacts",
  option: "--write-contacts",
};
/** @type {Beside} */
export const EVENTS = {
  label: "Events",
  ending: ".events.json",
  about: "When feet come down and go up, for engines.",
  field: "write_events",
  option: "--write-events",
};
/** @type {Beside} */
export const PLAN = {
  label: "Plan",
  ending: ".plan.json",
  about: "The footprints, for the plan editor.",
  field: "write_plan",
  option: "--write-plan",
};
/** @param {string} ending @param {string} about @returns {Beside} */
export const pictureBeside = (ending, about) => ({
  label: "Picture",
  ending,
  about,
  field: "picture",
  option: "--picture",
});

/**
 * @param {Studio} studio
 * @param {(file: string, replaces: boolean, more: Record<string, unknown>) => Promise<unknown>} write makes the motion with more in its request
 * @param {(file: string) => string} command does the same
 * @param {Beside[]} list
 * @returns {Export[]}
 */
export const besideExports = (studio, write, command, list) =>
  list.map(({ label, ending, about, field, option }) => ({
    label,
    ending,
    about,
    // The motion itself is a file that nothing has the name of.
    run: (file, replaces) =>
      studio.withScratch(".take", (take) =>
        write(
          take,
          replaces,
          field === EVENTS.field ? { output: { file: take, name: stem(file), [field]: file } } : { [field]: file },
        ),
      ),
    commandLine: (file) => `${command(`${stem(file)}.bvh`)} ${option} ${quoted(file)}`,
  }));
