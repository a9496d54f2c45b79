// Walking and running from sliders: every parameter and attribute that `gait list` names, presets and fitted gaits, live, with the hip-knee
// diagram of a stride over those of recordings.

import { Refused, Stale } from "studio/connection.js";
import { drawDiagram, inkOf } from "studio/diagram.js";
import { tell } from "studio/dialogs.js";
import { fileChoice, isCharacter, isMotion, lookingLike, plainName } from "studio/file_choice.js";
import { quoted, stem } from "studio/files.js";
import { COURSE, gaitCommand, gaitRequest, naturalGait, THREE } from "studio/gait_request.js";
import { Kept } from "studio/kept.js";
import { LiveJob } from "studio/live_job.js";
import { besideExports, CONTACTS, EVENTS, motionExports, PLAN, pictureBeside, REPORT } from "studio/motion_exports.js";
import { sentence } from "studio/plan_findings.js";
import { badge, button, check, choice, note, section, slider } from "studio/widgets.js";
import { make } from "surefoot/controls.js";

/** @typedef {import("studio/gait_request.js").Gait} Gait */
/** @typedef {import("studio/diagram.js").Diagram} Diagram */
/** @typedef {{ name: string, what: string, unit: string, min: number, max: number, default: number | null }} Parameter */
/** @typedef {Parameter & { values: string[] | null }} Attribute */
/** @typedef {{ parameters: Parameter[], attributes: Attribute[] }} Catalogue */

