import { HEADER, RAY, SPACE } from './common.ts'

/** The geometry that a sphere is drawn with. */
export type BallForm = 'points' | 'quads'

const TEST = /* glsl */ `
// The farthest depth of each block of pixels, and the size of a block.
uniform sampler2D uFar;
uniform int uBlock;

// Whether the sphere is behind everything that is drawn in its blocks. Large spheres are not tested.
bool isHidden(vec2 middle, vec2 reach, float depth) {
  vec2 from = ((middle - reach) * 0.5 + 0.5) * uSize - 1.0;
  vec2 to = ((middle + reach) * 0.5 + 0.5) * uSize + 1.0;
  ivec2 last = textureSize(uFar, 0) - 1;
  ivec2 first = clamp(ivec2(from) / uBlock, ivec2(0), last);
  ivec2 end = clamp(ivec2(to) / uBlock, ivec2(0), last);
  if (end.x - first.x > 3 || end.y - first.y > 3) return false;
  float far = 0.0;
  for (int y = first.y; y <= end.y; y++)
    for (int x = first.x; x <= end.x; x++) far = max(far, texelFetch(uFar, ivec2(x, y), 0).r);
  return depth > far;
}
`

/**
 * Spheres in perspective are ellipses: each gets its bounding box. Only the atom's number and depth are drawn; shading
 * comes later, once per pixel. `isTested`: spheres hidden by what is already drawn are skipped.
 */
export function atomsVertex(form: BallForm, isTested: boolean): string {
  /* glsl */
  return `${HEADER}
${SPACE}
in float aAtom;
uniform vec2 uSize;
flat out vec4 vBall;
flat out vec2 vMiddle;
flat out uint vAtom;
${isTested ? TEST : ''}
void main() {
  int atom = int(aAtom);
  vec4 ball = ballOf(atom);
  float distance = -ball.z;
  float squared = ball.w * ball.w;
  vBall = vec4(ball.xy, distance, squared);
  vMiddle = ball.xy / distance;
  vAtom = uint(atom + 1);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  if (ball.w <= 0.0 || distance - ball.w < uRange.x) return;
  float share = 1.0 / (distance * distance - squared);
  vec2 middle = ball.xy * distance * share / uLens + uShift;
  vec2 reach = ball.w * sqrt(ball.xy * ball.xy + distance * distance - squared) * share / uLens;
  ${isTested ? 'if (isHidden(middle, reach, depthOf(distance - ball.w))) return;' : ''}
${form === 'points' ? 'gl_Position = vec4(middle, 0.0, 1.0); gl_PointSize = max(reach.x * uSize.x, reach.y * uSize.y) + 1.0;' : ''}
${form === 'quads' ? 'gl_Position = vec4(middle + (reach + 1.0 / uSize) * vec2(float(gl_VertexID & 1) * 2.0 - 1.0, float(gl_VertexID >> 1) * 2.0 - 1.0), 0.0, 1.0);' : ''}
}
`
}

export const atomsFragment = /* glsl */ `${HEADER}
uniform vec4 uRange;
${RAY}
flat in vec4 vBall;
flat in vec2 vMiddle;
flat in uint vAtom;
layout(location = 0) out uint seen;

void main() {
  float distance = ballDistance(rayOf(gl_FragCoord.xy), vBall, vMiddle);
  if (distance < 0.0) discard;
  gl_FragDepth = (distance - uRange.x) * uRange.y;
  seen = vAtom;
}
`
