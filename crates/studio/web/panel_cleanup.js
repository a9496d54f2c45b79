// Cleanup: a recording, when its feet are planted, and what it becomes once they stay there. Contacts are corrected by dragging, the result
// is made again at once and laid over the recording.

import { Refused } from "studio/connection.js";
import { addRange, contactsText, moveEnd, ROWS, rangesOf, readContacts, removeRange } from "studio/contact_ranges.js";
import { contactTrack } from "studio/contact_track.js";
import { tell } from "studio/dialogs.js";
import { fileChoice, isCharacter, isMotion, isOfStudio, lookingLike, plainName } from "studio/file_choice.js";
import { parsed, quoted, stem } from "studio/files.js";
import { Kept } from "studio/kept.js";
import { LiveJob } from "studio/live_job.js";
import { besideExports, EVENTS, motionExports, pictureBeside, REPORT } from "studio/motion_exports.js";
import { sentence } from "studio/plan_findings.js";
import { button, check, choice, note, numberField, row, section } from "studio/widgets.js";
import { make, table } from "surefoot/controls.js";

/** @typedef {import("studio/contact_ranges.js").Ranges} Ranges */
/** @typedef {import("studio/contact_ranges.js").Which} Which */
/** @typedef {{ terrain: string | null, on: string | null, rigid: boolean, pops: string, dead: string, roll: string }} Options */

