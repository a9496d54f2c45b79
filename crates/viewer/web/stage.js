// The picture: everything of a show at one time, drawn in layers.

import { Camera } from "surefoot/camera.js";
import { Ground } from "surefoot/ground.js";
import { Lines } from "surefoot/lines.js";
import { add, lookAt, multiply, normalize, orthographic, project, scale, subtract } from "surefoot/math.js";
import { placeOf } from "surefoot/motion.js";
import { overhang, People } from "surefoot/person.js";
import { axesOn, Prints } from "surefoot/prints.js";
import { ACTOR_INKS, currentTheme, rgb } from "surefoot/theme.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/document.js").Show} Show */
/** @typedef {import("surefoot/document.js").Actor} Actor */
/** @typedef {import("surefoot/prints.js").Decal} Decal */
/** @typedef {import("surefoot/person.js").Figure} Figure */
/** @typedef {{ grid: boolean, prints: boolean, contacts: boolean, trails: boolean, ghosts: boolean, shadows: boolean, labels: boolean }} Layers */
/** @typedef {"solid" | "ghost" | "hidden"} Visibility */
/**
 * Writes text at a place.
 *
 * @typedef {(text: string, at: Vec3, colour: string, points: number, weight: string) => void} Write
 */
/**
 * What somebody else draws into the picture: flat things on the ground, and text or lines above it.
 *
 * @typedef {{ decals?: (theme: import("surefoot/theme.js").Theme) => Decal[],
 *   paint?: (pen: CanvasRenderingContext2D, write: Write, theme: import("surefoot/theme.js").Theme) => void }} Guest
 */

const TO_LIGHT = normalize([0.45, 1, 0.35]);
const FINE_SHADOW = 2048;
const COARSE_SHADOW = 1024;
/** Ghosts before and after now, and seconds from one to the next. */
const GHOSTS = [-3, -2, -1, 1, 2, 3];
const GHOST_SECONDS = 0.25;
/** From this many people on, bodies are drawn with fewer triangles. */
const MANY = 12;
/** Metres between lanes. */
const LANE = 1.1;

