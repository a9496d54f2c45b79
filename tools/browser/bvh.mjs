// Joint positions of a BVH file, read by a reader of the test's own: what the page shows is compared with the file, not with Surefoot.

import { readFileSync } from "node:fs";

/** Rotation about X, Y or Z as a matrix of rows. */
function turn(axis, degrees) {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  if (axis === "X") return [1, 0, 0, 0, c, -s, 0, s, c];
  if (axis === "Y") return [c, 0, s, 0, 1, 0, -s, 0, c];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

function multiply(a, b) {
  return Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [3 * Math.floor(i / 3), i % 3];
    return a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
  });
}

const move = (m, v) => [0, 3, 6].map((row) => m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2]);

/** Names of joints, and their positions in a frame in the file's unit. */
export function readBvh(path) {
  const [head, motion] = readFileSync(path, "utf8").split("MOTION");
  const joints = [];
  const stack = [];
  let isEnd = false;
  for (const line of head.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "ROOT" || words[0] === "JOINT") {
      joints.push({ name: words.slice(1).join(" "), parent: stack.at(-1) ?? -1, offset: [0, 0, 0], channels: [] });
      isEnd = false;
    } else if (words[0] === "End") isEnd = true;
    else if (words[0] === "{") stack.push(isEnd ? -2 : joints.length - 1);
    else if (words[0] === "}") {
      stack.pop();
      isEnd = false;
    } else if (words[0] === "OFFSET" && !isEnd) joints.at(-1).offset = words.slice(1).map(Number);
    else if (words[0] === "CHANNELS") joints.at(-1).channels = words.slice(2);
  }
  const rows = motion.trim().split("\n").slice(2);
  const positions = (frame) => {
    const values = rows[frame].trim().split(/\s+/).map(Number);
    let next = 0;
    const world = [];
    for (const { parent, offset, channels } of joints) {
      const at = [...offset];
      let rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      for (const channel of channels) {
        const value = values[next++];
        if (channel.endsWith("position")) at["XYZ".indexOf(channel[0])] = value;
        else rotation = multiply(rotation, turn(channel[0], value));
      }
      const above = parent < 0 ? null : world[parent];
      const place = above ? move(above.rotation, at).map((x, i) => x + above.place[i]) : at;
      world.push({ rotation: above ? multiply(above.rotation, rotation) : rotation, place });
    }
    return world.map(({ place }) => place);
  };
  return { names: joints.map(({ name }) => name), nFrames: rows.length, positions };
}
