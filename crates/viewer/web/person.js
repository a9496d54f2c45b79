// People: skinned bodies, ours or a character's own. The matrices of all bones of all people lie in one texture, a row for each person, so
// that any number of people with one body are one call for each of its materials.

import { createProgram, createVertexArray, LIGHTING } from "surefoot/gl.js";
import { rotate } from "surefoot/math.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/mesh.js").Mesh} Mesh */
/** @typedef {import("surefoot/mesh.js").Body} Body */
/** @typedef {import("surefoot/mesh.js").Look} Look */
/** @typedef {{ body: Body, alpha: number, hasShadow: boolean, first: number, count: number }} Group */
/** @typedef {import("surefoot/motion.js").Pose} Pose */
/** @typedef {import("surefoot/motion.js").Motion} Motion */
/** @typedef {import("surefoot/theme.js").Rgb} Rgb */
/**
 * Someone to draw: a pose, shifted, tinted by a colour as far as `tint` says.
 *
 * @typedef {{ body: Body, motion: Motion, pose: Pose, shift: Vec3, colour: Rgb, tint: number, alpha: number, hasShadow: boolean }} Figure
 */

const SKINNING = `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float colour;
layout(location = 3) in vec4 joints;
layout(location = 4) in vec4 shares;
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
  if (shares.w > 0.0) sum += ofJoint(joints.w) * shares.w;
  return sum;
}`;

const VERTEX = `${SKINNING}
layout(location = 5) in vec2 place;
layout(location = 6) in vec3 paint;
out vec3 worldPosition, worldNormal, worldPaint;
out vec2 imagePlace;
out vec4 tint;
flat out float part;
void main() {
  mat3x4 m = skin();
  worldPosition = vec4(position, 1.0) * m;
  worldNormal = vec4(normal, 0.0) * m;
  tint = texelFetch(matrices, ivec2(0, row), 0);
  part = colour;
  imagePlace = place;
  worldPaint = paint;
  gl_Position = camera * vec4(worldPosition, 1.0);
}`;

const FRAGMENT = `
in vec3 worldPosition, worldNormal, worldPaint;
in vec2 imagePlace;
in vec4 tint;
flat in float part;
uniform vec3 parts[4];
uniform vec3 eye;
uniform float alpha;
uniform int hasLook;
uniform vec4 look;
uniform float cut;
uniform int isBlended;
uniform sampler2D image;
out vec4 pixel;
${LIGHTING}
void main() {
  vec3 n = normalize(worldNormal);
  if (hasLook == 1 && !gl_FrontFacing) n = -n;
  vec4 own = vec4(parts[int(part)], 1.0);
  if (hasLook == 1) own = look * texture(image, imagePlace) * vec4(worldPaint, 1.0);
  if (own.a < cut) discard;
  vec3 base = mix(own.rgb, tint.rgb, tint.a);
  vec3 c = shade(base, n, worldPosition);
  vec3 toEye = normalize(eye - worldPosition);
  c += base * 0.28 * pow(1.0 - max(dot(n, toEye), 0.0), 3.0);
  c += vec3(0.05) * pow(max(dot(n, normalize(toLight + toEye)), 0.0), 24.0);
  pixel = vec4(encode(c), isBlended == 1 ? alpha * own.a : alpha);
}`;

const DEPTH_VERTEX = `${SKINNING}
void main() { gl_Position = camera * vec4(vec4(position, 1.0) * skin(), 1.0); }`;

/** Less solid than this is not drawn where a part is blended. */
const SEE_THROUGH = 0.02;
/** Largest side of an image, in pixels: larger ones are made smaller. */
const LARGEST_IMAGE = 2048;
/** Characters whose triangles and images are kept while others are shown. */
const MOST_KEPT = 4;

