import type { SnapshotFrom, StateValueFrom } from 'xstate'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import type { WireUnit } from '../document.ts'
import type { ProjectSpec } from '../types.ts'
import { unitMachine } from './unit.machine.ts'

export type UnitSnapshot = SnapshotFrom<typeof unitMachine>
export type UnitValue = StateValueFrom<typeof unitMachine>

/**
 * One unit of a client: the fields that readers receive (`wire`), its state machine's snapshot, and the data from which
 * its numbers are computed.
 */
export type SimulatedUnit = {
  readonly wire: WireUnit
  snapshot: UnitSnapshot
  readonly number: number
  /** Number of assignment requests so far. Each has another unit id. */
  requests: number
  /** Known since the assignment, sent to readers when the core first starts. */
  project: ProjectSpec | undefined
  assignment: JsonObject | undefined
  workUnit: JsonObject | undefined
  /** Epoch ms at which the unit expires. */
  deadline: number | undefined
  /** Share of the work done at `runningSince`, or now while the core is not running. */
  done: number
  /** Epoch ms at which the core started. */
  runningSince: number | undefined
  /** Share of the work done per ms while the core runs. */
  rate: number
  /** The current transfer attempt: its start and failure in epoch ms, its length in ms. */
  transfer: { readonly start: number; readonly length: number; readonly failsAt: number | undefined } | undefined
  /** Loaded from the store; its `paused` has not been sent yet. */
  isLoaded: boolean
  /** Cancels the scheduled event of this unit. */
  cancelPlan: () => void
  /** Logs the answer to the current request. */
  answerRequest: (answer: string) => void
  endSteps: (at: number) => void
}

export function createUnit(wire: WireUnit, number: number, snapshot: UnitSnapshot): SimulatedUnit {
  return {
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
  }
}

/** A snapshot of the state machine in the state `value`, for units from the store or a profile. */
export function snapshotAt(value: UnitValue, retries = 0, waitUntil = 0): UnitSnapshot {
  return unitMachine.resolveState({ value, context: { retries, waitUntil, result: undefined } })
}

/** Share of the work done at `now`, 0 to 1. */
export function progressAt(unit: SimulatedUnit, now: number): number {
  return unit.runningSince === undefined
    ? unit.done
    : Math.min(1, unit.done + Math.max(0, now - unit.runningSince) * unit.rate)
}

/** Epoch ms at which the running core will have done `share` of the work. */
export function whenDone(unit: SimulatedUnit, share: number): number {
  return (unit.runningSince ?? 0) + Math.ceil(Math.max(0, share - unit.done) / unit.rate)
}

/** Rounded to three decimals, as on the wire; 1 only when complete. */
export function wireShare(share: number): number {
  return share >= 1 ? 1 : Math.min(0.999, Math.round(share * 1000) / 1000)
}

/** Duration of the request before a transfer, in ms. */
export const REQUEST_MS = 300

/** Progress of a transfer at `now`: 0, then 1 for the request, then 0 to 1 for the bytes (docs/protocol.md §6). */
export function transferProgress(unit: SimulatedUnit, now: number): number {
  const { transfer } = unit
  if (transfer === undefined) return 0
  const elapsed = now - transfer.start
  if (elapsed < REQUEST_MS) return 0
  if (elapsed === REQUEST_MS) return 1
  return wireShare((elapsed - REQUEST_MS) / Math.max(1, transfer.length - REQUEST_MS))
}

const stateNames = ['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DUMP'] as const

/** The unit's state. DONE for old clients too, which call it CLEAN on the wire. */
export function stateOf({ snapshot }: SimulatedUnit): (typeof stateNames)[number] | 'DONE' {
  return stateNames.find(name => snapshot.matches(name)) ?? 'DONE'
}
