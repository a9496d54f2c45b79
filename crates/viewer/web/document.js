// What the page shows, as `pack_show.rs` writes it: JSON that points into inflated bytes.

import { unpackIntegers } from "surefoot/integers.js";
import { unpackCharacter, unpackMesh } from "surefoot/mesh.js";
import { Motion } from "surefoot/motion.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {{ at: number, length: number }} Span */
/** @typedef {{ joint: number, at: Vec3 }} Mark */
/** @typedef {{ heel: Mark, ball: Mark, toe: Mark }} FootMarks */
/** @typedef {{ of: string, least: number, step: number }} Line */
/** @typedef {{ key: string, label: string, unit: string, digits: number, lines: Line[] }} Series */
/**
 * @typedef {{
 *   side: number, at: Vec3, normal: Vec3, heading: number | null, actor: number, number: number | null,
 *   frames: [number, number] | null, error_mm: number | null, behaviour: string | null,
 * }} Print
 */
/**
 * @typedef {{
 *   from: "given" | "detected", bars: [number, number][][],
 *   plants: [number, number, Vec3, [number, number]][],
 * }} Contacts
 */
/**
 * @typedef {{
 *   name: string, rate: number, frames: number, joints: string[], motion: Span, error_mm: number, skin: number,
 *   centre: number, feet: [FootMarks, FootMarks] | null, contacts: Contacts | null, series: Series[], values: Span | null,
 * }} PackedActor
 */
/** @typedef {{ name: string, value: string, before?: string }} Fact */
/**
 * @typedef {{
 *   name: string, about: string, origin: Vec3, floor: number | null, ground: Span | null, obstacles: Span | null,
 *   prints: Print[], actors: PackedActor[], arrangement: "overlay" | "side_by_side",
 *   verdict: { grade: string, reasons: string[] } | null, facts: Fact[], links: string[],
 * }} PackedShow
 */
/** @typedef {{ fine: Span | null, coarse: Span | null, character: import("surefoot/mesh.js").PackedCharacter | null }} PackedSkin */
/** @typedef {{ version: number, title: string, bytes: number, shows: PackedShow[], skins: PackedSkin[] }} PackedDocument */
/** @typedef {PackedActor & { track: Motion, plots: Float32Array[][] }} Actor */
/** @typedef {Omit<PackedShow, "actors" | "ground" | "obstacles"> & { actors: Actor[], ground: Mesh | null, obstacles: Mesh | null }} Show */
/** @typedef {import("surefoot/mesh.js").Mesh} Mesh */
/** @typedef {import("surefoot/mesh.js").Body} Body */

/** The version of the JSON that this page reads. */
const VERSION = 2;
/** Characters that were unpacked last, by their keys: a motion that is made again is of the same one. @type {Map<string, Body>} */
const characters = new Map();
const MOST_CHARACTERS = 4;

/** The page's data; shows are unpacked when they are first asked for. */
export class Document {
  /** @param {PackedDocument} packed @param {DataView} view */
  constructor(packed, view) {
    this.packed = packed;
    this.view = view;
    /** @type {(Show | undefined)[]} */
    this.shows = [];
    /** @type {Map<Span, Mesh>} */
    this.meshes = new Map();
    /** Bodies of ours, by their meshes. @type {Map<Mesh, Body>} */
    this.bodies = new Map();
  }

  /** @param {number} index @returns {Show} */
  show(index) {
    this.shows[index] ??= this.unpack(this.packed.shows[index]);
    return /** @type {Show} */ (this.shows[index]);
  }

  /** @param {Span | null} span @returns {Mesh | null} */
  mesh(span) {
    if (!span) return null;
    let mesh = this.meshes.get(span);
    if (!mesh) {
      mesh = unpackMesh(this.view, span.at);
      this.meshes.set(span, mesh);
    }
    return mesh;
  }

  /** What an actor is drawn as. @param {number} index of a skin @param {boolean} isCoarse @returns {Body | null} */
  body(index, isCoarse) {
    const { fine, coarse, character } = this.packed.skins[index];
    if (character) {
      let body = characters.get(character.key);
      if (!body) {
        body = unpackCharacter(this.view, character);
        characters.set(character.key, body);
        const [oldest] = characters.keys();
        if (characters.size > MOST_CHARACTERS) characters.delete(oldest);
      }
      return body;
    }
    const mesh = this.mesh(isCoarse ? coarse : fine);
    if (!mesh) return null;
    let body = this.bodies.get(mesh);
    if (!body) {
      body = { key: null, bones: null, parts: [{ mesh, look: null }], images: [] };
      this.bodies.set(mesh, body);
    }
    return body;
  }

  /** @param {PackedShow} show @returns {Show} */
  unpack(show) {
    const actors = show.actors.map((actor) => {
      const track = new Motion(this.view, actor.motion.at);
      return { ...actor, track, plots: unpackPlots(actor, this.view) };
    });
    return { ...show, actors, ground: this.mesh(show.ground), obstacles: this.mesh(show.obstacles) };
  }
}

/** @param {PackedActor} actor @param {DataView} view */
function unpackPlots(actor, view) {
  if (!actor.values) return [];
  const { tracks } = unpackIntegers(view, actor.values.at);
  let next = 0;
  return actor.series.map((series) =>
    series.lines.map((line) =>
      Float32Array.from(tracks[next++], (steps) => (steps < 0 ? Number.NaN : line.least + steps * line.step)),
    ),
  );
}

/**
 * A document of its JSON and its bytes.
 *
 * @param {PackedDocument} packed
 * @param {ArrayBufferLike} bytes
 * @param {number} [at] where they begin
 */
export function openDocument(packed, bytes, at = 0) {
  if (packed.version !== VERSION)
    throw new Error(`This page's data has version ${packed.version}; its viewer reads ${VERSION}.`);
  if (bytes.byteLength - at !== packed.bytes)
    throw new Error("The motion in this page is incomplete; was the file cut off?");
  return new Document(packed, new DataView(bytes, at));
}

/**
 * Reads the data that is in the page.
 *
 * @returns {Promise<Document>}
 */
export async function readDocument() {
  const text = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
  /** @type {PackedDocument} */
  const packed = JSON.parse(text("document"));
  if (typeof DecompressionStream === "undefined") {
    throw new Error(
      "This browser cannot inflate the motion (no DecompressionStream). Chrome 103, Firefox 113, Safari 16.4 or later can.",
    );
  }
  const raw = Uint8Array.from(atob(text("data").trim()), (c) => c.charCodeAt(0));
  const inflated = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return openDocument(packed, await new Response(inflated).arrayBuffer());
}