const KEY = "cleanup";
/** Metrics that are shown, by their names in the report. @type {[string, string][]} */
const METRICS = [
  ["drift_max", "Farthest slide of a plant"],
  ["skate_speed", "Mean slide of plants"],
  ["drift_vertical_max", "Up and down in a plant"],
  ["penetration_max", "Deepest in the ground"],
  ["float_max", "Highest over the ground"],
  ["introduced_pops", "Pops that were not there"],
  ["stretch_max", "Longest stretch of a bone"],
];
/** Frames to both sides of a contact that is added. */
const ADDED_SECONDS = 0.1;

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { report: () => any, contacts: () => any }} */
export function createCleanupPanel(studio) {
  const { view, history } = studio;
  let file = /** @type {string | null} */ (null);
  /** @type {Options} */
  let options = { terrain: null, on: null, rigid: false, pops: "yield", dead: "keep", roll: "flat" };
  /** @type {any} */
  let report = null;
  const isFront = () => studio.front?.id === KEY;

  /** @type {import("studio/contact_track.js").Contacts} */
  const contacts = {
    ranges: null,
    detected: null,
    traces: null,
    rate: 60,
    selected: null,
    select: (which) => {
      contacts.selected = which;
      if (which && contacts.ranges) {
        const [from, to] = contacts.ranges[which.foot][which.part][which.index];
        const frame = view.playback.time * contacts.rate;
        if (frame < from || frame >= to) view.playback.seek(from / contacts.rate);
      }
      showSelection();
      studio.touch();
    },
    moved: (ranges) => {
      contacts.ranges = ranges;
      showSelection();
      clean();
      studio.touch();
    },
    settled: (before, after) => edit("contact", before, after),
  };

  /** Contacts were changed; undo takes it back. @param {string} label @param {Ranges} before @param {Ranges} after */
  const edit = (label, before, after) => {
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    const goTo = (/** @type {Ranges} */ ranges) => {
      contacts.ranges = ranges;
      if (contacts.selected && !ranges[contacts.selected.foot][contacts.selected.part][contacts.selected.index])
        contacts.selected = null;
      clean();
      showAll();
      studio.changed();
    };
    goTo(after);
    if (!isSame) history.pushChange(label, before, after, goTo, KEY);
  };
  /** @param {Partial<Options>} next @param {string} label */
  const setOptions = (next, label) => {
    const [before, after] = [options, { ...options, ...next }];
    const goTo = (/** @type {Options} */ other) => {
      options = other;
      fillOptions();
      clean();
      studio.changed();
    };
    goTo(after);
    history.pushChange(label, before, after, goTo);
  };

  const kept = new Kept(() => ({ options, ranges: contacts.ranges }));

  // Cleaning

  const live = new LiveJob(studio, KEY, "Cleaning", {
    done: ({ report: made, document }) => {
      report = made;
      refusal.hidden = true;
      if (document) {
        const { actors } = document.packed.shows[0];
        [actors[0].name, actors[1].name] = ["before", "after"];
        if (view.stage && view.key !== KEY) before.isNew = true;
        if (isFront()) view.present(KEY, document);
        if (isFront() && before.isNew) showBefore();
      }
      showAll();
    },
    failed: (error) => {
      refusal.hidden = false;
      refusal.textContent = sentence(error.message);
    },
    busy: (isBusy) => {
      state.textContent = isBusy ? "working…" : "";
    },
  });
  /** The recording is see-through until the user says otherwise. */
  const before = { isNew: true };
  const showBefore = () => {
    before.isNew = false;
    if (view.stage && view.stage.visible.length > 1) view.stage.visible[0] = "ghost";
    view.fillLegend();
    studio.touch();
  };

  const isEdited = () => JSON.stringify(contacts.ranges) !== JSON.stringify(contacts.detected);
  const request = (/** @type {string} */ contactsFile) => ({
    input: { file, contacts: contactsFile },
    cleanup: {
      rigid: options.rigid,
      roll: options.roll,
      ...(options.terrain ? { terrain: { file: options.terrain } } : {}),
    },
    ...(options.on ? { on: { file: options.on } } : {}),
    pops: options.pops,
    dead: options.dead,
  });
  /** The contacts as a file of the server. @param {string} name */
  const keepContacts = async (name) => {
    const text = contactsText(/** @type {Ranges} */ (contacts.ranges));
    await studio.connection.ask("save_text", { file: name, text, replace: true }).answer;
    return name;
  };
  const clean = () =>
    live.ask(async (scratch) => {
      if (!file || !contacts.ranges) return null;
      const given = await keepContacts(scratch(".contacts.json"));
      const take = scratch(".take");
      const show = {
        input: { file, contacts: given },
        more: [{ file: take }],
        arrangement: "overlay",
        ...lookingLike(options.on ?? file),
        ...(options.terrain ? { terrain: { file: options.terrain } } : {}),
      };
      return { job: "clean", request: { ...request(given), output: { file: take }, if_exists: "replace" }, show };
    });

  /** Reads a recording and finds its contacts. @param {string} opened */
  const open = async (opened) => {
    const { report: found } = await studio.run(`Reading ${plainName(opened)}`, {
      job: "contacts",
      request: { input: { file: opened }, traces: true },
    });
    file = opened;
    report = null;
    // Contacts of the recording before are none of this one.
    history.forget(KEY);
    Object.assign(contacts, { traces: found.traces, rate: found.frame_rate, selected: null });
    contacts.detected = rangesOf(found.frames, found.plants);
    contacts.ranges = contacts.detected;
    kept.mark();
    before.isNew = true;
    view.known.delete(KEY);
    if (view.key === KEY) view.key = null;
    fillOptions();
    clean();
    showAll();
    studio.changed();
  };
  /** Contacts that somebody saved. @param {string} opened */
  const openContacts = async (opened) => {
    const answer = await fetch(`./download/${encodeURIComponent(opened)}`);
    if (!answer.ok) throw new Error((await answer.text()).trim() || `${plainName(opened)} could not be read`);
    const read = readContacts(parsed(await answer.text()));
    if (!file || !contacts.ranges) throw new Error("open the motion first, then its contacts");
    if (read.frames !== contacts.ranges.frames)
      throw new Error(`these contacts are of ${read.frames} frames; the motion has ${contacts.ranges.frames}`);
    edit("open contacts", contacts.ranges, read);
  };

  // Editing

  const remove = () => {
    const { ranges, selected } = contacts;
    if (!ranges || !selected) return;
    contacts.selected = null;
    edit("delete", ranges, removeRange(ranges, selected));
  };
  const add = () => {
    const { ranges } = contacts;
    if (!ranges) return;
    const { foot, part } = ROWS[Number(adding.select.value)];
    const frame = Math.round(view.playback.time * contacts.rate);
    const made = addRange(ranges, foot, part, frame, Math.round(ADDED_SECONDS * contacts.rate));
    if (!made) {
      tell(`The ${foot} ${part} is planted in frame ${frame} already.`, "error");
      return;
    }
    contacts.selected = { foot, part, index: made.index };
    edit("add", ranges, made.ranges);
  };
  const setEnd = (/** @type {0 | 1} */ end, /** @type {number | null} */ frame) => {
    const { ranges, selected } = contacts;
    if (ranges && selected && frame !== null) edit("contact", ranges, moveEnd(ranges, selected, end, frame));
  };

  // Its element

  const opening = fileChoice(studio, "Recording", "choose or drop one", isMotion, (chosen) => {
    if (chosen) open(chosen).catch((error) => studio.files.complain(error, plainName(chosen)));
  });
  const state = make("small", { class: "fine", "aria-live": "polite" });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const metrics = make("div", { class: "metrics" });
  const warnings = make("ul", { class: "reasons" });
  const adding = choice({
    label: "New contact",
    choices: ROWS.map(({ foot, part }, index) => [String(index), `${foot} ${part}`]),
    value: "0",
    changed: () => {},
  });
  const deleting = button("Delete", remove, { title: "Delete the selected contact (Delete)" });
  const detecting = button(
    "As detected",
    () => contacts.ranges && contacts.detected && edit("as detected", contacts.ranges, contacts.detected),
    { title: "Undo all corrections at once" },
  );
  const from = numberField({ label: "From frame", step: 1, changed: (value) => setEnd(0, value) });
  const to = numberField({ label: "to before", step: 1, changed: (value) => setEnd(1, value) });
  const about = make("p", { class: "fine" });
  const selection = section("Contact", make("div", { class: "pair wide" }, from.element, to.element), about);
  const list = make("div", { class: "list", role: "listbox", "aria-label": "Contacts", tabindex: "0" });
  const terrain = fileChoice(
    studio,
    "Terrain",
    "estimated from the plants",
    (name) => /\.terrain\.json$|\.(obj|png)$/i.test(name),
    (chosen) => setOptions({ terrain: chosen }, "terrain"),
  );
  const character = fileChoice(studio, "Character", "the recording's own", isCharacter, (chosen) =>
    setOptions({ on: chosen }, "character"),
  );
  const rigid = check({
    label: "Keep bone lengths",
    value: false,
    title: "Lower the pelvis where a leg is too short, instead of stretching the leg",
    changed: (isOn) => setOptions({ rigid: isOn }, "bone lengths"),
  });
  const pops = choice({
    label: "Pops",
    choices: [
      ["yield", "plants give way by millimetres"],
      ["calm", "legs are calmed, plants hold"],
      ["keep", "are left"],
    ],
    value: "yield",
    changed: (value) => setOptions({ pops: value }, "pops"),
  });
  const dead = choice({
    label: "Dead frames",
    choices: [
      ["keep", "are left"],
      ["cut", "are cut off"],
      ["bridge", "are bridged"],
    ],
    value: "keep",
    changed: (value) => setOptions({ dead: value }, "dead frames"),
  });
  const roll = choice({
    label: "Foot roll",
    choices: [
      ["flat", "the sole lies flat"],
      ["keep", "as recorded"],
    ],
    value: "flat",
    changed: (value) => setOptions({ roll: value }, "foot roll"),
  });
  const element = make(
    "div",
    {},
    section("Cleanup", opening.element, state, refusal, metrics, warnings),
    selection,
    section(
      "Contacts",
      list,
      adding.element,
      row(button("Add here", add, { title: "At the frame that is shown (A)" }), deleting, detecting),
    ),
    section("How", terrain.element, character.element, pops.element, dead.element, roll.element, rigid.element),
  );

  const fillOptions = () => {
    opening.set(file);
    terrain.set(options.terrain);
    character.set(options.on);
    rigid.box.checked = options.rigid;
    pops.set(options.pops);
    dead.set(options.dead);
    roll.set(options.roll);
  };
  const showMetrics = () => {
    const of = (/** @type {string} */ name) =>
      report?.metrics.find((/** @type {{ name: string }} */ metric) => metric.name === name);
    const number = (/** @type {number | null} */ value) =>
      value === null ? "" : Math.abs(value) < 0.005 ? "0" : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
    const rows = METRICS.flatMap(([name, label]) => {
      const metric = of(name);
      return metric ? [[label, number(metric.before), number(metric.after), metric.unit]] : [];
    });
    metrics.replaceChildren(
      ...(rows.length > 0
        ? [table(["", "before", "after", ""], rows)]
        : [note("Open a recording, or drop one on the page: BVH, GLB, FBX, or AMC with its ASF.")]),
    );
    warnings.replaceChildren(...(report?.warnings ?? []).map((/** @type {string} */ text) => make("li", {}, text)));
  };
  const showSelection = () => {
    const { ranges, selected } = contacts;
    const range = selected && ranges?.[selected.foot][selected.part][selected.index];
    selection.hidden = !range;
    deleting.disabled = !range;
    detecting.disabled = !ranges || !isEdited();
    if (range && selected) {
      /** @type {HTMLElement} */ (selection.firstChild).textContent =
        `Contact of the ${selected.foot} ${selected.part}`;
      from.set(range[0]);
      to.set(range[1]);
      about.textContent = `${((range[1] - range[0]) / contacts.rate).toFixed(2)} s, from ${(range[0] / contacts.rate).toFixed(2)} s. Drag its ends in the time line; heights and speeds of this part are in front.`;
      adding.set(String(ROWS.findIndex(({ foot, part }) => foot === selected.foot && part === selected.part)));
    }
  };
  const showList = () => {
    const { ranges, selected } = contacts;
    const all = ROWS.flatMap(({ foot, part }) =>
      (ranges?.[foot][part] ?? []).map((range, index) => ({ foot, part, index, range })),
    ).sort((a, b) => a.range[0] - b.range[0]);
    list.hidden = all.length === 0;
    list.replaceChildren(
      ...all.map((one, number) => {
        const isChosen = selected?.foot === one.foot && selected.part === one.part && selected.index === one.index;
        const made = make(
          "button",
          { type: "button", role: "option", "aria-selected": String(isChosen), tabindex: "-1" },
          make("span", { class: "num" }, String(number + 1)),
          make("span", { class: one.foot }, one.foot),
          make("span", {}, one.part),
          make("span", { class: "good" }, `${one.range[0]} to ${one.range[1]}`),
        );
        made.addEventListener("click", () => {
          contacts.select({ foot: one.foot, part: one.part, index: one.index });
          showList();
        });
        return made;
      }),
    );
  };
  const showAll = () => {
    showMetrics();
    showSelection();
    showList();
    studio.touch();
  };
  showAll();

  // Files

  const write = async (
    /** @type {string} */ output,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) => {
    if (!file || !contacts.ranges) throw new Error("there is nothing to clean yet; open a recording");
    const given = await keepContacts(`scratch:${KEY}-${studio.hello.window}-saved.contacts.json`);
    const result = await studio.run(`Writing ${plainName(output)}`, {
      job: "clean",
      request: { ...request(given), output: { file: output }, if_exists: replaces ? "replace" : "refuse", ...more },
    });
    return result;
  };
  const name = () => (file ? plainName(file) : "");
  const contactsName = () => `${stem(name())}.contacts.json`;
  const command = (/** @type {string} */ output) => {
    const flags = [
      ...(isEdited() ? [`--contacts ${quoted(contactsName())}`] : []),
      ...(options.terrain ? [`--terrain ${quoted(plainName(options.terrain))}`] : []),
      ...(options.on ? [`--on ${quoted(plainName(options.on))}`] : []),
      ...(options.rigid ? ["--rigid"] : []),
      ...(options.pops !== "yield" ? [`--pops ${options.pops}`] : []),
      ...(options.dead !== "keep" ? [`--dead ${options.dead}`] : []),
      ...(options.roll !== "flat" ? [`--roll ${options.roll}`] : []),
    ];
    return ["surefoot clean", quoted(name() || "recording.bvh"), ...flags, `-o ${quoted(output)}`].join(" ");
  };
  const cleaned = () => {
    const ending = /\.(bvh|glb|fbx)$/i.exec(name())?.[0].toLowerCase() ?? ".bvh";
    return `${stem(name() || "recording")}-clean${ending}`;
  };

  const saved = () => {
    kept.mark();
    studio.changed();
  };
  studio.connection.on("hello", () => {
    if (file && isFront()) clean();
  });

  return {
    id: KEY,
    label: "Cleanup",
    element,
    open: () => {
      if (!view.comeBack(KEY)) view.clear("Open a recording, or drop one here: BVH, GLB, FBX, or AMC with its ASF.");
      else showBefore();
      showAll();
    },
    track: contactTrack(studio, contacts),
    opens: (opened) => isMotion(opened) || /\.contacts\.json$/i.test(opened),
    load: (opened) => (isMotion(opened) ? open(opened) : openContacts(opened)),
    name,
    save: () => ({ label: "Save the cleaned motion", file: cleaned(), run: write, done: saved }),
    exports: () =>
      file
        ? [
            ...motionExports(studio, write, command, { terrain: options.terrain, on: options.on ?? file }),
            ...besideExports(studio, write, command, [
              pictureBeside(".svg", "Heights and drift of heels and balls, knees and pelvis, before and after."),
              REPORT,
              EVENTS,
            ]),
            {
              label: "Contacts",
              ending: ".contacts.json",
              about: "When heels and balls are planted, as corrected: for --contacts.",
              run: (output, replaces) => {
                const text = contactsText(/** @type {Ranges} */ (contacts.ranges));
                return studio.connection.ask("save_text", { file: output, text, replace: replaces }).answer;
              },
              commandLine: (output) => `surefoot contacts ${quoted(name())} -o ${quoted(output)}`,
            },
          ]
        : [],
    commandLine: () => command(cleaned()),
    shortcuts: [
      { keys: ["Delete", "Backspace"], shown: "Del", about: "Delete the selected contact", run: remove },
      { keys: ["a"], shown: "A", about: "Add a contact at the frame that is shown", run: add },
      {
        keys: ["["],
        shown: "[ ]",
        about: "The selected contact begins, or ends, here",
        run: () => setEnd(0, view.playback.time * contacts.rate),
      },
      { keys: ["]"], shown: "", about: "", run: () => setEnd(1, view.playback.time * contacts.rate + 1) },
      { keys: ["Escape"], shown: "Esc", about: "Select nothing", run: () => contacts.select(null) },
    ],
    isUnsaved: () => kept.isUnsaved,
    commandNeeds: () => "its contacts are exported",
    isIdle: () => live.isIdle,
    report: () => report,
    contacts: () => contacts,
    state: () => ({ file, options, ranges: contacts.ranges }),
    restore: async (state, isReload) => {
      if (!state.file || (!isReload && isOfStudio(state.file))) return;
      try {
        await open(state.file);
        options = { ...options, ...state.options };
        fillOptions();
        if (state.ranges) edit("restore", /** @type {Ranges} */ (contacts.ranges), state.ranges);
      } catch (error) {
        if (error instanceof Refused) studio.files.complain(error, state.file);
      }
    },
  };
}
