/*
 * A molecule of the embedded network: atoms, hydrogens, bonds and slow motions of an entry of the Protein Data Bank.
 */
import { elementNumber } from '../elements.ts'
import { distance } from '../../../../src/folding/molecule/vectors.ts'
import type { StoredStructure } from '../stored-structure.ts'
import { chargeOf, hydrogenNames, hydrogenPlaces, hydrogensOf } from './hydrogens.ts'
import { normalModes } from './normal-modes.ts'
import { readEntry, type EntryAtom } from './read-entry.ts'

type Entry = {
  readonly id: string
  readonly file: string
  readonly title: string
  /** Chains that are taken; all without a list. */
  readonly chains?: string
}

export const ENTRIES: readonly Entry[] = [
  { id: '1CRN', file: '1CRN.pdb', title: 'Crambin' },
  { id: '1CKB', file: '1CKB.pdb', title: 'SH3 domain of c-Crk with a peptide' },
  { id: '1EMA', file: '1EMA.cif', title: 'Green fluorescent protein' },
  { id: '2SRC', file: '2SRC.pdb', title: 'Kinase c-Src with a nucleotide' },
  { id: '1D66', file: '1D66.pdb', title: 'GAL4 on DNA' },
  { id: '1U19', file: '1U19.pdb', title: 'Rhodopsin', chains: 'A' },
]

/** Water, detergents, and mercury that was added to solve a structure. */
const LEFT_OUT = new Set(['HOH', 'HTG', 'HTO', 'HG'])

/** Covalent radii in ångström: B. Cordero et al., Dalton Trans. (2008), 2832. Metals are not bonded. */
const COVALENT: Readonly<Record<string, number>> = { H: 0.31, C: 0.76, N: 0.71, O: 0.66, S: 1.05, P: 1.07, SE: 1.2 }
const BOND_ROOM = 0.4

const MODES = 8
/** Ångström: how far nodes move around their places, as the root of the mean square. */
const MOTION = 0.9
/** Frames that the slowest motion takes, and the fastest. */
const SLOWEST = 24
const FASTEST = 6

export function structureOf({ id, title, chains }: Entry, text: string): StoredStructure {
  const heavy = readEntry(text).filter(
    ({ residue, place }) => !LEFT_OUT.has(residue) && (chains === undefined || chains.includes(place.charAt(0))),
  )
  const { atoms, bonds } = withHydrogens(heavy)
  const center = ([0, 1, 2] as const).map(axis => atoms.reduce((sum, { at }) => sum + at[axis], 0) / atoms.length)
  const nodes = atoms.flatMap(({ name, element }, atom) =>
    (element === 'C' && /^CA1?$/.test(name)) || name === "C4'" ? [atom] : [],
  )
  const modes = normalModes(
    nodes.map(atom => atoms[atom]?.at ?? [0, 0, 0]),
    MODES,
  )
  const slowest = modes[0]?.stiffness ?? 1
  const total = modes.reduce((sum, { stiffness }) => sum + 1 / stiffness, 0) / nodes.length
  const bytes = (values: Uint8Array | Int16Array | Uint16Array): string => Buffer.from(values.buffer).toString('base64')
  return {
    title,
    source: `Protein Data Bank, entry ${id}, https://doi.org/10.2210/pdb${id.toLowerCase()}/pdb`,
    license: 'CC0 1.0',
    names: atoms.map(({ name }) => name).join(' '),
    elements: bytes(Uint8Array.from(atoms, ({ element }) => elementNumber(element))),
    charges: bytes(Int16Array.from(chargesOf(atoms, bonds), charge => Math.round(charge * 1000))),
    bonds: bytes(Uint16Array.from(bonds.flat())),
    positions: bytes(
      Int16Array.from(
        atoms.flatMap(({ at }) => at.map((value, axis) => Math.round((value - (center[axis] ?? 0)) * 100))),
      ),
    ),
    nodes: bytes(Uint16Array.from(nodes)),
    modes: bytes(
      Int16Array.from(
        modes.flatMap(({ directions, stiffness }) =>
          Array.from(directions, value => Math.round((value * MOTION * 1000) / Math.sqrt(stiffness * total))),
        ),
      ),
    ),
    paces: modes.map(({ stiffness }) =>
      Number(Math.min(1 / FASTEST, Math.sqrt(stiffness / slowest) / SLOWEST).toFixed(4)),
    ),
  }
}

