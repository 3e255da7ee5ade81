import { currentPpd, workShare } from '../../folding/unit/unit-progress.ts'
import { hasEnded } from '../../folding/unit/unit-meaning.ts'
import { unitStatus } from '../../folding/unit/unit-status.ts'
import { LOOK_INTERVAL, MOST_RECORDS, recordKey, type Moment, type Seen } from '../../folding/unit/unit-record.ts'
import type { RecordsFact } from '../../machines/units/records/records.events.ts'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { factActor } from '../fact-actor.ts'

/** A connected client. */
export type ObservedClient = {
  /** Of the shown connection. */
  readonly id: string
  readonly client: string
  readonly owner: string | undefined
  readonly data: ClientData
  /** As of when the data are, in epoch milliseconds; undefined: current. */
  readonly asOf: number | undefined
}

export type RecordWatchDeps = {
  readonly readClients: () => readonly ObservedClient[]
  /** What is measured of the hardware of a unit. */
  readonly readInput: (client: ObservedClient, unit: Unit) => Moment['input']
  /** The signed-in account; null for none, undefined until that is known. */
  readonly readAccount: () => string | null | undefined
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
}

/** Milliseconds between looks at the clients. */
const STEP = 5000

function momentOf(unit: Unit, data: ClientData, at: number, input: Moment['input']): Moment {
  const progress = workShare(unit)
  return {
    at,
    ...(progress === undefined ? {} : { progress }),
    ppd: currentPpd(unit, at),
    status: unitStatus(unit, data, at),
    ...(input === undefined ? {} : { input }),
  }
}

/** The id of a unit that is asked for changes with every attempt (docs/protocol.md §6). */
function idOf({ id, state }: Unit): string | undefined {
  return state === 'ASSIGN' || id === '' ? undefined : id
}

/** Reports a unit once a minute, and when its state has changed, of as many units as are kept. */
export function recordWatch({ readClients, readInput, readAccount, now }: RecordWatchDeps) {
  return factActor<{ type: 'none' }, undefined, RecordsFact>(({ report }) => {
    let previous = new Map<string, Moment>()
    let account: string | null | undefined
    const step = (): void => {
      const next = new Map<string, Moment>()
      const seen: Seen[] = []
      for (const observed of readClients()) {
        const { client, owner, data, asOf: at = now() } = observed
        for (const unit of data.units) {
          const id = idOf(unit)
          if (id === undefined || hasEnded(unit) || next.size >= MOST_RECORDS) continue
          const key = recordKey({ client, unit: id })
          const moment = momentOf(unit, data, at, readInput(observed, unit))
          const before = previous.get(key)
          const isDue = before === undefined || before.status !== moment.status || at - before.at >= LOOK_INTERVAL
          next.set(key, isDue ? moment : before)
          if (isDue) seen.push({ client, unit: id, owner, moment })
        }
      }
      previous = next
      const signedIn = readAccount()
      if (seen.length > 0 || signedIn !== account) report({ type: 'records.observed', account: signedIn, seen })
      account = signedIn
      timer = setTimeout(step, STEP)
    }
    let timer = setTimeout(step, 0)
    return () => clearTimeout(timer)
  })
}