export class Stage {
  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} overlay @param {import("surefoot/document.js").Document} data */
  constructor(canvas, overlay, data) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("WebGL2 is not available");
    this.gl = gl;
    this.canvas = canvas;
    this.overlay = overlay;
    this.pen = /** @type {CanvasRenderingContext2D} */ (overlay.getContext("2d"));
    this.data = data;
    this.camera = new Camera();
    this.people = new People(gl, () => this.arrived());
    this.ground = new Ground(gl);
    this.lines = new Lines(gl);
    this.prints = new Prints(gl);
    /** @type {Layers} */
    this.layers = {
      grid: true,
      prints: true,
      contacts: true,
      trails: true,
      ghosts: false,
      shadows: true,
      labels: true,
    };
    /** @type {Show | null} */
    this.show = null;
    /** @type {Visibility[]} */
    this.visible = [];
    this.isSideBySide = false;
    this.lead = 0;
    /** @type {Vec3[]} */
    this.shifts = [];
    /** @type {import("surefoot/motion.js").Pose[]} */
    this.poses = [];
    /** How far everybody's surface reaches beyond their joints. @type {ReturnType<typeof overhang>[]} */
    this.overhangs = [];
    /** How many copies of the first person stand around: for measuring. */
    this.copies = 0;
    /** @type {Guest[]} */
    this.guests = [];
    /** Called when an image of a character can be drawn. */
    this.arrived = () => {};
    this.isFine = true;
    this.shadowSize = FINE_SHADOW;
    this.makeShadowMap();
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  makeShadowMap() {
    const { gl } = this;
    this.shadowTexture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, this.shadowSize, this.shadowSize);
    for (const [name, value] of [
      [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE],
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR],
      [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    this.shadowFrame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowTexture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** Fewer pixels, triangles and samples of shadows, for machines that cannot keep up. */
  makeCoarse() {
    const { gl } = this;
    this.isFine = false;
    this.shadowSize = COARSE_SHADOW;
    gl.deleteTexture(this.shadowTexture ?? null);
    gl.deleteFramebuffer(this.shadowFrame ?? null);
    this.makeShadowMap();
  }

  /** Shows a new state of what is shown: the camera stays, and who is hidden. @param {Show} show @param {import("surefoot/document.js").Document} data */
  reload(show, data) {
    const { camera, visible } = this;
    const { yaw, pitch, distance, target, isFlat, isFollowing, view } = camera;
    const origin = this.show?.origin ?? show.origin;
    this.data = data;
    this.people.forget();
    this.load(show);
    if (visible.length === this.visible.length) this.visible = visible;
    Object.assign(camera, { yaw, pitch, distance, isFlat, isFollowing, view });
    camera.target = add(target, subtract(origin, show.origin));
  }

  /** @param {Show} show */
  load(show) {
    this.show = show;
    this.visible = show.actors.map((_, index) =>
      show.arrangement === "overlay" && show.actors.length > 1 && index === 0 ? "ghost" : "solid",
    );
    this.lead = show.arrangement === "overlay" ? show.actors.length - 1 : 0;
    this.isSideBySide = show.arrangement === "side_by_side" && show.actors.length > 1;
    this.poses = show.actors.map((actor) => actor.track.newPose());
    /** Of each skin one actor is measured. @type {Map<number, ReturnType<typeof overhang>>} */
    const measured = new Map();
    this.overhangs = show.actors.map((actor, index) => {
      let known = measured.get(actor.skin);
      const body = known ? null : this.data.body(actor.skin, true);
      if (body) actor.track.sample(0, this.poses[index]);
      known ??= body ? overhang(body, actor.track, this.poses[index]) : { below: 0, above: 0, beside: 0 };
      measured.set(actor.skin, known);
      return known;
    });
    this.ground.load(show);
    this.addAllTrails();
    this.camera.heading = headingOf(show.actors[this.lead]);
    this.arrange();
    this.camera.look("free");
    this.frameAll();
  }

  /** Trajectories of everybody, again. */
  addAllTrails() {
    this.lines.clear();
    for (const [index, actor] of (this.show?.actors ?? []).entries()) this.addTrails(actor, index);
  }

  /** @param {Actor} actor @param {number} index */
  addTrails(actor, index) {
    const { track } = actor;
    const pose = track.newPose();
    const stride = Math.max(1, Math.round(actor.rate / 40), Math.ceil(actor.frames / 4000));
    const marks = [
      { colour: /** @type {const} */ ("trunk"), mark: { joint: actor.centre, at: /** @type {Vec3} */ ([0, 0, 0]) } },
      ...(actor.feet ?? []).map((foot, side) => ({
        colour: side === 0 ? /** @type {const} */ ("left") : /** @type {const} */ ("right"),
        mark: foot.ball,
      })),
    ];
    /** @type {number[][]} */
    const points = marks.map(() => []);
    for (let frame = 0; frame < actor.frames; frame += stride) {
      track.sample(frame, pose);
      marks.forEach(({ mark }, i) => {
        points[i].push(...placeOf(pose, mark), frame / actor.rate);
      });
    }
    marks.forEach(({ colour }, i) => {
      this.lines.add(new Float32Array(points[i]), colour, index);
    });
  }

  /** Puts actors into lanes, or all where they are. */
  arrange() {
    const actors = this.show?.actors ?? [];
    const heading = this.camera.heading;
    const across = /** @type {Vec3} */ ([Math.cos(heading), 0, -Math.sin(heading)]);
    if (this.isSideBySide && actors.length > MANY) {
      this.arrangeRows(actors, across);
      return;
    }
    let next = 0;
    this.shifts = actors.map((actor, index) => {
      if (!this.isSideBySide) return [0, 0, 0];
      const [least, most] = extent(actor, across);
      const shift = index === 0 ? 0 : next - least;
      next = shift + most + LANE;
      return scale(across, shift);
    });
  }

  /** Puts many actors into rows. @param {Actor[]} actors @param {Vec3} across */
  arrangeRows(actors, across) {
    const along = /** @type {Vec3} */ ([-across[2], 0, across[0]]);
    // Of a stream everybody is known in one frame alone: no actor is measured again.
    const measured = new Map(actors.map((actor) => [actor, [extent(actor, across), extent(actor, along)]]));
    const size = [0, 1].map(
      (axis) => Math.max(...[...measured.values()].map((of) => of[axis][1] - of[axis][0])) + LANE,
    );
    const columns = Math.ceil(Math.sqrt((actors.length * size[1]) / size[0]));
    this.shifts = actors.map((actor, index) => {
      const [wide, deep] = measured.get(actor) ?? [
        [0, 0],
        [0, 0],
      ];
      const place = [(index % columns) * size[0] - wide[0], Math.floor(index / columns) * -size[1] - deep[0]];
      return add(scale(across, place[0]), scale(along, place[1]));
    });
  }

  /** @param {boolean} isSideBySide */
  setSideBySide(isSideBySide) {
    this.isSideBySide = isSideBySide;
    this.arrange();
    this.frameAll();
  }

  /** The box around everybody's whole motion. */
  bounds() {
    const low = /** @type {Vec3} */ ([Infinity, Infinity, Infinity]);
    const high = /** @type {Vec3} */ ([-Infinity, -Infinity, -Infinity]);
    const pose = this.show?.actors.map((actor) => actor.track.newPose()) ?? [];
    this.show?.actors.forEach((actor, index) => {
      const shift = this.shifts[index];
      for (let i = 0; i <= 24; i++) {
        actor.track.sample(((actor.frames - 1) * i) / 24, pose[index]);
        const { places } = pose[index];
        growBox(low, high, places, shift, this.overhangs[index]);
      }
    });
    return { low, high };
  }

  frameAll() {
    const { low, high } = this.bounds();
    this.fit(low, high, this.camera.isFlat ? 1.12 : 1);
  }

  /** @param {Vec3} low @param {Vec3} high @param {number} margin */
  fit(low, high, margin) {
    this.camera.aspect = Math.max(this.canvas.clientWidth, 1) / Math.max(this.canvas.clientHeight, 1);
    this.camera.fit(low, high, margin);
  }

  /** Close to the lead actor at a time. @param {number} time */
  frameNow(time) {
    const pose = this.poses[this.lead];
    const actor = this.show?.actors[this.lead];
    actor?.track.sample(time * actor.rate, pose);
    const shift = this.shifts[this.lead];
    const low = /** @type {Vec3} */ ([Infinity, Infinity, Infinity]);
    const high = /** @type {Vec3} */ ([-Infinity, -Infinity, -Infinity]);
    growBox(low, high, pose.places, shift, this.overhangs[this.lead]);
    this.fit(low, high, 1.5);
  }

  /** Where an actor's centre is now, as it is drawn. @param {number} index @returns {Vec3} */
  centreOf(index) {
    const at = 3 * (this.show?.actors[index].centre ?? 0);
    const { places } = this.poses[index];
    return add([places[at], places[at + 1], places[at + 2]], this.shifts[index]);
  }

  /** @param {number} time in seconds */
  draw(time) {
    const { gl, show, camera, layers } = this;
    if (!show) return;
    const theme = currentTheme();
    const ratio = this.isFine ? Math.min(devicePixelRatio || 1, 2) : 1;
    const size = /** @type {[number, number]} */ ([
      Math.max(1, Math.round(this.canvas.clientWidth * ratio)),
      Math.max(1, Math.round(this.canvas.clientHeight * ratio)),
    ]);
    for (const canvas of [this.canvas, this.overlay]) {
      if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    }
    camera.aspect = size[0] / size[1];
    for (const [index, actor] of show.actors.entries()) actor.track.sample(time * actor.rate, this.poses[index]);
    camera.follow(this.centreOf(this.lead));
    this.people.take(this.figures(time, show));

    const { low, high } = this.sceneBox();
    const lightMatrix = lightCamera(low, high);
    if (layers.shadows) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowFrame ?? null);
      gl.viewport(0, 0, this.shadowSize, this.shadowSize);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(1.5, 2);
      gl.disable(gl.CULL_FACE);
      this.ground.drawShadows(lightMatrix);
      this.people.drawShadows(lightMatrix);
      gl.enable(gl.CULL_FACE);
      gl.disable(gl.POLYGON_OFFSET_FILL);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }
    gl.viewport(0, 0, ...size);
    gl.clearColor(theme.sky[0] ** (1 / 2.2), theme.sky[1] ** (1 / 2.2), theme.sky[2] ** (1 / 2.2), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const light = (/** @type {import("surefoot/gl.js").Program} */ { uniforms }) => {
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture ?? null);
      gl.uniform1i(uniforms.shadowMap, 1);
      gl.uniform1i(uniforms.isFine, this.isFine ? 1 : 0);
      gl.activeTexture(gl.TEXTURE0);
      gl.uniformMatrix4fv(uniforms.shadowMatrix, false, lightMatrix);
      gl.uniform3fv(uniforms.toLight, TO_LIGHT);
      gl.uniform1f(uniforms.lightStrength, theme.light);
      gl.uniform1f(uniforms.ambientStrength, theme.ambient);
      gl.uniform1f(uniforms.shadowStrength, layers.shadows ? 0.75 : 0);
    };
    const matrix = camera.matrix();
    const eye = camera.isFlat ? add(camera.target, scale(camera.back, camera.distance)) : camera.eye;
    const fade = Math.max(24, camera.distance * 5);
    gl.disable(gl.CULL_FACE);
    this.ground.draw(matrix, eye, fade, layers.grid, theme, light);
    this.prints.draw(matrix, this.decals(time, show, theme));
    gl.enable(gl.CULL_FACE);
    this.people.draw(matrix, eye, theme, light);
    if (layers.trails) {
      gl.disable(gl.CULL_FACE);
      this.lines.draw(matrix, size, ratio, time, theme, (actor) =>
        this.visible[actor] === "hidden" ? null : this.shifts[actor],
      );
      gl.enable(gl.CULL_FACE);
    }
    this.drawLabels(matrix, size, ratio, time, show, theme);
  }

  /** The box whose shadows are drawn: around everybody now, so that shadows are fine. */
  sceneBox() {
    const low = /** @type {Vec3} */ ([Infinity, Infinity, Infinity]);
    const high = /** @type {Vec3} */ ([-Infinity, -Infinity, -Infinity]);
    const grow = (/** @type {Vec3} */ place, /** @type {number} */ around) => {
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], place[k] - around);
        high[k] = Math.max(high[k], place[k] + around);
      }
    };
    for (const index of this.poses.keys()) grow(this.centreOf(index), 1.6);
    if (this.copies > 0) for (let i = 0; i < this.copies; i++) grow(add(this.centreOf(0), copyShift(i)), 1.6);
    return { low, high };
  }

  /** @param {number} time @param {Show} show @returns {Figure[]} */
  figures(time, show) {
    const isCrowd = !this.isFine || show.actors.length + this.copies > MANY;
    /** @type {Figure[]} */
    const figures = [];
    show.actors.forEach((actor, index) => {
      const visible = this.visible[index];
      const body = this.data.body(actor.skin, isCrowd);
      if (visible === "hidden" || !body) return;
      const several = show.actors.length > 1;
      const colour = rgb(ACTOR_INKS[index % ACTOR_INKS.length]);
      const base = { body, motion: actor.track, shift: this.shifts[index], colour, hasShadow: visible === "solid" };
      const tint = visible === "ghost" ? 0.75 : several ? 0.1 : 0;
      figures.push({ ...base, pose: this.poses[index], tint, alpha: visible === "ghost" ? 0.42 : 1 });
      if (this.layers.ghosts && visible === "solid") {
        for (const step of GHOSTS) {
          const frame = (time + step * GHOST_SECONDS) * actor.rate;
          if (frame < 0 || frame > actor.frames - 1) continue;
          const pose = actor.track.newPose();
          actor.track.sample(frame, pose);
          figures.push({ ...base, pose, tint: 0, alpha: 0.3 - 0.07 * Math.abs(step), hasShadow: false });
        }
      }
      if (index === 0) {
        for (let i = 0; i < this.copies; i++) {
          const pose = actor.track.newPose();
          actor.track.sample((time * actor.rate + 7 * i) % Math.max(actor.frames - 1, 1), pose);
          figures.push({ ...base, pose, shift: add(base.shift, copyShift(i)), tint: 0, alpha: 1, hasShadow: true });
        }
      }
    });
    return figures;
  }

  /** @param {number} time @param {Show} show @param {import("surefoot/theme.js").Theme} theme @returns {Decal[]} */
  decals(time, show, theme) {
    /** @type {Decal[]} */
    const decals = [];
    const sides = [theme.left, theme.right];
    const lift = (/** @type {Vec3} */ at, /** @type {Vec3} */ normal, /** @type {Vec3} */ shift) =>
      add(add(at, scale(normal, 0.003)), shift);
    if (this.layers.prints) {
      for (const print of show.prints) {
        if (this.visible[print.actor] === "hidden") continue;
        const actor = show.actors[print.actor];
        const frame = time * actor.rate;
        const isNow = print.frames !== null && frame >= print.frames[0] && frame < print.frames[1];
        const isPast = print.frames !== null && frame >= print.frames[1];
        const isMissed = print.frames === null && print.number !== null;
        const axes = axesOn(print.normal, print.heading ?? this.camera.heading, footLength(actor));
        const strength = print.number === null ? 0.6 : 1;
        decals.push({
          shape: print.side === 0 ? "left" : "right",
          at: lift(print.at, print.normal, this.shifts[print.actor]),
          ...axes,
          colour: isMissed ? theme.bad : sides[print.side],
          rim: (isNow ? 1 : 0.8) * strength,
          fill: (isNow ? 0.75 : isPast ? 0.34 : 0.16) * strength,
        });
      }
    }
    if (this.layers.contacts) {
      show.actors.forEach((actor, index) => {
        if (this.visible[index] === "hidden") return;
        const frame = time * actor.rate;
        for (const [side, part, at, [from, to]] of actor.contacts?.plants ?? []) {
          if (frame < from || frame >= to) continue;
          const radius = part === 0 ? 0.028 : 0.036;
          const { across, along } = axesOn([0, 1, 0], 0, radius);
          decals.push({
            shape: "disc",
            at: lift(at, [0, 1, 0], add(this.shifts[index], [0, 0.004, 0])),
            across,
            along,
            colour: sides[side],
            rim: 1,
            fill: 0.95,
          });
        }
      });
    }
    for (const guest of this.guests) decals.push(...(guest.decals?.(theme) ?? []));
    return decals;
  }

  /**
   * @param {Float32Array} matrix
   * @param {[number, number]} size
   * @param {number} ratio
   * @param {number} time
   * @param {Show} show
   * @param {import("surefoot/theme.js").Theme} theme
   */
  drawLabels(matrix, size, ratio, time, show, theme) {
    const { pen } = this;
    pen.clearRect(0, 0, ...size);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    const write = (
      /** @type {string} */ text,
      /** @type {Vec3} */ at,
      /** @type {string} */ colour,
      /** @type {number} */ points,
      /** @type {string} */ weight,
    ) => {
      const [x, y, z, w] = project(matrix, at);
      if (w <= 0 || z > 1 || Math.abs(x) > 1.05 || Math.abs(y) > 1.05) return;
      const [px, py] = [((x + 1) / 2) * size[0], ((1 - y) / 2) * size[1]];
      pen.font = `${weight} ${points * ratio}px system-ui, sans-serif`;
      pen.lineWidth = 3 * ratio;
      pen.strokeStyle = theme.halo;
      pen.fillStyle = colour;
      pen.strokeText(text, px, py);
      pen.fillText(text, px, py);
    };
    pen.save();
    for (const guest of this.guests) guest.paint?.(pen, write, theme);
    pen.restore();
    if (!this.layers.labels) return;
    if (this.layers.prints) {
      for (const print of show.prints) {
        if (print.number === null || this.visible[print.actor] === "hidden") continue;
        const frame = time * show.actors[print.actor].rate;
        const isNow = print.frames !== null && frame >= print.frames[0] && frame < print.frames[1];
        const ink = print.frames === null ? "#d03030" : print.side === 0 ? theme.leftInk : theme.rightInk;
        const outward = scale(axesOn(print.normal, print.heading ?? 0, 1).across, print.side === 0 ? 0.14 : -0.14);
        write(
          String(print.number),
          add(add(print.at, outward), this.shifts[print.actor]),
          ink,
          isNow ? 13 : 11,
          isNow ? "700" : "500",
        );
      }
    }
    if (show.actors.length > 1 && show.actors.length <= MANY) {
      show.actors.forEach((actor, index) => {
        if (this.visible[index] === "hidden") return;
        const { places } = this.poses[index];
        let top = -Infinity;
        for (let k = 1; k < places.length; k += 3) top = Math.max(top, places[k]);
        const centre = this.centreOf(index);
        const rank = this.isSideBySide ? 0 : index * 0.14;
        const name = actor.name.length > 28 ? `${actor.name.slice(0, 27)}…` : actor.name;
        write(
          name,
          [centre[0], top + this.shifts[index][1] + 0.22 + rank, centre[2]],
          ACTOR_INKS[index % ACTOR_INKS.length],
          12,
          "600",
        );
      });
    }
  }
}

