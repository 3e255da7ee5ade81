import type { ClientData } from './client-data.ts'
import { type Command, isConfirmedBy, isTimed, joinedConfig } from './commands.ts'

/**
 * The commands to one client. Status: `waiting` to be sent, `asked` once sent, then `confirmed` by the client's data, or
 * `ignored` with the likely reason. All functions are pure and return the next queue.
 */
export type CommandQueue = {
  readonly entries: readonly QueuedCommand[]
  /** For timed commands: the epoch second (corrected clock) in which the last of its kind was sent. */
  readonly lastSecond: Readonly<Partial<Record<Command['cmd'], number>>>
}

export type QueuedCommand = {
  /** Identifies the command; chosen by the caller. */
  readonly key: string
  readonly command: Command
  readonly status: 'waiting' | 'asked' | 'confirmed' | 'ignored'
  /** When it was sent: epoch ms, corrected. */
  readonly askedAt?: number
  /** Its time is over, but what the client said since is not known yet. */
  readonly isOverdue?: true
  /** Why it was ignored, as text for the user. */
  readonly reason?: string
  /** It may have been obeyed: the client said nothing since, or what it said did not come. */
  readonly isUnknown?: true
}

export const emptyQueue: CommandQueue = { entries: [], lastSecond: {} }

/** What to do next: send this command, check again in `waitMs`, or nothing. */
export type NextCommand = { readonly key: string; readonly command: Command } | { readonly waitMs: number } | undefined

/** Appends a command, and removes confirmed ones. */
export function enqueue(queue: CommandQueue, command: Command, key: string): CommandQueue {
  return {
    ...queue,
    entries: [
      ...queue.entries.filter(entry => entry.status !== 'confirmed' && entry.key !== key),
      { key, command, status: 'waiting' },
    ],
  }
}

/**
 * The first waiting command, unless one of its kind was sent in the same second: a client drops the second of two
 * commands with the same second, and a time stamp in the future would block the commands of others, so it waits for the
 * next second. Stream requests (`log`, `wus`, `viz`) may overtake it. `now`: epoch ms, corrected.
 */
export function nextToSend(queue: CommandQueue, now: number): NextCommand {
  const waiting = queue.entries.filter(entry => entry.status === 'waiting')
  const [first] = waiting
  if (!first) return undefined
  const waitMs = waitOf(first.command, queue, now)
  const next = waitMs > 0 ? waiting.find(entry => isStreamRequest(entry.command)) : first
  return next ? { key: next.key, command: next.command } : { waitMs }
}

/**
 * Marks a command as sent with the time stamp `at` (epoch ms, corrected). It is confirmed at once if `data` shows its
 * effect already, since a client does not report what does not change (docs/protocol.md §5), unless a sent command of the
 * same kind may still change the data.
 */
export function markSent(queue: CommandQueue, key: string, at: number, data?: ClientData): CommandQueue {
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
 * Confirms the commands whose effect the client's data shows, also those that were said to be ignored. What confirmed commands
 * have overwritten of earlier ones of the same kind need not be shown: that may have happened between two reports.
 */
export function confirmCommands(queue: CommandQueue, data: ClientData): CommandQueue {
  if (!queue.entries.some(wasSent)) return queue
  const confirmed: Command[] = []
  const entries = queue.entries.toReversed().map(entry => {
    if (!wasSent(entry)) return entry
    const isReplaced = entry.status === 'asked' && isOverwritten(entry.command, confirmed, data)
    const isDone = isConfirmedBy(entry.command, data) || isReplaced
    if (!isDone) return entry
    confirmed.push(entry.command)
    return { ...entry, status: 'confirmed' as const }
  })
  return confirmed.length === 0 ? queue : { ...queue, entries: entries.reverse() }
}

/** Marks a command as ignored. `reason`: the likely reason, as text for the user. `isUnknown`: it may have been obeyed. */
export function markIgnored(queue: CommandQueue, key: string, reason: string, isUnknown = false): CommandQueue {
  const asked = queue.entries.find(
    entry => entry.key === key && (entry.status === 'asked' || entry.status === 'waiting'),
  )
  if (!asked) return queue
  const { [asked.command.cmd]: last, ...others } = queue.lastSecond
  // The client did not accept that second, so it does not delay the next command.
  const isLast = asked.askedAt !== undefined && last === secondOf(asked.askedAt)
  return {
    entries: replaced(queue.entries, asked, {
      ...asked,
      status: 'ignored',
      reason,
      ...(isUnknown ? { isUnknown } : {}),
    }),
    lastSecond: isLast ? others : queue.lastSecond,
  }
}

/** Its time is over, but the client may have obeyed since what is known of it. */
export function markOverdue(queue: CommandQueue, key: string): CommandQueue {
  return {
    ...queue,
    entries: queue.entries.map(entry => (entry.key === key ? { ...entry, isOverdue: true as const } : entry)),
  }
}

/** A client takes a command at once, and its next state shows the effect. Milliseconds. */
const EFFECT = 500

/** Whether a client that has told all until `seenUntil` would have told the effect of the command. */
export function isEffectSeen({ askedAt = 0 }: QueuedCommand, seenUntil: number | undefined): boolean {
  return seenUntil !== undefined && seenUntil - askedAt >= EFFECT
}

export function removeCommand(queue: CommandQueue, key: string): CommandQueue {
  return {
    ...queue,
    entries: queue.entries.filter(entry => entry.key !== key),
  }
}

/**
 * After a lost connection: removes unsent commands, which the user has seen fail. `lastSecond` stays, since the client
 * keeps it too.
 */
export function dropUnsent(queue: CommandQueue): CommandQueue {
  return {
    ...queue,
    entries: queue.entries.filter(entry => entry.status !== 'waiting'),
  }
}

function wasSent({ status, askedAt }: QueuedCommand): boolean {
  return status === 'asked' || (status === 'ignored' && askedAt !== undefined)
}

function secondOf(at: number) {
  return Math.floor(at / 1000)
}

/** A command is reported as ignored after ten seconds, so a longer wait is pointless. */
const MAX_SPACING = 10_000

/**
 * Milliseconds until the second after `lastSecond`. 0 when that is too far in the future, because the clock was wrong: if
 * the client ignores the command, that is reported.
 */
export function commandSpacing(lastSecond: number | undefined, now: number): number {
  const wait = lastSecond === undefined ? 0 : (lastSecond + 1) * 1000 - now
  return wait > MAX_SPACING ? 0 : Math.max(0, wait)
}

function waitOf(command: Command, { lastSecond }: CommandQueue, now: number): number {
  return commandSpacing(isTimed(command) ? lastSecond[command.cmd] : undefined, now)
}

/** Whether a command requests a stream. Such requests are sent again on the next connection. */
export function isStreamRequest({ cmd }: Command): boolean {
  return cmd === 'log' || cmd === 'wus' || cmd === 'viz'
}

/** Whether later commands overwrote what the data do not show of a command. `later`: the last one first. */
function isOverwritten(command: Command, later: readonly Command[], data: ClientData): boolean {
  if (command.cmd === 'config')
    return isConfirmedBy(later.filter(each => each.cmd === 'config').reduceRight(joinedConfig, command), data)
  return later.some(
    each => command.cmd === 'state' && each.cmd === 'state' && (each.group ?? command.group) === command.group,
  )
}

function replaced(entries: readonly QueuedCommand[], old: QueuedCommand, next: QueuedCommand) {
  return entries.map(entry => (entry === old ? next : entry))
}
