/* The lights of each theme and the sizes of each style. */
import { channelsOf } from './colors.ts'
import type { DrawStyle, Theme } from './viewer.types.ts'

type Color = readonly [number, number, number]

export type Lights = {
  /** Ambient light from above and below, key and fill: linear. */
  readonly sky: Color
  readonly ground: Color
  readonly key: Color
  readonly fill: Color
  /** Strength of the highlight and of the rim. */
  readonly gloss: readonly [number, number]
  /** Transparency of the farthest atoms. */
  readonly fog: number
  /** Color of marked atoms: the accent color. */
  readonly mark: Color
  /** Color of hydrogen bonds. */
  readonly bond: Color
}

/** A warm key light from the upper left and a cool fill light from the right. */
export const LIGHTS: Readonly<Record<Theme, Lights>> = {
  light: {
    sky: [0.62, 0.64, 0.68],
    ground: [0.4, 0.37, 0.35],
    key: [0.74, 0.7, 0.64],
    fill: [0.09, 0.1, 0.13],
    gloss: [0.1, 0.12],
    fog: 0.62,
    mark: channelsOf('#a8225f'),
    bond: channelsOf('#1d63a8'),
  },
  dark: {
    sky: [0.46, 0.49, 0.55],
    ground: [0.22, 0.2, 0.2],
    key: [0.82, 0.77, 0.69],
    fill: [0.1, 0.12, 0.17],
    gloss: [0.13, 0.34],
    fog: 0.72,
    mark: channelsOf('#f04d95'),
    bond: channelsOf('#5fb0f5'),
  },
}

export type Sizes = {
  /** The radius of an atom: factor of the van der Waals radius, and constant in ångström. */
  readonly ball: number
  readonly fixed: number
  /** ångström; 0 draws no bonds. */
  readonly bond: number
  /** Factor of the radius of marked atoms. */
  readonly mark: number
  /** The step in depth that gets a full outline, in ångström. */
  readonly outlineStep: number
  /** Strength of the ambient occlusion by neighboring atoms; thin styles need less. */
  readonly deep: number
  /** Reach of screen-space ambient occlusion, in ångström. */
  readonly reach: number
}

/** docs/product.md §9: balls of a tenth of the radius. What is no polymer are balls and sticks in a cartoon and in a surface. */
export const SIZES: Readonly<Record<DrawStyle, Sizes>> = {
  1: { ball: 1, fixed: 0, bond: 0, mark: 1.08, outlineStep: 3.2, deep: 1, reach: 3.4 },
  2: { ball: 0.1, fixed: 0.12, bond: 0.13, mark: 1.9, outlineStep: 2.2, deep: 0.55, reach: 1.6 },
  3: { ball: 0, fixed: 0.24, bond: 0.24, mark: 1.7, outlineStep: 1.6, deep: 0.7, reach: 2 },
  4: { ball: 0.2, fixed: 0.05, bond: 0.16, mark: 1.7, outlineStep: 2.4, deep: 0.25, reach: 3 },
  5: { ball: 0.2, fixed: 0.05, bond: 0.16, mark: 1.7, outlineStep: 3.2, deep: 0.75, reach: 4 },
}
