import { HEADER, SPACE } from './common.ts'

/** Corners of triangles of ribbons, between two frames. Colors go from corner to corner. Numbers are those of atoms, above those of atoms and bonds. */
export const ribbonsVertex = /* glsl */ `${HEADER}
${SPACE}
in float aAtom;
in vec3 aPlace;
in vec3 aNormal;
in vec3 aNextPlace;
in vec3 aNextNormal;
uniform float uBlend;
uniform vec3 uCenter;
uniform int uRibbonStart;
flat out uint vAtom;
uniform sampler2D uAtoms;
out vec3 vNormal;
out vec3 vColor;

void main() {
  vNormal = uTurn * mix(aNormal, aNextNormal, uBlend);
  vColor = texelFetch(uAtoms, placeOf(int(aAtom)), 0).rgb;
  vAtom = uint(int(aAtom) + uRibbonStart);
  gl_Position = cornerOf(mix(aPlace, aNextPlace, uBlend) - uCenter);
}
`

export const ribbonsFragment = /* glsl */ `${HEADER}
flat in uint vAtom;
in vec3 vNormal;
in vec3 vColor;
layout(location = 0) out uint seen;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 color;

void main() {
  seen = vAtom;
  normal = vec4(normalize(vNormal) * (gl_FrontFacing ? 0.5 : -0.5) + 0.5, 1.0);
  color = vec4(vColor, 1.0);
}
`
