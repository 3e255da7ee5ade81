import { HEADER, SPACE } from './common.ts'

/** Scales the accumulated picture to the canvas and divides it by the number of pictures. */
export const presentFragment = /* glsl */ `${HEADER}
uniform sampler2D uPicture;
uniform vec2 uCanvas;
uniform float uShare;
layout(location = 0) out vec4 color;

void main() { color = texture(uPicture, gl_FragCoord.xy * uCanvas) * uShare; }
`

/** A dashed line between two places, of constant width on the screen. */
export const lineVertex = /* glsl */ `${HEADER}
uniform vec3 uFrom;
uniform vec3 uTo;
uniform vec2 uLens;
uniform vec2 uSize;
uniform float uWidth;
out float vAlong;
out float vAcross;
// One by the distance: it grows evenly along the line on the screen.
out float vNearness;

void main() {
  vec2 from = uFrom.xy / -uFrom.z / uLens * uSize * 0.5;
  vec2 to = uTo.xy / -uTo.z / uLens * uSize * 0.5;
  vec2 way = to - from;
  float length = max(sqrt(dot(way, way)), 1e-6);
  vec2 across = vec2(-way.y, way.x) / length * uWidth;
  bool isEnd = gl_VertexID > 1;
  bool isRight = (gl_VertexID & 1) == 1;
  vAlong = isEnd ? length : 0.0;
  vAcross = isRight ? 1.0 : -1.0;
  vNearness = -1.0 / (isEnd ? uTo.z : uFrom.z);
  gl_Position = vec4(((isEnd ? to : from) + (isRight ? across : -across)) / (uSize * 0.5), 0.0, 1.0);
}
`

export const lineFragment = /* glsl */ `${HEADER}
${SPACE}
uniform vec3 uMarkColor;
uniform float uWidth;
uniform vec2 uSize;
uniform sampler2D uDepths;
// How much is seen of what is behind something, and how white the middle is.
uniform vec2 uLineLook;
in float vAlong;
in float vAcross;
in float vNearness;
layout(location = 0) out vec4 color;

void main() {
  float dash = smoothstep(0.0, 1.5, 2.4 * uWidth - abs(mod(vAlong, 7.0 * uWidth) - 2.4 * uWidth));
  bool isBehind = distanceOf(texture(uDepths, gl_FragCoord.xy / uSize).r) * vNearness < 1.0;
  float cover = dash * smoothstep(1.0, 0.7, abs(vAcross)) * (isBehind ? uLineLook.x : 1.0);
  color = vec4(mix(uMarkColor, vec3(1.0), uLineLook.y * smoothstep(0.55, 0.4, abs(vAcross))), 1.0) * cover;
}
`
