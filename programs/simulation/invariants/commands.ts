import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import type { QueuedCommand } from '../../../src/protocol/client/command-queue.ts'
import { isConfirmedBy, type Command } from '../../../src/protocol/client/commands.ts'

type Outcome = 'open' | 'obeyed' | 'ignored' | 'gone with its machine' | 'taken back' | 'lost'

/** What a page wants of one client. */
export type Wanted = {
  readonly ref: ClientRef
  readonly at: number
  readonly command: Command
  outcome: Outcome
}

/** What is older has been checked. */
const KEPT = 1000

const READERS: readonly string[] = ['log', 'wus', 'viz']

function outcomeOf({ status }: QueuedCommand): Outcome {
  return status === 'confirmed' ? 'obeyed' : status === 'ignored' ? 'ignored' : 'open'
}

/** What became of a command that the queue does not hold any more. */
function lastOutcome(ref: ClientRef, one: Wanted, later: readonly Wanted[], isTakenBack: boolean): Outcome {
  const { record, settings } = ref.getSnapshot().context
  const { data } = record
  // It was confirmed, alone or by a later one, and made room for another in one step.
  const isObeyed = [one, ...later].some(
    ({ command }) => command.cmd === one.command.cmd && data !== undefined && isConfirmedBy(command, data),
  )
  if (isObeyed) return 'obeyed'
  // A draft receives which of its settings were ignored.
  if (one.command.cmd === 'config' && settings !== undefined) return 'ignored'
  return isTakenBack ? 'taken back' : 'lost'
}

function followOne(ref: ClientRef, now: () => number, all: Wanted[]): void {
  const tracked = new Map<string, Wanted>()
  let jobsBefore = ref.getSnapshot().context.jobs

  const look = (): void => {
    const { queue, jobs } = ref.getSnapshot().context
    for (const entry of queue.entries) {
      if (READERS.includes(entry.command.cmd)) continue
      const one = tracked.get(entry.key) ?? { ref, at: now(), command: entry.command, outcome: 'open' }
      if (!tracked.has(entry.key)) all.push(one)
      tracked.set(entry.key, one)
      one.outcome = outcomeOf(entry)
    }
    const present = new Set(queue.entries.map(({ key }) => key))
    const wanted = [...tracked.values()]
    for (const [key, one] of tracked) {
      if (present.has(key)) continue
      tracked.delete(key)
      if (one.outcome !== 'open') continue
      const isTakenBack =
        jobsBefore.some(({ keys }) => keys.includes(key)) && !jobs.some(({ keys }) => keys.includes(key))
      one.outcome = lastOutcome(ref, one, wanted.slice(wanted.indexOf(one) + 1), isTakenBack)
    }
    jobsBefore = jobs
  }

  ref.subscribe({
    next: look,
    complete: () => {
      for (const one of tracked.values()) if (one.outcome === 'open') one.outcome = 'gone with its machine'
    },
  })
  look()
}

/** Commands from being wanted to their end. */
export function createCommandWatch(now: () => number) {
  const followed = new WeakSet<ClientRef>()
  const all: Wanted[] = []
  return {
    /** Follows all commands to this client from now on. */
    follow: (ref: ClientRef): void => {
      if (followed.has(ref)) return
      followed.add(ref)
      followOne(ref, now, all)
    },
    wanted: (): readonly Wanted[] => {
      if (all.length > 2 * KEPT) all.splice(0, all.length - KEPT)
      return all
    },
  }
}

export type CommandWatch = ReturnType<typeof createCommandWatch>
