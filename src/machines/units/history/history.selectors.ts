import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type { ArchivedUnit } from '../../../folding/unit/history.ts'
import { rowsOf, type UnitRow } from '../../../folding/unit/unit-rows.ts'
import type { Durability, FileOutcome, HistoryStoreFault } from './history.events.ts'
import type { HistorySnapshot } from './history.machine.ts'

/** All units, newest assignment first. The same list for the same history. */
export function selectRows({ context }: HistorySnapshot): readonly UnitRow[] {
  return rowsOf(context.history)
}
/** True until the stored units are loaded. */
export function isHistoryLoading(snapshot: HistorySnapshot): boolean {
  return !snapshot.matches({ stored: 'loaded' })
}
/** Whether clients were asked for their history that have not answered yet, so that what is missing may still come. */
export function isHistoryAwaited(snapshot: HistorySnapshot): boolean {
  return snapshot.matches({ answers: 'awaited' }) || snapshot.matches({ stored: { loaded: 'asking' } })
}
/** Whether units may still come, from what is stored or from clients. */
export function isHistoryComing(snapshot: HistorySnapshot): boolean {
  return isHistoryLoading(snapshot) || isHistoryAwaited(snapshot)
}
export function selectStoreFault({ context }: HistorySnapshot): HistoryStoreFault | undefined {
  return context.storeFault
}
export function selectDurability({ context }: HistorySnapshot): Durability | undefined {
  return context.durability
}
/** Whether no more clients of the account are asked than `MOST_REQUESTED`. */
export function isHistoryLimited({ context }: HistorySnapshot): boolean {
  return !context.isUnlimited
}
export function selectOutcome({ context }: HistorySnapshot): FileOutcome | undefined {
  return context.outcome
}
/** Whether the last file brought anything that can be taken back. */
export function isImportUndoable({ context }: HistorySnapshot): boolean {
  return (context.imported?.units.length ?? 0) > 0
}
export function selectStoredClient(id: string) {
  return ({ context }: HistorySnapshot): ArchivedClient | undefined => context.history.machines.get(id)
}

const unitsById = new WeakMap<ReadonlyMap<string, ArchivedUnit>, ReadonlyMap<string | undefined, ArchivedUnit>>()

/** A unit that ended, by its id on the client. */
export function selectStoredUnit(id: string) {
  return ({ context: { history } }: HistorySnapshot): ArchivedUnit | undefined => {
    const byId =
      unitsById.get(history.units) ?? new Map([...history.units.values()].map(archived => [archived.unit.id, archived]))
    unitsById.set(history.units, byId)
    return byId.get(id)
  }
}
