import { HEADER, SPACE } from './common.ts'

/** Corners of triangles of a surface. A triangle is divided between the two atoms of its last corner, so that colors have sharp borders. */
export const surfaceVertex = /* glsl */ `${HEADER}
${SPACE}
in float aAtom;
in float aRival;
in vec3 aPlace;
in vec3 aNormal;
uniform vec3 uCenter;
uniform int uRibbonStart;
uniform sampler2D uAtoms;
flat out uvec2 vAtoms;
flat out vec3 vColor;
flat out vec3 vRivalColor;
// The plane between the atoms: above 0 on the side of the second.
flat out vec4 vBorder;
out vec3 vPlace;
out vec3 vNormal;

void main() {
  vPlace = aPlace - uCenter;
  vNormal = uTurn * aNormal;
  ivec2 atom = placeOf(int(aAtom));
  ivec2 rival = placeOf(int(aRival));
  vec3 a = texelFetch(uPose, atom, 0).xyz;
  vec3 b = texelFetch(uPose, rival, 0).xyz;
  vBorder = vec4(b - a, 0.5 * (dot(a, a) - dot(b, b)));
  vColor = texelFetch(uAtoms, atom, 0).rgb;
  vRivalColor = texelFetch(uAtoms, rival, 0).rgb;
  vAtoms = uvec2(uint(int(aAtom) + uRibbonStart), uint(int(aRival) + uRibbonStart));
  gl_Position = cornerOf(vPlace);
}
`

export const surfaceFragment = /* glsl */ `${HEADER}
flat in uvec2 vAtoms;
flat in vec3 vColor;
flat in vec3 vRivalColor;
flat in vec4 vBorder;
in vec3 vPlace;
in vec3 vNormal;
layout(location = 0) out uint seen;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 color;

void main() {
  bool isRivals = dot(vBorder, vec4(vPlace, 1.0)) > 0.0;
  seen = isRivals ? vAtoms.y : vAtoms.x;
  normal = vec4(normalize(vNormal) * (gl_FrontFacing ? 0.5 : -0.5) + 0.5, 1.0);
  color = vec4(isRivals ? vRivalColor : vColor, 1.0);
}
`
