import { HEADER, RAY, SPACE } from './common.ts'

/** How a ball gets its pixels. */
export type BallForm = 'points' | 'quads' | 'mesh'

/**
 * Balls seen through a lens are ellipses: each gets the smallest box around its own. Only which atom is seen, and how
 * far, is drawn here; light comes later, once a pixel.
 */
export const atomsVertex = (form: BallForm): string => /* glsl */ `${HEADER}
${SPACE}
in float aAtom;
${form === 'mesh' ? 'in vec3 aCorner;' : ''}
uniform vec2 uLens;
uniform vec2 uShift;
uniform vec2 uSize;
flat out vec4 vBall;
flat out uint vAtom;

void main() {
  int atom = int(aAtom);
  vec4 ball = ballOf(atom);
  float distance = -ball.z;
  float squared = ball.w * ball.w;
  vBall = vec4(ball.xyz, squared);
  vAtom = uint(atom + 1);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = 1.0;
  if (ball.w <= 0.0 || distance - ball.w < uRange.x) return;
${
  form === 'mesh'
    ? /* glsl */ `
  vec3 corner = ball.xyz + aCorner * ball.w;
  gl_Position = vec4(corner.xy / -corner.z / uLens + uShift, depthOf(-corner.z) * 2.0 - 1.0, 1.0);`
    : /* glsl */ `
  float share = 1.0 / (distance * distance - squared);
  vec2 middle = ball.xy * distance * share / uLens + uShift;
  vec2 reach = ball.w * sqrt(ball.xy * ball.xy + distance * distance - squared) * share / uLens;`
}
${form === 'points' ? 'gl_Position = vec4(middle, 0.0, 1.0); gl_PointSize = max(reach.x * uSize.x, reach.y * uSize.y) + 1.0;' : ''}
${form === 'quads' ? 'gl_Position = vec4(middle + (reach + 1.0 / uSize) * vec2(float(gl_VertexID & 1) * 2.0 - 1.0, float(gl_VertexID >> 1) * 2.0 - 1.0), 0.0, 1.0);' : ''}
}
`

export const atomsFragment = (form: BallForm): string => /* glsl */ `${HEADER}
uniform vec4 uRange;
${RAY}
flat in vec4 vBall;
flat in uint vAtom;
layout(location = 0) out uint seen;

void main() {
${
  form === 'mesh'
    ? ''
    : /* glsl */ `
  float distance = ballDistance(rayOf(gl_FragCoord.xy), vBall.xyz, vBall.w);
  if (distance < 0.0) discard;
  gl_FragDepth = (distance - uRange.x) * uRange.y;`
}
  seen = vAtom;
}
`
