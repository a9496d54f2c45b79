// Motions edited as signals: an equaliser of frequency bands, two clips blended or one at the other's pace, and displacement by keys that are
// hands and feet dragged to where they shall be.

import { correspondenceTrack } from "studio/correspondence_track.js";
import { dragLimbs } from "studio/drag_limbs.js";
import { fileChoice, isMotion, isOfStudio, lookingLike, plainName } from "studio/file_choice.js";
import { quoted, stem } from "studio/files.js";
import { Kept } from "studio/kept.js";
import { LiveJob } from "studio/live_job.js";
import { besideExports, CONTACTS, EVENTS, motionExports, pictureBeside, REPORT } from "studio/motion_exports.js";
import { sentence } from "studio/plan_findings.js";
import { noEdits, signalCommand, toolsOf } from "studio/signal_request.js";
import { button, check, choice, note, section, slider } from "studio/widgets.js";
import { make } from "surefoot/controls.js";

/** @typedef {import("studio/signal_request.js").Signal} Signal */
/** @typedef {import("studio/signal_request.js").Limb} Limb */

const KEY = "signal";
/** @type {[import("studio/signal_request.js").Tool, string][]} */
const TOOLS = [
  ["equalize", "Equalise"],
  ["blend", "Blend"],
  ["warp", "Warp"],
  ["displace", "Displace"],
];
/** @type {[string, string][]} */
const PRESETS = [
  ["", "gains of your own"],
  ["exaggerate", "exaggerate"],
  ["nervous", "nervous"],
  ["tone-down", "tone down"],
  ["anticipate", "anticipate"],
  ["cartoon", "cartoon"],
];
/** @type {[string, string][]} */
const REGISTERS = [
  ["movement", "the movement"],
  ["contacts", "foot contacts"],
  ["paper", "the paper's own path"],
  ["frames", "nothing: frame by frame"],
];

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { report: () => any, signal: () => Signal }} */
export function createSignalPanel(studio) {
  const { view, history } = studio;
  let file = /** @type {string | null} */ (null);
  let signal = noEdits();
  let settled = structuredClone(signal);
  /** @type {any} */
  let report = null;
  /** What the input is like, which a tool without a result shows too. @type {any} */
  let input = null;
  /** Whether the result is of an edit. */
  let isEdited = false;
  const isFront = () => studio.front?.id === KEY;

  // Which tool is looked at is no edit.
  const kept = new Kept(() => ({ ...signal, tool: "" }));

  const live = new LiveJob(studio, KEY, "Editing", {
    done: ({ report: made, document }) => {
      report = made;
      input = made.input;
      refusal.hidden = true;
      if (document) {
        const { actors } = document.packed.shows[0];
        const names = made
          ? ["before", ...(actors.length > 2 ? [stem(plainName(signal.other ?? ""))] : []), "after"]
          : [];
        names.forEach((name, index) => {
          actors[index].name = name;
        });
        const isNew = view.key !== KEY || view.stage?.visible.length !== actors.length;
        if (isFront()) view.present(KEY, document);
        if (isFront() && isNew) ghostBefore();
      }
      show();
    },
    failed: (error) => {
      refusal.hidden = false;
      refusal.textContent = sentence(error.message);
    },
    busy: (isBusy) => {
      state.textContent = isBusy ? "working…" : "";
    },
  });
  const ghostBefore = () => {
    const { stage } = view;
    if (!stage) return;
    stage.visible = stage.visible.map((_, index) => (index < stage.visible.length - 1 ? "ghost" : "solid"));
    view.fillLegend();
    studio.touch();
  };
  const ask = () =>
    live.ask((scratch) => {
      if (!file) return null;
      // Before there is anything to do nothing is changed, and before and after are shown as later on: a picture that is laid out again
      // while a hand is dragged would move it.
      const asked = toolsOf(signal);
      isEdited = asked.length > 0;
      const tools = isEdited ? asked : [{ tool: "equalize", options: { gain: ["0=1"] } }];
      const take = scratch(".take");
      const more = [...(signal.tool === "blend" && signal.other ? [{ file: signal.other }] : []), { file: take }];
      return {
        job: "signal",
        request: { input: { file }, edits: { tools }, output: { file: take }, traces: true, if_exists: "replace" },
        show: { input: { file }, more, arrangement: "overlay", ...lookingLike(file) },
      };
    });
  /** @param {boolean} isSettled @param {string} label */
  const changed = (isSettled, label) => {
    if (isSettled && JSON.stringify(signal) !== JSON.stringify(settled)) {
      const [before, after] = [settled, structuredClone(signal)];
      settled = after;
      const goTo = (/** @type {Signal} */ other) => {
        signal = structuredClone(other);
        settled = other;
        fill();
        ask();
        studio.changed();
      };
      history.pushChange(label, before, after, goTo);
    }
    ask();
    studio.changed();
  };
  /** @param {Partial<Signal>} next @param {string} label */
  const set = (next, label) => {
    signal = { ...signal, ...next };
    fill();
    changed(true, label);
  };
  /** @param {{ label: string, min: number, max: number, step: number, value: number, unit?: string, title?: string }} of @param {(value: number) => void} write */
  const sliderOf = (of, write) =>
    slider({
      ...of,
      changed: (value) => {
        write(value);
        changed(false, of.label);
      },
      settled: () => changed(true, of.label.toLowerCase()),
    });

  /** @param {string} opened */
  const open = async (opened) => {
    const { report: found } = await studio.run(`Reading ${plainName(opened)}`, {
      job: "info",
      request: { inputs: [opened] },
    });
    file = opened;
    input = found;
    report = null;
    signal = { ...noEdits(), tool: signal.tool };
    settled = structuredClone(signal);
    kept.mark();
    view.known.delete(KEY);
    if (view.key === KEY) view.key = null;
    fill();
    ask();
    studio.changed();
  };

  // Its element

  const opening = fileChoice(studio, "Clip", "choose or drop one", isMotion, (chosen) => {
    if (chosen) open(chosen).catch((error) => studio.files.complain(error, plainName(chosen)));
  });
  const state = make("small", { class: "fine", "aria-live": "polite" });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const notes = make("ul", { class: "reasons" });
  const tabs = make("div", { class: "segment", role: "group", "aria-label": "Tool" });
  tabs.replaceChildren(
    ...TOOLS.map(([tool, label]) => button(label, () => set({ tool }, label.toLowerCase()), { id: `signal-${tool}` })),
  );

  const preset = choice({
    label: "Preset",
    choices: PRESETS,
    value: "",
    changed: (value) => set({ preset: value, gains: value ? {} : signal.gains }, "preset"),
  });
  const amount = sliderOf({ label: "Amount", min: 0, max: 2, step: 0.05, value: 1 }, (value) => {
    signal.amount = value;
  });
  const bands = make("div", {});
  /** The sliders that there are, by band. @type {{ set: (value: number) => void }[]} */
  let bandSliders = [];
  const positions = check({
    label: "Positions, not angles",
    value: false,
    title: "Limbs squash and stretch",
    changed: (isOn) => set({ positions: isOn }, "positions"),
  });
  const joints = make("input", { type: "text", "aria-label": "Joints", placeholder: "all; or legs, arms, spine, …" });
  joints.addEventListener("change", () => set({ joints: joints.value }, "joints"));
  const jointField = make("label", { class: "field" }, make("span", { class: "name" }, "Joints"), joints);
  const equalize = make("div", {}, preset.element, amount.element, bands, positions.element);

  const otherOf = (/** @type {string} */ label) =>
    fileChoice(studio, label, "choose one", isMotion, (chosen) => set({ other: chosen }, "other clip"));
  const blendWith = otherOf("With");
  const paceOf = otherOf("Pace of");
  const registerOf = () =>
    choice({
      label: "Matched by",
      choices: REGISTERS,
      value: "movement",
      title: "What decides which frames correspond",
      changed: (value) => set({ register: value }, "matching"),
    });
  const [blendRegister, warpRegister] = [registerOf(), registerOf()];
  const weight = sliderOf(
    { label: "Share", min: 0, max: 1, step: 0.01, value: 0.5, title: "Of the other clip" },
    (value) => {
      signal.weight = value;
    },
  );
  const timing = sliderOf({ label: "In timing", min: 0, max: 1, step: 0.01, value: 0.5 }, (value) => {
    signal.timing = value;
  });
  const isTimed = check({
    label: "Another share in the timing",
    value: false,
    changed: (isOn) => set({ isTimed: isOn }, "timing"),
  });
  const blend = make(
    "div",
    {},
    blendWith.element,
    weight.element,
    isTimed.element,
    timing.element,
    blendRegister.element,
  );
  const pace = sliderOf({ label: "How much", min: 0, max: 1, step: 0.01, value: 1 }, (value) => {
    signal.pace = value;
  });
  const warp = make("div", {}, paceOf.element, pace.element, warpRegister.element);

  const keyList = make("div", { class: "list keys", role: "list", "aria-label": "Keys" });
  const fade = sliderOf({ label: "Fade", min: 0, max: 5, step: 0.05, value: 1, unit: "s" }, (value) => {
    signal.fade = value;
  });
  const flow = choice({
    label: "Between",
    choices: [
      ["local", "never beyond the keys"],
      ["smooth", "smooth, may go beyond"],
    ],
    value: "local",
    changed: (value) => set({ flow: value }, "flow"),
  });
  const displace = make(
    "div",
    {},
    note("Drag a hand or a foot in the picture; each that is let go is a key of the frame that is shown."),
    keyList,
    fade.element,
    flow.element,
  );
  const keep = check({
    label: "Keep feet where they were planted",
    value: false,
    changed: (isOn) => set({ keepPlants: isOn }, "plants"),
  });
  const pages = { equalize, blend, warp, displace };
  const element = make(
    "div",
    {},
    section("Signal", opening.element, tabs, state, refusal),
    section("Edit", equalize, blend, warp, displace, jointField, keep.element),
    section("Result", notes),
  );

  /** A slider for each band that the clip has. @param {[number, number][]} gains frequency and gain, the fastest first */
  const showBands = (gains) => {
    if (bandSliders.length !== gains.length) {
      const made = gains.map(([hz, gain], band) =>
        sliderOf(
          {
            label: `${hz < 1 ? hz.toFixed(2) : hz.toFixed(1)} Hz`,
            min: -1,
            max: 4,
            step: 0.05,
            value: gain,
            title: `Band ${band}${band === 0 ? ", the fastest" : ""}: 1 changes nothing, 0 takes it away`,
          },
          (value) => {
            // A preset becomes gains of one's own, from where its sliders are.
            const own = signal.preset ? Object.fromEntries(lastGains.map(([, had], at) => [at, had])) : signal.gains;
            signal.preset = "";
            preset.set("");
            amount.element.hidden = true;
            signal.gains = { ...own, [band]: value };
          },
        ),
      );
      bandSliders = made;
      bands.replaceChildren(...made.map((one) => one.element));
    }
    lastGains = gains;
    gains.forEach(([, gain], band) => {
      if (!bands.children[band].contains(document.activeElement)) bandSliders[band].set(gain);
    });
  };
  /** @type {[number, number][]} */
  let lastGains = [];

  const showKeys = () => {
    keyList.hidden = signal.keys.length === 0;
    keyList.replaceChildren(
      ...signal.keys.map((key, index) => {
        const there = button(`frame ${key.frame}`, () => {
          const rate = view.show?.actors.at(-1)?.rate ?? 60;
          view.playback.seek(key.frame / rate);
        });
        const away = button("×", () => set({ keys: signal.keys.filter((_, other) => other !== index) }, "delete key"));
        away.setAttribute("aria-label", `Delete the key of the ${key.limb.replace("-", " ")} at frame ${key.frame}`);
        const place = key.by.map((value) => `${value < 0 ? "" : "+"}${value.toFixed(2)}`).join(" ");
        return make(
          "div",
          { role: "listitem" },
          make("span", {}, key.limb.replace("-", " ")),
          there,
          make("small", {}, place),
          away,
        );
      }),
    );
  };
  const fill = () => {
    for (const [tool] of TOOLS) {
      pages[tool].hidden = signal.tool !== tool;
      tabs.querySelector(`#signal-${tool}`)?.setAttribute("aria-pressed", String(signal.tool === tool));
    }
    opening.set(file);
    preset.set(signal.preset);
    amount.element.hidden = signal.preset === "";
    amount.set(signal.amount);
    positions.box.checked = signal.positions;
    joints.value = signal.joints;
    jointField.hidden = signal.tool === "warp" || signal.tool === "displace";
    blendWith.set(signal.other);
    paceOf.set(signal.other);
    blendRegister.set(signal.register);
    warpRegister.set(signal.register);
    weight.set(signal.weight);
    timing.set(signal.timing);
    timing.element.hidden = !signal.isTimed;
    isTimed.box.checked = signal.isTimed;
    pace.set(signal.pace);
    fade.set(signal.fade);
    flow.set(signal.flow);
    keep.box.checked = signal.keepPlants;
    showKeys();
    const hint = signal.tool === "displace" && file && isFront() ? "Drag a hand or a foot to where it shall be" : "";
    if (isFront()) studio.hint(hint);
  };
  const show = () => {
    const edit = report?.edits?.[0];
    if (edit?.gains?.length > 0 && signal.tool === "equalize") showBands(edit.gains);
    const slide = report?.slide;
    const texts = [
      ...(isEdited ? report.edits : []).flatMap((/** @type {{ notes: string[] }} */ one) => one.notes),
      ...(slide && isEdited
        ? [`Planted feet slide by ${slide.after_mm.toFixed(1)} mm at most; before by ${slide.before_mm.toFixed(1)}.`]
        : []),
    ];
    notes.replaceChildren(...texts.map((text) => make("li", {}, text)));
    if (!file) notes.replaceChildren(note("Open a motion, or drop one on the page."));
    studio.touch();
  };
  fill();
  show();

  // The picture and the time line

  const grips = {
    isOn: () => signal.tool === "displace",
    joints: () => {
      const body = input?.body;
      return {
        ...(body?.arms.left ? { "left-hand": body.arms.left.wrist } : {}),
        ...(body?.arms.right ? { "right-hand": body.arms.right.wrist } : {}),
        ...(body ? { "left-foot": body.left.ankle, "right-foot": body.right.ankle } : {}),
      };
    },
    dragged: (
      /** @type {Limb} */ limb,
      /** @type {number} */ frame,
      /** @type {[number, number, number]} */ by,
      /** @type {boolean} */ isDone,
    ) => {
      const others = signal.keys.filter((key) => key.limb !== limb || key.frame !== frame);
      signal.keys = [...others, { limb, frame, by }].sort((a, b) => a.frame - b.frame);
      changed(isDone, "key");
      if (isDone) showKeys();
    },
    cancelled: () => {
      signal = structuredClone(settled);
      fill();
      ask();
    },
  };
  const track = correspondenceTrack(() => {
    const pairs = report?.edits?.[0]?.correspondence;
    if (!pairs?.length || (signal.tool !== "blend" && signal.tool !== "warp")) return null;
    return { pairs, names: [stem(plainName(file ?? "")), stem(plainName(signal.other ?? ""))] };
  });

  // Files

  const name = () => (file ? plainName(file) : "");
  const command = (/** @type {string} */ output) =>
    file && toolsOf(signal).length > 0 ? `${signalCommand(signal, file)} -o ${quoted(output)}` : "";
  const write = (
    /** @type {string} */ output,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) => {
    const tools = toolsOf(signal);
    if (!file || tools.length === 0) throw new Error("there is nothing to write yet; open a clip and edit it");
    return studio.run(`Writing ${plainName(output)}`, {
      job: "signal",
      request: {
        input: { file },
        edits: { tools },
        output: { file: output },
        if_exists: replaces ? "replace" : "refuse",
        ...more,
      },
    });
  };
  const edited = (/** @type {string} */ ending) => `${stem(name() || "clip")}-${signal.tool}${ending}`;
  studio.connection.on("hello", () => {
    if (file && isFront()) ask();
  });

  return {
    id: KEY,
    label: "Signal",
    element,
    open: () => {
      if (!view.comeBack(KEY)) view.clear("Open a motion, or drop one here: BVH, GLB, FBX, or AMC with its ASF.");
      else ghostBefore();
      fill();
    },
    tool: dragLimbs(studio, grips),
    track,
    opens: isMotion,
    load: open,
    name,
    save: () => ({
      label: "Save the edited motion",
      file: edited(/\.(bvh|glb|fbx)$/i.exec(name())?.[0].toLowerCase() ?? ".bvh"),
      run: async (output, replaces) => write(output, replaces),
      done: () => {
        kept.mark();
        studio.changed();
      },
    }),
    exports: () =>
      file && toolsOf(signal).length > 0
        ? [
            ...motionExports(studio, async (output, replaces) => write(output, replaces), command, { on: file }),
            ...besideExports(studio, async (output, replaces, more) => write(output, replaces, more), command, [
              {
                label: "Recipe",
                ending: ".toml",
                about: "The edit, for other clips: surefoot signal apply.",
                field: "write_recipe",
                option: "--write-recipe",
              },
              pictureBeside(".svg", "The chart of the tool, and the curves that changed most."),
              REPORT,
              CONTACTS,
              EVENTS,
            ]),
          ]
        : [],
    commandLine: () => command(edited(".bvh")),
    shortcuts: TOOLS.map(([tool, label], index) => ({
      keys: [["e", "b", "w", "d"][index]],
      shown: ["E", "B", "W", "D"][index],
      about: label,
      run: () => set({ tool }, label.toLowerCase()),
    })),
    isUnsaved: () => kept.isUnsaved,
    isIdle: () => live.isIdle,
    report: () => report,
    signal: () => signal,
    state: () => ({ file, signal }),
    restore: async (state, isReload) => {
      if (!state.file || (!isReload && isOfStudio(state.file))) return;
      await open(state.file);
      signal = { ...noEdits(), ...state.signal };
      settled = structuredClone(signal);
      fill();
      ask();
    },
  };
}
