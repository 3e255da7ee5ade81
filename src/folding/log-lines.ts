/*
 * A client's log as an immutable list that shares its past. Lines lie in chunks of a fixed size; a newer list
 * writes into the free end of the last chunk, and an older list never looks beyond its own end, so it keeps
 * seeing what it saw. A class, so that Immer passes it through as one value instead of drafting 100,000 lines.
 */

/** Most lines kept of one client's log (product.md §9, and what the client itself keeps). */
export const LOG_CAP = 100_000

const CHUNK = 512

// How many of the last known lines must be found again before a replayed log counts as the same one.
const ANCHOR = 16

type Chunk = string[]

/**
 * An immutable list of log lines. Every line has a number that never changes and is never given to another
 * line. Numbers stay when old lines are trimmed, so a reader's place is a number.
 */
export type LogLines = {
  /** The number of the oldest line kept. */
  readonly first: number
  /** One after the number of the newest line. */
  readonly end: number
  /** How many lines are kept. */
  readonly length: number
  /** The line with this number; undefined before `first`, from `end` on, and for fractions. */
  at(number: number): string | undefined
  /** The lines numbered from `from` to before `to`, oldest first; what lies outside is left out. */
  range(from: number, to: number): Generator<string, void, undefined>
  [Symbol.iterator](): Generator<string, void, undefined>
  /** See `appendLog`. */
  append(lines: readonly string[], cap?: number): LogLines
  /** All lines as an array of its own; costs a copy. */
  toArray(): string[]
  /** What a journal or a test sees of it. */
  toJSON(): { first: number; lines: string[] }
}

class ChunkedLines implements LogLines {
  readonly first: number
  readonly end: number
  // Where line `first` lies, counted from the beginning of the first chunk.
  readonly #offset: number
  readonly #chunks: Chunk[]

  private constructor(chunks: Chunk[], offset: number, first: number, end: number) {
    this.#chunks = chunks
    this.#offset = offset
    this.first = first
    this.end = end
    Object.freeze(this)
  }

  static startingAt(number: number): LogLines {
    return new ChunkedLines([], 0, number, number)
  }

  get length(): number {
    return this.end - this.first
  }

  at(number: number): string | undefined {
    if (!Number.isInteger(number) || number < this.first || number >= this.end) return undefined
    const position = this.#offset + number - this.first
    return this.#chunks[Math.floor(position / CHUNK)]?.[position % CHUNK]
  }

  *range(from: number, to: number): Generator<string, void, undefined> {
    const last = Math.min(this.end, to)
    for (let number = Math.max(this.first, Math.ceil(from)); number < last; number++) {
      const line = this.at(number)
      if (line !== undefined) yield line
    }
  }

  [Symbol.iterator](): Generator<string, void, undefined> {
    return this.range(this.first, this.end)
  }

  toArray(): string[] {
    return [...this]
  }

  toJSON(): { first: number; lines: string[] } {
    return { first: this.first, lines: this.toArray() }
  }

  append(lines: readonly string[], cap = LOG_CAP): LogLines {
    if (lines.length === 0) return this
    const used = this.#offset + this.length
    const chunks = this.#writable(used)
    for (const line of lines) {
      let tail = chunks.at(-1)
      if (tail === undefined || tail.length === CHUNK) {
        tail = []
        chunks.push(tail)
      }
      tail.push(line)
    }
    const longer = new ChunkedLines(chunks, this.#offset, this.first, this.end + lines.length)
    return longer.length > cap ? longer.#trim(longer.length - cap + Math.floor(cap / 3)) : longer
  }

  // The chunks with room directly behind position `used`. When a sibling has written there already, the
  // list of chunks and its last chunk are copied.
  #writable(used: number): Chunk[] {
    const count = Math.ceil(used / CHUNK)
    const inLast = used - (count - 1) * CHUNK
    const mayExtend =
      this.#chunks.length === count && (count === 0 || this.#chunks[count - 1]?.length === inLast)
    if (mayExtend && used > 0) return this.#chunks
    const copy = this.#chunks.slice(0, count)
    const last = copy[count - 1]
    if (last !== undefined) copy[count - 1] = last.slice(0, inLast)
    return copy
  }

  #trim(count: number): LogLines {
    const gone = Math.min(count, this.length)
    const position = this.#offset + gone
    const whole = Math.floor(position / CHUNK)
    return new ChunkedLines(this.#chunks.slice(whole), position - whole * CHUNK, this.first + gone, this.end)
  }
}

/** No lines. */
export const emptyLog: LogLines = ChunkedLines.startingAt(0)

/** The list that `toJSON` told of. */
export const restoreLog = ({ first, lines }: { readonly first: number; readonly lines: readonly string[] }): LogLines =>
  ChunkedLines.startingAt(first).append(lines)

/** A list of these lines, numbered from 0. */
export const logOf = (lines: readonly string[], cap = LOG_CAP): LogLines => emptyLog.append(lines, cap)

/**
 * A list with these lines at the end (`["log",-2,[…]]`, wire.md §8); the given list stays as it is. Costs the
 * number of lines given, not the number kept. Over the cap it is trimmed by the excess and then by a further
 * third of the cap (product.md §9).
 */
export const appendLog = (log: LogLines, lines: readonly string[], cap = LOG_CAP): LogLines =>
  log.append(lines, cap)

/**
 * The list after the client has sent its whole log again (`["log",[…]]`). Where the last known lines are found
 * in it, they keep their numbers, so that a reader's place survives a reconnection; otherwise it is another
 * log (the client was restarted) and its numbers go on after the old ones.
 */
export const replaceLog = (log: LogLines, lines: readonly string[], cap = LOG_CAP): LogLines => {
  const start = startOfReplay(log, lines)
  return ChunkedLines.startingAt(start).append(lines, cap)
}

const startOfReplay = (log: LogLines, lines: readonly string[]): number => {
  const anchor = [...log.range(log.end - ANCHOR, log.end)]
  if (anchor.length === 0) return log.end
  for (let at = lines.length - anchor.length; at >= 0; at--) {
    if (anchor.every((line, index) => lines[at + index] === line)) return log.end - anchor.length - at
  }
  return log.end
}
