import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { FoldingState } from '../../src/protocol/commands.ts'
import { isConfirmedBy, type Command } from '../../src/protocol/commands.ts'
import type { QueuedCommand } from '../../src/protocol/command-queue.ts'

type Outcome = 'open' | 'obeyed' | 'ignored' | 'gone with its machine' | 'taken back' | 'lost'
type Asked = { readonly what: string; readonly command: Command; outcome: Outcome }

/** Follows commands from being asked to their end: obeyed, or reported as ignored. Anything else is a loss. */
export type CommandWatch = {
  /** Follows all later commands to this client. */
  readonly follow: (ref: ClientRef) => void
  /** A command to all clients was sent while this one was connected: it must be queued for it, or be reported as missed. */
  readonly expect: (ref: ClientRef, word: FoldingState) => void
  /** The page is closed: open commands no longer count. */
  readonly leave: () => void
  /** Expected commands that were not queued so far, of clients that still exist. */
  readonly unasked: () => readonly string[]
  /** Commands without an outcome so far. */
  readonly open: () => readonly string[]
  readonly lost: () => readonly string[]
  readonly outcomes: () => Readonly<Partial<Record<Outcome, number>>>
}

const READERS: readonly string[] = ['log', 'wus', 'viz']

export const watchCommands = (): CommandWatch => {
  const followed = new Map<ClientRef, Map<string, Asked>>()
  let expected: readonly { readonly ref: ClientRef; readonly word: FoldingState; readonly from: number }[] = []
  const all: Asked[] = []

  const outcomeOf = ({ status }: QueuedCommand): Outcome =>
    status === 'confirmed' ? 'obeyed' : status === 'ignored' ? 'ignored' : 'open'

  const follow = (ref: ClientRef): void => {
    if (followed.has(ref)) return
    const asked = new Map<string, Asked>()
    followed.set(ref, asked)
    const begin = (entry: QueuedCommand): Asked => {
      const one: Asked = {
        what: `${ref.id}: ${JSON.stringify(entry.command)}`,
        command: entry.command,
        outcome: 'open',
      }
      asked.set(entry.key, one)
      all.push(one)
      return one
    }
    let jobsBefore = ref.getSnapshot().context.jobs
    const look = (): void => {
      const { queue, record, jobs } = ref.getSnapshot().context
      for (const entry of queue.entries) {
        if (READERS.includes(entry.command.cmd)) continue
        const known = asked.get(entry.key) ?? begin(entry)
        known.outcome = outcomeOf(entry)
      }
      const present = new Set(queue.entries.map(({ key }) => key))
      for (const [key, one] of asked) {
        if (one.outcome !== 'open' || present.has(key)) continue
        // It was confirmed, alone or by a later one, and made room for another in one step.
        const later = [...asked.values()].slice([...asked.values()].indexOf(one) + 1)
        const isObeyed = [one, ...later].some(
          ({ command }) =>
            command.cmd === one.command.cmd && record.data !== undefined && isConfirmedBy(command, record.data),
        )
        // A draft receives which of its settings were ignored.
        const isTold = one.command.cmd === 'config' && ref.getSnapshot().context.settings !== undefined
        // A bulk action was stopped before its command was sent.
        const isTakenBack =
          jobsBefore.some(({ keys }) => keys.includes(key)) && !jobs.some(({ keys }) => keys.includes(key))
        one.outcome = isObeyed ? 'obeyed' : isTold ? 'ignored' : isTakenBack ? 'taken back' : 'lost'
      }
      jobsBefore = jobs
    }
    ref.subscribe({
      next: look,
      complete: () => {
        for (const one of asked.values()) if (one.outcome === 'open') one.outcome = 'gone with its machine'
      },
    })
    look()
  }

  return {
    follow,
    expect: (ref, word) => {
      follow(ref)
      expected = [...expected, { ref, word, from: ref.getSnapshot().context.commandCount }]
    },
    unasked: () => {
      const isAsked = ({ ref, word, from }: (typeof expected)[number]): boolean =>
        [...(followed.get(ref) ?? [])].some(
          ([key, { command }]) =>
            Number(key) >= from && command.cmd === 'state' && command.state === word && command.group === undefined,
        )
      expected = expected.filter(each => each.ref.getSnapshot().status === 'active' && !isAsked(each))
      return expected.map(({ ref, word }) => `${ref.id}: ${word}`)
    },
    leave: () => {
      expected = []
      for (const one of all) if (one.outcome === 'open') one.outcome = 'gone with its machine'
    },
    open: () => all.filter(({ outcome }) => outcome === 'open').map(({ what }) => what),
    lost: () => all.filter(({ outcome }) => outcome === 'lost').map(({ what }) => what),
    outcomes: () => {
      const count: Partial<Record<Outcome, number>> = {}
      for (const { outcome } of all) count[outcome] = (count[outcome] ?? 0) + 1
      return count
    },
  }
}