const KEY = "gait";
const isFitted = (/** @type {string} */ file) => /\.toml$/i.test(file);
const words = (/** @type {string} */ name) => `${name[0].toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { report: () => any }} */
export function createGaitPanel(studio) {
  const { view, history } = studio;
  let gait = naturalGait();
  /** The settings that the history has last. */
  let settled = structuredClone(gait);
  /** @type {Record<"walk" | "run", Catalogue> | null} */
  let catalogue = null;
  /** @type {{ name: string, gait: string, what: string }[]} */
  let presets = [];
  /** @type {any} */
  let report = null;
  /** Diagrams of recordings, by file. @type {Map<string, Diagram>} */
  const compared = new Map();

  // The motion

  const live = new LiveJob(studio, KEY, "Making the gait", {
    done: ({ report: made, document }) => {
      report = made;
      refusal.hidden = true;
      if (document && isFront()) view.present(KEY, document);
      show();
    },
    failed: (error) => {
      refusal.hidden = false;
      refusal.textContent = `${sentence(error.message)} The picture shows the last one that could be made.`;
    },
    busy: (isBusy) => state.replaceChildren(isBusy ? "working…" : ""),
  });
  const isFront = () => studio.front?.id === KEY;
  const kept = new Kept(() => gait);
  const request = () => ({ ...gaitRequest(gait), diagrams: true });
  const ask = () =>
    live.ask((scratch) => ({
      job: `gait ${gait.gait}`,
      request: { ...request(), output: { file: scratch(".take") }, if_exists: "replace" },
      show: { input: { file: scratch(".take") }, ...lookingLike(gait.on) },
    }));

  /** Something was changed; the last of a drag is a step of the history. */
  const changed = (isSettled = true, label = "gait") => {
    if (isSettled && JSON.stringify(gait) !== JSON.stringify(settled)) {
      const [before, after] = [settled, structuredClone(gait)];
      settled = after;
      const goTo = (/** @type {Gait} */ other) => {
        gait = structuredClone(other);
        settled = other;
        fill();
        ask();
        studio.changed();
      };
      history.pushChange(label, before, after, goTo);
    }
    ask();
    showReset();
    studio.changed();
  };

  // Controls that can be set and freed again

  /** @type {{ name: string, of: () => Record<string, any>, set: (value: any) => void, natural: () => any, clear: HTMLButtonElement }[]} */
  let controls = [];
  const settable = (
    /** @type {HTMLElement} */ inner,
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {() => Record<string, any>} */ of,
    /** @type {(value: any) => void} */ set,
    /** @type {() => any} */ natural,
  ) => {
    const clear = button(
      "×",
      () => {
        delete of()[name];
        changed(true, label.toLowerCase());
      },
      { title: `${label}: as it is by nature, or in the preset` },
    );
    clear.setAttribute("aria-label", `Do not set ${label.toLowerCase()}`);
    controls.push({ name, of, set, natural, clear });
    return make("div", { class: "settable" }, inner, clear);
  };
  /** Sets a parameter; of three that depend on each other the one that was set first is freed. */
  const setPace = (/** @type {string} */ name, /** @type {number} */ value) => {
    const { [name]: _, ...others } = gait.pace;
    const three = Object.keys(others).filter((other) => THREE.includes(other));
    if (THREE.includes(name) && three.length > 1) delete others[three[0]];
    gait.pace = { ...others, [name]: value };
  };
  const sliderOf = (
    /** @type {{ name: string, label: string, unit: string, min: number, max: number, step: number, about: string }} */ of,
    /** @type {() => Record<string, any>} */ values,
    /** @type {(value: number) => void} */ write,
    /** @type {() => any} */ natural,
  ) => {
    const { name, label, unit, min, max, step, about } = of;
    const made = slider({
      label,
      min,
      max,
      step,
      value: natural() ?? min,
      unit,
      title: about,
      changed: (value) => {
        write(value);
        changed(false);
      },
      settled: () => changed(true, label.toLowerCase()),
    });
    return settable(made.element, name, label, values, made.set, natural);
  };
  const sizeOf = (/** @type {Parameter} */ { min, max, unit }) =>
    unit === "deg" ? 0.5 : max - min > 5 ? 0.1 : max - min > 0.6 ? 0.01 : 0.001;
  const unitOf = (/** @type {string} */ unit) => ({ deg: "°", "steps/min": "/min" })[unit] ?? unit;

  const parameterSlider = (/** @type {Parameter} */ of) => {
    /** As the gait has it now. */
    const natural = () =>
      ({
        speed: report?.parameters?.speed_km_per_hour,
        "step-length": report?.parameters?.step_length,
        cadence: report?.parameters?.cadence_per_minute,
        "flight-height": report?.parameters?.flight_height,
        level: report?.parameters?.level,
      })[of.name] ?? of.default;
    const step = sizeOf(of);
    const limits = { min: Math.ceil(of.min / step - 1e-9) * step, max: Math.floor(of.max / step + 1e-9) * step };
    return sliderOf(
      { ...of, ...limits, label: words(of.name), unit: unitOf(of.unit), step, about: of.what },
      () => gait.pace,
      (value) => setPace(of.name, value),
      natural,
    );
  };
  const attributeControl = (/** @type {Attribute} */ of) => {
    const label = words(of.name);
    const natural = () => report?.attributes?.[of.name] ?? of.default;
    if (of.values) {
      const made = choice({
        label,
        choices: of.values.map((value) => [value, value]),
        value: String(natural()),
        title: of.what,
        changed: (value) => {
          gait.set = { ...gait.set, [of.name]: value };
          changed(true, label.toLowerCase());
        },
      });
      return settable(made.element, of.name, label, () => gait.set, made.set, natural);
    }
    return sliderOf(
      { ...of, label, unit: unitOf(of.unit), step: sizeOf(of), about: of.what },
      () => gait.set,
      (value) => {
        gait.set = { ...gait.set, [of.name]: String(value) };
      },
      natural,
    );
  };

  // Its element

  const verdict = make("div", { class: "verdict", "aria-live": "polite" });
  const state = make("small", { class: "fine" });
  const notes = make("ul", { class: "reasons" });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const kind = choice({
    label: "Gait",
    choices: [
      ["walk", "walk"],
      ["run", "run"],
    ],
    value: "walk",
    changed: (value) => {
      gait = { ...naturalGait(), gait: /** @type {"walk" | "run"} */ (value), course: gait.course, on: gait.on };
      report = null;
      fill();
      changed(true, "gait");
    },
  });
  const presetList = make("div", {});
  const parameters = make("div", {});
  const attributes = make("div", {});
  const lock = choice({
    label: "Keeps",
    choices: [
      ["", "whatever suits the others"],
      ...THREE.map((name) => /** @type {[string, string]} */ ([name, name])),
    ],
    value: "",
    title: "Which of the three stays when another is set",
    changed: (value) => {
      gait.lock = value;
      changed(true, "lock");
    },
  });
  const plain = check({
    label: "By equations alone",
    value: false,
    title: "Without what recorded people do beside",
    changed: (isOn) => {
      gait.plain = isOn;
      changed(true, "equations");
    },
  });
  const course = make("div", {});
  const limpFoot = choice({
    label: "Limping leg",
    choices: [
      ["left", "left"],
      ["right", "right"],
    ],
    value: "left",
    changed: (value) => {
      gait.limpFoot = /** @type {"left" | "right"} */ (value);
      changed(true, "limping leg");
    },
  });
  const character = fileChoice(studio, "Character", "the built-in person", isCharacter, (file) => {
    gait.on = file;
    character.set(file);
    changed(true, "character");
  });
  const diagram = make("canvas", { class: "diagram", role: "img", "aria-label": "Hip-knee diagram of a stride" });
  const diagramNames = make("div", { class: "names" });
  const comparing = fileChoice(studio, "Compare with", "a recording…", isMotion, (file) => {
    if (file) compare(file);
    comparing.set(null);
  });
  const fitting = fileChoice(studio, "Fit to", "a recording…", isMotion, (file) => {
    if (file) fit(file);
    fitting.set(null);
  });
  const element = make(
    "div",
    {},
    section("Gait", verdict, notes, refusal, kind.element, presetList, fitting.element),
    section("Parameters", parameters, lock.element),
    section("Hip and knee", diagram, diagramNames, comparing.element),
    section("Attributes", attributes, plain.element),
    section("Course and person", course, limpFoot.element, character.element),
  );

  /** Presets of the gait that is chosen, with weights once there are several. */
  const fillPresets = () => {
    const known = presets.filter((preset) => preset.gait === gait.gait);
    const rows = gait.presets.map((one, index) => {
      const list = choice({
        label: index === 0 ? "Preset" : "mixed with",
        choices: choicesOf(known, one.name),
        value: one.name,
        title: known.find(({ name }) => name === one.name)?.what ?? "",
        changed: (name) => {
          if (name) gait.presets[index].name = name;
          else gait.presets.splice(index, 1);
          fillPresets();
          changed(true, "preset");
        },
      });
      if (gait.presets.length < 2) return list.element;
      const weight = slider({
        label: "Weight",
        min: 0.05,
        max: 1,
        step: 0.05,
        value: one.weight,
        changed: (value) => {
          one.weight = value;
          changed(false);
        },
        settled: () => changed(true, "weight"),
      });
      return make("div", {}, list.element, weight.element);
    });
    const adding = choice({
      label: rows.length === 0 ? "Preset" : "Mix with",
      choices: choicesOf(known, ""),
      value: "",
      changed: (name) => {
        if (!name) return;
        gait.presets.push({ name, weight: 1 });
        fillPresets();
        changed(true, "preset");
      },
    });
    adding.select.addEventListener("focus", listFitted, { once: true });
    presetList.replaceChildren(...rows, ...(rows.length < 3 ? [adding.element] : []));
  };
  /** Files of fitted gaits in the folder. @type {string[]} */
  let fittedFiles = [];
  const listFitted = async () => {
    const { head } = await studio.connection.ask("files", {}).answer;
    fittedFiles = head.files.filter(isFitted);
  };
  const choicesOf = (/** @type {typeof presets} */ known, /** @type {string} */ chosen) => {
    const names = known.map(({ name, what }) => /** @type {[string, string]} */ ([name, `${name}: ${what}`]));
    const files = [...new Set([...fittedFiles, ...(isFitted(chosen) ? [chosen] : [])])];
    return /** @type {[string, string][]} */ ([
      ["", "none"],
      ...names,
      ...files.map((file) => [file, `fitted: ${stem(plainName(file))}`]),
    ]);
  };

  /** Makes all sliders again, for another gait or other values. */
  const fill = () => {
    if (!catalogue) return;
    controls = [];
    const of = catalogue[gait.gait];
    parameters.replaceChildren(...of.parameters.map(parameterSlider));
    attributes.replaceChildren(...of.attributes.map(attributeControl));
    course.replaceChildren(
      ...COURSE.map((one) =>
        sliderOf(
          one,
          () => gait.course,
          (value) => {
            gait.course = { ...gait.course, [one.name]: value };
          },
          () => one.usual,
        ),
      ),
    );
    kind.set(gait.gait);
    lock.set(gait.lock);
    limpFoot.set(gait.limpFoot);
    plain.box.checked = gait.plain;
    character.set(gait.on);
    fillPresets();
    showReset();
  };

  /** Values of sliders that are not dragged, and which are set. */
  const showReset = () => {
    for (const { name, of, set, natural, clear } of controls) {
      const value = of()[name];
      const row = /** @type {HTMLElement} */ (clear.parentElement);
      clear.disabled = value === undefined;
      row.classList.toggle("set", value !== undefined);
      if (!row.contains(document.activeElement) || value === undefined) {
        const shown = value ?? natural();
        if (shown !== null && shown !== undefined)
          set(typeof shown === "string" && !Number.isNaN(+shown) ? +shown : shown);
      }
    }
  };

  const show = () => {
    if (!report) return;
    const { verdict: given, parameters: of, made, diagrams = [] } = report;
    const facts = of
      ? `${of.speed_km_per_hour.toFixed(1)} km/h, steps of ${of.step_length.toFixed(2)} m, ${of.cadence_per_minute.toFixed(0)} a minute`
      : "";
    verdict.replaceChildren(badge(given.grade), make("span", {}, facts), state);
    const measured = made ? [`It came to ${made.speed_km_per_hour.toFixed(2)} km/h, measured on its frames.`] : [];
    notes.replaceChildren(...[...given.reasons, ...report.notes, ...measured].map((text) => make("li", {}, text)));
    const shown = [...diagrams.slice(0, 1), ...compared.values()];
    drawDiagram(diagram, shown);
    diagramNames.replaceChildren(
      ...(diagrams.length > 0 ? [diagramName("this gait", diagrams[0].speed_km_per_hour, 0)] : []),
      ...[...compared].map(([file, one], index) => {
        const made = diagramName(stem(plainName(file)), one.speed_km_per_hour, index + (diagrams.length > 0 ? 1 : 0));
        const away = button("×", () => {
          compared.delete(file);
          show();
        });
        away.setAttribute("aria-label", `Compare no more with ${stem(file)}`);
        made.append(away);
        return made;
      }),
    );
    if (shown.length === 0) diagramNames.replaceChildren(note("A diagram needs a complete stride: 8 steps or more."));
    showReset();
  };
  const diagramName = (/** @type {string} */ name, /** @type {number} */ speed, /** @type {number} */ index) => {
    const dot = make("i");
    dot.style.background = inkOf(index);
    return make("span", {}, dot, make("b", { dir: "auto" }, name), ` ${speed.toFixed(1)} km/h`);
  };

  /** The diagram of a recording; it is measured once. @param {string} file */
  const compare = async (file) => {
    const { diagrams: _, ...base } = request();
    try {
      const { report: made } = await studio.run(`Measuring ${plainName(file)}`, {
        job: `gait ${gait.gait}`,
        request: {
          ...base,
          output: { file: `scratch:compare-${studio.hello.window}.take` },
          compare: [file],
          diagrams: true,
          if_exists: "replace",
        },
      });
      const name = stem(plainName(file));
      const found = made.diagrams.findLast((/** @type {Diagram} */ one) => one.name === name);
      if (!found) tell(`${name} has no stride that could be compared.`, "error");
      else compared.set(file, found);
      show();
    } catch (error) {
      complain(error, file);
    }
  };

  /** Fits a gait to a recording and takes it. @param {string} file */
  const fit = async (file) => {
    const output = `scratch:${stem(plainName(file))}.gait.toml`;
    try {
      const { report: found } = await studio.run(`Fitting ${plainName(file)}`, {
        job: "gait fit",
        request: { input: { file }, output, if_exists: "replace" },
      });
      const fitted = found.gaits[0];
      if (!fittedFiles.includes(output)) fittedFiles.push(output);
      gait = { ...naturalGait(), gait: fitted.gait, course: gait.course, on: gait.on };
      gait.presets = [{ name: output, weight: 1 }];
      report = null;
      tell(`${fitted.name}: a ${fitted.gait} fitted to ${fitted.steps_fitted} of ${fitted.steps_found} steps.`);
      fill();
      changed(true, "fit");
    } catch (error) {
      complain(error, file);
    }
  };
  const complain = (/** @type {unknown} */ error, /** @type {string} */ file) => {
    if (error instanceof Refused || !(error instanceof Stale)) studio.files.complain(error, plainName(file));
  };

  // Files

  /** Fitted gaits that are not files of the folder are fitted again by the command. */
  const command = (/** @type {string} */ file) => `${gaitCommand(gait)} -o ${quoted(file)}`;
  const write = (
    /** @type {string} */ file,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) =>
    studio.run(`Making ${plainName(file)}`, {
      job: `gait ${gait.gait}`,
      request: { ...gaitRequest(gait), output: { file }, if_exists: replaces ? "replace" : "refuse", ...more },
    });
  const name = () => {
    const of = gait.presets.map((one) => stem(plainName(one.name)).replace(/\.gait$/, ""));
    return of.length > 0 ? of.join("-") : gait.gait;
  };
  const saved = () => {
    kept.mark();
    studio.changed();
  };
  studio.connection.on("hello", () => {
    if (!isFront()) return;
    if (!catalogue) load();
    else ask();
  });

  /** Reads what there is to set. */
  const load = async () => {
    const { report: found } = await studio.run("Reading the catalogue", { job: "gait list", request: {} });
    catalogue = { walk: found.walk, run: found.run };
    presets = found.presets;
    fill();
    ask();
  };

  return {
    id: KEY,
    label: "Gait",
    element,
    open: () => {
      if (!view.comeBack(KEY)) view.clear("The first gait is being made.");
      if (!catalogue) load();
      else if (!report) ask();
      show();
    },
    opens: isFitted,
    load: async (file) => {
      if (!catalogue) await load();
      gait.presets = [{ name: file, weight: 1 }];
      fill();
      changed(true, "open");
    },
    name,
    save: () => ({ label: "Save the motion", file: `${name()}.bvh`, run: write, done: saved }),
    exports: () => [
      ...motionExports(studio, write, command, { on: gait.on }),
      ...besideExports(studio, write, command, [
        PLAN,
        pictureBeside(".svg", "The hip-knee diagram of a stride."),
        REPORT,
        CONTACTS,
        EVENTS,
      ]),
    ],
    commandLine: () => command(`${name()}.bvh`),
    shortcuts: [
      {
        keys: ["g"],
        shown: "G",
        about: "Walk or run",
        run: () => {
          kind.select.value = gait.gait === "walk" ? "run" : "walk";
          kind.select.dispatchEvent(new Event("change"));
        },
      },
      {
        keys: ["0"],
        shown: "0",
        about: "All as it is by nature",
        run: () => {
          gait = { ...naturalGait(), gait: gait.gait };
          report = null;
          fill();
          changed(true, "natural");
        },
      },
    ],
    repaint: () => show(),
    isUnsaved: () => kept.isUnsaved,
    isIdle: () => catalogue !== null && live.isIdle,
    report: () => report,
    state: () => gait,
    restore: (state) => {
      gait = { ...naturalGait(), ...state };
      settled = structuredClone(gait);
      fill();
      if (isFront()) ask();
    },
  };
}
