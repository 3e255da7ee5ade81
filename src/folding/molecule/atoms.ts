/*
 * Classes of atoms, by which colors and sizes are chosen, and the entries of a legend. The colors are in the viewer.
 */
import { t } from '@lingui/core/macro'

/** Classes of atoms (docs/product.md §4), then the elements of `ELEMENTS`; stored in a `Uint8Array`, one byte per atom. */
export type AtomClass = number

export const CARBON = 0
export const HYDROGEN = 1
export const NITROGEN = 2
export const OXYGEN = 3
export const SULFUR = 4
export const OTHER = 5
export const PHOSPHORUS = 6

/**
 * Elements with classes of their own, from 6 on: atomic number, van der Waals radius in ångström, and whether an atom without bonds is
 * part of a protein rather than of the salt around it. Radii: A. Bondi, J. Phys. Chem. 68 (1964), 441; of calcium, manganese, iron and cobalt about
 * those of their neighbors.
 */
const ELEMENTS: readonly (readonly [element: number, radius: number, isBound?: boolean])[] = [
  [15, 1.8],
  [9, 1.47],
  [17, 1.75],
  [35, 1.85],
  [53, 1.98],
  [34, 1.9],
  [11, 2.27],
  [19, 2.75],
  [12, 1.73, true],
  [20, 2.3, true],
  [25, 1.7, true],
  [26, 1.7, true],
  [27, 1.7, true],
  [28, 1.63, true],
  [29, 1.4, true],
  [30, 1.39, true],
  [48, 1.58, true],
  [80, 1.55, true],
]

export const ATOM_CLASSES: readonly AtomClass[] = [
  ...[CARBON, HYDROGEN, NITROGEN, OXYGEN, SULFUR],
  ...ELEMENTS.map((_, at) => PHOSPHORUS + at),
  OTHER,
]

/** Whether an atom of the class is part of a protein even without bonds, as zinc is. */
export function isBoundMetal(atomClass: number | undefined = OTHER): boolean {
  return ELEMENTS[atomClass - PHOSPHORUS]?.[2] === true
}

const LABELS = [t`Carbon`, t`Hydrogen`, t`Nitrogen`, t`Oxygen`, t`Sulfur`, t`Other`] as const

/** Van der Waals radii in ångström by class (docs/product.md §9). */
const RADII = [1.7, 1.09, 1.55, 1.52, 1.8, 2, ...ELEMENTS.map(([, radius]) => radius)]

// The project's cores also write 3 for hydrogen and 10 for nitrogen (docs/product.md §4).
const BY_NUMBER: ReadonlyMap<number, AtomClass> = new Map<number, AtomClass>([
  [6, CARBON],
  [1, HYDROGEN],
  [3, HYDROGEN],
  [7, NITROGEN],
  [10, NITROGEN],
  [8, OXYGEN],
  [16, SULFUR],
  ...ELEMENTS.map(([element], at) => [element, PHOSPHORUS + at] as const),
])

/** Of the first classes. */
const CLASS_SYMBOLS = ['C', 'H', 'N', 'O', 'S']

const BY_LETTER: ReadonlyMap<string, AtomClass> = new Map([
  ...CLASS_SYMBOLS.map((letter, atomClass) => [letter, atomClass] as const),
  ['P', PHOSPHORUS],
])

/** The class by atomic number; by the first letter of the name when the number is 0 or missing. */
export function atomClass(name: string, element = 0): AtomClass {
  return (element === 0 ? BY_LETTER.get(firstLetter(name)) : BY_NUMBER.get(element)) ?? OTHER
}

export function atomClassLabel(atomClass: AtomClass): string {
  const symbol = SYMBOLS[(ELEMENTS[atomClass - PHOSPHORUS]?.[0] ?? 0) - 1]
  return symbol === undefined ? (LABELS[atomClass] ?? LABELS[OTHER]) : t`Element ${symbol}`
}

/** Names and atomic numbers (0: unknown) by atom index. */
type Atoms = { readonly names: readonly string[]; readonly elements: Uint8Array }

/** One class per atom. */
export function classesOf({ names, elements }: Atoms): Uint8Array {
  return Uint8Array.from(names, (name, index) => atomClass(name, elements[index]))
}

/** Van der Waals radii in ångström, one per atom. */
export function radiiOf(classes: Uint8Array): Float32Array {
  return Float32Array.from(classes, value => RADII[value] ?? 2)
}

export type LegendEntry = {
  readonly atomClass: AtomClass
  readonly label: string
  readonly count: number
  /** How many of them are guessed from the first letter of their name. */
  readonly guessed: number
}

/** The classes that occur, in a fixed order, with their counts. */
export function legendOf({ names, elements }: Atoms): readonly LegendEntry[] {
  const counts = RADII.map(() => ({ count: 0, guessed: 0 }))
  names.forEach((name, index) => {
    const element = elements[index] ?? 0
    const entry = counts[atomClass(name, element)]
    if (entry === undefined) return
    entry.count += 1
    if (element === 0) entry.guessed += 1
  })
  return ATOM_CLASSES.flatMap(atomClass => {
    const { count, guessed } = counts[atomClass] ?? { count: 0, guessed: 0 }
    return count === 0 ? [] : [{ atomClass, label: atomClassLabel(atomClass), count, guessed }]
  })
}

const SYMBOLS = (
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag ' +
  'Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa ' +
  'U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'
).split(' ')

/** The element symbol for structure files; `X` when unknown. */
export function elementSymbol(name: string, element = 0): string {
  const foundClass = atomClass(name, element)
  return CLASS_SYMBOLS[foundClass] ?? SYMBOLS[(ELEMENTS[foundClass - PHOSPHORUS]?.[0] ?? element) - 1] ?? 'X'
}

function firstLetter(name: string): string {
  return /[a-z]/i.exec(name)?.[0].toUpperCase() ?? ''
}
