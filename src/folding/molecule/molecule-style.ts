import { t } from '@lingui/core/macro'

/** 1 space-filling, 2 ball-and-stick, 3 sticks (docs/product.md §2), 4 cartoon, 5 surface. */
export type DrawStyle = 1 | 2 | 3 | 4 | 5

export const BALL_AND_STICK = 2
export const CARTOON = 4
export const SURFACE = 5

/** All but `element` and `motion` fall back to `element` for a molecule without their data. */
export type Coloring = 'element' | 'chain' | 'residue' | 'structure' | 'charge' | 'motion'

export const drawStyles: readonly { readonly style: DrawStyle; readonly name: string }[] = [
  { style: 1, name: t`Space-filling` },
  { style: 2, name: t`Ball and stick` },
  { style: 3, name: t`Sticks` },
  { style: 4, name: t`Cartoon` },
  { style: 5, name: t`Surface` },
]

export function styleName(style: DrawStyle): string {
  return drawStyles.find(entry => entry.style === style)?.name ?? ''
}

/** Validates a draw type, 1 to 5 (docs/product.md §5). */
export function drawStyleOf(style: number): DrawStyle | undefined {
  return drawStyles.find(entry => entry.style === style)?.style
}

export const colorings: readonly { readonly coloring: Coloring; readonly name: string }[] = [
  { coloring: 'element', name: t`By element` },
  { coloring: 'chain', name: t`By chain` },
  { coloring: 'residue', name: t`From N to C` },
  { coloring: 'structure', name: t`By secondary structure` },
  { coloring: 'charge', name: t`By charge` },
  { coloring: 'motion', name: t`By motion` },
]

export function coloringName(coloring: Coloring): string {
  return colorings.find(entry => entry.coloring === coloring)?.name ?? ''
}
