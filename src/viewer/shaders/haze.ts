import { HEADER, SPACE } from './common.ts'

/** The sides of a box, as seen from inside, without a vertex buffer. */
export const hazeVertex = /* glsl */ `${HEADER}
${SPACE}
uniform vec3 uLow;
uniform vec3 uHigh;
uniform vec3 uCenter;
out vec2 vAt;
flat out vec2 vSize;

void main() {
  int axis = gl_VertexID / 12;
  float side = float((gl_VertexID / 6) & 1);
  int corner = gl_VertexID % 6;
  vec2 at = vec2(corner == 1 || corner == 3 || corner == 4, corner == 2 || corner == 4 || corner == 5);
  if (side == 0.0) at = at.yx;
  ivec2 axes = ivec2((axis + 1) % 3, (axis + 2) % 3);
  vec3 share;
  share[axis] = side;
  share[axes.x] = at.x;
  share[axes.y] = at.y;
  vec3 size = uHigh - uLow;
  vSize = vec2(size[axes.x], size[axes.y]);
  vAt = at * vSize;
  vec3 place = uTurn * (uLow + share * size - uCenter) + uMove;
  gl_Position = vec4(place.xy / uLens, 0.0, -place.z);
}
`

/** Faint, and a little less so towards the edges of the box. */
export const hazeFragment = /* glsl */ `${HEADER}
uniform vec3 uHazeColor;
in vec2 vAt;
flat in vec2 vSize;
layout(location = 0) out vec4 color;

void main() {
  vec2 edge = min(vAt, vSize - vAt);
  color = vec4(uHazeColor, 1.0) * (0.07 + 0.16 * exp(-0.4 * min(edge.x, edge.y)));
}
`
