import { useSelector } from '../../hooks/use-selector.ts'
import { useSyncExternalStore } from 'react'
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
import { isAwaited, selectMoleculeFault, selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import { selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useIsRelayPending } from '../../hooks/use-relay-pending.ts'
import { whileSeen } from '../../hooks/while-seen.ts'
import { useClient, useClientSelector } from '../../hooks/client-context.ts'

function unitOf(id: string, snapshot: ClientSnapshot) {
  return selectUnits(snapshot).find(unit => unit.id === id)
}

function factsOf(id: string, isPending: boolean, client: ClientSnapshot, viewer: ViewerSnapshot): MoleculeStatus {
  return {
    structure: viewer.context.structure,
    unit: unitOf(id, client),
    isConnected: client.hasTag('connected'),
    isAwaited: isAwaited(isPending)(client),
    isRestoring: viewer.hasTag('loading'),
  }
}

/** A text derived from the client and the viewer. */
function useClientAndViewer(derive: (client: ClientSnapshot, viewer: ViewerSnapshot) => string): string {
  const client = useClient()
  const { viewer } = useSystem()
  const subscribe = whileSeen(onChange => {
    const subscriptions = [client.subscribe(onChange), viewer.subscribe(onChange)]
    return () => subscriptions.forEach(subscription => subscription.unsubscribe())
  })
  return useSyncExternalStore(subscribe, () => derive(client.getSnapshot(), viewer.getSnapshot()))
}

export function useMoleculeCondition(unit: string): MoleculeCondition {
  const isPending = useIsRelayPending()
  return useClientAndViewer((client, viewer) =>
    moleculeCondition(factsOf(unit, isPending, client, viewer)),
  ) as MoleculeCondition
}

const SEPARATOR = '\n'

/** Warnings shown beside the molecule. */
export function useMoleculeNotes(unit: string): readonly string[] {
  const isPending = useIsRelayPending()
  const notes = useClientAndViewer((client, viewer) => {
    const fault = selectMoleculeFault(unit)(client)
    return moleculeNotes(
      factsOf(unit, isPending, client, viewer),
      selectPositions(viewer),
      fault === undefined ? undefined : messageFaultText(fault),
    ).join(SEPARATOR)
  })
  return notes === '' ? [] : notes.split(SEPARATOR)
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
