import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { computedOnce } from '../../../folding/shared/computed-once.ts'
import { legendOf } from '../../../folding/molecule/atoms.ts'
import { asWord, formatNumber } from '../../../folding/text/format.ts'
import { formatDistance } from '../../../folding/molecule/atom-labels.ts'
import { coloringName, type Coloring } from '../../../folding/molecule/molecule-style.ts'
import { selectColoring, selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import {
  chainColor,
  elementColor,
  MOST_MOTION,
  rampOf,
  structureColor,
  type RampColoring,
} from '../../../viewer/colors.ts'
import type { Molecule, Theme } from '../../../viewer/viewer.types.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useTheme } from './use-theme.ts'
import styles from './legend.module.css'
import { HELIX, LOOP, secondaryStructure, STRAND } from '../../../folding/molecule/secondary-structure.ts'
import { knownMolecule, polymerChains } from '../../../folding/molecule/molecule.ts'
import { useTopology } from './molecule-facts.ts'

/** Of a large topology it takes a while. */
const knownLegend = computedOnce(legendOf)

type EntryProps = { readonly color: string; readonly label: string; readonly count: number; readonly note?: string }

function Entry({ color, label, count, note }: EntryProps) {
  return (
    <li className={styles['entry']}>
      <span className={styles['ball']} style={{ background: color }} aria-hidden="true" />
      <span>{label}</span>
      <span className={styles['count']}>{formatNumber(count)}</span>
      {note === undefined ? undefined : <span className={styles['note']}>{note}</span>}
    </li>
  )
}

function guessNote(guessed: number, count: number): string {
  return guessed === count ? t`guessed from names` : t`${formatNumber(guessed)} guessed from their names`
}

function Elements({ theme }: { readonly theme: Theme }) {
  const topology = useTopology()
  return topology === undefined ? undefined : (
    <ul className={styles['list']}>
      {knownLegend(topology).map(({ atomClass, label, count, guessed }) => (
        <Entry
          key={atomClass}
          color={elementColor(atomClass, theme)}
          label={label}
          count={count}
          {...(guessed === 0 ? {} : { note: guessNote(guessed, count) })}
        />
      ))}
    </ul>
  )
}

/** Longer lists would hide the molecule. */
const MOST_CHAINS = 8

type SchemeProps = { readonly molecule: Molecule; readonly theme: Theme }

function Chains({ molecule, theme }: SchemeProps) {
  const [frame] = useSelector(useSystem().viewer, ({ context }) => context.frames)
  const counts = new Map<number, number>()
  for (const chain of polymerChains(molecule, frame) ?? []) counts.set(chain, (counts.get(chain) ?? 0) + 1)
  const proteins = [...counts].filter(([chain]) => chain > 0).sort(([a], [b]) => a - b)
  const others = counts.get(0) ?? 0
  const left = proteins.length - MOST_CHAINS
  return (
    <ul className={styles['list']}>
      {proteins.slice(0, MOST_CHAINS).map(([chain, count]) => (
        <Entry key={chain} color={chainColor(chain, theme)} label={t`Chain ${formatNumber(chain)}`} count={count} />
      ))}
      {left > 0 ? <li className={styles['note']}>{t`and ${formatNumber(left)} more`}</li> : undefined}
      {others > 0 ? <Entry color={chainColor(0, theme)} label={t`Small molecules`} count={others} /> : undefined}
    </ul>
  )
}

const structures = [
  { structure: HELIX, label: t`Helix` },
  { structure: STRAND, label: t`Strand` },
  { structure: LOOP, label: t`Coil` },
]

/** How many residues of the shown frame are in each. */
function Structures({ molecule, theme }: SchemeProps) {
  const frame = useSelector(useSystem().viewer, selectPositions)
  const classes = frame === undefined ? [] : secondaryStructure(molecule.polymers.peptides, frame)
  const residues = classes.flatMap(chain => [...chain])
  return (
    <ul className={styles['list']}>
      {structures.map(({ structure, label }) => (
        <Entry
          key={structure}
          color={structureColor(structure, theme)}
          label={label}
          count={residues.filter(one => one === structure).length}
        />
      ))}
    </ul>
  )
}

const ends: Readonly<Record<RampColoring, readonly [string, string]>> = {
  residue: [t`First residue`, t`Last`],
  charge: [t`−1 e`, t`+1 e`],
  motion: [t`Still`, formatDistance(MOST_MOTION)],
}

function Ramp({ coloring, theme }: { readonly coloring: RampColoring; readonly theme: Theme }) {
  const [from, to] = ends[coloring]
  return (
    <div dir="ltr" className={styles['ramp']}>
      <span
        className={styles['colors']}
        style={{ background: `linear-gradient(to right, ${rampOf(coloring, theme).join(', ')})` }}
        aria-hidden="true"
      />
      <span>{from}</span>
      <span>{to}</span>
    </div>
  )
}

function Scale({ coloring, molecule, theme }: SchemeProps & { readonly coloring: Coloring }) {
  switch (coloring) {
    case 'element':
      return <Elements theme={theme} />
    case 'chain':
      return <Chains molecule={molecule} theme={theme} />
    case 'structure':
      return <Structures molecule={molecule} theme={theme} />
    case 'residue':
    case 'charge':
    case 'motion':
      return <Ramp coloring={coloring} theme={theme} />
  }
}

/** The meaning of the colors. */
export function Legend() {
  const { viewer } = useSystem()
  const coloring = useSelector(viewer, selectColoring)
  const theme = useTheme()
  const topology = useTopology()
  if (topology === undefined) return undefined
  const molecule = knownMolecule(topology)
  return (
    <section aria-label={t`Legend: ${asWord(coloringName(coloring))}`} className={styles['legend']}>
      <Scale coloring={coloring} molecule={molecule} theme={theme} />
    </section>
  )
}
