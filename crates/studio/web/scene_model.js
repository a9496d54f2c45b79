// A scene as its file has it: bounds, obstacles, ground, start and goal. Places are [x, z] in metres; edits return new scenes.

/** @typedef {[number, number]} Place */
/** @typedef {{ outline: Place[], height?: number }} Obstacle */
/** @typedef {Record<string, any>} Ground a shape as in terrain files */
/** @typedef {{ bounds: Place[], obstacles: Obstacle[], terrain: Ground | null, start: Place, heading: number | null, goal: Place, waypoints: Place[] }} Scene */

/** @returns {Scene} */
export const firstScene = () => ({
  bounds: rectangle([-4, -3], [4, 3]),
  obstacles: [
    { outline: rectangle([-1.2, -3], [-0.6, 0.6]), height: 1.2 },
    { outline: rectangle([0.8, -0.8], [1.5, 3]), height: 0.8 },
  ],
  terrain: null,
  start: [-3, -1.5],
  heading: null,
  goal: [3, 1.5],
  waypoints: [],
});

/** Corners in order around, from two that are opposite. @param {Place} a @param {Place} b @returns {Place[]} */
export function rectangle(a, b) {
  const [x0, x1] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [z0, z1] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return [
    [x0, z0],
    [x1, z0],
    [x1, z1],
    [x0, z1],
  ];
}

const tidy = (/** @type {Place} */ [x, z]) => [Math.round(x * 1000) / 1000, Math.round(z * 1000) / 1000];

/** As a scene file. @param {Scene} scene */
export function sceneText(scene) {
  const start = scene.heading === null ? {} : { heading: scene.heading };
  const file = {
    scene: 1,
    bounds: scene.bounds.map(tidy),
    obstacles: scene.obstacles.map(({ outline, height }) => ({
      outline: outline.map(tidy),
      ...(height === undefined ? {} : { height }),
    })),
    ...(scene.terrain ? { terrain: scene.terrain } : {}),
    start: { position: tidy(scene.start), ...start },
    goal: { position: tidy(scene.goal) },
    ...(scene.waypoints.length > 0 ? { waypoints: scene.waypoints.map(tidy) } : {}),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** @param {any} place @param {string} name */
function checkPlace(place, name) {
  const isPlace = Array.isArray(place) && place.length === 2 && place.every(Number.isFinite);
  if (!isPlace) throw new Error(`${name} is ${JSON.stringify(place)}; [x, z] in metres would be right`);
}
/** @param {any} outline @param {string} name */
function checkOutline(outline, name) {
  if (!Array.isArray(outline) || outline.length < 3)
    throw new Error(`${name} has to be a list of three corners or more`);
  for (const [index, place] of outline.entries()) checkPlace(place, `corner ${index} of ${name}`);
}

/** A scene file that was read; what it leaves out is put somewhere. Throws where it cannot be drawn. @param {any} file @returns {Scene} */
export function readScene(file) {
  if (file?.scene !== 1) throw new Error('this is no scene file: "scene" has to be 1');
  checkOutline(file.bounds, "bounds");
  if (!Array.isArray(file.obstacles ?? [])) throw new Error("obstacles has to be a list");
  for (const [index, obstacle] of (file.obstacles ?? []).entries()) {
    checkOutline(obstacle?.outline, `outline of obstacle ${index}`);
    if (obstacle.height !== undefined && obstacle.height !== null && !Number.isFinite(obstacle.height))
      throw new Error(`height of obstacle ${index} is ${JSON.stringify(obstacle.height)}; metres would be right`);
  }
  for (const end of ["start", "goal"]) if (file[end]) checkPlace(file[end].position, `position of the ${end}`);
  if (!Array.isArray(file.waypoints ?? [])) throw new Error("waypoints has to be a list of places");
  for (const [index, place] of (file.waypoints ?? []).entries()) checkPlace(place, `waypoint ${index}`);
  const heading = file.start?.heading ?? null;
  if (heading !== null && !Number.isFinite(heading))
    throw new Error(`heading of the start is ${JSON.stringify(heading)}; degrees would be right`);
  const middle = /** @type {Place} */ (
    [0, 1].map(
      (axis) =>
        file.bounds.reduce((/** @type {number} */ sum, /** @type {Place} */ at) => sum + at[axis], 0) /
        file.bounds.length,
    )
  );
  return {
    bounds: file.bounds,
    obstacles: file.obstacles ?? [],
    terrain: file.terrain ?? null,
    start: file.start?.position ?? middle,
    heading: file.start?.heading ?? null,
    goal: file.goal?.position ?? middle,
    waypoints: file.waypoints ?? [],
  };
}

/** Whether a place is inside of an outline. @param {Place[]} outline @param {Place} at */
export function isInside(outline, [x, z]) {
  let inside = false;
  outline.forEach((a, index) => {
    const b = outline[(index + 1) % outline.length];
    if (a[1] > z !== b[1] > z && x < a[0] + ((z - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
  });
  return inside;
}

/** @param {Scene} scene @param {number} index @param {Partial<Obstacle>} change @returns {Scene} */
export const changeObstacle = (scene, index, change) => ({
  ...scene,
  obstacles: scene.obstacles.map((one, other) => (other === index ? { ...one, ...change } : one)),
});

/** @param {Place[]} outline @param {Place} by @returns {Place[]} */
export const moved = (outline, by) => outline.map(([x, z]) => [x + by[0], z + by[1]]);
