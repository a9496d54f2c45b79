// People: skinned bodies. The matrices of all joints of all people lie in one texture, a row for each person, so that any number of
// people with one body are one call.

import { createProgram, createVertexArray, LIGHTING } from "surefoot/gl.js";
import { rotate } from "surefoot/math.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/mesh.js").Mesh} Mesh */
/** @typedef {import("surefoot/motion.js").Pose} Pose */
/** @typedef {import("surefoot/motion.js").Motion} Motion */
/** @typedef {import("surefoot/theme.js").Rgb} Rgb */
/**
 * Someone to draw: a pose, shifted, tinted by a colour as far as `tint` says.
 *
 * @typedef {{ mesh: Mesh, motion: Motion, pose: Pose, shift: Vec3, colour: Rgb, tint: number, alpha: number, hasShadow: boolean }} Figure
 */

const SKINNING = `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float colour;
layout(location = 3) in vec3 joints;
layout(location = 4) in vec3 shares;
uniform sampler2D matrices;
uniform int firstRow;
uniform mat4 camera;
int row;
mat3x4 ofJoint(float joint) {
  int x = 1 + 3 * int(joint);
  return mat3x4(texelFetch(matrices, ivec2(x, row), 0), texelFetch(matrices, ivec2(x + 1, row), 0), texelFetch(matrices, ivec2(x + 2, row), 0));
}
mat3x4 skin() {
  row = firstRow + gl_InstanceID;
  mat3x4 sum = ofJoint(joints.x) * shares.x;
  if (shares.y > 0.0) sum += ofJoint(joints.y) * shares.y;
  if (shares.z > 0.0) sum += ofJoint(joints.z) * shares.z;
  return sum;
}`;

const VERTEX = `${SKINNING}
out vec3 worldPosition, worldNormal;
out vec4 tint;
flat out float part;
void main() {
  mat3x4 m = skin();
  worldPosition = vec4(position, 1.0) * m;
  worldNormal = vec4(normal, 0.0) * m;
  tint = texelFetch(matrices, ivec2(0, row), 0);
  part = colour;
  gl_Position = camera * vec4(worldPosition, 1.0);
}`;

const FRAGMENT = `
in vec3 worldPosition, worldNormal;
in vec4 tint;
flat in float part;
uniform vec3 parts[4];
uniform vec3 eye;
uniform float alpha;
out vec4 pixel;
${LIGHTING}
void main() {
  vec3 n = normalize(worldNormal);
  vec3 base = mix(parts[int(part)], tint.rgb, tint.a);
  vec3 c = shade(base, n, worldPosition);
  vec3 toEye = normalize(eye - worldPosition);
  c += base * 0.28 * pow(1.0 - max(dot(n, toEye), 0.0), 3.0);
  c += vec3(0.05) * pow(max(dot(n, normalize(toLight + toEye)), 0.0), 24.0);
  pixel = vec4(encode(c), alpha);
}`;

const DEPTH_VERTEX = `${SKINNING}
void main() { gl_Position = camera * vec4(vec4(position, 1.0) * skin(), 1.0); }`;

