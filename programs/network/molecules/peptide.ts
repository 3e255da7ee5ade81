import { TERMINAL_OXYGEN, backboneCharges, backboneOf } from './backbone.ts'
import { isResidueCode, residueTemplate } from './residues.ts'
import type { HydrogenSpec, ResidueTemplate } from './residues.ts'

export type Element = 'H' | 'C' | 'N' | 'O' | 'S'

export type Atom = {
  readonly name: string
  readonly element: Element
  readonly charge: number
  readonly residue: number
}

/** A torsion: of a residue, given by the frame, or fixed. */
export type TorsionSource =
  | { readonly kind: 'fixed'; readonly value: number }
  | { readonly kind: 'phi' | 'psi' | 'omega'; readonly residue: number; readonly plus: number }
  | { readonly kind: 'chi'; readonly residue: number; readonly index: number; readonly plus: number }

/** How to place atoms: each step uses only atoms of earlier steps. */
export type PlacementStep =
  | { readonly kind: 'start'; readonly n: number; readonly ca: number; readonly c: number }
  | {
      readonly kind: 'extend'
      readonly atom: number
      readonly bondTo: number
      readonly angleTo: number
      readonly torsionTo: number
      readonly length: number
      readonly angle: number
      readonly torsion: TorsionSource
    }
  | {
      readonly kind: 'hydrogens'
      readonly atoms: readonly number[]
      readonly on: number
      readonly form: HydrogenSpec['form']
      readonly length: number
    }

export type Peptide = {
  readonly sequence: string
  readonly residues: readonly ResidueTemplate[]
  readonly atoms: readonly Atom[]
  /** Pairs of atom indexes, the lower first. */
  readonly bonds: readonly (readonly [number, number])[]
  /** Atoms bonded to each atom, hydrogens included. */
  readonly neighbors: readonly (readonly number[])[]
  readonly steps: readonly PlacementStep[]
  /** Index of the alpha carbon of each residue. */
  readonly alphas: readonly number[]
}

/** X–H distances in ångström: usual values of force fields for C, N, O and S. */
const hydrogenLength: Readonly<Record<Element, number>> = { H: 0.74, C: 1.09, N: 1.01, O: 0.96, S: 1.34 }

function elementOf(name: string): Element {
  const letter = name.charAt(0)
  if (letter === 'C' || letter === 'N' || letter === 'O' || letter === 'S') return letter
  return 'H'
}

function templatesOf(sequence: string): readonly ResidueTemplate[] {
  return Array.from(sequence, letter => {
    if (!isResidueCode(letter)) throw new Error(`No amino acid has the code ${JSON.stringify(letter)}`)
    return residueTemplate(letter)
  })
}

/** Names as in the PDB: HB2 and HB3 of two, HB1 to HB3 of three, HH11 and HH12 on NH1. */
function hydrogenNames(on: string, count: number): readonly string[] {
  if (on === 'N') return count === 1 ? ['H'] : ['H1', 'H2', 'H3'].slice(0, count)
  const stem = `H${on.slice(1)}`
  if (count === 1) return [stem]
  const first = count === 2 && !/\d$/.test(on) ? 2 : 1
  return Array.from({ length: count }, (_, index) => `${stem}${first + index}`)
}

/** Collects the atoms, bonds and steps of a chain. */
function createChain() {
  const atoms: Atom[] = []
  const bonds: (readonly [number, number])[] = []
  const steps: PlacementStep[] = []
  return {
    atoms,
    bonds,
    steps,
    atom: (name: string, charge: number, residue: number): number => {
      atoms.push({ name, element: elementOf(name), charge, residue })
      return atoms.length - 1
    },
    bond: (a: number, b: number): void => {
      bonds.push([Math.min(a, b), Math.max(a, b)])
    },
  }
}

type Chain = ReturnType<typeof createChain>

