// A scene that is drawn: obstacles, ground, start, goal and the places between; corridor, path, footprints and the walk through it, and the motion graph where
// one walks.

import { fileChoice, isCharacter, lookingLike, plainName } from "studio/file_choice.js";
import { parsed, quoted, stem } from "studio/files.js";
import { drawGraph } from "studio/graph_picture.js";
import { Kept } from "studio/kept.js";
import { LiveJob } from "studio/live_job.js";
import { besideExports, CONTACTS, EVENTS, motionExports, PLAN, pictureBeside, REPORT } from "studio/motion_exports.js";
import { sentence } from "studio/plan_findings.js";
import { changeObstacle, firstScene, readScene, sceneText } from "studio/scene_model.js";
import { sceneTool } from "studio/scene_tool.js";
import { badge, button, check, choice, note, numberField, row, section, slider } from "studio/widgets.js";
import { make, table } from "surefoot/controls.js";

/** @typedef {import("studio/scene_model.js").Scene} Scene */
/** @typedef {{ with: "gait" | "steps" | "graph", speed: number | null, clearance: number | null, on: string | null, graph: string | null }} How */

const KEY = "scene";
/** @type {[string, string][]} */
const GROUNDS = [
  ["level", "level"],
  ["plane", "a slope"],
  ["stairs", "stairs"],
  ["own", "as its file has it"],
];
const STAIRS = { start: [0, 0], heading: 90, tread: 0.3, rise: 0.15, steps: 4 };

