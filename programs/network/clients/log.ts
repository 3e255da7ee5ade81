import { clockTime } from './time-text.ts'

export type LogLevel = 'I1' | 'I2' | 'I3' | 'W' | 'E'

/** Lines at regular intervals, such as a core's steps: stored as one entry, formatted when the log is read. */
export type LogSpan = {
  /** Epoch ms of the first line, and ms between lines. */
  readonly start: number
  readonly every: number
  readonly count: number
  readonly text: (index: number) => string
}

type Entry =
  | { readonly kind: 'line'; readonly at: number; readonly level: LogLevel; readonly text: string }
  | { readonly kind: 'span'; readonly span: LogSpan; next: number; end: number }

const colors = { W: 93, E: 91 } as const

/** `HH:MM:SS:LEVEL:text`, with colors for warnings and errors (docs/protocol.md §8). */
export function formatLine(at: number, level: LogLevel, text: string): string {
  return level === 'W' || level === 'E'
    ? `\u001b[${colors[level]}m${clockTime(at)}:${level} :${text}\u001b[0m`
    : `${clockTime(at)}:${level}:${text}`
}

/**
 * The log of one client. Entries are formatted when the log is read, since most logs of a large fleet never are.
 * Positions count from the first line ever written and stay valid when old lines are dropped.
 */
export function createLog(limit: number, bootLines: () => readonly string[]) {
  const lines: string[] = []
  let dropped = 0
  let pending: Entry[] = []
  let hasBootLines = false

  const dueLines = (entry: Entry, now: number): { at: number; line: string }[] => {
    if (entry.kind === 'line') return [{ at: entry.at, line: formatLine(entry.at, entry.level, entry.text) }]
    const { span } = entry
    const due: { at: number; line: string }[] = []
    const last = Math.min(now, entry.end)
    for (
      let at = span.start + entry.next * span.every;
      entry.next < span.count && at <= last;
      at = span.start + entry.next * span.every
    ) {
      due.push({ at, line: formatLine(at, 'I1', span.text(entry.next)) })
      entry.next++
    }
    return due
  }

  const isOver = (entry: Entry, now: number): boolean =>
    entry.kind === 'line' || entry.next >= entry.span.count || entry.end <= now

  const formatDue = (now: number): void => {
    if (!hasBootLines) lines.push(...bootLines())
    hasBootLines = true
    const due = pending.flatMap(entry => dueLines(entry, now))
    due.sort((a, b) => a.at - b.at)
    for (const { line } of due) lines.push(line)
    pending = pending.filter(entry => !isOver(entry, now))
    const excess = lines.length - limit
    if (excess <= 0) return
    lines.splice(0, excess)
    dropped += excess
  }

  return {
    add: (at: number, level: LogLevel, text: string): void => {
      if (pending.length >= limit) pending = pending.slice(Math.ceil(limit / 10))
      pending.push({ kind: 'line', at, level, text })
    },
    /** Returns a function that ends the span early, at the given time. */
    addSpan: (span: LogSpan): ((at: number) => void) => {
      const entry: Entry = { kind: 'span', span, next: 0, end: Number.POSITIVE_INFINITY }
      pending.push(entry)
      return at => {
        entry.end = Math.min(entry.end, at)
      }
    },
    /** Lines from position `from` until `now`, and the next position to read from. */
    read: (from: number, now: number): { readonly lines: readonly string[]; readonly next: number } => {
      formatDue(now)
      return { lines: lines.slice(Math.max(0, from - dropped)), next: dropped + lines.length }
    },
  }
}

export type ClientLog = ReturnType<typeof createLog>
