// WebGL2 in few words: programs with their uniforms, buffers and vertex arrays.

/** @typedef {{ program: WebGLProgram, uniforms: Record<string, WebGLUniformLocation | null> }} Program */

/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment @returns {Program} */
export function createProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of /** @type {[number, string][]} */ ([
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(
      shader,
      `#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2DShadow;\n${source}`,
    );
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`Shader: ${gl.getShaderInfoLog(shader)}`);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`Program: ${gl.getProgramInfoLog(program)}`);
  /** @type {Record<string, WebGLUniformLocation | null>} */
  const uniforms = {};
  const n = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < n; i++) {
    const name = gl.getActiveUniform(program, i)?.name ?? "";
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

/**
 * A vertex array of attributes at fixed locations.
 *
 * @typedef {{ location: number, data: Float32Array, size: number, stride?: number, offset?: number, divisor?: number, shared?: WebGLBuffer }} Attribute
 */

/**
 * @param {WebGL2RenderingContext} gl
 * @param {Attribute[]} attributes
 * @param {Uint32Array | null} corners
 */
export function createVertexArray(gl, attributes, corners) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  /** @type {WebGLBuffer[]} */
  const buffers = [];
  for (const { location, data, size, stride, offset, divisor, shared } of attributes) {
    const buffer = shared ?? gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (!shared) {
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      buffers.push(buffer);
    }
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride ?? 0, offset ?? 0);
    gl.vertexAttribDivisor(location, divisor ?? 0);
  }
  if (corners) {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    buffers.push(buffer);
  }
  gl.bindVertexArray(null);
  const free = () => {
    gl.deleteVertexArray(array);
    for (const buffer of buffers) gl.deleteBuffer(buffer);
  };
  return { array, count: corners?.length ?? 0, free };
}

/** Light that falls on anything, with its shadow; for fragment shaders. */
export const LIGHTING = `
uniform sampler2DShadow shadowMap;
uniform mat4 shadowMatrix;
uniform vec3 toLight;
uniform int isFine;
uniform float lightStrength, ambientStrength, shadowStrength;
float lit(vec3 at, vec3 normal) {
  if (shadowStrength <= 0.0) return 1.0;
  vec4 p = shadowMatrix * vec4(at + normal * 0.02, 1.0);
  vec3 q = p.xyz / p.w * 0.5 + 0.5;
  if (any(lessThan(q, vec3(0.0))) || any(greaterThan(q, vec3(1.0)))) return 1.0;
  if (isFine == 0) return mix(1.0, texture(shadowMap, vec3(q.xy, q.z - 0.0016)), shadowStrength);
  float texel = 1.2 / float(textureSize(shadowMap, 0).x);
  float sum = 0.0;
  for (int i = 0; i < 4; i++) {
    vec2 d = vec2(float(i & 1) - 0.5, float(i >> 1) - 0.5) * texel;
    sum += texture(shadowMap, vec3(q.xy + d, q.z - 0.0012));
  }
  return mix(1.0, sum * 0.25, shadowStrength);
}
vec3 shade(vec3 base, vec3 normal, vec3 at) {
  float sun = max(dot(normal, toLight), 0.0) * lit(at, normal);
  float sky = 0.5 + 0.5 * normal.y;
  return base * (ambientStrength * mix(0.62, 1.0, sky) + lightStrength * sun);
}
vec3 encode(vec3 colour) { return pow(clamp(colour, 0.0, 1.0), vec3(1.0 / 2.2)); }
`;
