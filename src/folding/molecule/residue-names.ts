/*
 * Names of residues, by the elements and bonds of their side chains or bases: topologies have none.
 */
import { computedOnce } from '../shared/computed-once.ts'
import { CARBON, HYDROGEN, NITROGEN, OXYGEN } from './atoms.ts'
import { bondedAtoms, partnersOf } from './bonded.ts'
import { residueChains, type Molecule } from './molecule.ts'
import type { AminoAcid } from './polymers.ts'

/** Names by what comes after the colon. */
function namedBy(entries: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map(entry => {
      const [name = '', key = ''] = entry.split(':')
      return [key, name] as const
    }),
  )
}

/** Elements of a side chain without hydrogens, by how many bonds they are away from Cα; a ring closes at the nitrogen of the backbone. */
const SIDE_CHAINS = namedBy(
  (
    'GLY: ALA:C SER:C/O CYS:C/S VAL:C/CC THR:C/CO PRO:C/C/C/ring LEU:C/C/CC ILE:C/CC/C MET:C/C/S/C ASP:C/C/OO ASN:C/C/NO ' +
    'GLU:C/C/C/OO GLN:C/C/C/NO LYS:C/C/C/C/N ARG:C/C/C/N/C/NN HIS:C/C/CN/CN PHE:C/C/CC/CC/C TYR:C/C/CC/CC/C/O TRP:C/C/CC/CCN/CC/C'
  ).split(' '),
)

/** Carbons, nitrogens and oxygens of a base. */
const BASES = namedBy('A:5/5/0 C:4/3/1 G:5/5/1 T:5/2/2 U:4/2/2'.split(' '))

const LETTERS = 'CHNOS'

/** By the number of the residue; undefined for one that is none of the usual ones. */
export const residueNames = computedOnce(namesOf)

function namesOf({
  classes,
  bonds,
  residues,
  polymers: { peptides, strands },
}: Molecule): readonly (string | undefined)[] {
  const bonded = bondedAtoms(classes.length, bonds)
  const sideChain = ({ n, ca, c, o }: AminoAcid): string => {
    const seen = new Set([n, ca, c, o])
    const layers: string[] = []
    for (let layer = [ca]; layer.length > 0;) {
      layer = layer.flatMap(atom =>
        Array.from(partnersOf(bonded, atom)).filter(next => {
          const isNew = !seen.has(next) && classes[next] !== HYDROGEN && residues?.[next] === residues?.[ca]
          if (isNew) seen.add(next)
          return isNew
        }),
      )
      if (layer.length > 0)
        layers.push(
          layer
            .map(atom => LETTERS.charAt(classes[atom] ?? 9) || 'X')
            .toSorted()
            .join(''),
        )
    }
    const isRing = partnersOf(bonded, n).some(atom => atom !== ca && atom !== c && seen.has(atom))
    return [...layers, ...(isRing ? ['ring'] : [])].join('/')
  }
  const count = (base: readonly number[], atomClass: number): number =>
    base.filter(atom => classes[atom] === atomClass).length
  return [
    undefined,
    ...peptides.flat().map(residue => SIDE_CHAINS.get(sideChain(residue))),
    ...strands
      .flat()
      .map(({ base }) => BASES.get([CARBON, NITROGEN, OXYGEN].map(atomClass => count(base, atomClass)).join('/'))),
  ]
}

/** Letters of amino acids; nucleotides are named by theirs. */
const LETTERS_OF = namedBy(
  'G:GLY A:ALA S:SER C:CYS V:VAL T:THR P:PRO L:LEU I:ILE M:MET D:ASP N:ASN E:GLU Q:GLN K:LYS R:ARG H:HIS F:PHE Y:TYR W:TRP'.split(
    ' ',
  ),
)

export type SequenceEntry = ResiduePlace & {
  /** Counted from 1 over all chains. */
  readonly residue: number
  /** X for none of the usual ones. */
  readonly letter: string
  /** The atom whose color its ribbon has. */
  readonly anchor: number
}

/** The residues of each chain. */
export function sequencesOf(
  molecule: Molecule,
  frame: Float32Array | undefined,
): readonly (readonly SequenceEntry[])[] {
  const { peptides, strands } = molecule.polymers
  const anchors = [...peptides.flat().map(({ ca }) => ca), ...strands.flat().map(({ p, c4 }) => p ?? c4)]
  const chains: SequenceEntry[][] = []
  anchors.forEach((anchor, at) => {
    const place = residuePlace(molecule, anchor, frame)
    if (place === undefined) return
    const { name = '' } = place
    const letter = name.length === 1 ? name : (LETTERS_OF.get(name) ?? 'X')
    const entries = (chains[place.chain - 1] ??= [])
    entries.push({ ...place, residue: at + 1, letter, anchor })
  })
  return chains
}

export type ResiduePlace = { readonly name: string | undefined; readonly number: number; readonly chain: number }

/** Name, number and chain of an atom's residue, both counted from 1; undefined outside polymers. */
export function residuePlace(
  molecule: Molecule,
  atom: number,
  frame: Float32Array | undefined,
): ResiduePlace | undefined {
  const residue = molecule.residues?.[atom] ?? 0
  if (residue === 0) return undefined
  const chains = residueChains(molecule, frame)
  const chain = chains[residue] ?? 0
  return { name: residueNames(molecule)[residue], number: residue - chains.indexOf(chain) + 1, chain }
}
