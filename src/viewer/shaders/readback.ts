import { HEADER } from './common.ts'

/** Samples the ids of every nth pixel. */
export const sampleIdsFragment = /* glsl */ `${HEADER}
uniform usampler2D uSeen;
uniform int uStride;
layout(location = 0) out uint seen;

void main() {
  ivec2 last = textureSize(uSeen, 0) - 1;
  seen = texelFetch(uSeen, min(ivec2(gl_FragCoord.xy) * uStride + uStride / 2, last), 0).r;
}
`

/** The farthest depth of each block of pixels. Anything behind it is hidden there. */
export const farFragment = /* glsl */ `${HEADER}
uniform sampler2D uDepths;
uniform int uBlock;
layout(location = 0) out float far;

void main() {
  ivec2 from = ivec2(gl_FragCoord.xy) * uBlock;
  ivec2 to = min(from + uBlock, textureSize(uDepths, 0));
  far = 0.0;
  for (int y = from.y; y < to.y; y++)
    for (int x = from.x; x < to.x; x++) far = max(far, texelFetch(uDepths, ivec2(x, y), 0).r);
}
`
