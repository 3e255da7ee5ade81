import { HEADER, RAY, SPACE } from './common.ts'

const SHADING = /* glsl */ `
uniform sampler2D uAtoms;
uniform sampler2D uShades;
uniform ivec4 uMarks;
uniform vec3 uMarkColor;
// Ambient from above and from below, key, fill: linear light.
uniform vec3 uSky;
uniform vec3 uGround;
uniform vec3 uKey;
uniform vec3 uFill;
// Strength of the ambient occlusion by neighbors.
uniform float uDeep;
// Highlight, rim, start and reach of the fog, in ångström from the near plane; how much of it at the end.
uniform vec2 uGloss;
uniform vec3 uFog;

const vec3 KEY = vec3(-0.4364, 0.6547, 0.6172);
const vec3 HALF_KEY = vec3(-0.2427, 0.3641, 0.8992);
const vec3 FILL = vec3(0.8018, -0.2673, 0.5345);

bool isMarked(int atom) { return atom == uMarks.x || atom == uMarks.y || atom == uMarks.z || atom == uMarks.w; }

// Ambient occlusion by neighbors, from the density around the atom and its slope.
float openness(int atom, vec3 normal) {
  vec4 shade = texelFetch(uShades, placeOf(atom), 0);
  vec3 slope = (shade.xyz - 0.50196) * 2.0;
  float closed = clamp(shade.w * 1.05 + dot(normal * uTurn, slope), 0.0, 1.0);
  return 1.0 - uDeep * closed * closed * (1.6 - 0.75 * closed);
}

vec3 lit(int atom, vec3 own, vec3 normal, float open) {
  if (isMarked(atom)) own = mix(uMarkColor, vec3(1.0), smoothstep(0.6, 0.66, normal.z) - smoothstep(0.8, 0.86, normal.z));
  own *= own;
  float key = clamp((dot(normal, KEY) + 0.18) / 1.18, 0.0, 1.0);
  float fill = max(dot(normal, FILL), 0.0);
  vec3 light = mix(uGround, uSky, normal.y * 0.5 + 0.5) * open + uKey * (key * (0.35 + 0.65 * open)) + uFill * (fill * open);
  float shine = max(dot(normal, HALF_KEY), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  float rim = 1.0 - max(normal.z, 0.0);
  rim *= rim * rim;
  return own * light + uGloss.x * shine * open + uGloss.y * rim * open * (own + 0.06);
}

vec3 colorOf(int atom) { return texelFetch(uAtoms, placeOf(atom), 0).rgb; }

float fogAt(float distance) {
  float deep = clamp((distance - uFog.x) * uFog.y, 0.0, 1.0);
  return deep * uFog.z;
}
`

const EDGES = /* glsl */ `
uniform int uTaps;
uniform int uEdgeTaps;
uniform float uGrain;
// Reach of screen-space ambient occlusion in ångström and in pixels at distance 1; whole outlines an ångström of depth, and where to look for them.
uniform vec2 uReach;
uniform float uOutline;
// How dark outlines are.
uniform float uInk;
uniform ivec2 uEdgeWays[8];
uniform sampler2D uDepths;
uniform ivec2 uLast;

float distanceAt(ivec2 pixel) { return distanceOf(texelFetch(uDepths, clamp(pixel, ivec2(0), uLast), 0).r); }

// Screen-space ambient occlusion. After McGuire et al., "The Alchemy Screen-Space Ambient Obscurance Algorithm" (2011).
float crevice(vec3 point, vec3 normal, vec2 pixel) {
  if (uTaps == 0) return 1.0;
  float turn = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))) + uGrain) * 6.2831853;
  vec2 way = vec2(cos(turn), sin(turn));
  float reach = uReach.y / -point.z;
  float sum = 0.0;
  for (int tap = 0; tap < uTaps; tap++) {
    float share = (float(tap) + 0.5) / float(uTaps);
    // By the golden angle.
    way = vec2(-0.7373688 * way.x - 0.6754903 * way.y, 0.6754903 * way.x - 0.7373688 * way.y);
    vec2 at = pixel + way * (reach * share + 1.0);
    vec3 off = rayOf(at) * distanceAt(ivec2(at)) - point;
    float square = dot(off, off);
    sum += max(0.0, dot(normal, off) - 0.04 - 0.001 * -point.z) / (square + 0.6) * step(square, uReach.x * uReach.x * 4.0);
  }
  return 1.0 / (1.0 + 2.6 * sum / float(uTaps));
}

// Outlines at steps in depth: the deeper, the darker.
float ink(float distance, ivec2 pixel) {
  float fall = 0.0;
  for (int tap = 0; tap < uEdgeTaps; tap++)
    fall += clamp((distanceAt(pixel + uEdgeWays[tap]) - distance) * uOutline - 0.35, 0.0, 1.0);
  return uEdgeTaps == 0 ? 0.0 : min(1.0, fall * 2.0 / float(uEdgeTaps));
}
`

/** What a pixel shows: where, how it lies, its own color, and the atom whose neighbors shade it. */
const SPOT = /* glsl */ `
struct Spot { vec3 point; vec3 normal; vec3 own; int atom; float distance; };

vec3 shaded(Spot spot, vec2 pixel) {
  float open = openness(spot.atom, spot.normal) * crevice(spot.point, spot.normal, pixel);
  return sqrt(lit(spot.atom, spot.own, spot.normal, open)) * (1.0 - uInk * ink(spot.distance, ivec2(pixel)));
}
`

