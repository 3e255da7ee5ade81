import { HEADER, ROW } from './common.ts'

/**
 * Position and radius of each atom, one pixel per atom: interpolates two frames, with the sphere's center at the origin.
 * An atom without a position gets radius 0.
 */
export const poseFragment = /* glsl */ `${HEADER}
uniform sampler2D uPlaces;
uniform sampler2D uNextPlaces;
uniform sampler2D uShades;
uniform sampler2D uNextShades;
uniform sampler2D uAtoms;
uniform float uBlend;
uniform vec3 uCenter;
// Factor and constant of the radius, and the factor for marked atoms.
uniform vec3 uSizes;
uniform ivec4 uMarks;

layout(location = 0) out vec4 pose;
layout(location = 1) out vec4 shade;

// False for NaN too.
bool isPlace(vec3 place) { return dot(place, place) < 1e12; }

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec3 place = texelFetch(uPlaces, at, 0).xyz;
  if (uBlend > 0.0) {
    vec3 next = texelFetch(uNextPlaces, at, 0).xyz;
    if (isPlace(next)) place = mix(place, next, uBlend);
  }
  int atom = at.y * ${ROW} + at.x;
  bool isMarked = atom == uMarks.x || atom == uMarks.y || atom == uMarks.z || atom == uMarks.w;
  float own = texelFetch(uAtoms, at, 0).a * 2.55;
  float radius = own > 0.0 ? own * uSizes.x + uSizes.y : 0.0;
  pose = isPlace(place) ? vec4(place - uCenter, radius * (isMarked ? uSizes.z : 1.0)) : vec4(0.0);
  shade = mix(texelFetch(uShades, at, 0), texelFetch(uNextShades, at, 0), uBlend);
}
`
