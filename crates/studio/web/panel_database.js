// A step database: where its steps lie, what it lacks, what to record next; any step is played by clicking it.

import { fileChoice, isOfStudio, plainName } from "studio/file_choice.js";
import { quoted } from "studio/files.js";
import { LiveJob } from "studio/live_job.js";
import { besideExports, CONTACTS, EVENTS, motionExports } from "studio/motion_exports.js";
import { sentence } from "studio/plan_findings.js";
import { StepSpace } from "studio/step_space.js";
import { choice, note, section } from "studio/widgets.js";
import { make, table } from "surefoot/controls.js";

/** @typedef {"left" | "right"} Foot */

const KEY = "database";
/** @type {[import("studio/step_space.js").Projection, string][]} */
const PROJECTIONS = [
  ["space", "in space: drag to turn"],
  ["start-length", "start and ahead"],
  ["start-end", "start and end"],
  ["end-length", "end, from above"],
];
const isSteps = (/** @type {string} */ file) => /\.steps$/i.test(file);

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { report: () => any, played: () => any, space: () => StepSpace }} */
export function createDatabasePanel(studio) {
  const { view } = studio;
  /** `null` is that of the built-in corpus. */
  let file = /** @type {string | null} */ (null);
  /** The database as a file: the built-in one is written once. */
  let steps = /** @type {string | null} */ (null);
  /** @type {Foot} */
  let foot = "left";
  /** @type {any} */
  let report = null;
  /** @type {any} */
  let played = null;
  let shot = /** @type {number | null} */ (null);
  const isFront = () => studio.front?.id === KEY;

  const reading = new LiveJob(studio, KEY, "Reading the database", {
    done: ({ report: found }) => {
      report = found;
      refusal.hidden = true;
      shot = null;
      show();
      const first = found[foot].points[0];
      if (first) play(first.step);
      studio.changed();
    },
    failed: (error) => {
      refusal.hidden = false;
      refusal.textContent = sentence(error.message);
    },
  });
  const playing = new LiveJob(studio, `${KEY}-step`, "Playing a step", {
    done: ({ report: made, document }) => {
      played = made;
      if (document && isFront()) {
        document.packed.shows[0].actors[0].name = made.source;
        const isNew = view.key !== KEY && !view.known.has(KEY);
        view.present(KEY, document);
        // A step is short: from a little farther away the next ones are in the picture too.
        if (isNew && view.stage) view.stage.camera.distance *= 1.5;
        view.playback.seek(0);
        view.playback.isPlaying = true;
      }
      show();
      studio.changed();
    },
    failed: (error) => {
      refusal.hidden = false;
      refusal.textContent = sentence(error.message);
    },
  });
  const read = () =>
    reading.ask((scratch) => {
      steps = file ?? scratch(".steps");
      const write = file ? {} : { write_steps: steps };
      return {
        job: "steps analyze",
        request: { input: file, points: true, shots: 24, ...write, if_exists: "replace" },
      };
    });
  /** @param {number} step */
  const play = (step) =>
    playing.ask((scratch) => {
      if (!steps) return null;
      const take = scratch(".take");
      return {
        job: "steps export",
        request: { input: steps, step, output: { file: take }, if_exists: "replace" },
        show: { input: { file: take } },
      };
    });

  // Its element

  const opening = fileChoice(studio, "Database", "the built-in one", isSteps, (chosen) => {
    file = chosen;
    opening.set(file);
    report = null;
    read();
  });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const facts = make("div", { class: "metrics" });
  const side = choice({
    label: "Foot",
    choices: [
      ["left", "steps of the left foot"],
      ["right", "steps of the right foot"],
    ],
    value: "left",
    changed: (value) => {
      foot = /** @type {Foot} */ (value);
      show();
    },
  });
  const space = new StepSpace({
    played: (step) => play(step),
    chosen: (index) => {
      shot = shotsOf()[index].number;
      show();
    },
  });
  const projection = choice({
    label: "Seen",
    choices: PROJECTIONS,
    value: "space",
    changed: (value) => space.look(/** @type {import("studio/step_space.js").Projection} */ (value)),
  });
  const legend = make(
    "p",
    { class: "fine" },
    "Points are steps, green up and red down; rings are steps to record; lines the hull within which steps can be blended.",
  );
  const current = make("p", { class: "fine", "aria-live": "polite" });
  const gaps = make("ul", { class: "findings" });
  const shots = make("div", { class: "list shots", role: "listbox", "aria-label": "Steps to record" });
  const list = make("div", { class: "list steps", role: "listbox", "aria-label": "Steps" });
  const element = make(
    "div",
    {},
    section("Database", opening.element, refusal, facts),
    section("Coverage", side.element, projection.element, space.canvas, current, legend),
    section("What it lacks", gaps),
    section("To record next", shots),
    section("Steps", list),
  );

  /** Steps to record with this foot, and their numbers in the list of all. */
  const shotsOf = () =>
    (report?.shots ?? [])
      .map((/** @type {any} */ one, /** @type {number} */ number) => ({ ...one, number }))
      .filter((/** @type {any} */ one) => one.foot === foot || one.foot === "either");

  const show = () => {
    if (!report) {
      facts.replaceChildren(note("The database is read…"));
      return;
    }
    const of = report[foot];
    const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(0)} %`;
    facts.replaceChildren(
      table(
        ["", "left", "right"],
        [
          ["Steps", String(report.left.steps), String(report.right.steps)],
          ["Mirrored", String(report.left.mirrored), String(report.right.mirrored)],
          ["Up, down", `${report.left.up}, ${report.left.down}`, `${report.right.up}, ${report.right.down}`],
          ["Within reach", percent(report.left.coverage), percent(report.right.coverage)],
        ],
      ),
    );
    const mine = shotsOf();
    space.show({
      points: of.points,
      hull_edges: of.hull_edges,
      shots: mine,
      played: played?.step ?? null,
      shot: mine.findIndex((/** @type {any} */ one) => one.number === shot),
    });
    current.textContent = played
      ? `Playing step ${played.step} of the ${played.foot} foot: ${played.source}, ${played.seconds[1].toFixed(2)} s of swing.`
      : "Click a point to play its step.";
    gaps.replaceChildren(
      ...of.findings.map((/** @type {any} */ one) => make("li", { class: one.fine ? "fine" : "lacks" }, one.sentence)),
    );
    shots.replaceChildren(
      ...report.shots.map((/** @type {any} */ one, /** @type {number} */ number) => {
        const made = make(
          "button",
          { type: "button", role: "option", "aria-selected": String(number === shot), title: one.reason },
          make("span", { class: "num" }, String(number + 1)),
          make("span", {}, one.sentence),
        );
        made.addEventListener("click", () => {
          shot = number;
          if (one.foot !== "either" && one.foot !== foot) {
            foot = one.foot;
            side.set(foot);
          }
          show();
        });
        return made;
      }),
    );
    list.replaceChildren(
      ...of.points.map((/** @type {any} */ one) => {
        const made = make(
          "button",
          { type: "button", role: "option", "aria-selected": String(one.step === played?.step), tabindex: "-1" },
          make("span", { class: "num" }, String(one.step)),
          make("span", { dir: "auto" }, one.source),
          make("span", { class: "good" }, `${one.parameters[2].toFixed(2)} m`),
        );
        made.addEventListener("click", () => play(one.step));
        return made;
      }),
    );
    // Within the list alone: the panel stays where it is.
    const chosen = list.querySelector('[aria-selected="true"]');
    if (chosen instanceof HTMLElement) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  // Files

  const database = () => (file ? ` ${quoted(plainName(file))}` : "");
  const name = () => (file ? plainName(file) : "built-in steps");
  const write = (
    /** @type {string} */ output,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) => {
    if (!steps || !played) throw new Error("no step is played yet");
    return studio.run(`Writing ${plainName(output)}`, {
      job: "steps export",
      request: {
        input: steps,
        step: played.step,
        output: { file: output },
        if_exists: replaces ? "replace" : "refuse",
        ...more,
      },
    });
  };
  const command = (/** @type {string} */ output) =>
    `surefoot steps export${database()} --step ${played?.step ?? 0} -o ${quoted(output)}`;
  const analysed = (
    /** @type {string} */ label,
    /** @type {string} */ ending,
    /** @type {string} */ about,
    /** @type {string} */ field,
    /** @type {string} */ option,
  ) => ({
    label,
    ending,
    about,
    run: (/** @type {string} */ output, /** @type {boolean} */ replaces) =>
      studio.run(`Writing ${output}`, {
        job: "steps analyze",
        request: { input: file, [field]: output, if_exists: replaces ? "replace" : "refuse" },
      }),
    commandLine: (/** @type {string} */ output) => `surefoot steps analyze${database()} ${option} ${quoted(output)}`,
  });
  /** @param {number} by */
  const next = (by) => {
    const all = report?.[foot].points ?? [];
    const at = all.findIndex((/** @type {any} */ one) => one.step === played?.step);
    if (all.length > 0) play(all[(at + by + all.length) % all.length].step);
  };

  studio.connection.on("hello", () => {
    if (isFront()) read();
  });
  return {
    id: KEY,
    label: "Database",
    element,
    open: () => {
      if (!view.comeBack(KEY)) view.clear("The database is read; its first step is played then.");
      if (!report) read();
      show();
    },
    opens: isSteps,
    load: async (opened) => {
      file = opened;
      opening.set(file);
      report = null;
      if (isFront()) read();
    },
    name,
    exports: () => [
      ...(played
        ? [
            ...motionExports(studio, async (output, replaces) => write(output, replaces), command),
            ...besideExports(studio, write, command, [CONTACTS, EVENTS]),
          ]
        : []),
      analysed(
        "Coverage",
        ".coverage.svg",
        "Where steps end, and the tetrahedra that they span.",
        "picture",
        "--picture",
      ),
      analysed("Report", ".report.json", "Coverage, findings and steps to record, as JSON.", "report", "--report"),
      analysed(
        "Database",
        ".steps",
        "The database itself, to thin it or to walk with.",
        "write_steps",
        "--write-steps",
      ),
    ],
    commandLine: () => (played ? command(`step-${played.step}.bvh`) : `surefoot steps analyze${database()}`),
    shortcuts: [
      { keys: ["n"], shown: "N Shift N", about: "Play the next or the last step", run: () => next(1) },
      { keys: ["N"], shown: "", about: "", run: () => next(-1) },
    ],
    repaint: () => space.draw(),
    isIdle: () => report !== null && reading.isIdle && playing.isIdle,
    report: () => report,
    played: () => played,
    space: () => space,
    state: () => ({ file }),
    restore: (kept, isReload) => {
      file = kept.file && (isReload || !isOfStudio(kept.file)) ? kept.file : null;
      opening.set(file);
    },
  };
}
