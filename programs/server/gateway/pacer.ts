import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import {
  confirmCommands,
  emptyQueue,
  enqueue,
  isEffectSeen,
  markIgnored,
  markSent,
  nextToSend,
  type CommandQueue,
} from '../../../src/protocol/client/command-queue.ts'
import { completeCommand, stampCommand, type Command } from '../../../src/protocol/client/commands.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

/** `refused`: it was waiting when the connection was lost, or too many were waiting. */
export type Outcome = 'confirmed' | 'ignored' | 'refused'

/** Runs a function later. Returns what cancels it. */
export type Later = (ms: number, run: () => void) => () => void

export type PacerDeps = {
  readonly send: (message: JsonObject) => void
  readonly data: () => ClientData | undefined
  /** As of when they are; undefined: they are current. */
  readonly asOf: () => number | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly later: Later
}

/** Sends the commands of all pages to one client, one of a kind per second (docs/protocol.md §5). */
export type Pacer = {
  /** `done` is called once. */
  readonly add: (command: Command, done: (outcome: Outcome) => void) => void
  /** The client's data changed: they may confirm commands. */
  readonly compare: () => void
  /** The connection was lost. */
  readonly clear: () => void
}

/** A client that does not show the effect within this time has ignored the command. */
const CONFIRMATION_MS = 10_000
/** While what is known is older than the command, it is waited for so much longer; after that its outcome counts as none. */
const ANSWER_MS = 110_000
const LOOK_AGAIN_MS = 1000
const MOST_WAITING = 32
/** A page may not have seen a group that is younger, so it does not mean to delete it. */
const NEW_GROUP_MS = 3000

export function createPacer({ send, data, asOf, now, later }: PacerDeps): Pacer {
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

  /** Not while what is known of the client is older than the command, unless that lasts longer than `left` milliseconds. */
  const judge = (key: string, left: number): void => {
    const entry = open.get(key)
    const command = queue.entries.find(one => one.key === key)
    const stateTime = asOf()
    if (entry === undefined || command === undefined) return
    if (stateTime !== undefined && !isEffectSeen(command, stateTime) && left > 0) {
      entry.cancel = later(LOOK_AGAIN_MS, () => judge(key, left - LOOK_AGAIN_MS))
      return
    }
    queue = markIgnored(queue, key, '')
    finish(key, 'ignored')
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
      send(stampCommand(completeCommand(command, data()), at))
      queue = markSent(queue, key, at, data())
      const entry = open.get(key)
      if (entry !== undefined) entry.cancel = later(CONFIRMATION_MS, () => judge(key, ANSWER_MS))
    }
    settle()
  }

  /** When groups that were added appeared, by name. */
  let newGroups = new Map<string, number>()
  let groups = data()?.groups
  const noteGroups = (): void => {
    const before = groups
    groups = data()?.groups
    if (groups === before || groups === undefined || before === undefined) return
    newGroups = new Map([...newGroups].filter(([, at]) => now() - at < NEW_GROUP_MS))
    for (const name of Object.keys(groups)) if (!Object.hasOwn(before, name)) newGroups.set(name, now())
  }
  /** Without deletions of groups that its sender cannot have meant. */
  const meant = (command: Command): Command => {
    if (command.cmd !== 'config' || command.config.groups === undefined) return command
    const edits = Object.entries(command.config.groups).filter(
      ([name, patch]) => patch !== null || now() - (newGroups.get(name) ?? Number.NEGATIVE_INFINITY) >= NEW_GROUP_MS,
    )
    return { ...command, config: { ...command.config, groups: Object.fromEntries(edits) } }
  }

  return {
    add: (requested, done) => {
      if (queue.entries.filter(({ status }) => status === 'waiting').length >= MOST_WAITING) {
        done('refused')
        return
      }
      const key = String(count++)
      open.set(key, { done, cancel: () => undefined })
      // Ignored commands were reported, and are of no further use.
      queue = { ...queue, entries: queue.entries.filter(({ status }) => status !== 'ignored') }
      queue = enqueue(queue, meant(requested), key)
      sendNext()
    },
    compare: () => {
      noteGroups()
      const current = data()
      if (current === undefined || open.size === 0) return
      queue = confirmCommands(queue, current)
      settle()
    },
    clear: () => {
      groups = undefined
      newGroups.clear()
      cancelNext?.()
      cancelNext = undefined
      // The client keeps the second of its last command over connections, so `lastSecond` stays.
      const waiting = new Set(queue.entries.filter(({ status }) => status === 'waiting').map(({ key }) => key))
      queue = { ...queue, entries: [] }
      for (const key of [...open.keys()]) finish(key, waiting.has(key) ? 'refused' : 'ignored')
    },
  }
}
