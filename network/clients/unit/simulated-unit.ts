import type { SnapshotFrom, StateValueFrom } from 'xstate'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { WireUnit } from '../document.ts'
import type { ProjectSpec } from '../types.ts'
import { unitMachine } from './unit.machine.ts'

export type UnitSnapshot = SnapshotFrom<typeof unitMachine>
export type UnitValue = StateValueFrom<typeof unitMachine>

/** One unit of a client: what readers see (`wire`), where it is in its life, and the work behind the numbers. */
export type SimulatedUnit = {
  readonly wire: WireUnit
  snapshot: UnitSnapshot
  readonly number: number
  /** Requests for work so far, each with its own id. */
  requests: number
  /** Known from the assignment on, shown only when the core first starts. */
  project: ProjectSpec | undefined
  assignment: JsonObject | undefined
  workUnit: JsonObject | undefined
  /** Epoch ms when the unit is worthless. */
  deadline: number | undefined
  /** Share of the work done at `runningSince`, or at present while the core rests. */
  done: number
  /** Epoch ms since when the core runs. */
  runningSince: number | undefined
  /** Share of the work done in a ms while the core runs. */
  rate: number
  /** Epoch ms when the present try of a transfer began, and how long it takes. */
  transfer: { readonly start: number; readonly length: number; readonly failsAt: number | undefined } | undefined
  /** Loaded from the store: its `paused` is not known to readers yet. */
  isLoaded: boolean
  /** Cancels the next event that is planned for this unit. */
  cancelPlan: () => void
  /** Writes the answer to the present request into the log. */
  answerRequest: (answer: string) => void
  endSteps: (at: number) => void
}

export const createUnit = (wire: WireUnit, number: number, snapshot: UnitSnapshot): SimulatedUnit => ({
  wire,
  snapshot,
  number,
  requests: 0,
  project: undefined,
  assignment: undefined,
  workUnit: undefined,
  deadline: undefined,
  done: 0,
  runningSince: undefined,
  rate: 0,
  transfer: undefined,
  isLoaded: false,
  cancelPlan: () => {},
  answerRequest: () => {},
  endSteps: () => {},
})

/** A machine snapshot at the start of `value`, as a unit has it that comes from the store or a profile. */
export const snapshotAt = (value: UnitValue, retries = 0, waitUntil = 0): UnitSnapshot =>
  unitMachine.resolveState({ value, context: { retries, waitUntil, result: undefined } })

/** Share of the work done at `now`, 0 to 1. */
export const progressAt = (unit: SimulatedUnit, now: number): number =>
  unit.runningSince === undefined
    ? unit.done
    : Math.min(1, unit.done + Math.max(0, now - unit.runningSince) * unit.rate)

/** Epoch ms when the running core will have done `share` of the work. */
export const whenDone = (unit: SimulatedUnit, share: number): number =>
  (unit.runningSince ?? 0) + Math.ceil(Math.max(0, share - unit.done) / unit.rate)

/** Three decimals, as every progress on the wire; never 1 before the end. */
export const wireShare = (share: number): number => (share >= 1 ? 1 : Math.min(0.999, Math.round(share * 1000) / 1000))

/** Bytes of the request that precede a transfer take this long. */
export const REQUEST_MS = 300

/**
 * Progress of a transfer at `now`: nothing, then 1 for the request, then from 0 to 1 for the bytes
 * (docs/protocol.md §6).
 */
export const transferProgress = (unit: SimulatedUnit, now: number): number => {
  const { transfer } = unit
  if (transfer === undefined) return 0
  const elapsed = now - transfer.start
  if (elapsed < REQUEST_MS) return 0
  if (elapsed === REQUEST_MS) return 1
  return wireShare((elapsed - REQUEST_MS) / Math.max(1, transfer.length - REQUEST_MS))
}

const stateNames = ['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'] as const

/** The client's word for where the unit is, whatever an old client calls its end. */
export const stateOf = ({ snapshot }: SimulatedUnit): (typeof stateNames)[number] | 'DONE' =>
  stateNames.find(name => snapshot.matches(name)) ?? 'DONE'