export class People {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = createProgram(gl, VERTEX, FRAGMENT);
    this.depth = createProgram(gl, DEPTH_VERTEX, "void main() {}");
    this.texture = gl.createTexture();
    /** @type {Map<Mesh, ReturnType<typeof createVertexArray>>} */
    this.arrays = new Map();
    /** @type {{ mesh: Mesh, alpha: number, hasShadow: boolean, first: number, count: number }[]} */
    this.groups = [];
    this.rows = new Float32Array(0);
  }

  /** @param {Mesh} mesh */
  arrayOf(mesh) {
    let array = this.arrays.get(mesh);
    if (!array) {
      const attribute = (
        /** @type {number} */ location,
        /** @type {Float32Array | null} */ data,
        /** @type {number} */ size,
      ) => ({
        location,
        data: data ?? new Float32Array(),
        size,
      });
      array = createVertexArray(
        this.gl,
        [
          attribute(0, mesh.positions, 3),
          attribute(1, mesh.normals, 3),
          attribute(2, mesh.colours, 1),
          attribute(3, mesh.joints, 3),
          attribute(4, mesh.shares, 3),
        ],
        mesh.corners,
      );
      this.arrays.set(mesh, array);
    }
    return array;
  }

  /** Frees the bodies; those that are still there are loaded again. */
  forget() {
    for (const array of this.arrays.values()) array.free();
    this.arrays.clear();
  }

  /** Takes the people of this frame. @param {Figure[]} figures */
  load(figures) {
    const { gl } = this;
    const order = [...figures].sort((a, b) => b.alpha - a.alpha);
    const width = 1 + 3 * order.reduce((most, figure) => Math.max(most, figure.motion.nJoints), 0);
    if (this.rows.length !== 4 * width * order.length) this.rows = new Float32Array(4 * width * order.length);
    this.groups = [];
    order.forEach((figure, row) => {
      const last = this.groups.at(-1);
      if (last && last.mesh === figure.mesh && last.alpha === figure.alpha && last.hasShadow === figure.hasShadow)
        last.count++;
      else
        this.groups.push({ mesh: figure.mesh, alpha: figure.alpha, hasShadow: figure.hasShadow, first: row, count: 1 });
      this.rows.set([...figure.colour, figure.tint], 4 * width * row);
      writeMatrices(figure, this.rows, 4 * (width * row + 1));
    });
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (order.length > 0) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, order.length, 0, gl.RGBA, gl.FLOAT, this.rows);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
  }

  /** @param {import("surefoot/gl.js").Program} program @param {Float32Array} camera @param {(group: { alpha: number, hasShadow: boolean }) => boolean} chosen */
  drawGroups(program, camera, chosen) {
    const { gl } = this;
    gl.useProgram(program.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(program.uniforms.matrices, 0);
    gl.uniformMatrix4fv(program.uniforms.camera, false, camera);
    for (const group of this.groups.filter(chosen)) {
      const array = this.arrayOf(group.mesh);
      gl.bindVertexArray(array.array);
      gl.uniform1i(program.uniforms.firstRow, group.first);
      if (program.uniforms.alpha) gl.uniform1f(program.uniforms.alpha, group.alpha);
      gl.drawElementsInstanced(gl.TRIANGLES, array.count, gl.UNSIGNED_INT, 0, group.count);
    }
    gl.bindVertexArray(null);
  }

  /** @param {Float32Array} camera of the light */
  drawShadows(camera) {
    this.drawGroups(this.depth, camera, (group) => group.hasShadow);
  }

  /** @param {Float32Array} camera @param {Vec3} eye @param {import("surefoot/theme.js").Theme} theme @param {(program: import("surefoot/gl.js").Program) => void} light */
  draw(camera, eye, theme, light) {
    const { gl } = this;
    gl.useProgram(this.program.program);
    light(this.program);
    gl.uniform3fv(this.program.uniforms["parts[0]"], [...theme.left, ...theme.right, ...theme.trunk, ...theme.head]);
    gl.uniform3fv(this.program.uniforms.eye, eye);
    this.drawGroups(this.program, camera, (group) => group.alpha >= 1);
    // Those that are seen through: the nearest surface of them only, or limbs would be seen through trunks.
    for (const group of this.groups.filter((group) => group.alpha < 1)) {
      const only = (/** @type {unknown} */ other) => other === group;
      gl.colorMask(false, false, false, false);
      this.drawGroups(this.depth, camera, only);
      gl.colorMask(true, true, true, true);
      gl.depthFunc(gl.LEQUAL);
      gl.enable(gl.BLEND);
      this.drawGroups(this.program, camera, only);
      gl.disable(gl.BLEND);
      gl.depthFunc(gl.LESS);
    }
  }
}

/**
 * Three texels for each joint: the rows of its world transform after the inverse of its rest transform.
 *
 * @param {Figure} figure
 * @param {Float32Array} into
 * @param {number} at
 */
function writeMatrices({ motion, pose, shift }, into, at) {
  const { rotations: q, places: p } = pose;
  const { rotations: r, places: o } = motion.rest;
  for (let joint = 0; joint < motion.nJoints; joint++) {
    const [i, k] = [4 * joint, 3 * joint];
    // The rotation of the pose after the conjugate of the rest's.
    const [a, b, c, d] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    const [e, f, g, h] = [-r[i], -r[i + 1], -r[i + 2], r[i + 3]];
    const x = d * e + a * h + b * g - c * f;
    const y = d * f - a * g + b * h + c * e;
    const z = d * g + a * f - b * e + c * h;
    const w = d * h - a * e - b * f - c * g;
    const [rx, ry, rz] = rotate([x, y, z, w], 0, o[k], o[k + 1], o[k + 2]);
    const to = at + 12 * joint;
    into[to] = 1 - 2 * (y * y + z * z);
    into[to + 1] = 2 * (x * y - w * z);
    into[to + 2] = 2 * (x * z + w * y);
    into[to + 3] = p[k] - rx + shift[0];
    into[to + 4] = 2 * (x * y + w * z);
    into[to + 5] = 1 - 2 * (x * x + z * z);
    into[to + 6] = 2 * (y * z - w * x);
    into[to + 7] = p[k + 1] - ry + shift[1];
    into[to + 8] = 2 * (x * z - w * y);
    into[to + 9] = 2 * (y * z + w * x);
    into[to + 10] = 1 - 2 * (x * x + y * y);
    into[to + 11] = p[k + 2] - rz + shift[2];
  }
}
