import type { ClientData } from '../../src/protocol/client-data.ts'
import {
  confirmCommands,
  emptyQueue,
  enqueue,
  markIgnored,
  markSent,
  nextToSend,
} from '../../src/protocol/command-queue.ts'
import type { CommandQueue } from '../../src/protocol/command-queue.ts'
import { stampCommand } from '../../src/protocol/commands.ts'
import type { Command } from '../../src/protocol/commands.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

/** `refused`: it was waiting when the connection was lost, or too many were waiting. */
export type Outcome = 'confirmed' | 'ignored' | 'refused'

/** Runs a function later. Returns what cancels it. */
export type Later = (ms: number, run: () => void) => () => void

export type PacerDeps = {
  readonly send: (message: JsonObject) => void
  readonly data: () => ClientData | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly later: Later
}

/** Sends the commands of all pages to one machine, one of a kind per second (docs/protocol.md §5). */
export type Pacer = {
  /** `done` is called once. */
  readonly add: (command: Command, done: (outcome: Outcome) => void) => void
  /** The machine's data changed: they may confirm commands. */
  readonly compare: () => void
  /** The connection was lost. */
  readonly clear: () => void
}

/** A machine that does not show the effect within this time has ignored the command. */
const CONFIRMATION_MS = 10_000
const MOST_WAITING = 32

export const createPacer = ({ send, data, now, later }: PacerDeps): Pacer => {
  let queue: CommandQueue = emptyQueue
  let count = 0
  let cancelNext: (() => void) | undefined
  const open = new Map<string, { readonly done: (outcome: Outcome) => void; cancel: () => void }>()

  const finish = (key: string, outcome: Outcome): void => {
    const entry = open.get(key)
    open.delete(key)
    entry?.cancel()
    entry?.done(outcome)
  }

  const settle = (): void => {
    for (const { key, status } of queue.entries) if (status === 'confirmed') finish(key, 'confirmed')
  }

  const sendNext = (): void => {
    cancelNext?.()
    cancelNext = undefined
    for (let next = nextToSend(queue, now()); next !== undefined; next = nextToSend(queue, now())) {
      if ('waitMs' in next) {
        cancelNext = later(next.waitMs, sendNext)
        break
      }
      const { key, command } = next
      const at = now()
      send(stampCommand(command, at))
      queue = markSent(queue, key, at, data())
      const entry = open.get(key)
      if (entry !== undefined)
        entry.cancel = later(CONFIRMATION_MS, () => {
          queue = markIgnored(queue, key, '')
          finish(key, 'ignored')
        })
    }
    settle()
  }

  return {
    add: (command, done) => {
      if (queue.entries.filter(({ status }) => status === 'waiting').length >= MOST_WAITING) {
        done('refused')
        return
      }
      const key = String(count++)
      open.set(key, { done, cancel: () => undefined })
      // Ignored commands were reported, and are of no further use.
      queue = { ...queue, entries: queue.entries.filter(({ status }) => status !== 'ignored') }
      queue = enqueue(queue, command, key)
      sendNext()
    },
    compare: () => {
      const current = data()
      if (current === undefined || open.size === 0) return
      queue = confirmCommands(queue, current)
      settle()
    },
    clear: () => {
      cancelNext?.()
      cancelNext = undefined
      // The machine keeps the second of its last command over connections, so `lastSecond` stays.
      const waiting = new Set(queue.entries.filter(({ status }) => status === 'waiting').map(({ key }) => key))
      queue = { ...queue, entries: [] }
      for (const key of [...open.keys()]) finish(key, waiting.has(key) ? 'refused' : 'ignored')
    },
  }
}