/** The atoms residue by residue, each with its hydrogens after the others. */
function withHydrogens(heavy: readonly EntryAtom[]) {
  const near = heavy.map((a, at) =>
    heavy.flatMap((b, other) => {
      const reach = (COVALENT[a.element] ?? -9) + (COVALENT[b.element] ?? -9) + BOND_ROOM
      return other !== at && distance(a.at, b.at) < reach ? [other] : []
    }),
  )
  const atoms: EntryAtom[] = []
  const bonds: (readonly [number, number])[] = []
  const numbers = new Map<number, number>()
  for (const members of byResidue(heavy)) {
    for (const at of members) {
      numbers.set(at, atoms.length)
      const atom = heavy[at]
      if (atom !== undefined) atoms.push(atom)
    }
    const [first = 0] = members
    const residue = heavy[first]?.residue ?? ''
    const isFirst = !(near[first] ?? []).some(other => heavy[other]?.name === 'C')
    for (const hydrogens of hydrogensOf(residue, isFirst)) {
      const on = members.find(at => heavy[at]?.name === hydrogens.on)
      const parent = on === undefined ? undefined : heavy[on]
      if (on === undefined || parent === undefined) continue
      const partners = near[on] ?? []
      // What is bonded to the end of a side chain, such as a sugar, has taken the place of a hydrogen; retinal that of two.
      const isBranched = partners.length > 1 && /^(SG|OG1?|OH|ND2|NZ)$/.test(hydrogens.on)
      const count = isBranched ? (/^N/.test(hydrogens.on) ? 1 : 0) : hydrogens.count
      const [next = 0] = partners
      const reference = (near[next] ?? []).find(other => other !== on)
      const places = hydrogenPlaces(
        parent.element,
        { ...hydrogens, count },
        parent.at,
        partners.map(other => heavy[other]?.at ?? parent.at),
        reference === undefined ? undefined : heavy[reference]?.at,
      )
      hydrogenNames(hydrogens.on, count).forEach((name, index) => {
        const at = places[index]
        if (at === undefined) return
        bonds.push([numbers.get(on) ?? 0, atoms.length])
        atoms.push({ ...parent, name, element: 'H', at })
      })
    }
  }
  near.forEach((partners, at) => {
    for (const other of partners) if (other > at) bonds.push([numbers.get(at) ?? 0, numbers.get(other) ?? 0])
  })
  return { atoms, bonds: bonds.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]) }
}

/** Numbers of the atoms of each residue. */
function byResidue(atoms: readonly EntryAtom[]): Iterable<readonly number[]> {
  const residues = new Map<string, number[]>()
  atoms.forEach(({ place, residue }, at) => {
    const key = `${place} ${residue}`
    residues.set(key, [...(residues.get(key) ?? []), at])
  })
  return residues.values()
}

/** In elementary charges, of residues that are not neutral. */
const WHOLE: Readonly<Record<string, number>> = {
  ASP: -1,
  GLU: -1,
  ARG: 1,
  LYS: 1,
  PTR: -2,
  ANP: -4,
  DA: -1,
  DC: -1,
  DG: -1,
  DT: -1,
  CD: 2,
  ZN: 2,
}

/** In elementary charges; each residue has a whole charge. */
function chargesOf(atoms: readonly EntryAtom[], bonds: readonly (readonly [number, number])[]): readonly number[] {
  const near = atoms.map((): string[] => [])
  for (const [a, b] of bonds) {
    near[a]?.push(atoms[b]?.element ?? '')
    near[b]?.push(atoms[a]?.element ?? '')
  }
  const charges = atoms.map(({ element }, at) => chargeOf(element, near[at] ?? []))
  for (const members of byResidue(atoms)) {
    const carbons = members.filter(at => atoms[at]?.element === 'C')
    const some = carbons.length === 0 ? members : carbons
    const wanted = WHOLE[atoms[members[0] ?? -1]?.residue ?? ''] ?? 0
    const rest = members.reduce((left, at) => left - (charges[at] ?? 0), wanted)
    for (const at of some) charges[at] = (charges[at] ?? 0) + rest / some.length
  }
  return charges
}