const ATOM = /* glsl */ `
Spot atomSpot(int atom, vec3 ray) {
  vec4 ball = ballOf(atom);
  float distance = ballDistance(ray, vec4(ball.xy, -ball.z, ball.w * ball.w), ball.xy / -ball.z);
  // At the very edge rounding may differ from what drew it.
  if (distance < 0.0) distance = dot(ray, ball.xyz) / dot(ray, ray);
  vec3 point = ray * distance;
  return Spot(point, normalize(point - ball.xyz), colorOf(atom), atom, distance);
}
`

const BOND = /* glsl */ `
uniform usampler2D uBonds;
uniform float uBondRadius;

Spot bondSpot(int bond, vec3 ray) {
  uvec2 ends = texelFetch(uBonds, placeOf(bond), 0).xy;
  vec4 a = ballOf(int(ends.x));
  vec4 b = ballOf(int(ends.y));
  float radius = max(uBondRadius, -0.5 * (a.z + b.z) * uRange.w);
  float at;
  float distance = rodDistance(ray, a.xyz, b.xyz, radius * radius, at);
  vec3 point = ray * distance;
  int atom = int(at < 0.5 ? ends.x : ends.y);
  return Spot(point, normalize(point - mix(a.xyz, b.xyz, at)), colorOf(atom), atom, distance);
}
`

/** A see-through mesh: the more it leans, the less shows through. */
const VEIL = /* glsl */ `
uniform usampler2D uVeil;
uniform sampler2D uVeilNormals;
uniform sampler2D uVeilColors;
uniform sampler2D uVeilDepths;
// How much it covers where it faces the eye and where it leans, and how gray it is.
uniform vec3 uVeilLook;

void addVeil(int atom, float behind, vec3 ray, ivec2 pixel) {
  float distance = distanceOf(texelFetch(uVeilDepths, pixel, 0).r);
  if (distance > behind) return;
  vec3 normal = normalize(texelFetch(uVeilNormals, pixel, 0).xyz * 2.0 - 1.0);
  float lean = 1.0 - max(0.0, dot(normal, -normalize(ray)));
  float cover = mix(uVeilLook.x, uVeilLook.y, lean * lean) * (1.0 - fogAt(distance));
  vec3 own = mix(texelFetch(uVeilColors, pixel, 0).rgb, vec3(0.6), uVeilLook.z);
  color = color * (1.0 - cover) + vec4(sqrt(lit(atom, own, normal, openness(atom, normal))), 1.0) * cover;
}
`

const RIBBON = /* glsl */ `
uniform sampler2D uNormals;
uniform sampler2D uMeshColors;

Spot ribbonSpot(int atom, vec3 ray, vec2 pixel) {
  float distance = distanceAt(ivec2(pixel));
  vec3 normal = normalize(texelFetch(uNormals, ivec2(pixel), 0).xyz * 2.0 - 1.0);
  return Spot(ray * distance, normal, texelFetch(uMeshColors, ivec2(pixel), 0).rgb, atom, distance);
}
`

/** What is drawn, and so what the shader of the light has to know. */
export type Contents = {
  readonly hasBonds: boolean
  /** Whether an atom or a bond is drawn. */
  readonly hasAtoms: boolean
  readonly hasRibbons: boolean
  readonly hasVeil: boolean
}

/**
 * Shades the visible atom, bond or ribbon of each pixel: the ray of an atom or bond is cast again for the normal. Software
 * renderers run all branches for each pixel, so what is costly comes after them, and what is not drawn has none.
 */
export function lightFragment({ hasBonds, hasAtoms, hasRibbons, hasVeil }: Contents): string {
  const spots = [
    ...(hasRibbons ? [['seen >= uRibbonStart', 'ribbonSpot(seen - uRibbonStart, ray, gl_FragCoord.xy)']] : []),
    ...(hasAtoms && hasBonds ? [['seen > uAtomCount', 'bondSpot(seen - uAtomCount - 1, ray)']] : []),
    ...(hasAtoms || !hasRibbons ? [['true', 'atomSpot(seen - 1, ray)']] : []),
  ]
  const chosen = spots.map(([condition, spot]) => `if (${condition}) spot = ${spot};`).join(' else ')
  const nothing = ['seen', ...(hasVeil ? ['veil'] : [])].join(' + ')
  return /* glsl */ `${HEADER}
uniform usampler2D uSeen;
uniform int uAtomCount;
uniform int uRibbonStart;
${SPACE}${RAY}${SHADING}${EDGES}${SPOT}${ATOM}${hasBonds ? BOND : ''}${hasRibbons ? RIBBON : ''}
layout(location = 0) out vec4 color;
${hasVeil ? VEIL : ''}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int seen = int(texelFetch(uSeen, pixel, 0).r);
  ${hasVeil ? 'int veil = int(texelFetch(uVeil, pixel, 0).r);' : ''}
  if (${nothing} == 0) discard;
  vec3 ray = rayOf(gl_FragCoord.xy);
  color = vec4(0.0);
  ${hasVeil ? 'float distance = 1e9;' : ''}
  if (seen > 0) {
    Spot spot;
    ${chosen}
    color = vec4(shaded(spot, gl_FragCoord.xy), 1.0) * (1.0 - fogAt(spot.distance));
    ${hasVeil ? 'distance = spot.distance;' : ''}
  }
  ${hasVeil ? 'if (veil > 0) addVeil(veil - uRibbonStart, distance, ray, pixel);' : ''}
}
`
}
