import type { Json } from '../../../src/protocol/json.ts'
import type { ClientLog } from './log.ts'
import type { Schedule } from './types.ts'
import type { Molecules } from './unit/molecule-feed.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'
import { numberOf, textOf } from './wire-value.ts'

/** New log lines are sent in batches, at most one in this time. */
const LOG_BATCH_MS = 250

/** Large frames take long to compute, so other clients get their turn between batches. */
const ATOMS_PER_BATCH = 30_000
const FRAMES_PAUSE_MS = 5

export type ReaderConnectionOptions = {
  readonly send: (content: Json) => void
  readonly schedule: Schedule
  readonly log: ClientLog
  readonly molecules: Molecules
  readonly findUnit: (id: string) => SimulatedUnit | undefined
}

/** One reader's requests beyond the state that all readers get: log, history and the molecule of one unit. */
export function createReaderConnection({ send, schedule, log, molecules, findUnit }: ReaderConnectionOptions) {
  let open = true
  let readsHistory = false
  let readsLog = false
  /** Undefined until the log has been sent in full on this connection. */
  let nextLine: number | undefined
  let cancelBatch: (() => void) | undefined
  let viewed: { readonly unit: SimulatedUnit; next: number } | undefined
  let cancelFrames: (() => void) | undefined

  const sendLines = (): void => {
    cancelBatch = undefined
    if (!open || !readsLog || nextLine === undefined) return
    const { lines, next } = log.read(nextLine, schedule.now())
    nextLine = next
    if (lines.length > 0) send(['log', -2, lines])
  }

  const sendFrames = (): void => {
    if (viewed === undefined || cancelFrames !== undefined) return
    const count = numberOf(viewed.unit.wire['frames'])
    let atoms = 0
    for (; viewed.next < count && atoms < ATOMS_PER_BATCH; viewed.next++) {
      send(['viz', textOf(viewed.unit.wire['id']), 'frames', viewed.next, molecules.frame(viewed.unit, viewed.next)])
      atoms += molecules.atomsOf(viewed.unit)
    }
    if (viewed.next >= count) return
    cancelFrames = schedule.at(schedule.now() + FRAMES_PAUSE_MS, () => {
      cancelFrames = undefined
      sendFrames()
    })
  }

  const stopFrames = (): void => {
    viewed = undefined
    cancelFrames?.()
    cancelFrames = undefined
  }

  return {
    send: (content: Json): void => {
      if (open) send(content)
    },
    readsHistory: () => readsHistory,

    setLog: (enabled: boolean): void => {
      readsLog = enabled
      if (!enabled) return
      if (nextLine !== undefined) {
        sendLines()
        return
      }
      const { lines, next } = log.read(0, schedule.now())
      nextLine = next
      send(['log', lines])
    },
    /** Schedules the sending of new lines. */
    scheduleLog: (): void => {
      if (open && readsLog && cancelBatch === undefined)
        cancelBatch = schedule.at(schedule.now() + LOG_BATCH_MS, sendLines)
    },

    setHistory: (enabled: boolean, rows: () => readonly Json[]): void => {
      readsHistory = enabled
      if (enabled) send(['wus', rows()])
    },

    /**
     * `viz`: the topology if the first requested frame is 0, then all frames from there, then new ones as they are
     * computed.
     */
    view: (id: string, frame: number): void => {
      stopFrames()
      const unit = findUnit(id)
      if (unit === undefined || !molecules.has(unit)) return
      viewed = { unit, next: Math.max(0, Math.floor(frame)) }
      if (frame === 0) send(['viz', id, 'topology', molecules.topology(unit)])
      sendFrames()
    },
    sendNewFrames: (unit: SimulatedUnit): void => {
      if (open && viewed?.unit === unit) sendFrames()
    },

    close: (): void => {
      open = false
      cancelBatch?.()
      stopFrames()
    },
  }
}

export type ReaderConnection = ReturnType<typeof createReaderConnection>