/**
 * Grows a box around joints and what reaches beyond them.
 *
 * @param {Vec3} low @param {Vec3} high @param {Float64Array} places @param {Vec3} shift @param {ReturnType<typeof overhang>} beyond
 */
function growBox(low, high, places, shift, { below, above, beside }) {
  const [down, up] = [
    [beside, below, beside],
    [beside, above, beside],
  ];
  for (let k = 0; k < places.length; k++) {
    const axis = k % 3;
    low[axis] = Math.min(low[axis], places[k] + shift[axis] - down[axis]);
    high[axis] = Math.max(high[axis], places[k] + shift[axis] + up[axis]);
  }
}

/** Where a copy stands, on a grid around the first. @param {number} index @returns {Vec3} */
function copyShift(index) {
  const [column, row] = [(index + 1) % 15, Math.floor((index + 1) / 15)];
  return [(column - 7) * 1.1, 0, (row - 6) * 1.1];
}

/** The light's camera around a box. @param {Vec3} low @param {Vec3} high */
function lightCamera(low, high) {
  const middle = scale(add(low, high), 0.5);
  const radius = Math.max(1, 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]));
  const view = lookAt(add(middle, scale(TO_LIGHT, radius * 2)), middle, [0, 0, 1]);
  return multiply(orthographic(radius, radius, 0.1, radius * 4), view);
}

