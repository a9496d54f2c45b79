// Trajectories: lines of a width in pixels, brighter where they have been walked. Each segment is a quad that the vertex shader widens.

import { createProgram, createVertexArray } from "surefoot/gl.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/theme.js").Rgb} Rgb */

const VERTEX = `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 start;
layout(location = 2) in vec4 end;
uniform mat4 camera;
uniform vec2 viewport;
uniform vec3 shift;
uniform float width;
out float time;
out float across;
void main() {
  vec4 a = camera * vec4(start.xyz + shift, 1.0);
  vec4 b = camera * vec4(end.xyz + shift, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  vec4 p = mix(a, b, corner.x);
  vec2 push = (vec2(-along.y, along.x) * corner.y + along * (corner.x * 2.0 - 1.0) * 0.5) * width;
  p.xy += push / viewport * p.w * 2.0;
  p.z -= 0.0006 * p.w;
  time = mix(start.w, end.w, corner.x);
  across = corner.y;
  if (a.w < 0.01 || b.w < 0.01) p = vec4(2.0, 2.0, 2.0, 1.0);
  gl_Position = p;
}`;

const FRAGMENT = `
in float time;
in float across;
uniform vec3 colour;
uniform float now;
out vec4 pixel;
void main() {
  float edge = 1.0 - smoothstep(0.6, 1.0, abs(across) * 2.0);
  float age = now - time;
  float strength = age < 0.0 ? 0.16 : mix(0.9, 0.45, clamp(age / 1.5, 0.0, 1.0));
  pixel = vec4(pow(colour, vec3(1.0 / 2.2)), edge * strength);
}`;

export class Lines {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = createProgram(gl, VERTEX, FRAGMENT);
    /** @type {{ array: ReturnType<typeof createVertexArray>, n: number, colour: "left" | "right" | "trunk", actor: number, buffer: WebGLBuffer }[]} */
    this.lines = [];
  }

  clear() {
    for (const line of this.lines) {
      line.array.free();
      this.gl.deleteBuffer(line.buffer);
    }
    this.lines = [];
  }

  /** @param {Float32Array} points x, y, z and seconds, one after the other @param {"left" | "right" | "trunk"} colour @param {number} actor */
  add(points, colour, actor) {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
    const corner = new Float32Array([0, -0.5, 0, 0.5, 1, -0.5, 1, 0.5]);
    const end = { data: points, size: 4, stride: 16, divisor: 1, shared: buffer };
    const array = createVertexArray(
      gl,
      [
        { location: 0, data: corner, size: 2 },
        { location: 1, ...end },
        { location: 2, ...end, offset: 16 },
      ],
      null,
    );
    this.lines.push({ array, n: Math.max(points.length / 4 - 1, 0), colour, actor, buffer });
  }

  /**
   * @param {Float32Array} camera
   * @param {[number, number]} viewport in pixels
   * @param {number} pixelRatio
   * @param {number} now in seconds
   * @param {import("surefoot/theme.js").Theme} theme
   * @param {(actor: number) => Vec3 | null} shiftOf where an actor is drawn, or null if it is not
   */
  draw(camera, viewport, pixelRatio, now, theme, shiftOf) {
    const { gl, program } = this;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(program.uniforms.camera, false, camera);
    gl.uniform2fv(program.uniforms.viewport, viewport);
    gl.uniform1f(program.uniforms.now, now);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const line of this.lines) {
      const shift = shiftOf(line.actor);
      if (!shift) continue;
      gl.uniform3fv(program.uniforms.shift, shift);
      gl.uniform3fv(program.uniforms.colour, theme[line.colour]);
      gl.uniform1f(program.uniforms.width, (line.colour === "trunk" ? 3 : 2.2) * pixelRatio);
      gl.bindVertexArray(line.array.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, line.n);
    }
    gl.bindVertexArray(null);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
