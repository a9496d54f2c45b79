// A file to choose: of the folder, or of this computer, which sends it to the server.

import { baseName } from "studio/files.js";
import { choice } from "studio/widgets.js";
import { make } from "surefoot/controls.js";

const BROWSE = "?browse";

/**
 * @param {import("studio/app.js").Studio} studio
 * @param {string} label
 * @param {string} none what it is without one
 * @param {(file: string) => boolean} fits
 * @param {(file: string | null) => unknown} changed
 */
export function fileChoice(studio, label, none, fits, changed) {
  const pick = make("input", { type: "file", hidden: "", "aria-label": label });
  let known = /** @type {string[]} */ ([]);
  let current = /** @type {string | null} */ (null);
  const list = choice({
    label,
    choices: [],
    value: "",
    changed: async (value) => {
      if (value === BROWSE) {
        list.set(current ?? "");
        pick.click();
      } else changed(value === "" ? null : value);
    },
  });
  const fill = () => {
    const all = current && !known.includes(current) ? [current, ...known] : known;
    list.fill(
      [
        ["", none],
        ...all.map((file) => /** @type {[string, string]} */ ([file, baseName(file)])),
        [BROWSE, "another file…"],
      ],
      current ?? "",
    );
  };
  pick.addEventListener("change", async () => {
    const file = pick.files?.[0];
    if (!file) return;
    try {
      changed(await studio.files.upload(file));
    } catch (error) {
      studio.files.complain(error, file.name);
    }
    pick.value = "";
  });
  list.select.addEventListener("focus", async () => {
    const { head } = await studio.connection.ask("files", {}).answer;
    known = head.files.filter(fits);
    fill();
  });
  fill();
  const set = (/** @type {string | null} */ file) => {
    if (file === current && list.select.value === (file ?? "")) return;
    current = file;
    fill();
  };
  return { element: make("div", {}, list.element, pick), set };
}

/** Whether a file is a character or motion that can be animated. @param {string} file */
export const isCharacter = (file) => /\.(bvh|glb|gltf|fbx)$/i.test(file);
/** Whether a file is a motion. @param {string} file */
export const isMotion = (file) => /\.(bvh|glb|gltf|fbx|amc|take)$/i.test(file);
/** Whether only this studio knows the file by that name, and the next one does not. @param {string} file */
export const isOfStudio = (file) => /^(scratch|opened):/.test(file);
/** How a command names a file of the server. @param {string} file */
export const plainName = (file) => file.replace(/^(scratch:|opened:\d+\/?)/, "");

/**
 * A request of `render` whose motions look like a character, where its file has a mesh.
 *
 * @param {string | null} character
 */
export const lookingLike = (character) =>
  character && /\.(glb|gltf)$/i.test(character) ? { on: { file: character } } : {};
