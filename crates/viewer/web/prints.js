// Footprints on the ground, and discs under heels and balls that are planted now.

import { createProgram, createVertexArray } from "surefoot/gl.js";
import { cross, dot, normalize, scale, subtract } from "surefoot/math.js";

/** @typedef {import("surefoot/math.js").Vec3} Vec3 */
/** @typedef {import("surefoot/document.js").Print} Print */
/** @typedef {import("surefoot/theme.js").Rgb} Rgb */
/**
 * Something flat to draw: its axes on the ground (across and along, in metres), its colour, how much its rim and its inside are seen.
 *
 * @typedef {{ shape: "left" | "right" | "disc", at: Vec3, across: Vec3, along: Vec3, colour: Rgb, rim: number, fill: number }} Decal
 */

/** The right sole in lengths of a foot, from the heel forward, with the ball at 0: along, inner, outer. */
const SOLE = [
  [-0.7, 0.0, 0.02],
  [-0.69, -0.07, 0.08],
  [-0.64, -0.115, 0.125],
  [-0.56, -0.13, 0.14],
  [-0.42, -0.11, 0.145],
  [-0.25, -0.1, 0.155],
  [-0.1, -0.135, 0.17],
  [0, -0.165, 0.178],
  [0.1, -0.168, 0.168],
  [0.19, -0.14, 0.14],
  [0.255, -0.085, 0.085],
  [0.28, -0.03, 0.03],
];

const VERTEX = `
layout(location = 0) in vec2 corner;
layout(location = 1) in float inward;
uniform mat4 camera;
uniform vec3 place, across, along;
out float rimness;
out float forward;
void main() {
  rimness = inward;
  forward = corner.y;
  vec4 p = camera * vec4(place + across * corner.x + along * corner.y, 1.0);
  p.z -= 0.0004 * p.w;
  gl_Position = p;
}`;

const FRAGMENT = `
in float rimness;
in float forward;
uniform vec3 colour;
uniform float rim, fill;
out vec4 pixel;
void main() {
  float width = max(fwidth(rimness) * 1.6, 0.07);
  float edge = 1.0 - smoothstep(width * 0.6, width, rimness);
  float toe = smoothstep(-0.7, 0.3, forward);
  pixel = vec4(pow(colour, vec3(1.0 / 2.2)), mix(fill * mix(0.55, 1.0, toe), rim, edge));
}`;

export class Prints {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.program = createProgram(gl, VERTEX, FRAGMENT);
    const outline = (/** @type {number} */ sign) => [
      ...SOLE.map(([along, inner]) => [sign * inner, along]),
      ...SOLE.map(([along, , outer]) => [sign * outer, along]).reverse(),
    ];
    const circle = Array.from({ length: 32 }, (_, i) => [Math.cos((i * Math.PI) / 16), Math.sin((i * Math.PI) / 16)]);
    // Seen from above with +X to the right and +Z down, the right foot's outer side is at -X.
    this.shapes = { right: fan(gl, outline(-1)), left: fan(gl, outline(1)), disc: fan(gl, circle) };
  }

  /** @param {Float32Array} camera @param {Decal[]} decals */
  draw(camera, decals) {
    const { gl, program } = this;
    const { uniforms } = program;
    gl.useProgram(program.program);
    gl.uniformMatrix4fv(uniforms.camera, false, camera);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const decal of decals) {
      const { array, count } = this.shapes[decal.shape];
      gl.bindVertexArray(array);
      gl.uniform3fv(uniforms.place, decal.at);
      gl.uniform3fv(uniforms.across, decal.across);
      gl.uniform3fv(uniforms.along, decal.along);
      gl.uniform3fv(uniforms.colour, decal.colour);
      gl.uniform1f(uniforms.rim, decal.rim);
      gl.uniform1f(uniforms.fill, decal.fill);
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0);
    }
    gl.bindVertexArray(null);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

/** An outline as triangles around its middle, with how far inside each corner is. @param {WebGL2RenderingContext} gl @param {number[][]} outline */
function fan(gl, outline) {
  const middle = [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
  const corners = outline.flatMap((_, i) => [outline.length, i, (i + 1) % outline.length]);
  const inward = new Float32Array(outline.length + 1);
  inward[outline.length] = 1;
  const attributes = [
    { location: 0, data: new Float32Array([...outline, middle].flat()), size: 2 },
    { location: 1, data: inward, size: 1 },
  ];
  return createVertexArray(gl, attributes, new Uint32Array(corners));
}

/**
 * The axes of something flat on the ground that points in a heading: to the left, and forward.
 *
 * @param {Vec3} normal
 * @param {number} heading
 * @param {number} size
 */
export function axesOn(normal, heading, size) {
  const forward = /** @type {Vec3} */ ([Math.sin(heading), 0, Math.cos(heading)]);
  const along = normalize(subtract(forward, scale(normal, dot(forward, normal))), [0, 0, 1]);
  return { across: scale(cross(normal, along), size), along: scale(along, size) };
}
