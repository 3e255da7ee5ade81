import type { ResidueCode } from './residues.ts'

/**
 * Backbone geometry in ångström and degrees: Engh & Huber, Acta Cryst. A47 (1991) 392. Glycine and proline have values of
 * their own.
 */
export type BackboneGeometry = {
  readonly nCa: number
  readonly caC: number
  /** From the residue before to this one's N. */
  readonly cN: number
  readonly cO: number
  readonly nCaC: number
  readonly caCN: number
  readonly cNCa: number
  readonly caCO: number
}

const usual: BackboneGeometry = {
  nCa: 1.458,
  caC: 1.525,
  cN: 1.329,
  cO: 1.231,
  nCaC: 111.2,
  caCN: 116.2,
  cNCa: 121.7,
  caCO: 120.8,
}

const special: Readonly<Partial<Record<ResidueCode, BackboneGeometry>>> = {
  G: { ...usual, nCa: 1.451, caC: 1.516, nCaC: 112.5, caCN: 116.4, cNCa: 120.6, caCO: 120.8 },
  P: { ...usual, nCa: 1.466, cN: 1.341, nCaC: 111.8, caCN: 116.9, cNCa: 122.6 },
}

export function backboneOf(code: ResidueCode): BackboneGeometry {
  return special[code] ?? usual
}

/** Carboxylate oxygen at the end of a chain. */
export const TERMINAL_OXYGEN = { length: 1.249, angle: 118.4 }

/** CHARMM22 charges of the backbone (MacKerell et al. 1998). */
export const backboneCharges = {
  usual: { n: -0.47, hn: 0.31, ca: 0.07, ha: 0.09, c: 0.51, o: -0.51 },
  glycine: { n: -0.47, hn: 0.31, ca: -0.02, ha: 0.09, c: 0.51, o: -0.51 },
  proline: { n: -0.29, hn: 0, ca: 0.02, ha: 0.09, c: 0.51, o: -0.51 },
  start: { n: -0.3, hn: 0.33, ca: 0.21, ha: 0.1 },
  startGlycine: { n: -0.3, hn: 0.33, ca: 0.13, ha: 0.09 },
  end: { c: 0.34, o: -0.67 },
} as const
