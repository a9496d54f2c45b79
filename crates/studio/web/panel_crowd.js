// Many people at once: motions of the folder or of this computer, repeated until there are as many people as asked for. The server plays
// them and sends frames; the page only draws, everybody of one body in one call.

import { fileChoice, isMotion, isOfStudio, plainName } from "studio/file_choice.js";
import { quoted } from "studio/files.js";
import { button, note, row, section, slider } from "studio/widgets.js";
import { make } from "surefoot/controls.js";
import { openDocument } from "surefoot/document.js";

const KEY = "crowd";
const MOST = 200;
/** Frames a second that are asked for. */
const RATE = 30;
/** Milliseconds over which frames are counted. */
const COUNTED = 1000;

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { received: () => number[] }} */
export function createCrowdPanel(studio) {
  const { view, connection, history } = studio;
  /** @type {{ files: string[], people: number }} */
  let crowd = { files: [], people: 1 };
  /** The request whose frames are shown; 0 without one. */
  let shown = 0;
  let isWanted = false;
  let isAsked = false;
  let seconds = 0;
  /** When the last frames came. @type {number[]} */
  let received = [];
  const isFront = () => studio.front?.id === KEY;

  const stop = () => {
    if (shown !== 0) connection.ask("cancel", { of: shown }).answer.catch(() => {});
    shown = 0;
    isWanted = false;
    fill();
  };
  const play = async () => {
    if (crowd.files.length === 0) return;
    if (shown !== 0) stop();
    isWanted = true;
    // Of several changes that come while people are loaded the last counts.
    if (isAsked) return;
    isAsked = true;
    const of = crowd;
    const [input, ...more] = of.files.map((file) => ({ file }));
    const asked = connection.ask("stream", { show: { input, more }, people: of.people, rate: RATE, from: seconds });
    state.textContent = "loading…";
    fill();
    try {
      const { head, bytes, at } = await asked.answer;
      refusal.hidden = true;
      if (isFront() && isWanted) {
        const before = view.key === KEY ? view.show?.actors.length : undefined;
        view.present(KEY, openDocument(head.document, bytes, at));
        if (before !== view.show?.actors.length) view.looks.look("free");
        shown = asked.n;
        received = [];
      } else connection.ask("cancel", { of: asked.n }).answer.catch(() => {});
    } catch (error) {
      isWanted = false;
      if (error instanceof Error && error.name !== "Stale") {
        refusal.hidden = false;
        refusal.textContent = error.message;
      }
    } finally {
      isAsked = false;
      state.textContent = "";
      fill();
    }
    if (isWanted && of !== crowd) play();
  };
  connection.on("frames", ({ head, bytes, at }) => {
    if (head.of !== shown) return;
    view.patchAll(KEY, new Float32Array(bytes.slice(at)));
    seconds = head.seconds;
    const now = performance.now();
    received = [...received.filter((time) => now - time < COUNTED), now];
    state.textContent = `${received.length} frames in the last second`;
  });

  /** @param {Partial<typeof crowd>} next @param {string} label */
  const set = (next, label) => {
    const [before, after] = [crowd, { ...crowd, ...next }];
    after.people = Math.min(Math.max(after.people, after.files.length, 1), MOST);
    const goTo = (/** @type {typeof crowd} */ other) => {
      crowd = other;
      fill();
      if (other.files.length === 0) stop();
      else if (isFront()) play();
      studio.changed();
    };
    goTo(after);
    history.pushChange(label, before, after, goTo);
  };

  const state = make("small", { class: "fine", "aria-live": "off" });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const list = make("div", { class: "list keys", role: "list", "aria-label": "Motions" });
  const adding = fileChoice(studio, "Add a motion", "choose or drop several", isMotion, (file) => {
    adding.set(null);
    if (file) set({ files: [...crowd.files, file] }, "add motion");
  });
  const people = slider({
    label: "People",
    min: 1,
    max: MOST,
    step: 1,
    value: 1,
    title: "Motions are repeated until there are so many",
    changed: () => {},
    settled: (value) => set({ people: value }, "people"),
  });
  const playing = button("Play", () => (shown === 0 ? play() : stop()), { title: "Start or stop the frames (L)" });
  const element = make(
    "div",
    {},
    section("Crowd", adding.element, list, refusal),
    section(
      "How many",
      people.element,
      row(playing, state),
      note("The server plays; frames come as they are due. Follow keeps the first one in sight."),
    ),
  );
  const fill = () => {
    playing.textContent = shown === 0 ? "Play" : "Stop";
    playing.disabled = crowd.files.length === 0;
    people.set(crowd.people);
    list.hidden = crowd.files.length === 0;
    list.replaceChildren(
      ...crowd.files.map((file, index) => {
        const away = button("×", () =>
          set({ files: crowd.files.filter((_, other) => other !== index), people: 1 }, "remove motion"),
        );
        away.setAttribute("aria-label", `Remove ${plainName(file)}`);
        return make(
          "div",
          { role: "listitem" },
          make("span", { dir: "auto" }, plainName(file)),
          make("small"),
          make("i"),
          away,
        );
      }),
    );
  };
  fill();
  connection.on("hello", () => {
    shown = 0;
    if (isFront() && crowd.files.length > 0) play();
  });

  const command = (/** @type {string} */ output) =>
    `surefoot render ${crowd.files.map((file) => quoted(plainName(file))).join(" ")} --side-by-side -o ${quoted(output)}`;
  return {
    id: KEY,
    label: "Crowd",
    element,
    open: () => {
      view.comeBack(KEY);
      if (crowd.files.length === 0) view.clear("Add motions, or drop several at once: they are played together.");
      else play();
      fill();
    },
    close: stop,
    loadAll: async (files) => set({ files: [...crowd.files, ...files] }, "open"),
    name: () => (crowd.files.length > 0 ? "crowd" : ""),
    exports: () =>
      crowd.files.length === 0
        ? []
        : [
            {
              label: "Player",
              ending: ".html",
              about: "One page that plays the motions side by side anywhere, each once.",
              run: (file, replaces) => {
                const [input, ...more] = crowd.files.map((motion) => ({ file: motion }));
                const request = { input, more, arrangement: "side_by_side", output: file };
                return studio.run(`Drawing ${plainName(file)}`, {
                  job: "render",
                  request: { ...request, if_exists: replaces ? "replace" : "refuse" },
                });
              },
              commandLine: command,
            },
          ],
    commandLine: () => (crowd.files.length > 0 ? command("crowd.html") : ""),
    shortcuts: [
      { keys: ["l"], shown: "L", about: "Play or stop the crowd", run: () => (shown === 0 ? play() : stop()) },
    ],
    isIdle: () => !isAsked,
    received: () => received,
    state: () => crowd,
    restore: (state, isReload) => {
      const files = (state.files ?? []).filter((/** @type {string} */ file) => isReload || !isOfStudio(file));
      crowd = { files, people: state.people ?? 1 };
      fill();
    },
  };
}
