import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { FoldingState } from '../../src/folding/machine/group.ts'
import { isConfirmedBy, type Command } from '../../src/protocol/commands.ts'
import type { QueuedCommand } from '../../src/protocol/command-queue.ts'

type Fate = 'open' | 'obeyed' | 'ignored' | 'gone with its machine' | 'lost'
type Asked = { readonly what: string; readonly command: Command; fate: Fate }

/** Follows commands from being asked to their end: obeyed, or reported as ignored. Anything else is a loss. */
export type CommandWatch = {
  /** Whatever this machine is asked from now on. */
  readonly follow: (ref: ClientRef) => void
  /** This machine, which could hear it, was told so together with all others: it must be asked, or be said to have missed it. */
  readonly expect: (ref: ClientRef, word: FoldingState) => void
  /** The page is left: what was asked is nobody's business any more. */
  readonly leave: () => void
  /** What should have been asked of machines that are still known, and was not so far. */
  readonly unasked: () => readonly string[]
  /** Commands without an end so far. */
  readonly open: () => readonly string[]
  readonly lost: () => readonly string[]
  readonly fates: () => Readonly<Partial<Record<Fate, number>>>
}

const READERS: readonly string[] = ['log', 'wus', 'viz']

export const watchCommands = (): CommandWatch => {
  const followed = new Map<ClientRef, Map<string, Asked>>()
  let expected: readonly { readonly ref: ClientRef; readonly word: FoldingState; readonly from: number }[] = []
  const all: Asked[] = []

  const fateOf = ({ status }: QueuedCommand): Fate =>
    status === 'confirmed' ? 'obeyed' : status === 'ignored' ? 'ignored' : 'open'

  const follow = (ref: ClientRef): void => {
    if (followed.has(ref)) return
    const asked = new Map<string, Asked>()
    followed.set(ref, asked)
    const begin = (entry: QueuedCommand): Asked => {
      const one: Asked = { what: `${ref.id}: ${JSON.stringify(entry.command)}`, command: entry.command, fate: 'open' }
      asked.set(entry.key, one)
      all.push(one)
      return one
    }
    const look = (): void => {
      const { queue, record } = ref.getSnapshot().context
      for (const entry of queue.entries) {
        if (READERS.includes(entry.command.cmd)) continue
        const known = asked.get(entry.key) ?? begin(entry)
        known.fate = fateOf(entry)
      }
      const present = new Set(queue.entries.map(({ key }) => key))
      for (const [key, one] of asked) {
        if (one.fate !== 'open' || present.has(key)) continue
        // It was confirmed, alone or by a later one, and made room for another in one step.
        const later = [...asked.values()].slice([...asked.values()].indexOf(one) + 1)
        const isObeyed = [one, ...later].some(
          ({ command }) =>
            command.cmd === one.command.cmd && record.data !== undefined && isConfirmedBy(command, record.data),
        )
        // Of settings that were ignored, their draft is told.
        const isTold = one.command.cmd === 'config' && ref.getSnapshot().context.settings !== undefined
        one.fate = isObeyed ? 'obeyed' : isTold ? 'ignored' : 'lost'
      }
    }
    ref.subscribe({
      next: look,
      complete: () => {
        for (const one of asked.values()) if (one.fate === 'open') one.fate = 'gone with its machine'
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
      for (const one of all) if (one.fate === 'open') one.fate = 'gone with its machine'
    },
    open: () => all.filter(({ fate }) => fate === 'open').map(({ what }) => what),
    lost: () => all.filter(({ fate }) => fate === 'lost').map(({ what }) => what),
    fates: () => {
      const count: Partial<Record<Fate, number>> = {}
      for (const { fate } of all) count[fate] = (count[fate] ?? 0) + 1
      return count
    },
  }
}
