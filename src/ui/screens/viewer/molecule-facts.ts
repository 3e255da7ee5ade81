import { useSelector } from '../../hooks/use-selector.ts'
import {
  moleculeCondition,
  moleculeNotes,
  type MoleculeCondition,
  type MoleculeStatus,
} from '../../../folding/molecule/molecule-condition.ts'
import { formatValue } from '../../../folding/text/format.ts'
import { messageFaultText } from '../../../folding/text/message-fault-text.ts'
import { projectOf } from '../../../folding/unit/unit-progress.ts'
import type { ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { selectMoleculeFault, selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import { selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useIsAwaited } from '../../hooks/use-relay-pending.ts'
import { useClientSelector } from '../../hooks/client-context.ts'

function unitOf(id: string, snapshot: ClientSnapshot) {
  return selectUnits(snapshot).find(unit => unit.id === id)
}

/** Frames that the client has of a unit; undefined when it has no such unit. */
export function selectFrameCount(id: string) {
  return (snapshot: ClientSnapshot): number | undefined => {
    const unit = unitOf(id, snapshot)
    return unit === undefined ? undefined : (unit.frames ?? 0)
  }
}

function useMoleculeStatus(unit: string): MoleculeStatus {
  const { viewer } = useSystem()
  return {
    structure: useSelector(viewer, ({ context }) => context.structure),
    frames: useClientSelector(selectFrameCount(unit)),
    isConnected: useClientSelector(snapshot => snapshot.hasTag('connected')),
    isAwaited: useIsAwaited(),
    isRestoring: useSelector(viewer, snapshot => snapshot.hasTag('loading')),
  }
}

export function useMoleculeCondition(unit: string): MoleculeCondition {
  return moleculeCondition(useMoleculeStatus(unit))
}

/** Warnings shown beside the molecule. */
export function useMoleculeNotes(unit: string): readonly string[] {
  const fault = useClientSelector(snapshot => {
    const found = selectMoleculeFault(unit)(snapshot)
    return found === undefined ? undefined : messageFaultText(found)
  })
  const positions = useSelector(useSystem().viewer, selectPositions)
  return moleculeNotes(useMoleculeStatus(unit), positions, fault)
}

/** The unit's project, and the base name of its files. */
export function useUnitName(id: string): { readonly project: string; readonly file: string } {
  const project = useClientSelector(snapshot => {
    const unit = unitOf(id, snapshot)
    return formatValue(unit === undefined ? undefined : projectOf(unit))
  })
  const rcg = useClientSelector(snapshot => {
    const { run, clone, gen } = unitOf(id, snapshot)?.wu ?? {}
    return run === undefined || clone === undefined || gen === undefined ? undefined : `-${run}-${clone}-${gen}`
  })
  return { project, file: rcg === undefined ? 'molecule' : `project-${project}${rcg}` }
}

export function useTopology() {
  return useSelector(useSystem().viewer, snapshot => snapshot.context.structure.topology)
}