/** Which way somebody goes, or faces where they stay. @param {Actor} actor */
function headingOf(actor) {
  const pose = actor.track.newPose();
  const at = (/** @type {number} */ frame) => {
    actor.track.sample(frame, pose);
    return [pose.places[3 * actor.centre], pose.places[3 * actor.centre + 2]];
  };
  const [x0, z0] = at(0);
  const [x1, z1] = at(actor.frames - 1);
  if (Math.hypot(x1 - x0, z1 - z0) > 0.5) return Math.atan2(x1 - x0, z1 - z0);
  if (!actor.feet) return 0;
  const [heel, toe] = [placeOf(pose, actor.feet[0].heel), placeOf(pose, actor.feet[0].toe)];
  return Math.atan2(toe[0] - heel[0], toe[2] - heel[2]);
}

/** How far somebody reaches along a direction, least and most. @param {Actor} actor @param {Vec3} along @returns {[number, number]} */
function extent(actor, along) {
  const pose = actor.track.newPose();
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i <= 40; i++) {
    actor.track.sample(((actor.frames - 1) * i) / 40, pose);
    for (let k = 0; k < pose.places.length; k += 3) {
      const part = pose.places[k] * along[0] + pose.places[k + 2] * along[2];
      least = Math.min(least, part);
      most = Math.max(most, part);
    }
  }
  return [least, most];
}

/** Length of a sole, in metres. @param {Actor} actor */
function footLength(actor) {
  if (!actor.feet) return 0.27;
  const rest = actor.track.rest;
  const [heel, toe] = [placeOf(rest, actor.feet[0].heel), placeOf(rest, actor.feet[0].toe)];
  return Math.min(Math.max(Math.hypot(toe[0] - heel[0], toe[1] - heel[1], toe[2] - heel[2]), 0.12), 0.5);
}
