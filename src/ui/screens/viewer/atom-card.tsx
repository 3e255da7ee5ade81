import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { knownAlignment } from '../../../folding/molecule/aligned-frames.ts'
import {
  angleBetween,
  atomLabels,
  distanceBetween,
  formatAngle,
  formatDistance,
} from '../../../folding/molecule/atom-labels.ts'
import { selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { IconButton } from '../../parts/actions/button.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { knownMolecule } from '../../../folding/molecule/molecule.ts'
import { useTopology } from './molecule-facts.ts'
import styles from './molecule-view.module.css'

function Atom({ atom, isChosen }: { readonly atom: number; readonly isChosen: boolean }) {
  const topology = useTopology()
  const [frame] = useSelector(useSystem().viewer, ({ context }) => context.frames)
  const words = topology === undefined ? undefined : atomLabels(topology, knownMolecule(topology), atom, frame)
  return words === undefined ? undefined : (
    <p className={isChosen ? styles['chosen'] : undefined}>
      {words.residue === undefined ? undefined : (
        <>
          <strong>{words.residue}</strong> {words.chain},{' '}
        </>
      )}
      <strong>{words.name}</strong> {words.element}
      <span className="quiet">
        {' '}
        {t`atom ${words.index}`}
        {words.charge === undefined ? '' : t`, charge ${words.charge}`}
      </span>
    </p>
  )
}

/** What two, three or four atoms measure. */
function measure(positions: Float32Array, atoms: readonly number[]): string | undefined {
  const [a = -1, b = -1] = atoms
  const [value, format] =
    atoms.length > 2
      ? [angleBetween(positions, atoms), formatAngle]
      : [distanceBetween(positions, a, b), formatDistance]
  return value === undefined ? undefined : format(value)
}

/** The measure in the current frame; updated while the trajectory plays. */
function Measure({ atoms }: { readonly atoms: readonly number[] }) {
  const words = useSelector(useSystem().viewer, snapshot => {
    const [positions, { topology }] = [selectPositions(snapshot), snapshot.context.structure]
    if (positions === undefined || topology === undefined) return ''
    return (
      measure(knownAlignment(topology).aligned(positions), atoms) ?? t`One of the atoms has no position in this frame.`
    )
  })
  return (
    <p className="pad-top-2">
      <span className="quiet">{atoms.length === 2 ? t`Distance` : atoms.length === 3 ? t`Angle` : t`Dihedral`} </span>
      <strong>{words}</strong>
    </p>
  )
}

/** The atom under the pointer, at the pointer. */
export function HoverCard() {
  const { viewer } = useSystem()
  const pointed = useSelector(viewer, ({ context }) => context.hovered)
  const isPicked = useSelector(viewer, snapshot => pointed !== undefined && snapshot.context.picked.includes(pointed))
  return pointed === undefined || isPicked ? undefined : (
    <div className={styles['pointed']}>
      <Atom atom={pointed} isChosen={false} />
    </div>
  )
}

/** The selected atoms. */
export function AtomCard() {
  const { viewer } = useSystem()
  const picked = useSelector(viewer, ({ context }) => context.picked)
  if (picked.length === 0) return undefined
  return (
    <div className={styles['atoms']}>
      <div role="status">
        {picked.map(atom => (
          <Atom key={atom} atom={atom} isChosen />
        ))}
        {picked.length < 2 ? undefined : <Measure atoms={picked} />}
      </div>
      <div className={styles['clear']}>
        <IconButton
          icon="close"
          label={t`Clear selection`}
          isSmall
          onPress={() => {
            viewer.send({ type: 'viewer.pick', atom: undefined })
            focusContentSoon()
          }}
        />
      </div>
    </div>
  )
}
