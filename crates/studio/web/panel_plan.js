// The plan editor: footprints in the picture, in the time line and as a list, who walks where, and how good it is.

import { tell } from "studio/dialogs.js";
import { dragPrints } from "studio/drag_prints.js";
import { fileChoice, isCharacter, lookingLike, plainName } from "studio/file_choice.js";
import { baseName, quoted, stem } from "studio/files.js";
import { besideExports, CONTACTS, EVENTS, REPORT } from "studio/motion_exports.js";
import * as edits from "studio/plan_edits.js";
import { findingOf, sentence } from "studio/plan_findings.js";
import { planTimeline } from "studio/plan_timeline.js";
import { badge, button, check, choice, numberField, row, section } from "studio/widgets.js";
import { make } from "surefoot/controls.js";

/** @typedef {import("studio/app.js").Studio} Studio */
/** @typedef {import("studio/app.js").Panel} Panel */
/** @typedef {import("studio/plan_model.js").Print} Print */
/** @typedef {[number, number, number]} Vec3 */

const KEY = "plan";
/** Kinds of steps, as plan files name them. @type {[string, string][]} */
const BEHAVIOURS = [
  ["", "as it looks"],
  ["walk", "walk"],
  ["run", "run"],
  ["jump", "jump"],
  ["hop", "hop"],
  ["stair", "stair"],
];
/** Sides of the squares that footprints snap to, in metres. @type {[string, string][]} */
const GRIDS = [
  ["0", "off"],
  ["0.05", "5 cm"],
  ["0.1", "10 cm"],
  ["0.25", "25 cm"],
];
/** What an arrow key moves by, in metres, and what a comma turns by, in degrees. */
const NUDGE = 0.02;

