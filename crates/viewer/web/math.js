// Vectors, quaternions and matrices as plain arrays of numbers. Matrices are stored by columns, as WebGL takes them.

/** @typedef {[number, number, number]} Vec3 */
/** @typedef {Float32Array} Mat4 */

/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vec3} a @param {number} s @returns {Vec3} */
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Vec3} a @param {Vec3} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vec3} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
/** @param {Vec3} a @param {Vec3} [otherwise] @returns {Vec3} */
export function normalize(a, otherwise = [0, 1, 0]) {
  const size = length(a);
  return size > 1e-12 ? scale(a, 1 / size) : otherwise;
}
/** @param {Vec3} a @param {Vec3} b @param {number} t @returns {Vec3} */
export const mix = (a, b, t) => add(scale(a, 1 - t), scale(b, t));

/** @param {number} value @param {number} least @param {number} most */
export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

/**
 * A point rotated by the quaternion at an index of an array, `x y z w`.
 *
 * @param {ArrayLike<number>} q
 * @param {number} at
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Vec3}
 */
export function rotate(q, at, x, y, z) {
  const [a, b, c, w] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

/** @param {Mat4} a @param {Mat4} b @returns {Mat4} `a * b` */
export function multiply(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = sum;
    }
  }
  return out;
}

/** @param {number} fieldOfView @param {number} aspect @param {number} near @param {number} far @returns {Mat4} */
export function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  const depth = 1 / (near - far);
  return new Float32Array([
    f / aspect,
    0,
    0,
    0,
    0,
    f,
    0,
    0,
    0,
    0,
    (near + far) * depth,
    -1,
    0,
    0,
    2 * near * far * depth,
    0,
  ]);
}

/** @param {number} halfWidth @param {number} halfHeight @param {number} near @param {number} far @returns {Mat4} */
export function orthographic(halfWidth, halfHeight, near, far) {
  const depth = 1 / (near - far);
  return new Float32Array([
    1 / halfWidth,
    0,
    0,
    0,
    0,
    1 / halfHeight,
    0,
    0,
    0,
    0,
    2 * depth,
    0,
    0,
    0,
    (near + far) * depth,
    1,
  ]);
}

/** @param {Vec3} eye @param {Vec3} target @param {Vec3} up @returns {Mat4} */
export function lookAt(eye, target, up) {
  const back = normalize(subtract(eye, target), [0, 0, 1]);
  const right = normalize(cross(up, back), [1, 0, 0]);
  const above = cross(back, right);
  return new Float32Array([
    right[0],
    above[0],
    back[0],
    0,
    right[1],
    above[1],
    back[1],
    0,
    right[2],
    above[2],
    back[2],
    0,
    -dot(right, eye),
    -dot(above, eye),
    -dot(back, eye),
    1,
  ]);
}

/**
 * Where a point is on the screen: x and y from -1 to 1, depth, and w, which is negative behind the viewer.
 *
 * @param {Mat4} m
 * @param {Vec3} p
 * @returns {[number, number, number, number]}
 */
export function project(m, p) {
  const part = (/** @type {number} */ row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
  const w = part(3);
  return [part(0) / w, part(1) / w, part(2) / w, w];
}
