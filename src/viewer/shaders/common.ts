/*
 * Code shared by shaders. View space: x to the right, y up, the molecule at negative z, lengths in ångström.
 * Depth is linear between the near and the far plane, so that it can be written and read without a division.
 */

/** Row length of textures with one pixel per atom. */
export const ROW = 1024

export const HEADER = /* glsl */ `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
`

/** Positions of atoms in view space. */
export const SPACE = /* glsl */ `
uniform sampler2D uPose;
uniform mat3 uTurn;
uniform vec3 uMove;
// Near plane, 1 / (far - near), far - near, and the radius that still covers a pixel at distance 1.
uniform vec4 uRange;
uniform vec2 uLens;
// Of a subpixel.
uniform vec2 uShift;

ivec2 placeOf(int index) { return ivec2(index & ${ROW - 1}, index / ${ROW}); }

// xyz and radius; a radius of 0 is an atom that is not drawn.
vec4 ballOf(int atom) {
  vec4 pose = texelFetch(uPose, placeOf(atom), 0);
  vec3 center = uTurn * pose.xyz + uMove;
  float radius = pose.w > 0.0 ? max(pose.w, -center.z * uRange.w) : 0.0;
  return vec4(center, radius);
}

float depthOf(float distance) { return (distance - uRange.x) * uRange.y; }
float distanceOf(float depth) { return depth * uRange.z + uRange.x; }

// A corner of a mesh by its place relative to the sphere's center; nowhere without a place (NaN), and before the near plane.
vec4 cornerOf(vec3 place) {
  vec3 at = uTurn * place + uMove;
  bool isShown = dot(place, place) < 1e12 && -at.z > uRange.x;
  return isShown ? vec4(at.xy / uLens + uShift * -at.z, (depthOf(-at.z) * 2.0 - 1.0) * -at.z, -at.z) : vec4(2.0, 2.0, 2.0, 1.0);
}
`

/** The ray of a pixel, with z = -1, so that its length is the distance along the line of sight. */
export const RAY = /* glsl */ `
// From pixels to slopes: factor and start.
uniform vec4 uRay;

vec3 rayOf(vec2 pixel) { return vec3(pixel * uRay.xy + uRay.zw, -1.0); }

// Distance to a sphere (x, y, distance of its center; square of the radius); negative where the ray misses it. Computed
// relative to the slope of its center, for precision with small, distant spheres.
float ballDistance(vec3 ray, vec4 ball, vec2 middle) {
  vec2 off = ray.xy - middle;
  float square = dot(ray.xy, ray.xy) + 1.0;
  float cross = ball.x * off.y - ball.y * off.x;
  float left = ball.w * square - ball.z * ball.z * dot(off, off) - cross * cross;
  return left < 0.0 ? -1.0 : (dot(ball.xy, ray.xy) + ball.z - sqrt(left)) / square;
}

// Distance to the side of the cylinder from a to b, negative where it is missed; at is the fraction of the way from a to b.
float rodDistance(vec3 ray, vec3 a, vec3 b, float squaredRadius, out float at) {
  float start = -0.5 * (a.z + b.z);
  vec3 origin = ray * start - a;
  vec3 axis = b - a;
  float length2 = dot(axis, axis);
  float along = dot(axis, ray);
  float before = dot(axis, origin);
  float k2 = max(length2 * dot(ray, ray) - along * along, 1e-9);
  float k1 = length2 * dot(origin, ray) - before * along;
  float k0 = length2 * (dot(origin, origin) - squaredRadius) - before * before;
  float left = k1 * k1 - k2 * k0;
  float t = (-k1 - sqrt(max(left, 0.0))) / k2;
  at = (before + t * along) / max(length2, 1e-9);
  return left < 0.0 || at < 0.0 || at > 1.0 ? -1.0 : start + t;
}
`

/** A triangle that covers the viewport, without a vertex buffer. */
export const COVER = /* glsl */ `${HEADER}
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}
`