function addHydrogens(chain: Chain, on: number, residue: number, { form, count, charge }: HydrogenSpec): void {
  const heavy = chain.atoms[on]
  if (heavy === undefined || count === 0) return
  const atoms = hydrogenNames(heavy.name, count).map(name => chain.atom(name, charge, residue))
  for (const hydrogen of atoms) chain.bond(on, hydrogen)
  chain.steps.push({ kind: 'hydrogens', atoms, on, form, length: hydrogenLength[heavy.element] })
}

type Backbone = { readonly n: number; readonly ca: number; readonly c: number }

function chargesOf(template: ResidueTemplate, isFirst: boolean, isLast: boolean) {
  const usual =
    template.code === 'G'
      ? backboneCharges.glycine
      : template.code === 'P'
        ? backboneCharges.proline
        : backboneCharges.usual
  const start = template.code === 'G' ? backboneCharges.startGlycine : backboneCharges.start
  return { ...usual, ...(isFirst ? start : {}), ...(isLast ? backboneCharges.end : {}) }
}

/** N, CA and C of a residue, placed from the residue before. */
function addBackbone(
  chain: Chain,
  template: ResidueTemplate,
  residue: number,
  before: Backbone | undefined,
  isLast: boolean,
): Backbone {
  const charges = chargesOf(template, before === undefined, isLast)
  const backbone = {
    n: chain.atom('N', charges.n, residue),
    ca: chain.atom('CA', charges.ca, residue),
    c: chain.atom('C', charges.c, residue),
  }
  const geometry = backboneOf(template.code)
  chain.bond(backbone.n, backbone.ca)
  chain.bond(backbone.ca, backbone.c)
  if (before === undefined) {
    chain.steps.push({ kind: 'start', ...backbone })
    return backbone
  }
  chain.bond(before.c, backbone.n)
  chain.steps.push(
    {
      kind: 'extend',
      atom: backbone.n,
      bondTo: before.c,
      angleTo: before.ca,
      torsionTo: before.n,
      length: geometry.cN,
      angle: geometry.caCN,
      torsion: { kind: 'psi', residue: residue - 1, plus: 0 },
    },
    {
      kind: 'extend',
      atom: backbone.ca,
      bondTo: backbone.n,
      angleTo: before.c,
      torsionTo: before.ca,
      length: geometry.nCa,
      angle: geometry.cNCa,
      torsion: { kind: 'omega', residue, plus: 0 },
    },
    {
      kind: 'extend',
      atom: backbone.c,
      bondTo: backbone.ca,
      angleTo: backbone.n,
      torsionTo: before.c,
      length: geometry.caC,
      angle: geometry.nCaC,
      torsion: { kind: 'phi', residue, plus: 0 },
    },
  )
  return backbone
}

function addOxygens(
  chain: Chain,
  template: ResidueTemplate,
  residue: number,
  backbone: Backbone,
  isLast: boolean,
): void {
  const charges = chargesOf(template, false, isLast)
  const { length, angle } = isLast
    ? TERMINAL_OXYGEN
    : { length: backboneOf(template.code).cO, angle: backboneOf(template.code).caCO }
  for (const [name, plus] of isLast
    ? ([
        ['O', 180],
        ['OXT', 0],
      ] as const)
    : ([['O', 180]] as const)) {
    const oxygen = chain.atom(name, charges.o, residue)
    chain.bond(backbone.c, oxygen)
    chain.steps.push({
      kind: 'extend',
      atom: oxygen,
      bondTo: backbone.c,
      angleTo: backbone.ca,
      torsionTo: backbone.n,
      length,
      angle,
      torsion: { kind: 'psi', residue, plus },
    })
  }
}

