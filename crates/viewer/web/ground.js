// The ground: a level floor without end, or stairs, slopes, stones and obstacles, with a metre grid on what can be walked on.

import { createProgram, createVertexArray, LIGHTING } from "surefoot/gl.js";

/** @typedef {import("surefoot/mesh.js").Mesh} Mesh */
/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/theme.js").Rgb} Rgb */

const VERTEX = `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float colour;
uniform mat4 camera;
uniform vec3 shift;
out vec3 at, up;
flat out float part;
void main() {
  at = position + shift;
  up = normal;
  part = colour;
  gl_Position = camera * vec4(at, 1.0);
}`;

const FRAGMENT = `
in vec3 at, up;
flat in float part;
uniform vec3 top, face, sky, line, axis, origin, eye;
uniform float fade, hasGrid;
out vec4 pixel;
${LIGHTING}
float gridLine(vec2 p, float width) {
  vec2 size = max(fwidth(p), vec2(1e-4));
  vec2 d = abs(fract(p - 0.5) - 0.5) / size;
  return (1.0 - smoothstep(width - 0.5, width + 0.5, min(d.x, d.y))) * (1.0 - smoothstep(0.08, 0.4, max(size.x, size.y)));
}
void main() {
  vec3 n = normalize(up);
  vec3 base = part > 0.5 ? face : top;
  if (hasGrid > 0.5 && part < 0.5) {
    vec2 p = at.xz + origin.xz;
    base = mix(base, line, 0.5 * gridLine(p * 5.0, 0.5) * (1.0 - smoothstep(4.0, 12.0, distance(at, eye))));
    base = mix(base, line, gridLine(p, 0.9));
    base = mix(base, axis, 0.55 * gridLine(p * 0.2, 1.1));
  }
  vec3 c = shade(base, n, at);
  float far = smoothstep(0.35, 1.0, distance(at.xz, eye.xz) / fade);
  pixel = vec4(mix(encode(c), encode(sky), far * far), 1.0);
}`;

const SHADOW_VERTEX = `
layout(location = 0) in vec3 position;
uniform mat4 camera;
void main() { gl_Position = camera * vec4(position, 1.0); }`;

export class Ground {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = createProgram(gl, VERTEX, FRAGMENT);
    this.depth = createProgram(gl, SHADOW_VERTEX, "void main() {}");
    const far = 1;
    const positions = new Float32Array([-far, 0, -far, -far, 0, far, far, 0, far, far, 0, -far]);
    const normals = new Float32Array([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]);
    const attributes = (
      /** @type {Float32Array} */ p,
      /** @type {Float32Array} */ n,
      /** @type {Float32Array} */ c,
    ) => [
      { location: 0, data: p, size: 3 },
      { location: 1, data: n, size: 3 },
      { location: 2, data: c, size: 1 },
    ];
    this.attributes = attributes;
    // A square of a kilometre is as far as anybody sees.
    this.floor = createVertexArray(
      gl,
      attributes(
        positions.map((x) => 1000 * x),
        normals,
        new Float32Array(4),
      ),
      new Uint32Array([0, 1, 2, 0, 2, 3]),
    );
    /** @type {ReturnType<typeof createVertexArray> | null} */
    this.mesh = null;
    /** @type {ReturnType<typeof createVertexArray> | null} */
    this.obstacles = null;
    /** @type {number | null} */
    this.height = 0;
    /** @type {Vec3} */
    this.origin = [0, 0, 0];
  }

  /** @param {import("surefoot/document.js").Show} show */
  load(show) {
    this.mesh?.free();
    this.obstacles?.free();
    const arrayOf = (/** @type {Mesh | null} */ mesh) =>
      mesh && createVertexArray(this.gl, this.attributes(mesh.positions, mesh.normals, mesh.colours), mesh.corners);
    this.mesh = arrayOf(show.ground);
    this.obstacles = arrayOf(show.obstacles);
    this.height = show.floor;
    this.origin = show.origin;
  }

  /** @param {Float32Array} camera of the light */
  drawShadows(camera) {
    const { gl, depth } = this;
    gl.useProgram(depth.program);
    gl.uniformMatrix4fv(depth.uniforms.camera, false, camera);
    for (const mesh of [this.mesh, this.obstacles]) if (mesh) this.drawArray(mesh);
  }

  /** @param {{ array: WebGLVertexArrayObject, count: number }} mesh */
  drawArray({ array, count }) {
    const { gl } = this;
    gl.bindVertexArray(array);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    gl.bindVertexArray(null);
  }

  /**
   * @param {Float32Array} camera
   * @param {Vec3} eye
   * @param {number} fade distance in metres at which the floor has become sky
   * @param {boolean} hasGrid
   * @param {import("surefoot/theme.js").Theme} theme
   * @param {(program: import("surefoot/gl.js").Program) => void} light
   */
  draw(camera, eye, fade, hasGrid, theme, light) {
    const { gl, program } = this;
    const { uniforms } = program;
    gl.useProgram(program.program);
    light(program);
    gl.uniformMatrix4fv(uniforms.camera, false, camera);
    gl.uniform3fv(uniforms.eye, eye);
    gl.uniform3fv(uniforms.origin, this.origin);
    gl.uniform3fv(uniforms.sky, theme.sky);
    gl.uniform3fv(uniforms.line, theme.line);
    gl.uniform3fv(uniforms.axis, theme.axis);
    gl.uniform1f(uniforms.fade, fade);
    const paint = (/** @type {Rgb} */ top, /** @type {Rgb} */ face, /** @type {boolean} */ grid) => {
      gl.uniform3fv(uniforms.top, top);
      gl.uniform3fv(uniforms.face, face);
      gl.uniform1f(uniforms.hasGrid, grid ? 1 : 0);
    };
    gl.uniform3fv(uniforms.shift, [0, 0, 0]);
    if (this.height !== null) {
      paint(theme.ground, theme.ground, hasGrid);
      gl.uniform3fv(uniforms.shift, [0, this.height, 0]);
      this.drawArray(this.floor);
      gl.uniform3fv(uniforms.shift, [0, 0, 0]);
    }
    if (this.mesh) {
      paint(theme.step, theme.face, hasGrid);
      this.drawArray(this.mesh);
    }
    if (this.obstacles) {
      paint(theme.obstacle, theme.obstacle, false);
      this.drawArray(this.obstacles);
    }
  }
}
