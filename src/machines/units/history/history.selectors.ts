import type { KeptMachine, KeptUnit } from '../../../folding/unit/history.ts'
import { rowsOf, type UnitRow } from '../../../folding/unit/unit-rows.ts'
import type { FileOutcome, KeeperTrouble } from './history.events.ts'
import type { HistorySnapshot } from './history.machine.ts'

/** All units, newest assignment first. The same list for the same history. */
export const selectRows = ({ context }: HistorySnapshot): readonly UnitRow[] => rowsOf(context.history)
/** True until the stored units are loaded. */
export const isHistoryLoading = (snapshot: HistorySnapshot): boolean => !snapshot.matches({ stored: 'loaded' })
/** Whether a file is being written or read. */
export const isHistoryBusy = (snapshot: HistorySnapshot): boolean => snapshot.hasTag('busy')
export const selectTrouble = ({ context }: HistorySnapshot): KeeperTrouble | undefined => context.storeFault
export const selectOutcome = ({ context }: HistorySnapshot): FileOutcome | undefined => context.outcome
export const selectKeptMachine =
  (id: string) =>
  ({ context }: HistorySnapshot): KeptMachine | undefined =>
    context.history.machines.get(id)

const unitsById = new WeakMap<ReadonlyMap<string, KeptUnit>, ReadonlyMap<string | undefined, KeptUnit>>()

/** A unit that ended, by its id on the machine. */
export const selectKeptUnit =
  (id: string) =>
  ({ context: { history } }: HistorySnapshot): KeptUnit | undefined => {
    const known = unitsById.get(history.units) ?? new Map([...history.units.values()].map(kept => [kept.unit.id, kept]))
    unitsById.set(history.units, known)
    return known.get(id)
  }