export class People {
  /** @param {WebGL2RenderingContext} gl @param {() => void} [arrived] an image can be drawn now */
  constructor(gl, arrived = () => {}) {
    this.gl = gl;
    this.arrived = arrived;
    this.program = createProgram(gl, VERTEX, FRAGMENT);
    this.depth = createProgram(gl, DEPTH_VERTEX, "void main() {}");
    this.texture = gl.createTexture();
    this.white = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.white);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    // Vertices without paint are white.
    gl.vertexAttrib4f(6, 1, 1, 1, 1);
    /** @type {Map<Body, { arrays: ReturnType<typeof createVertexArray>[], images: (WebGLTexture | null)[] }>} */
    this.loaded = new Map();
    /** Images that are still decoded. */
    this.nAwaited = 0;
    /** @type {Group[]} */
    this.groups = [];
    this.rows = new Float32Array(0);
  }

  /** A body's triangles and images on the graphics card. @param {Body} body */
  load(body) {
    let loaded = this.loaded.get(body);
    if (!loaded) {
      loaded = {
        arrays: body.parts.map(({ mesh }) => this.arrayOf(mesh)),
        images: body.images.map(() => null),
      };
      this.loaded.set(body, loaded);
      for (const [index, image] of body.images.entries()) this.loadImage(image, loaded.images, index);
    }
    return loaded;
  }

  /** @param {Mesh} mesh */
  arrayOf(mesh) {
    const attribute = (
      /** @type {number} */ location,
      /** @type {Float32Array | null} */ data,
      /** @type {number} */ size,
    ) => (data ? [{ location, data, size }] : []);
    return createVertexArray(
      this.gl,
      [
        ...attribute(0, mesh.positions, 3),
        ...attribute(1, mesh.normals, 3),
        ...attribute(2, mesh.colours, 1),
        ...attribute(3, mesh.joints, 4),
        ...attribute(4, mesh.shares, 4),
        ...attribute(5, mesh.places, 2),
        ...attribute(6, mesh.paint, 3),
      ],
      mesh.corners,
    );
  }

  /** Decodes an image; until then, and if it is broken, its parts have their plain colours. @param {Blob} image @param {(WebGLTexture | null)[]} into @param {number} index */
  async loadImage(image, into, index) {
    const { gl } = this;
    this.nAwaited++;
    try {
      const plain = /** @type {const} */ ({ premultiplyAlpha: "none", colorSpaceConversion: "none" });
      let pixels = await createImageBitmap(image, plain);
      const shrink = LARGEST_IMAGE / Math.max(pixels.width, pixels.height);
      if (shrink < 1) {
        const [resizeWidth, resizeHeight] = [pixels.width, pixels.height].map((side) => Math.max(1, side * shrink));
        pixels = await createImageBitmap(image, { ...plain, resizeWidth, resizeHeight });
      }
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      pixels.close();
      into[index] = texture;
    } catch (error) {
      console.info(`An image of the character cannot be shown: ${error}`);
    } finally {
      this.nAwaited--;
      this.arrived();
    }
  }

  /** Frees bodies; those that are still there are loaded again. The last characters stay: a motion that is made again is of one of them. */
  forget() {
    const characters = [...this.loaded.keys()].filter((body) => body.key !== null).slice(-MOST_KEPT);
    for (const [body, { arrays, images }] of this.loaded) {
      if (characters.includes(body)) continue;
      for (const array of arrays) array.free();
      for (const image of images) this.gl.deleteTexture(image);
      this.loaded.delete(body);
    }
  }

  /** Takes the people of this frame. @param {Figure[]} figures */
  take(figures) {
    const { gl } = this;
    const order = [...figures].sort((a, b) => b.alpha - a.alpha);
    const nBones = (/** @type {Figure} */ { body, motion }) => body.bones?.joints.length ?? motion.nJoints;
    const width = 1 + 3 * order.reduce((most, figure) => Math.max(most, nBones(figure)), 0);
    if (this.rows.length !== 4 * width * order.length) this.rows = new Float32Array(4 * width * order.length);
    this.groups = [];
    order.forEach((figure, row) => {
      const { body, alpha, hasShadow } = figure;
      const last = this.groups.at(-1);
      if (last && last.body === body && last.alpha === alpha && last.hasShadow === hasShadow) last.count++;
      else this.groups.push({ body, alpha, hasShadow, first: row, count: 1 });
      this.rows.set([...figure.colour, figure.tint], 4 * width * row);
      const write = body.bones ? writeBones : writeMatrices;
      write(figure, this.rows, 4 * (width * row + 1));
    });
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (order.length > 0) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, order.length, 0, gl.RGBA, gl.FLOAT, this.rows);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
  }

  /**
   * @param {import("surefoot/gl.js").Program} program
   * @param {Float32Array} camera
   * @param {(group: Group) => boolean} chosen
   * @param {(look: Look | null) => boolean} [isDrawn]
   */
  drawGroups(program, camera, chosen, isDrawn = () => true) {
    const { gl } = this;
    const { uniforms } = program;
    gl.useProgram(program.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.uniform1i(uniforms.matrices, 0);
    gl.uniformMatrix4fv(uniforms.camera, false, camera);
    for (const group of this.groups.filter(chosen)) {
      const { arrays, images } = this.load(group.body);
      group.body.parts.forEach(({ look }, index) => {
        if (!isDrawn(look)) return;
        const { array, count } = arrays[index];
        // Shadows are drawn without culling.
        const isOpen = look?.is_two_sided && uniforms.alpha;
        if (isOpen) gl.disable(gl.CULL_FACE);
        gl.bindVertexArray(array);
        gl.uniform1i(uniforms.firstRow, group.first);
        if (uniforms.alpha) {
          gl.uniform1f(uniforms.alpha, group.alpha);
          gl.uniform1i(uniforms.hasLook, look ? 1 : 0);
          gl.uniform4fv(uniforms.look, look?.colour ?? [1, 1, 1, 1]);
          gl.uniform1f(uniforms.cut, look?.cut ?? (look?.is_blended ? SEE_THROUGH : -1));
          gl.uniform1i(uniforms.isBlended, look?.is_blended ? 1 : 0);
          gl.uniform1i(uniforms.image, 2);
          gl.activeTexture(gl.TEXTURE2);
          gl.bindTexture(gl.TEXTURE_2D, (look?.image == null ? null : images[look.image]) ?? this.white);
          gl.activeTexture(gl.TEXTURE0);
        }
        gl.drawElementsInstanced(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0, group.count);
        if (isOpen) gl.enable(gl.CULL_FACE);
      });
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
    const isSolid = (/** @type {Group} */ group) => group.alpha >= 1;
    this.drawGroups(this.program, camera, isSolid, (look) => !look?.is_blended);
    gl.enable(gl.BLEND);
    this.drawGroups(this.program, camera, isSolid, (look) => look?.is_blended ?? false);
    gl.disable(gl.BLEND);
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
 * How far a character's surface reaches beyond its joints in a pose: below, above, and to any side, in metres. A body of ours hardly does.
 *
 * @param {Body} body
 * @param {Motion} motion
 * @param {Pose} pose
 */
export function overhang(body, motion, pose) {
  if (!body.bones) return { below: 0, above: 0, beside: 0 };
  const rows = new Float32Array(12 * body.bones.joints.length);
  writeBones({ body, motion, pose, shift: [0, 0, 0], colour: [0, 0, 0], tint: 0, alpha: 1, hasShadow: false }, rows, 0);
  const ends = () => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
  const grow = (
    /** @type {{ low: number[], high: number[] }} */ box,
    /** @type {number} */ axis,
    /** @type {number} */ at,
  ) => {
    box.low[axis] = Math.min(box.low[axis], at);
    box.high[axis] = Math.max(box.high[axis], at);
  };
  const [joints, surface] = [ends(), ends()];
  pose.places.forEach((at, index) => {
    grow(joints, index % 3, at);
  });
  for (const { mesh } of body.parts) {
    const n = mesh.positions.length / 3;
    // Some hundred vertices of each part show how large it is.
    const stride = Math.max(1, Math.floor(n / 500));
    for (let vertex = 0; vertex < n; vertex += stride) {
      // Where the bone that it hangs on most takes it.
      const from = 12 * (mesh.joints?.[4 * vertex] ?? 0);
      for (let axis = 0; axis < 3; axis++) {
        const row = from + 4 * axis;
        let at = rows[row + 3];
        for (let i = 0; i < 3; i++) at += rows[row + i] * mesh.positions[3 * vertex + i];
        grow(surface, axis, at);
      }
    }
  }
  const beyond = (/** @type {number} */ axis) =>
    Math.max(joints.low[axis] - surface.low[axis], surface.high[axis] - joints.high[axis], 0);
  return {
    below: Math.max(joints.low[1] - surface.low[1], 0),
    above: Math.max(surface.high[1] - joints.high[1], 0),
    beside: Math.max(beyond(0), beyond(2)),
  };
}

/**
 * Three texels for each bone of a character: the rows of its joint's world transform after its own.
 *
 * @param {Figure} figure
 * @param {Float32Array} into
 * @param {number} at
 */
function writeBones({ body, pose, shift }, into, at) {
  const { joints, rows } = /** @type {import("surefoot/mesh.js").Bones} */ (body.bones);
  const { rotations: q, places: p } = pose;
  for (let bone = 0; bone < joints.length; bone++) {
    const [i, k] = [4 * joints[bone], 3 * joints[bone]];
    const [x, y, z, w] = [q[i], q[i + 1], q[i + 2], q[i + 3]];
    const turn = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    const from = 12 * bone;
    for (let row = 0; row < 3; row++) {
      const [a, b, c] = turn[row];
      const to = at + from + 4 * row;
      for (let column = 0; column < 4; column++)
        into[to + column] = a * rows[from + column] + b * rows[from + 4 + column] + c * rows[from + 8 + column];
      into[to + 3] += p[k + row] + shift[row];
    }
  }
}

/**
 * Three texels for each joint of a body of ours: the rows of its world transform after the inverse of its rest transform.
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
