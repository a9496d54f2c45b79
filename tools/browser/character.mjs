// A character of somebody else's for the tests: our own body in a GLB that does not say that it is ours.

import { readFileSync, writeFileSync } from "node:fs";

/** @param {string} ours a GLB that the command wrote @param {string} theirs */
export function writeCharacter(ours, theirs) {
  const bytes = readFileSync(ours);
  const at = bytes.indexOf('"generator":"Surefoot"');
  if (at < 0) throw new Error(`${ours} does not say who wrote it`);
  bytes.write("Somebody", at + '"generator":"'.length);
  writeFileSync(theirs, bytes);
}

/**
 * In the page: the bones that the first person of a stage is drawn with, and the farthest that a vertex is from the joint that it hangs on
 * most, in metres; no bones where it is a body of ours.
 *
 * @param {any} stage
 */
export function drawnCharacter(stage) {
  const group = stage.people.groups.find((one) => one.body.bones);
  if (!group) return { bones: 0, farthest: 0, awaited: 0 };
  const { body, first } = group;
  const nBones = body.bones.joints.length;
  const nPeople = stage.people.groups.reduce((sum, one) => sum + one.count, 0);
  // A row of the texture: who it is, then three texels for each bone.
  const rows = stage.people.rows.subarray((stage.people.rows.length / nPeople) * first + 4);
  const pose = stage.poses[stage.show.actors.length - 1];
  let farthest = 0;
  for (const { mesh } of body.parts) {
    for (let vertex = 0; vertex < mesh.positions.length / 3; vertex++) {
      const at = [0, 0, 0];
      let [most, joint] = [0, 0];
      for (let k = 0; k < 4; k++) {
        const [bone, share] = [mesh.joints[4 * vertex + k], mesh.shares[4 * vertex + k]];
        if (share > most) [most, joint] = [share, body.bones.joints[bone]];
        for (let axis = 0; axis < 3; axis++) {
          const row = 12 * bone + 4 * axis;
          let value = rows[row + 3];
          for (let i = 0; i < 3; i++) value += rows[row + i] * mesh.positions[3 * vertex + i];
          at[axis] += share * value;
        }
      }
      farthest = Math.max(farthest, Math.hypot(...at.map((value, axis) => value - pose.places[3 * joint + axis])));
    }
  }
  return { bones: nBones, farthest, awaited: stage.people.nAwaited };
}
