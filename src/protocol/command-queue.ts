import type { ClientData } from './client-data.ts'
import type { Command } from './commands.ts'
import { isConfirmedBy, isTimed } from './commands.ts'

/**
 * The commands of one client on their way: `waiting` for their turn, `asked` once sent, then `confirmed` by what the
 * client reports, or `ignored`, with the likely reason. Pure: a queue goes in, the next queue comes out.
 */
export type CommandQueue = {
  readonly entries: readonly QueuedCommand[]
  /** The second (epoch, corrected clock) in which the last command of a timed kind was sent. */
  readonly lastSecond: Readonly<Partial<Record<Command['cmd'], number>>>
}

export type QueuedCommand = {
  /** Names the command from asking to answer; made by whoever asks. */
  readonly key: string
  readonly command: Command
  readonly status: 'waiting' | 'asked' | 'confirmed' | 'ignored'
  /** Epoch ms, corrected: since when it is asked. */
  readonly askedAt?: number
  /** Why it was ignored, for a person. */
  readonly reason?: string
}

export const emptyQueue: CommandQueue = { entries: [], lastSecond: {} }

/** What to do next: send this, look again in so many ms, or nothing. */
export type NextCommand = { readonly key: string; readonly command: Command } | { readonly waitMs: number } | undefined

/** Puts a command at the end. Confirmed ones, which nobody needs any more, go. */
export const enqueue = (queue: CommandQueue, command: Command, key: string): CommandQueue => ({
  ...queue,
  entries: [
    ...queue.entries.filter(entry => entry.status !== 'confirmed' && entry.key !== key),
    { key, command, status: 'waiting' },
  ],
})

/**
 * The first command that waits, unless its kind has used up this second: a client drops the second of two commands in
 * one second, and one dated ahead would block everybody else's, so the next second is waited for. Readers (`log`,
 * `wus`, `viz`) need not wait behind it. `now`: epoch ms, corrected.
 */
export const nextToSend = (queue: CommandQueue, now: number): NextCommand => {
  const waiting = queue.entries.filter(entry => entry.status === 'waiting')
  const [first] = waiting
  if (!first) return undefined
  const waitMs = waitOf(first.command, queue, now)
  const next = waitMs > 0 ? waiting.find(entry => isReader(entry.command)) : first
  return next ? { key: next.key, command: next.command } : { waitMs }
}

/**
 * The command was sent, stamped with `at` (epoch ms, corrected). What `data` show already is confirmed at once, since a
 * client says nothing about what does not change (docs/protocol.md §5); but not behind another one of its kind, which
 * may change the data yet.
 */
export const markSent = (queue: CommandQueue, key: string, at: number, data?: ClientData): CommandQueue => {
  const sent = queue.entries.find(entry => entry.key === key && entry.status === 'waiting')
  if (!sent) return queue
  const { command } = sent
  const isBehind = queue.entries.some(entry => entry.status === 'asked' && entry.command.cmd === command.cmd)
  const status = data && !isBehind && isConfirmedBy(command, data) ? 'confirmed' : 'asked'
  const entries = replaced(queue.entries, sent, { ...sent, status, askedAt: at })
  return {
    entries,
    lastSecond: isTimed(command) ? { ...queue.lastSecond, [command.cmd]: secondOf(at) } : queue.lastSecond,
  }
}

/**
 * Confirms what the client's data show. A later command of the same kind for the same groups that is confirmed
 * confirms those before it: their effect may have come and gone between two looks.
 */
export const settle = (queue: CommandQueue, data: ClientData): CommandQueue => {
  if (!queue.entries.some(entry => entry.status === 'asked')) return queue
  const confirmed: Command[] = []
  const entries = queue.entries.toReversed().map(entry => {
    if (entry.status !== 'asked') return entry
    const isDone = isConfirmedBy(entry.command, data) || confirmed.some(later => isReplacedBy(entry.command, later))
    if (!isDone) return entry
    confirmed.push(entry.command)
    return { ...entry, status: 'confirmed' as const }
  })
  return confirmed.length === 0 ? queue : { ...queue, entries: entries.reverse() }
}

/** The client did not obey. `reason`: the likely one, for a person. */
export const expire = (queue: CommandQueue, key: string, reason: string): CommandQueue => {
  const asked = queue.entries.find(
    entry => entry.key === key && (entry.status === 'asked' || entry.status === 'waiting'),
  )
  if (!asked) return queue
  const { [asked.command.cmd]: last, ...others } = queue.lastSecond
  // A second that the client did not accept does not hold back the next command, whatever the clock said then.
  const isLast = asked.askedAt !== undefined && last === secondOf(asked.askedAt)
  return {
    entries: replaced(queue.entries, asked, { ...asked, status: 'ignored', reason }),
    lastSecond: isLast ? others : queue.lastSecond,
  }
}

/** Takes a command out, whatever became of it. */
export const forget = (queue: CommandQueue, key: string): CommandQueue => ({
  ...queue,
  entries: queue.entries.filter(entry => entry.key !== key),
})

/**
 * After a lost connection: what was not sent is not sent later, since the person has seen it fail. The seconds stay,
 * since the client remembers them too.
 */
export const dropUnsent = (queue: CommandQueue): CommandQueue => ({
  ...queue,
  entries: queue.entries.filter(entry => entry.status !== 'waiting'),
})

const secondOf = (at: number) => Math.floor(at / 1000)

/** A command is reported as ignored after ten seconds: nobody waits longer than that to send it. */
const LONGEST_SPACING = 10_000

/**
 * Milliseconds until the second is over that the last of its kind has used up. Nobody waits for a time that a wrong
 * clock told: whoever took it over ignores what comes before it, and that is then reported.
 */
export const spacingAfter = (lastSecond: number | undefined, now: number): number => {
  const wait = lastSecond === undefined ? 0 : (lastSecond + 1) * 1000 - now
  return wait > LONGEST_SPACING ? 0 : Math.max(0, wait)
}

const waitOf = (command: Command, { lastSecond }: CommandQueue, now: number): number => {
  return spacingAfter(isTimed(command) ? lastSecond[command.cmd] : undefined, now)
}

/** Asks for a stream, which whoever wants it asks for again on the next connection. */
export const isReader = ({ cmd }: Command): boolean => cmd === 'log' || cmd === 'wus' || cmd === 'viz'

const isReplacedBy = (earlier: Command, later: Command): boolean => {
  if (earlier.cmd === 'state' && later.cmd === 'state')
    return later.group === undefined || later.group === earlier.group
  return earlier.cmd === 'config' && later.cmd === 'config'
}

const replaced = (entries: readonly QueuedCommand[], old: QueuedCommand, next: QueuedCommand) =>
  entries.map(entry => (entry === old ? next : entry))