/** Adds the side chain: heavy atoms, ring bonds and hydrogens. */
function addSideChain(chain: Chain, template: ResidueTemplate, residue: number, backbone: Backbone): void {
  const byName = new Map<string, number>([
    ['N', backbone.n],
    ['CA', backbone.ca],
    ['C', backbone.c],
  ])
  const find = (name: string): number => {
    const index = byName.get(name)
    if (index === undefined) throw new Error(`${template.code} has no atom ${name} yet`)
    return index
  }
  for (const { name, bondTo, angleTo, torsionTo, length, angle, torsion, chi, charge } of template.atoms) {
    const atom = chain.atom(name, charge, residue)
    byName.set(name, atom)
    chain.bond(find(bondTo), atom)
    chain.steps.push({
      kind: 'extend',
      atom,
      bondTo: find(bondTo),
      angleTo: find(angleTo),
      torsionTo: find(torsionTo),
      length,
      angle,
      torsion:
        chi === undefined ? { kind: 'fixed', value: torsion } : { kind: 'chi', residue, index: chi, plus: torsion },
    })
  }
  for (const [a, b] of template.rings) chain.bond(find(a), find(b))
  for (const { name, hydrogens } of template.atoms)
    if (hydrogens !== undefined) addHydrogens(chain, find(name), residue, hydrogens)
}

function addBackboneHydrogens(
  chain: Chain,
  template: ResidueTemplate,
  residue: number,
  backbone: Backbone,
  isFirst: boolean,
): void {
  const { hn, ha } = chargesOf(template, isFirst, false)
  const isProline = template.code === 'P'
  const onNitrogen = isFirst ? (isProline ? 2 : 3) : isProline ? 0 : 1
  addHydrogens(chain, backbone.n, residue, { form: isFirst ? 'tetrahedral' : 'planar', count: onNitrogen, charge: hn })
  addHydrogens(chain, backbone.ca, residue, { form: 'tetrahedral', count: template.code === 'G' ? 2 : 1, charge: ha })
}

/**
 * A peptide with all hydrogens and charged ends, as atoms and the steps that place them. Throws if a letter of the
 * sequence is not one of the twenty amino acids.
 */
export function createPeptide(sequence: string): Peptide {
  const residues = templatesOf(sequence)
  const chain = createChain()
  const backbones: Backbone[] = []
  for (const [residue, template] of residues.entries()) {
    backbones.push(addBackbone(chain, template, residue, backbones.at(-1), residue === residues.length - 1))
  }
  for (const [residue, template] of residues.entries()) {
    const backbone = backbones[residue]
    if (backbone === undefined) continue
    addOxygens(chain, template, residue, backbone, residue === residues.length - 1)
    addSideChain(chain, template, residue, backbone)
    addBackboneHydrogens(chain, template, residue, backbone, residue === 0)
  }
  return sortedByResidue({ sequence, residues, chain, alphas: backbones.map(({ ca }) => ca) })
}

/** Numbers the atoms residue by residue. */
function sortedByResidue({
  sequence,
  residues,
  chain,
  alphas,
}: {
  sequence: string
  residues: readonly ResidueTemplate[]
  chain: Chain
  alphas: readonly number[]
}): Peptide {
  const order = chain.atoms
    .map((atom, index) => ({ atom, index }))
    .sort((a, b) => a.atom.residue - b.atom.residue || a.index - b.index)
  const place = new Map(order.map(({ index }, position) => [index, position]))
  const to = (index: number): number => place.get(index) ?? 0
  const bonds = chain.bonds
    .map(([a, b]) => [Math.min(to(a), to(b)), Math.max(to(a), to(b))] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const neighbors: number[][] = chain.atoms.map(() => [])
  for (const [a, b] of bonds) {
    neighbors[a]?.push(b)
    neighbors[b]?.push(a)
  }
  return {
    sequence,
    residues,
    atoms: order.map(({ atom }) => atom),
    bonds,
    neighbors,
    steps: chain.steps.map(step => renumber(step, to)),
    alphas: alphas.map(to),
  }
}

function renumber(step: PlacementStep, to: (index: number) => number): PlacementStep {
  switch (step.kind) {
    case 'start':
      return { kind: 'start', n: to(step.n), ca: to(step.ca), c: to(step.c) }
    case 'extend':
      return {
        ...step,
        atom: to(step.atom),
        bondTo: to(step.bondTo),
        angleTo: to(step.angleTo),
        torsionTo: to(step.torsionTo),
      }
    case 'hydrogens':
      return { ...step, atoms: step.atoms.map(to), on: to(step.on) }
  }
}
