/**
 * Side chains as internal coordinates. Bond lengths and angles: Engh & Huber, Acta Cryst. A47 (1991) 392. Usual side-chain
 * torsions: the commonest rotamers of Lovell et al., Proteins 40 (2000) 389. Partial charges: CHARMM22, MacKerell et al.,
 * J. Phys. Chem. B 102 (1998) 3586; each group of atoms sums to a whole charge.
 *
 * A line: atom, then the atoms that give its bond, angle and torsion, then length (Å), angle and torsion (degrees; x1 is
 * the residue's first side-chain torsion), charge, and hydrogens: t or p (tetrahedral or planar), how many, the charge of each.
 */
const sideChains = {
  A: ['CB CA N C 1.521 110.4 cb -0.27 t3:0.09'],
  R: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.520 114.1 x1 -0.18 t2:0.09',
    'CD CG CB CA 1.520 111.3 x2 0.20 t2:0.09',
    'NE CD CG CB 1.460 112.0 x3 -0.70 p1:0.44',
    'CZ NE CD CG 1.329 124.2 x4 0.64 -',
    'NH1 CZ NE CD 1.326 120.0 0 -0.80 p2:0.46',
    'NH2 CZ NE CD 1.326 119.7 180 -0.80 p2:0.46',
  ],
  N: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.516 112.6 x1 0.55 -',
    'OD1 CG CB CA 1.231 120.8 x2 -0.55 -',
    'ND2 CG CB CA 1.328 116.4 x2+180 -0.62 p2:0.31',
  ],
  D: [
    'CB CA N C 1.530 110.5 cb -0.28 t2:0.09',
    'CG CB CA N 1.516 112.6 x1 0.62 -',
    'OD1 CG CB CA 1.249 118.4 x2 -0.76 -',
    'OD2 CG CB CA 1.249 118.4 x2+180 -0.76 -',
  ],
  C: ['CB CA N C 1.530 110.5 cb -0.11 t2:0.09', 'SG CB CA N 1.808 114.4 x1 -0.23 t1:0.16'],
  Q: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.520 114.1 x1 -0.18 t2:0.09',
    'CD CG CB CA 1.516 112.6 x2 0.55 -',
    'OE1 CD CG CB 1.231 120.8 x3 -0.55 -',
    'NE2 CD CG CB 1.328 116.4 x3+180 -0.62 p2:0.31',
  ],
  E: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.520 114.1 x1 -0.28 t2:0.09',
    'CD CG CB CA 1.516 112.6 x2 0.62 -',
    'OE1 CD CG CB 1.249 118.4 x3 -0.76 -',
    'OE2 CD CG CB 1.249 118.4 x3+180 -0.76 -',
  ],
  G: [],
  H: [
    'CB CA N C 1.530 110.5 cb -0.08 t2:0.09',
    'CG CB CA N 1.497 113.8 x1 0.22 -',
    'ND1 CG CB CA 1.378 122.7 x2 -0.70 -',
    'CD2 CG CB CA 1.354 131.2 x2+180 -0.05 p1:0.09',
    'CE1 ND1 CG CB 1.321 109.0 180 0.25 p1:0.13',
    'NE2 CD2 CG CB 1.374 107.2 180 -0.36 p1:0.32',
  ],
  I: [
    'CB CA N C 1.540 111.5 cb -0.09 t1:0.09',
    'CG1 CB CA N 1.530 110.4 x1 -0.18 t2:0.09',
    'CG2 CB CA N 1.521 110.5 x1-122 -0.27 t3:0.09',
    'CD1 CG1 CB CA 1.513 113.8 x2 -0.27 t3:0.09',
  ],
  L: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.530 116.3 x1 -0.09 t1:0.09',
    'CD1 CG CB CA 1.521 110.7 x2 -0.27 t3:0.09',
    'CD2 CG CB CA 1.521 110.7 x2+122 -0.27 t3:0.09',
  ],
  K: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.520 114.1 x1 -0.18 t2:0.09',
    'CD CG CB CA 1.520 111.3 x2 -0.18 t2:0.09',
    'CE CD CG CB 1.520 111.3 x3 0.21 t2:0.05',
    'NZ CE CD CG 1.489 111.9 x4 -0.30 t3:0.33',
  ],
  M: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.520 114.1 x1 -0.14 t2:0.09',
    'SD CG CB CA 1.803 112.7 x2 -0.09 -',
    'CE SD CG CB 1.791 100.9 x3 -0.22 t3:0.09',
  ],
  F: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.502 113.8 x1 0.00 -',
    'CD1 CG CB CA 1.384 120.7 x2 -0.115 p1:0.115',
    'CD2 CG CB CA 1.384 120.7 x2+180 -0.115 p1:0.115',
    'CE1 CD1 CG CB 1.382 120.7 180 -0.115 p1:0.115',
    'CE2 CD2 CG CB 1.382 120.7 180 -0.115 p1:0.115',
    'CZ CE1 CD1 CG 1.382 120.0 0 -0.115 p1:0.115',
  ],
  P: [
    'CB CA N C 1.530 103.0 cb -0.18 t2:0.09',
    'CG CB CA N 1.492 104.5 x1 -0.18 t2:0.09',
    'CD CG CB CA 1.503 106.1 x2 0.00 t2:0.09',
  ],
  S: ['CB CA N C 1.530 110.5 cb 0.05 t2:0.09', 'OG CB CA N 1.417 111.1 x1 -0.66 t1:0.43'],
  T: [
    'CB CA N C 1.540 111.5 cb 0.14 t1:0.09',
    'OG1 CB CA N 1.433 109.6 x1 -0.66 t1:0.43',
    'CG2 CB CA N 1.521 110.5 x1-121 -0.27 t3:0.09',
  ],
  W: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.498 113.6 x1 -0.03 -',
    'CD1 CG CB CA 1.365 126.9 x2 0.035 p1:0.115',
    'CD2 CG CB CA 1.433 126.8 x2+180 -0.02 -',
    'NE1 CD1 CG CB 1.374 110.2 180 -0.61 p1:0.38',
    'CE2 CD2 CG CB 1.409 107.2 180 0.13 -',
    'CE3 CD2 CG CB 1.398 133.9 0 -0.115 p1:0.115',
    'CZ2 CE2 CD2 CG 1.394 122.4 180 -0.115 p1:0.115',
    'CZ3 CE3 CD2 CG 1.382 118.6 180 -0.115 p1:0.115',
    'CH2 CZ2 CE2 CD2 1.368 117.5 0 -0.115 p1:0.115',
  ],
  Y: [
    'CB CA N C 1.530 110.5 cb -0.18 t2:0.09',
    'CG CB CA N 1.512 113.9 x1 0.00 -',
    'CD1 CG CB CA 1.389 120.8 x2 -0.115 p1:0.115',
    'CD2 CG CB CA 1.389 120.8 x2+180 -0.115 p1:0.115',
    'CE1 CD1 CG CB 1.382 121.2 180 -0.115 p1:0.115',
    'CE2 CD2 CG CB 1.382 121.2 180 -0.115 p1:0.115',
    'CZ CE1 CD1 CG 1.378 119.6 0 0.11 -',
    'OH CZ CE1 CD1 1.376 119.9 180 -0.54 t1:0.43',
  ],
  V: [
    'CB CA N C 1.540 111.5 cb -0.09 t1:0.09',
    'CG1 CB CA N 1.521 110.5 x1 -0.27 t3:0.09',
    'CG2 CB CA N 1.521 110.5 x1+122 -0.27 t3:0.09',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ResidueCode = keyof typeof sideChains

/** Bonds that close a ring. */
const ringBonds: Readonly<Partial<Record<ResidueCode, readonly (readonly [string, string])[]>>> = {
  F: [['CE2', 'CZ']],
  Y: [['CE2', 'CZ']],
  W: [
    ['NE1', 'CE2'],
    ['CZ3', 'CH2'],
  ],
  H: [['CE1', 'NE2']],
  P: [['CD', 'N']],
}

/** Usual side-chain torsions x1, x2 … in degrees. */
const usualTorsions: Readonly<Record<ResidueCode, readonly number[]>> = {
  A: [],
  G: [],
  P: [27, -35],
  S: [62],
  C: [-65],
  T: [62],
  V: [175],
  I: [-65, 170],
  L: [-65, 175],
  N: [-65, -40],
  D: [-70, -15],
  F: [-65, -85],
  Y: [-65, -85],
  W: [-65, 95],
  H: [-65, -70],
  M: [-65, 180, 75],
  Q: [-67, 180, -25],
  E: [-67, 180, -10],
  K: [-67, 180, 180, 180],
  R: [-67, 180, 180, 180],
}

export type HydrogenSpec = { readonly form: 'tetrahedral' | 'planar'; readonly count: number; readonly charge: number }

/** `chi` is the place of a side-chain torsion, counted from 0, to which `torsion` is added. */
export type SideAtom = {
  readonly name: string
  readonly bondTo: string
  readonly angleTo: string
  readonly torsionTo: string
  readonly length: number
  readonly angle: number
  readonly torsion: number
  readonly chi: number | undefined
  readonly charge: number
  readonly hydrogens: HydrogenSpec | undefined
}

export type ResidueTemplate = {
  readonly code: ResidueCode
  readonly atoms: readonly SideAtom[]
  readonly rings: readonly (readonly [string, string])[]
  readonly chi: readonly number[]
}

/** Torsion C–N–CA–CB of an L amino acid. */
const L_FORM = -121.6
/** The same for proline, whose ring pulls CB closer. */
const L_FORM_PROLINE = -114.5

function readTorsion(text: string, code: ResidueCode): { torsion: number; chi: number | undefined } {
  if (text === 'cb') return { torsion: code === 'P' ? L_FORM_PROLINE : L_FORM, chi: undefined }
  const match = /^x(\d)([+-]\d+)?$/.exec(text)
  if (match === null) return { torsion: Number(text), chi: undefined }
  return { torsion: Number(match[2] ?? 0), chi: Number(match[1]) - 1 }
}

function readHydrogens(text: string): HydrogenSpec | undefined {
  const match = /^([tp])(\d):([\d.]+)$/.exec(text)
  if (match === null) return undefined
  return { form: match[1] === 't' ? 'tetrahedral' : 'planar', count: Number(match[2]), charge: Number(match[3]) }
}

function readAtom(line: string, code: ResidueCode): SideAtom {
  const [name = '', bondTo = '', angleTo = '', torsionTo = '', length, angle, torsion = '', charge, hydrogens = ''] =
    line.split(' ')
  return {
    name,
    bondTo,
    angleTo,
    torsionTo,
    length: Number(length),
    angle: Number(angle),
    ...readTorsion(torsion, code),
    charge: Number(charge),
    hydrogens: readHydrogens(hydrogens),
  }
}

export function isResidueCode(letter: string): letter is ResidueCode {
  return Object.hasOwn(sideChains, letter)
}

/** The side chain of one of the twenty amino acids, by its one-letter code. */
export function residueTemplate(code: ResidueCode): ResidueTemplate {
  return {
    code,
    atoms: sideChains[code].map(line => readAtom(line, code)),
    rings: ringBonds[code] ?? [],
    chi: usualTorsions[code],
  }
}
