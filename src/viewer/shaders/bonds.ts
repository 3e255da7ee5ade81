import { HEADER, RAY, SPACE } from './common.ts'

/** Bonds are drawn as numbers above those of the atoms: a box along each, in which the cylinder is ray-cast. */
export const bondsVertex = /* glsl */ `${HEADER}
${SPACE}
uniform usampler2D uBonds;
uniform int uAtomCount;
uniform float uBondRadius;
flat out vec4 vFrom;
flat out vec4 vTo;

void main() {
  int bond = gl_VertexID / 6;
  int corner = gl_VertexID % 6;
  uvec2 ends = texelFetch(uBonds, placeOf(bond), 0).xy;
  vec4 a = ballOf(int(ends.x));
  vec4 b = ballOf(int(ends.y));
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  vFrom = vec4(a.xyz, 0.0);
  vTo = vec4(b.xyz, 0.0);
  float nearest = min(-a.z, -b.z);
  if (a.w <= 0.0 || b.w <= 0.0 || nearest - uBondRadius < uRange.x) return;
  float radius = max(uBondRadius, -0.5 * (a.z + b.z) * uRange.w);
  vFrom.w = radius * radius;
  vTo.w = float(bond + uAtomCount + 1);
  vec2 from = a.xy / -a.z;
  vec2 to = b.xy / -b.z;
  vec2 way = to - from;
  float reach = radius / nearest * 1.12;
  vec2 along = dot(way, way) > 1e-12 ? normalize(way) * reach : vec2(reach, 0.0);
  vec2 across = vec2(-along.y, along.x);
  bool isEnd = corner == 1 || corner == 3 || corner == 5;
  bool isRight = corner == 2 || corner == 4 || corner == 5;
  vec2 at = (isEnd ? to + along : from - along) + (isRight ? across : -across);
  gl_Position = vec4(at / uLens + uShift, 0.0, 1.0);
}
`

export const bondsFragment = /* glsl */ `${HEADER}
uniform vec4 uRange;
${RAY}
flat in vec4 vFrom;
flat in vec4 vTo;
layout(location = 0) out uint seen;

void main() {
  float at;
  float distance = rodDistance(rayOf(gl_FragCoord.xy), vFrom.xyz, vTo.xyz, vFrom.w, at);
  if (distance < 0.0) discard;
  gl_FragDepth = (distance - uRange.x) * uRange.y;
  seen = uint(vTo.w);
}
`