/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel & { report: () => any, scene: () => Scene, found: () => any }} */
export function createScenePanel(studio) {
  const { view, history } = studio;
  let scene = firstScene();
  let settled = scene;
  let file = /** @type {string | null} */ (null);
  /** @type {How} */
  let how = { with: "gait", speed: null, clearance: null, on: null, graph: null };
  let selected = /** @type {number | null} */ (null);
  let isDrawing = false;
  let isPlacing = false;
  /** Path and corridor. @type {any} */
  let found = null;
  /** @type {any} */
  let report = null;
  /** Who made the walk that is shown. */
  let walkedWith = "";
  /** @type {any} */
  let graph = null;
  /** The graph that was asked for; `undefined` before any. @type {string | null | undefined} */
  let graphFile;
  const isFront = () => studio.front?.id === KEY;
  const kept = new Kept(() => sceneText(scene));

  // Path and walk

  const failed = (/** @type {import("studio/connection.js").JobError} */ error) => {
    refusal.hidden = false;
    refusal.textContent = sentence(error.message.replace(/scratch:\S+: /, ""));
    studio.touch();
  };
  const planning = new LiveJob(studio, KEY, "Finding a path", {
    done: ({ report: made }) => {
      found = made;
      refusal.hidden = true;
      show();
    },
    failed: (error) => {
      found = null;
      failed(error);
    },
  });
  const walking = new LiveJob(studio, `${KEY}-walk`, "Walking", {
    done: ({ report: made, document }) => {
      const isOther = report?.clearance_m !== made.clearance_m;
      report = made;
      walkedWith = how.with;
      if (isOther && how.clearance === null) plan();
      refusal.hidden = true;
      if (document && isFront()) {
        document.packed.shows[0].actors[0].name = "walk";
        view.present(KEY, document);
      }
      show();
      studio.changed();
    },
    failed,
    busy: (isBusy) => {
      state.textContent = isBusy ? "walking…" : "";
    },
  });
  const inspecting = new LiveJob(studio, `${KEY}-graph`, "Reading the graph", {
    done: ({ report: made }) => {
      graph = made;
      show();
    },
    failed,
  });
  /** @param {string} name */
  const keepScene = async (name) => {
    await studio.connection.ask("save_text", { file: name, text: sceneText(scene), replace: true }).answer;
    return name;
  };
  const plan = () =>
    planning.ask(async (scratch) => {
      const given = await keepScene(scratch(".scene.json"));
      // The clearance that is walked with, once that is known.
      const kept = how.clearance ?? (walkedWith === how.with ? report?.clearance_m : undefined);
      const clearance = kept === undefined ? {} : { clearance: kept };
      return {
        job: "plan path",
        request: { scene: given, output: scratch(".path.json"), corridor: true, ...clearance, if_exists: "replace" },
      };
    });
  const request = () => ({
    with: how.with,
    ...(how.speed === null || how.with === "graph" ? {} : { speed: how.speed / 3.6 }),
    ...(how.clearance === null ? {} : { clearance: how.clearance }),
    ...(how.on ? { on: { file: how.on } } : {}),
    ...(how.graph && how.with === "graph" ? { graph: how.graph } : {}),
    ...(how.with === "graph" ? { follow: { clean: true } } : {}),
  });
  const walk = () => {
    walking.ask(async (scratch) => {
      const given = await keepScene(scratch(".walk.scene.json"));
      const [take, footprints] = [scratch(".take"), scratch(".plan.json")];
      return {
        job: "go",
        request: { scene: given, output: { file: take }, ...request(), write_plan: footprints, if_exists: "replace" },
        show: { input: { file: take }, scene: given, plan: footprints, ...lookingLike(how.on) },
      };
    });
    if (how.with === "graph" && graphFile !== how.graph) {
      graphFile = how.graph;
      inspecting.ask(() => ({ job: "graph inspect", request: { input: how.graph } }));
    }
  };
  /** The path follows every move of the pointer, the walk once it rests. @param {Scene} next @param {boolean} isDone @param {string} [label] */
  const change = (next, isDone, label = "scene") => {
    scene = next;
    plan();
    if (isDone && settled !== next) {
      const [before, after] = [settled, next];
      const goTo = (/** @type {Scene} */ other) => {
        scene = other;
        settled = other;
        if (selected !== null && !other.obstacles[selected]) selected = null;
        fill();
        plan();
        walk();
        studio.changed();
      };
      goTo(after);
      history.pushChange(label, before, after, goTo);
    }
    studio.touch();
  };
  /** @param {Partial<How>} next @param {string} label */
  const setHow = (next, label) => {
    const [before, after] = [how, { ...how, ...next }];
    const goTo = (/** @type {How} */ other) => {
      how = other;
      fill();
      plan();
      walk();
      studio.changed();
    };
    goTo(after);
    history.pushChange(label, before, after, goTo);
  };

  // Its element

  const verdict = make("div", { class: "verdict", "aria-live": "polite" });
  const state = make("small", { class: "fine" });
  const reasons = make("ul", { class: "reasons" });
  const refusal = make("p", { class: "refusal", role: "alert", hidden: "" });
  const facts = make("div", { class: "metrics" });
  const setDrawing = (/** @type {boolean} */ isOn) => {
    if (isOn) setPlacing(false);
    isDrawing = isOn;
    drawing.setAttribute("aria-pressed", String(isOn));
    if (isFront()) studio.hint(isOn ? "Drag a rectangle on the ground; Escape when you are done" : "");
  };
  const drawing = button("Draw obstacle", () => setDrawing(!isDrawing), {
    title: "Drag a rectangle on the ground, best from above (A)",
  });
  drawing.setAttribute("aria-pressed", "false");
  const setPlacing = (/** @type {boolean} */ isOn) => {
    if (isOn) setDrawing(false);
    isPlacing = isOn;
    placing.setAttribute("aria-pressed", String(isOn));
    if (isFront()) studio.hint(isOn ? "Click where the walk shall lead through; Escape when you are done" : "");
  };
  const placing = button("Add waypoint", () => setPlacing(!isPlacing), {
    title: "Click places that the walk leads through, in order (W)",
  });
  placing.setAttribute("aria-pressed", "false");
  const waypointList = make("div", { class: "list keys", role: "list", "aria-label": "Waypoints" });
  const remove = () => {
    if (selected === null) return;
    const gone = selected;
    selected = null;
    change({ ...scene, obstacles: scene.obstacles.filter((_, index) => index !== gone) }, true, "delete obstacle");
  };
  const deleting = button("Delete", remove, { title: "Delete the selected obstacle (Delete)" });
  const height = numberField({
    label: "Height",
    unit: "m",
    step: 0.1,
    title: "Empty is a wall",
    changed: (value) =>
      selected !== null &&
      change(
        changeObstacle(scene, selected, { height: value === null ? undefined : Math.max(value, 0.01) }),
        true,
        "height",
      ),
  });
  const list = make("div", { class: "list", role: "listbox", "aria-label": "Obstacles" });
  const placeField = (/** @type {string} */ label, /** @type {"start" | "goal"} */ which, /** @type {0 | 1} */ axis) =>
    numberField({
      label,
      unit: "m",
      step: 0.1,
      changed: (value) => {
        if (value === null) return;
        const place = /** @type {import("studio/scene_model.js").Place} */ ([...scene[which]]);
        place[axis] = value;
        change({ ...scene, [which]: place }, true, which);
      },
    });
  const places = {
    startX: placeField("Start x", "start", 0),
    startZ: placeField("z", "start", 1),
    goalX: placeField("Goal x", "goal", 0),
    goalZ: placeField("z", "goal", 1),
  };
  const ground = choice({
    label: "Ground",
    choices: GROUNDS,
    value: "level",
    changed: (value) => {
      const shapes = /** @type {Record<string, any>} */ ({
        level: null,
        plane: { plane: { slope: slope.value(), heading: uphill.value() } },
        stairs: { stairs: STAIRS },
        own: scene.terrain,
      });
      change({ ...scene, terrain: shapes[value] }, true, "ground");
    },
  });
  const groundSlider = (
    /** @type {{ label: string, min: number, max: number, step: number, value: number, unit?: string, title?: string }} */ of,
    /** @type {(value: number) => Record<string, any>} */ shape,
  ) =>
    slider({
      ...of,
      changed: (value) => change({ ...scene, terrain: shape(value) }, false),
      settled: (value) => change({ ...scene, terrain: shape(value) }, true, "ground"),
    });
  const plane = () => scene.terrain?.plane ?? { slope: 5, heading: 90 };
  const stairs = () => scene.terrain?.stairs ?? STAIRS;
  const slope = groundSlider({ label: "Slope", min: -15, max: 15, step: 0.5, value: 5, unit: "°" }, (value) => ({
    plane: { ...plane(), slope: value },
  }));
  const uphill = groundSlider(
    { label: "Uphill", min: -180, max: 180, step: 5, value: 90, unit: "°", title: "0 is +Z, positive toward +X" },
    (value) => ({ plane: { ...plane(), heading: value } }),
  );
  const rise = groundSlider({ label: "Rise", min: -0.25, max: 0.25, step: 0.01, value: 0.15, unit: "m" }, (value) => ({
    stairs: { ...stairs(), rise: value === 0 ? 0.01 : value },
  }));
  const tread = groundSlider({ label: "Tread", min: 0.2, max: 1, step: 0.01, value: 0.3, unit: "m" }, (value) => ({
    stairs: { ...stairs(), tread: value },
  }));
  const count = groundSlider({ label: "Stairs", min: 1, max: 12, step: 1, value: 4 }, (value) => ({
    stairs: { ...stairs(), steps: value },
  }));
  const slopes = make("div", {}, slope.element, uphill.element);
  const flight = make("div", {}, rise.element, tread.element, count.element);
  const walker = choice({
    label: "Walked by",
    choices: [
      ["gait", "procedural gait"],
      ["steps", "recorded steps"],
      ["graph", "a motion graph"],
    ],
    value: "gait",
    changed: (value) => setHow({ with: /** @type {How["with"]} */ (value) }, "walked by"),
  });
  const speed = slider({
    label: "Speed",
    min: 1,
    max: 8,
    step: 0.1,
    value: 5,
    unit: "km/h",
    changed: () => {},
    settled: (value) => setHow({ speed: value }, "speed"),
  });
  const natural = check({
    label: "Natural speed",
    value: true,
    changed: (isOn) => setHow({ speed: isOn ? null : speed.value() }, "speed"),
  });
  const clearance = numberField({
    label: "Clearance",
    unit: "m",
    step: 0.05,
    title: "How far the path keeps from everything; empty: half a person, and how far the walk strays",
    changed: (value) => setHow({ clearance: value }, "clearance"),
  });
  const character = fileChoice(studio, "Character", "the walker's own", isCharacter, (chosen) =>
    setHow({ on: chosen }, "character"),
  );
  const graphs = fileChoice(
    studio,
    "Graph",
    "that of the built-in walks",
    (name) => /\.graph$/i.test(name),
    (chosen) => setHow({ graph: chosen }, "graph"),
  );
  const picture = make("canvas", { class: "diagram", role: "img", "aria-label": "Motion graph" });
  const graphFacts = make("p", { class: "fine" });
  const graphSection = section("Graph", graphs.element, graphFacts, make("div", { class: "scrolls" }, picture));
  const toPlan = button(
    "Edit its footprints",
    async () => {
      const name = `scratch:${KEY}-${studio.hello.window}-footprints.plan.json`;
      await write(`scratch:${KEY}-${studio.hello.window}-footprints.take`, true, { write_plan: name });
      await studio.files.open(name).catch((error) => studio.files.complain(error, name));
      studio.openPanel("plan");
    },
    { title: "Open the footprints of this walk in the plan editor" },
  );
  const element = make(
    "div",
    {},
    section("Walk", verdict, reasons, refusal, facts, row(toPlan)),
    section("Obstacles", row(drawing, deleting), list, height.element),
    section(
      "Start, goal, ground",
      make(
        "div",
        { class: "pair" },
        places.startX.element,
        places.startZ.element,
        places.goalX.element,
        places.goalZ.element,
      ),
      row(placing),
      waypointList,
      ground.element,
      slopes,
      flight,
    ),
    section("How", walker.element, natural.element, speed.element, clearance.element, character.element),
    graphSection,
  );

  const fill = () => {
    const shape = scene.terrain;
    const kind = !shape ? "level" : shape.plane?.slope !== undefined ? "plane" : shape.stairs ? "stairs" : "own";
    ground.fill(
      GROUNDS.filter(([value]) => value !== "own" || kind === "own"),
      kind,
    );
    slopes.hidden = kind !== "plane";
    flight.hidden = kind !== "stairs";
    if (kind === "plane") {
      slope.set(plane().slope);
      uphill.set(plane().heading ?? 0);
    }
    if (kind === "stairs") {
      rise.set(stairs().rise);
      tread.set(stairs().tread);
      count.set(stairs().steps);
    }
    places.startX.set(scene.start[0]);
    places.startZ.set(scene.start[1]);
    places.goalX.set(scene.goal[0]);
    places.goalZ.set(scene.goal[1]);
    walker.set(how.with);
    natural.box.checked = how.speed === null;
    speed.element.hidden = how.speed === null || how.with === "graph";
    natural.element.hidden = how.with === "graph";
    if (how.speed !== null) speed.set(how.speed);
    clearance.set(how.clearance, "as it needs");
    character.set(how.on);
    graphs.set(how.graph);
    graphSection.hidden = how.with !== "graph";
    showObstacles();
    showWaypoints();
  };
  const showWaypoints = () => {
    waypointList.hidden = scene.waypoints.length === 0;
    waypointList.replaceChildren(
      ...scene.waypoints.map(([x, z], index) => {
        const away = button("×", () =>
          change(
            { ...scene, waypoints: scene.waypoints.filter((_, other) => other !== index) },
            true,
            "delete waypoint",
          ),
        );
        away.setAttribute("aria-label", `Delete waypoint ${index + 1}`);
        return make(
          "div",
          { role: "listitem" },
          make("span", {}, `Waypoint ${index + 1}`),
          make("small", {}, `${x.toFixed(2)}, ${z.toFixed(2)}`),
          away,
        );
      }),
    );
  };
  const showObstacles = () => {
    deleting.disabled = selected === null;
    height.element.hidden = selected === null;
    if (selected !== null) height.set(scene.obstacles[selected]?.height ?? null, "a wall");
    list.hidden = scene.obstacles.length === 0;
    list.replaceChildren(
      ...scene.obstacles.map((one, index) => {
        const size = (/** @type {0 | 1} */ axis) => {
          const values = one.outline.map((place) => place[axis]);
          return (Math.max(...values) - Math.min(...values)).toFixed(1);
        };
        const made = make(
          "button",
          { type: "button", role: "option", "aria-selected": String(index === selected) },
          make("span", { class: "num" }, String(index + 1)),
          make("span", {}, `${size(0)} ×`),
          make("span", {}, `${size(1)} m`),
          make("span", { class: "good" }, one.height === undefined ? "wall" : `${one.height} m high`),
        );
        made.addEventListener("click", () => select(index));
        return made;
      }),
    );
  };
  const select = (/** @type {number | null} */ index) => {
    selected = index;
    showObstacles();
    studio.touch();
  };
  const show = () => {
    if (report) {
      const { verdict: given } = report;
      const walked = `${report.path_length_m.toFixed(1)} m, ${report.seconds === undefined ? "" : `${report.seconds.toFixed(1)} s`}`;
      verdict.replaceChildren(badge(report.not_met ? "poor" : given.grade), make("span", {}, walked), state);
      const texts = [...(report.not_met ? [report.not_met] : []), ...given.reasons];
      reasons.replaceChildren(...texts.map((/** @type {string} */ text) => make("li", {}, text)));
    } else verdict.replaceChildren(note("The first walk is made…"), state);
    if (found)
      facts.replaceChildren(
        table(
          [],
          [
            ["Path", `${found.length_m.toFixed(2)} m`],
            ["From everything at least", `${found.least_clearance_m.toFixed(2)} m`],
            ["Discs of the corridor", String(found.discs)],
          ],
        ),
      );
    if (graph && how.with === "graph") {
      const edges = report?.graph?.edges ?? [];
      graphFacts.textContent = `${graph.clips.length} clips, ${graph.node_count} nodes, ${graph.edge_count} edges. The walk plays ${edges.length} of them, ${report?.graph?.blends ?? 0} blends, from the dot on.`;
      drawGraph(picture, graph, edges);
    } else graphFacts.textContent = "The graph is read…";
    toPlan.disabled = !report || how.with === "graph";
    studio.touch();
  };

  // Files

  const name = () => (file ? plainName(file) : "scene.scene.json");
  const words = () => {
    const { with: by, speed: fast, clearance: away, on, graph: of } = how;
    return [
      ` --with ${by}`,
      fast === null || by === "graph" ? "" : ` --speed ${fast}km/h`,
      away === null ? "" : ` --clearance ${away}`,
      on ? ` --on ${quoted(plainName(on))}` : "",
      of && by === "graph" ? ` --graph ${quoted(plainName(of))}` : "",
      by === "graph" ? " --clean" : "",
    ].join("");
  };
  const command = (/** @type {string} */ output) => `surefoot go ${quoted(name())}${words()} -o ${quoted(output)}`;
  const write = async (
    /** @type {string} */ output,
    /** @type {boolean} */ replaces,
    /** @type {Record<string, unknown>} */ more = {},
  ) => {
    const given = await keepScene(`scratch:${stem(name()).replace(/\.scene$/, "")}-${studio.hello.window}.scene.json`);
    return studio.run(`Writing ${plainName(output)}`, {
      job: "go",
      request: {
        scene: given,
        output: { file: output },
        ...request(),
        if_exists: replaces ? "replace" : "refuse",
        ...more,
      },
    });
  };
  const saveScene = (/** @type {string} */ output, /** @type {boolean} */ replaces) =>
    studio.connection.ask("save_text", { file: output, text: sceneText(scene), replace: replaces || output === file })
      .answer;
  studio.connection.on("hello", () => {
    if (!isFront()) return;
    plan();
    walk();
  });

  return {
    id: KEY,
    label: "Scene",
    element,
    open: () => {
      if (!view.comeBack(KEY)) view.clear("The first walk is being made.");
      fill();
      show();
      if (!report) {
        plan();
        walk();
      }
    },
    close: () => {
      setDrawing(false);
      setPlacing(false);
    },
    tool: sceneTool(view, {
      scene: () => scene,
      selected: () => selected,
      isDrawing: () => isDrawing,
      isPlacing: () => isPlacing,
      corridor: () => found?.corridor ?? [],
      path: () => found?.path ?? [],
      select,
      changed: (next, isDone) => change(next, isDone),
      drawn: () => {
        if (isDrawing) setDrawing(false);
      },
    }),
    opens: (opened) => /\.scene\.json$/i.test(opened),
    load: async (opened) => {
      const answer = await fetch(`./download/${encodeURIComponent(opened)}`);
      if (!answer.ok) throw new Error((await answer.text()).trim() || `${opened} could not be read`);
      // The server checks it; here it is only drawn.
      const text = await answer.text();
      const next = readScene(parsed(text));
      file = opened.startsWith("scratch:") ? null : opened;
      selected = null;
      view.known.delete(KEY);
      if (view.key === KEY) view.key = null;
      change(next, true, "open");
      kept.mark();
      studio.changed();
    },
    name,
    save: () => ({
      label: "Save the scene",
      file: name(),
      run: saveScene,
      done: (output) => {
        kept.mark();
        if (!output.startsWith("scratch:")) file = output;
        studio.changed();
      },
    }),
    exports: () => [
      ...motionExports(studio, async (output, replaces) => write(output, replaces), command, { on: how.on }),
      ...besideExports(studio, write, command, [
        ...(how.with === "graph" ? [] : [PLAN]),
        {
          label: "Path",
          ending: ".path.json",
          about: "The path that is walked.",
          field: "write_path",
          option: "--write-path",
        },
        pictureBeside(".svg", "Scene, corridor, path and walk from above."),
        REPORT,
        CONTACTS,
        EVENTS,
      ]),
    ],
    commandLine: () => command(`${stem(name()).replace(/\.scene$/, "")}.bvh`),
    shortcuts: [
      { keys: ["a"], shown: "A", about: "Draw an obstacle", run: () => setDrawing(!isDrawing) },
      { keys: ["w"], shown: "W", about: "Add waypoints by clicking", run: () => setPlacing(!isPlacing) },
      { keys: ["Delete", "Backspace"], shown: "Del", about: "Delete the selected obstacle", run: remove },
      {
        keys: ["Escape"],
        shown: "Esc",
        about: "Stop drawing; select nothing",
        run: () => (isDrawing ? setDrawing(false) : isPlacing ? setPlacing(false) : select(null)),
      },
    ],
    isIdle: () => (report !== null || !refusal.hidden) && planning.isIdle && walking.isIdle && inspecting.isIdle,
    report: () => report,
    scene: () => scene,
    found: () => found,
    repaint: () => show(),
    isUnsaved: () => kept.isUnsaved,
    commandNeeds: () => "the scene is saved",
    state: () => ({ scene, how, file }),
    restore: (state) => {
      scene = { ...scene, ...state.scene };
      settled = scene;
      how = { ...how, ...state.how };
      file = state.file ?? null;
      fill();
      if (isFront()) {
        plan();
        walk();
      }
    },
  };
}