/** @param {Studio} studio @returns {Panel} */
export function createPlanPanel(studio) {
  const { plan, view } = studio;

  /** @type {import("studio/drag_prints.js").Hands} */
  const hands = {
    selection: new Set(),
    hovered: null,
    isAdding: false,
    grid: 0,
    select: (ids) => {
      hands.selection = new Set(ids);
      refresh();
    },
    addAt: (position) => insertOne(position),
    goTo: (id) => {
      const known = plan.row(id);
      if (!known || view.playback.isPlaying) return;
      const middle = (known.stance_frames[0] + known.stance_frames[1]) / 2;
      view.playback.seek(middle / (plan.solved?.report.frame_rate ?? 60));
    },
  };
  /** @type {edits.Copied | null} */
  let copied = null;

  // What is done to the plan

  const selected = () => plan.prints.filter(({ id }) => hands.selection.has(id));
  /** The last selected footprint, or the last of the plan. */
  const here = () => {
    const index = plan.prints.findLastIndex(({ id }) => hands.selection.has(id));
    return index < 0 ? plan.prints.length - 1 : index;
  };
  /** The selection, or everything where less than two are selected. */
  const chosenOrAll = () => (hands.selection.size > 1 ? hands.selection : new Set(plan.prints.map(({ id }) => id)));
  const newId = () => plan.newId();
  const apply = (/** @type {string} */ label, /** @type {{ prints: Print[], ids: number[] }} */ made) => {
    plan.edit(label, made.prints);
    hands.select(made.ids);
  };

  const insertOne = (/** @type {Vec3} */ position) => {
    const at = edits.snapped(position, hands.grid);
    apply("add", edits.add(plan.prints, here(), at, newId));
  };
  const insert = () => apply("insert", edits.insert(plan.prints, here(), newId));
  const remove = () => {
    const left = edits.remove(plan.prints, hands.selection);
    if (left.length < 3) {
      tell("A plan has at least three footprints: the standing feet and one step.", "error");
      return;
    }
    plan.edit("delete", left);
    hands.select([]);
  };
  const mirror = () => plan.edit("mirror", edits.mirror(plan.prints, chosenOrAll()));
  const copy = () => {
    copied = edits.copy(plan.prints, hands.selection);
    if (copied) tell(`${copied.prints.length} footprints copied; Splice puts them after the selected one.`);
    refresh();
  };
  const splice = () => {
    if (copied) apply("splice", edits.splice(plan.prints, here(), copied, newId));
  };
  const nudge = (/** @type {Vec3} */ by) => plan.edit("move", edits.move(plan.prints, hands.selection, by));
  const turn = (/** @type {number} */ degrees) =>
    plan.edit("turn", edits.rotate(plan.prints, hands.selection, (degrees * Math.PI) / 180));
  const setAdding = (/** @type {boolean} */ isAdding) => {
    hands.isAdding = isAdding;
    adding.setAttribute("aria-pressed", String(isAdding));
    studio.hint(isAdding ? "Click where the foot shall go; Escape when you are done" : "");
    studio.touch();
  };
  const step = (/** @type {number} */ by) => {
    const index = Math.min(
      Math.max((hands.selection.size > 0 ? here() : by > 0 ? -1 : plan.prints.length) + by, 0),
      plan.prints.length - 1,
    );
    hands.select([plan.prints[index].id]);
    hands.goTo(plan.prints[index].id);
  };

  // Its element

  const verdict = make("div", { class: "verdict", "aria-live": "polite" });
  const reasons = make("ul", { class: "reasons" });
  const refusal = make("p", { class: "refusal", role: "alert" });
  const adding = button("Add", () => setAdding(!hands.isAdding), {
    title: "Add footprints by clicking on the ground (A)",
  });
  adding.setAttribute("aria-pressed", "false");
  const inserting = button("Insert", insert, { title: "Two steps after the selected one; nothing else moves (I)" });
  const deleting = button("Delete", remove, { title: "Delete the selected footprints (Delete)" });
  const mirroring = button("Mirror", mirror, {
    title: "Swap left and right: of the selection, or of the whole plan (M)",
  });
  const copying = button("Copy", copy, { title: "Copy the selected footprints (Ctrl+C)" });
  const splicing = button("Splice", splice, {
    title: "Put the copies after the selected footprint; what follows moves along (Ctrl+V)",
  });
  const grid = choice({
    label: "Grid",
    choices: GRIDS,
    value: "0",
    title: "Footprints snap to the corners of squares",
    changed: (value) => {
      hands.grid = Number(value);
    },
  });
  const snap = check({
    label: "On the terrain",
    value: true,
    title: "Footprints that are moved are put on the terrain",
    changed: (isOn) => {
      plan.snaps = isOn;
    },
  });

  /** A field of all selected footprints. @param {string} label @param {string} unit @param {(print: Print) => number | undefined} read @param {(print: Print, value: number | null) => Print} write @param {number} [stepSize] @param {string} [title] */
  const field = (label, unit, read, write, stepSize = 0.01, title = "") => {
    const made = numberField({
      label,
      unit,
      step: stepSize,
      title,
      changed: (value) =>
        plan.edit(
          label.toLowerCase(),
          edits.changeEach(plan.prints, hands.selection, (print) => write(print, value)),
        ),
    });
    const show = (/** @type {Print[]} */ list, /** @type {string} */ hint) => {
      const values = new Set(list.map(read));
      const [value] = values;
      made.set(values.size === 1 && value !== undefined ? value : null, values.size > 1 ? "several" : hint);
    };
    return { element: made.element, show };
  };
  const axis = (/** @type {number} */ at) => (/** @type {Print} */ print, /** @type {number | null} */ value) => {
    if (value === null) return print;
    const position = /** @type {Vec3} */ ([...print.position]);
    position[at] = value;
    return { ...print, position };
  };
  const time =
    (/** @type {"land" | "leave" | "swing" | "support"} */ name) =>
    (/** @type {Print} */ print, /** @type {number | null} */ value) => ({ ...print, [name]: value ?? undefined });
  const fields = {
    x: field("X", "m", ({ position }) => position[0], axis(0)),
    z: field("Z", "m", ({ position }) => position[2], axis(2)),
    y: field("Height", "m", ({ position }) => position[1], axis(1)),
    heading: field(
      "Turn",
      "°",
      ({ heading }) => heading,
      (print, value) => ({ ...print, heading: value === null ? undefined : edits.turned(value) }),
      5,
      "0 is +Z, positive turns toward +X; empty: as the walk goes",
    ),
    swing: field(
      "Swing",
      "s",
      ({ swing }) => swing,
      time("swing"),
      0.05,
      "Seconds in the air before it; empty: as recorded",
    ),
    support: field(
      "Support",
      "s",
      ({ support }) => support,
      time("support"),
      0.05,
      "Seconds that both feet are down after it lands; 0 lands from a flight",
    ),
    land: field("Lands", "s", ({ land }) => land, time("land"), 0.05, "Seconds from the start"),
    leave: field("Leaves", "s", ({ leave }) => leave, time("leave"), 0.05, "Seconds from the start"),
  };
  const behaviour = choice({
    label: "Behaviour",
    choices: BEHAVIOURS,
    value: "",
    title: "What leads to it; as it looks, or as you say",
    changed: (value) =>
      plan.edit(
        "behaviour",
        edits.changeEach(plan.prints, hands.selection, (print) => ({ ...print, behaviour: value || undefined })),
      ),
  });
  const fixed = check({
    label: "Stays where it is",
    value: false,
    title: "Repairs and terrains do not move it",
    changed: (isOn) =>
      plan.edit(
        "fix",
        edits.changeEach(plan.prints, hands.selection, (print) => ({ ...print, fixed: isOn || undefined })),
      ),
  });
  const swapping = button(
    "Other foot",
    () =>
      plan.edit(
        "other foot",
        edits.changeEach(plan.prints, hands.selection, (print) => ({ ...print, foot: edits.otherFoot(print.foot) })),
      ),
    { title: "Left becomes right" },
  );
  const about = make("p", { class: "fine" });
  const single = make(
    "div",
    {},
    make("div", { class: "pair" }, fields.x.element, fields.z.element, fields.y.element, fields.heading.element),
    behaviour.element,
    about,
    make(
      "details",
      {},
      make("summary", {}, "Times"),
      make(
        "div",
        { class: "pair" },
        fields.swing.element,
        fields.support.element,
        fields.land.element,
        fields.leave.element,
      ),
    ),
    row(swapping, fixed.element),
  );
  const selection = section("Footprint", single);
  const heading = /** @type {HTMLElement} */ (selection.firstChild);

  const list = make("div", {
    class: "list",
    role: "listbox",
    "aria-label": "Footprints",
    "aria-multiselectable": "true",
    tabindex: "0",
  });
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    step(by);
  });
  const terrain = fileChoice(
    studio,
    "Terrain",
    "as high as each footprint",
    (file) => /\.terrain\.json$/i.test(file),
    (file) => plan.set("terrain", { terrain: file }),
  );
  const character = fileChoice(studio, "Character", "the built-in person", isCharacter, (file) =>
    plan.set("character", { on: file }),
  );
  const method = choice({
    label: "Motion",
    choices: [
      ["compose", "whatever the steps mean"],
      ["steps", "recorded walking only"],
      ["gait", "from parameters only"],
    ],
    value: "compose",
    changed: (value) => plan.set("motion", { with: /** @type {"compose" | "steps" | "gait"} */ (value) }),
  });

  const element = make(
    "div",
    {},
    section("Plan", verdict, reasons, refusal),
    section(
      "Edit",
      row(adding, inserting, deleting),
      row(mirroring, copying, splicing),
      make("div", { class: "pair" }, grid.element, snap.element),
    ),
    selection,
    section("Footprints", list),
    section("Who walks where", terrain.element, character.element, method.element),
  );

  // Showing

  const showVerdict = () => {
    const { solved, refused, working } = plan;
    const state = working === "steps" ? "loading the recorded steps…" : working ? "working…" : "";
    if (solved) {
      const { verdict: given, seconds, largest_placement_error_mm: off } = solved.report;
      const facts = `${plan.prints.length} footprints, ${seconds.toFixed(1)} s${off === null ? "" : `, feet within ${off < 0.1 ? "0.1" : off.toFixed(1)} mm`}`;
      verdict.replaceChildren(
        badge(refused ? "poor" : given.grade),
        make("span", {}, refused ? "cannot be walked like that" : facts),
        make("small", { class: "fine" }, state),
      );
      reasons.replaceChildren(...(refused ? [] : given.reasons).map((reason) => make("li", {}, sentence(reason))));
    } else verdict.replaceChildren(make("span", { class: "fine" }, state || "the first motion is made…"));
    refusal.hidden = refused === null;
    if (refused) {
      refusal.textContent = `${sentence(refused.message)} The picture shows the plan as it was walked last.`;
    }
  };

  const showSelection = () => {
    const chosen = selected();
    selection.hidden = chosen.length === 0;
    const indices = plan.prints.flatMap((print, index) => (hands.selection.has(print.id) ? [index] : []));
    heading.textContent =
      indices.length === 1 ? `Footprint ${indices[0]}, ${chosen[0].foot}` : `${indices.length} footprints`;
    const known = indices.length === 1 ? plan.row(chosen[0].id) : undefined;
    const hint = (/** @type {number | null | undefined} */ value) =>
      value === null || value === undefined ? "" : value.toFixed(2);
    fields.x.show(chosen, "");
    fields.y.show(chosen, "");
    fields.z.show(chosen, "");
    fields.heading.show(chosen, hint(known?.heading_degrees.actual));
    fields.swing.show(chosen, hint(known?.swing_seconds.actual));
    fields.support.show(chosen, hint(known?.support_seconds.actual));
    fields.land.show(chosen, hint(known?.land_seconds.actual));
    fields.leave.show(chosen, hint(known?.leave_seconds.actual));
    const given = new Set(chosen.map((print) => print.behaviour ?? ""));
    behaviour.set(given.size === 1 ? ([...given][0] ?? "") : "");
    fixed.box.checked = chosen.every((print) => print.fixed);
    const found = known && findingOf(indices[0], known, plan.refused);
    const inferred = known?.behaviour ? `${known.behaviour}${known.reason ? `: ${known.reason}` : ""}. ` : "";
    const placed = known?.placement
      ? `Placed within ${Math.max(known.placement.middle_60_mm, 0.1).toFixed(1)} mm, ${known.origin}. `
      : "";
    // What is known of a footprint that is refused is of where it was before.
    about.textContent = found?.word === "impossible" ? found.text : `${inferred}${placed}${found?.text ?? ""}`;
    for (const made of [deleting, copying]) made.disabled = chosen.length === 0;
    splicing.disabled = copied === null;
  };

  const showList = () => {
    list.replaceChildren(
      ...plan.prints.map((print, index) => {
        const known = plan.row(print.id);
        const found = findingOf(index, known, plan.refused);
        const word = `${print.behaviour ? `${print.behaviour} (set)` : (known?.behaviour ?? "")}`;
        const made = make(
          "button",
          { type: "button", role: "option", "aria-selected": String(hands.selection.has(print.id)), tabindex: "-1" },
          make("span", { class: "num" }, String(index)),
          make("span", { class: print.foot }, print.foot),
          make("span", {}, word),
          make(
            "span",
            { class: found?.grade ?? "good", ...(found ? { title: found.text } : {}) },
            found?.word ?? (known?.placement ? "" : "…"),
          ),
        );
        made.addEventListener("click", (event) => {
          const range =
            event.shiftKey && hands.selection.size > 0
              ? plan.prints.slice(Math.min(here(), index), Math.max(here(), index) + 1).map(({ id }) => id)
              : [print.id];
          hands.select(event.ctrlKey || event.metaKey || event.shiftKey ? [...hands.selection, ...range] : range);
          hands.goTo(print.id);
        });
        return made;
      }),
    );
  };

  let isStale = false;
  /** Shows everything again with the next picture, however often it was asked for. */
  const refresh = () => {
    studio.touch();
    if (isStale) return;
    isStale = true;
    requestAnimationFrame(() => {
      isStale = false;
      showAll();
    });
  };

  const showAll = () => {
    const there = new Set(plan.prints.map(({ id }) => id));
    for (const id of hands.selection) if (!there.has(id)) hands.selection.delete(id);
    if (studio.front?.id !== KEY) return;
    showVerdict();
    showSelection();
    showList();
    terrain.set(plan.settings.terrain);
    character.set(plan.settings.on);
    method.set(plan.settings.with);
    // Into sight within the list, without moving the panel.
    const [first] = list.querySelectorAll('[aria-selected="true"]');
    if (!(first instanceof HTMLElement) || hands.selection.size !== 1) return;
    const above = first.offsetTop - list.offsetTop;
    if (above < list.scrollTop || above + first.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = above - list.clientHeight / 2;
  };

  const showMotion = () => {
    if (plan.solved) view.present(KEY, plan.solved.document);
  };

  plan.listeners.push((what) => {
    if (what === "solved" && plan.solved) {
      // The tool draws the footprints, as they are edited.
      for (const show of plan.solved.document.packed.shows) show.prints = [];
      if (studio.front?.id === KEY) showMotion();
    }
    refresh();
  });
  plan.previews.push((first, values) => view.patch(KEY, first, values));

  // Files

  const name = () => plan.settings.file ?? `${plan.title}.plan.json`;
  /** The command's options for who walks where. */
  const options = () => {
    const { terrain: ground, on, with: mover } = plan.settings;
    return `${ground ? ` --terrain ${quoted(plainName(ground))}` : ""}${on ? ` --on ${quoted(plainName(on))}` : ""}${mover === "compose" ? "" : ` --with ${mover}`}`;
  };
  const animate = (
    /** @type {string} */ file,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) => {
    const { terrain: ground, on, with: mover } = plan.settings;
    return studio.run(`Making ${plainName(file)}`, {
      job: "animate",
      request: {
        plan: "plan:current",
        output: { file },
        with: mover,
        ...(ground ? { terrain: { file: ground } } : {}),
        ...(on ? { on: { file: on } } : {}),
        if_exists: replaces ? "replace" : "refuse",
        ...more,
      },
    });
  };
  const command = (/** @type {string} */ file) =>
    `surefoot animate ${quoted(plainName(name()))}${options()} -o ${quoted(file)}`;
  const written = (/** @type {string} */ ending, /** @type {string} */ text) => ({
    label: ending.slice(1).toUpperCase(),
    ending,
    about: text,
    run: (/** @type {string} */ file, /** @type {boolean} */ replaces) => animate(file, replaces),
    commandLine: command,
  });
  /** A motion in the scratch folder, rendered. */
  const rendered = (
    /** @type {string} */ label,
    /** @type {string} */ ending,
    /** @type {string} */ text,
    /** @type {Record<string, unknown>} */ more,
  ) => ({
    label,
    ending,
    about: text,
    run: (/** @type {string} */ file, /** @type {boolean} */ replaces) =>
      studio.withScratch(".take", async (take) => {
        await animate(take, true);
        const { terrain: ground } = plan.settings;
        const request = {
          input: { file: take },
          output: file,
          if_exists: replaces ? "replace" : "refuse",
          ...(ground ? { terrain: { file: ground } } : {}),
          ...more,
        };
        return studio.run(`Drawing ${plainName(file)}`, { job: "render", request });
      }),
    commandLine: (/** @type {string} */ file) => {
      const { terrain: ground } = plan.settings;
      const take = `${stem(file)}.take`;
      const looks = more.on ? ` --on ${quoted(plainName(plan.settings.on ?? ""))}` : "";
      const flags =
        ending === ".html" ? ` --plan ${quoted(plainName(name()))}${looks}` : label === "Strobe" ? " --strobe" : "";
      return `${command(take)} && surefoot render ${quoted(take)}${ground ? ` --terrain ${quoted(plainName(ground))}` : ""}${flags} -o ${quoted(file)}`;
    },
  });

  return {
    id: KEY,
    label: "Plan",
    element,
    open: () => {
      if (!view.comeBack(KEY)) showMotion();
      else if (plan.solved) showMotion();
      refresh();
    },
    close: () => setAdding(false),
    tool: dragPrints(studio, hands),
    track: planTimeline(studio, hands),
    opens: (file) => /\.plan\.json$|\.terrain\.json$/i.test(file),
    load: async (file) => {
      if (/\.terrain\.json$/i.test(file)) await plan.set("terrain", { terrain: file });
      else await plan.open({ file });
    },
    name,
    save: () => ({
      label: "Save the plan",
      file: name().startsWith("opened:") ? baseName(name()) : name(),
      run: (file, replaces) =>
        studio.connection.ask("save_text", { file, replace: replaces || file === plan.settings.file }).answer,
      done: (file) => {
        plan.saved();
        if (!file.startsWith("scratch:")) plan.sendSettings({ file });
      },
    }),
    exports: () => [
      written(".bvh", "Skeleton and motion, for every animation program."),
      written(".glb", "Skeleton, motion and body as glTF, for engines and the web."),
      written(".fbx", "Skeleton, motion and body, for Autodesk's programs and engines."),
      rendered("Player", ".html", "One page that plays the motion anywhere, with footprints, contacts and metrics.", {
        plan: "plan:current",
        ...lookingLike(plan.settings.on),
      }),
      rendered("Sheet", ".png", "Twelve poses in one picture.", {}),
      rendered("Strobe", ".svg", "All poses along the path, as lines.", { strobe: true }),
      rendered("GIF", ".gif", "An animation.", {}),
      ...besideExports(studio, animate, command, [REPORT, CONTACTS, EVENTS]),
      {
        label: "Plan",
        ending: ".plan.json",
        about: "The footprints, for the command and for this page.",
        run: (file, replaces) => studio.connection.ask("save_text", { file, replace: replaces }).answer,
        commandLine: (file) => `surefoot animate ${quoted(file)}${options()} -o ${quoted(`${stem(file)}.bvh`)}`,
      },
    ],
    commandLine: () => command(`${stem(name())}.bvh`),
    shortcuts: [
      { keys: ["a"], shown: "A", about: "Add footprints by clicking", run: () => setAdding(!hands.isAdding) },
      {
        keys: ["Escape"],
        shown: "Esc",
        about: "Stop adding; select nothing",
        run: () => (hands.isAdding ? setAdding(false) : hands.select([])),
      },
      { keys: ["i"], shown: "I", about: "Insert steps after the selected one", run: insert },
      {
        keys: ["Delete", "Backspace"],
        shown: "Del",
        about: "Delete footprints",
        run: () => hands.selection.size > 0 && remove(),
      },
      { keys: ["m"], shown: "M", about: "Mirror", run: mirror },
      {
        keys: ["Ctrl+a"],
        shown: "Ctrl A",
        about: "Select all footprints",
        run: () => hands.select(plan.prints.map(({ id }) => id)),
      },
      { keys: ["Ctrl+c"], shown: "Ctrl C V", about: "Copy, and splice after the selected one", run: copy },
      { keys: ["Ctrl+v"], shown: "", about: "", run: splice },
      { keys: ["n"], shown: "N Shift N", about: "Select the next or the last footprint", run: () => step(1) },
      { keys: ["N"], shown: "", about: "", run: () => step(-1) },
      {
        keys: ["W", "S", "A", "D"],
        shown: "Shift W A S D",
        about: "Move what is selected by 2 cm",
        run: (event) => nudge(nudgeOf(event.key)),
      },
      { keys: ["q"], shown: "Q E", about: "Turn what is selected by 5°", run: () => turn(5) },
      { keys: ["e"], shown: "", about: "", run: () => turn(-5) },
      {
        keys: ["PageUp"],
        shown: "PgUp PgDn",
        about: "Raise or lower what is selected by 2 cm",
        run: () => nudge([0, NUDGE, 0]),
      },
      { keys: ["PageDown"], shown: "", about: "", run: () => nudge([0, -NUDGE, 0]) },
    ],
    isUnsaved: () => plan.isUnsaved,
    commandNeeds: () => "the plan is saved",
    state: () => ({ selection: [...hands.selection], grid: hands.grid }),
    restore: (state) => {
      hands.grid = state.grid ?? 0;
      grid.set(String(hands.grid));
      hands.select(state.selection ?? []);
    },
  };

  /** A direction on the ground, as the camera looks: W is away from it. @param {string} key @returns {Vec3} */
  function nudgeOf(key) {
    const yaw = view.stage?.camera.yaw ?? 0;
    const away = { W: 0, A: 1, S: 2, D: 3 }[key] ?? 0;
    const angle = yaw + Math.PI + (away * Math.PI) / 2;
    return [NUDGE * Math.sin(angle), 0, NUDGE * Math.cos(angle)];
  }
}
