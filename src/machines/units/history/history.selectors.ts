import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type { ArchivedUnit } from '../../../folding/unit/history.ts'
import { rowsOf, type UnitRow } from '../../../folding/unit/unit-rows.ts'
import type { FileOutcome, HistoryStoreFault } from './history.events.ts'
import type { HistorySnapshot } from './history.machine.ts'

/** All units, newest assignment first. The same list for the same history. */
export const selectRows = ({ context }: HistorySnapshot): readonly UnitRow[] => rowsOf(context.history)
/** True until the stored units are loaded. */
export const isHistoryLoading = (snapshot: HistorySnapshot): boolean => !snapshot.matches({ stored: 'loaded' })
/** Whether clients were asked for their history that have not answered yet, so that what is missing may still come. */
export const isHistoryAwaited = (snapshot: HistorySnapshot): boolean =>
  snapshot.matches({ answers: 'awaited' }) || snapshot.matches({ stored: { loaded: 'asking' } })
/** Whether units may still come, from what is stored or from clients. */
export const isHistoryComing = (snapshot: HistorySnapshot): boolean =>
  isHistoryLoading(snapshot) || isHistoryAwaited(snapshot)
/** Whether a file is being written or read. */
export const isHistoryBusy = (snapshot: HistorySnapshot): boolean => snapshot.hasTag('busy')
export const selectStoreFault = ({ context }: HistorySnapshot): HistoryStoreFault | undefined => context.storeFault
/** Whether no more clients of the account are asked than `MOST_REQUESTED`. */
export const isHistoryLimited = ({ context }: HistorySnapshot): boolean => !context.isUnlimited
export const selectOutcome = ({ context }: HistorySnapshot): FileOutcome | undefined => context.outcome
export const selectStoredClient =
  (id: string) =>
  ({ context }: HistorySnapshot): ArchivedClient | undefined =>
    context.history.machines.get(id)

const unitsById = new WeakMap<ReadonlyMap<string, ArchivedUnit>, ReadonlyMap<string | undefined, ArchivedUnit>>()

/** A unit that ended, by its id on the client. */
export const selectStoredUnit =
  (id: string) =>
  ({ context: { history } }: HistorySnapshot): ArchivedUnit | undefined => {
    const known = unitsById.get(history.units) ?? new Map([...history.units.values()].map(kept => [kept.unit.id, kept]))
    unitsById.set(history.units, known)
    return known.get(id)
  }
