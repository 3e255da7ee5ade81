/*
 * A client's log as a persistent (immutable, sharing) list. Lines are stored as UTF-8 in chunks of a fixed number of
 * lines: 100,000 strings would be most of the page's heap, and only a screenful is read at a time. A newer list appends
 * to the free end of the last chunk; an older list never reads beyond its own end, so it does not change. A class, so
 * that Immer does not draft it.
 */
import type { Bytes } from '../../protocol/crypto/bytes.ts'
import { MAX_LOG_BYTES, MAX_LOG_LINES } from '../shared/memory-limits.ts'
import { lineText, packLines, type PackedLines } from '../../protocol/client/packed-lines.ts'

const CHUNK = 512
const LEAST_BYTES = 4096

// How many of the last known lines must be found again for a replayed log to count as the same log.
const ANCHOR = 16

// Only `count` lines of a chunk are written; the rest is free. The first line begins at byte `from`.
type Chunk = { bytes: Bytes; readonly ends: Uint32Array<ArrayBuffer>; readonly from: number; count: number }

/** Adjacent lines: the first begins at byte `from`, each ends at its entry of `ends`. */
export type LineRun = { readonly bytes: Uint8Array; readonly from: number; readonly ends: Uint32Array }

/** An immutable list of log lines. A line's number never changes, also when older lines are trimmed. */
export type LogLines = {
  /** The number of the oldest line. */
  readonly first: number
  /** One after the number of the newest line. */
  readonly end: number
  readonly length: number
  /** The line with this number; undefined before `first`, from `end` on, and for fractions. */
  at(number: number): string | undefined
  /** Its length in bytes, escapes included; 0 for no line. Faster than reading it. */
  bytesAt(number: number): number
  firstByteAt(number: number): number | undefined
  /** The line's UTF-8 bytes, for fast scans without decoding. */
  locate(number: number): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } | undefined
  /** All lines from number `from` up to `to` (exclusive) as few runs; numbers outside are ignored. */
  runs(from: number, to: number): Generator<LineRun, void, undefined>
  /** The lines from number `from` up to `to` (exclusive), oldest first; numbers outside are ignored. */
  range(from: number, to: number): Generator<string, void, undefined>
  /** A copy of these lines, which may be transferred. */
  pack(from: number, to: number): PackedLines
  [Symbol.iterator](): Generator<string, void, undefined>
  /** See `appendLog`. */
  append(lines: PackedLines, cap?: number, mostBytes?: number): LogLines
  toArray(): string[]
  /** For recordings and tests. */
  toJSON(): { first: number; lines: string[] }
}

class ChunkedLines implements LogLines {
  readonly first: number
  readonly end: number
  // Where line `first` lies, counted from the beginning of the first chunk.
  readonly #offset: number
  readonly #chunks: Chunk[]
  // Of all lines together.
  readonly #bytes: number

  private constructor(chunks: Chunk[], offset: number, first: number, end: number, bytes: number) {
    this.#bytes = bytes
    this.#chunks = chunks
    this.#offset = offset
    this.first = first
    this.end = end
    Object.freeze(this)
  }

  static startingAt(number: number): LogLines {
    return new ChunkedLines([], 0, number, number, 0)
  }

  get length(): number {
    return this.end - this.first
  }

  at(number: number): string | undefined {
    const line = this.locate(number)
    return line === undefined ? undefined : lineText(line.bytes, line.start, line.end)
  }

  bytesAt(number: number): number {
    if (!this.#has(number)) return 0
    const chunk = this.#chunkOf(number)
    const place = this.#placeOf(number)
    return endOf(chunk, place) - startOf(chunk, place)
  }

  firstByteAt(number: number): number | undefined {
    return this.bytesAt(number) === 0
      ? undefined
      : this.#chunkOf(number).bytes[startOf(this.#chunkOf(number), this.#placeOf(number))]
  }

  locate(number: number): { readonly bytes: Uint8Array; readonly start: number; readonly end: number } | undefined {
    if (!this.#has(number)) return undefined
    const chunk = this.#chunkOf(number)
    const place = this.#placeOf(number)
    return { bytes: chunk.bytes, start: startOf(chunk, place), end: endOf(chunk, place) }
  }

  *runs(from: number, to: number): Generator<LineRun, void, undefined> {
    const last = Math.min(this.end, to)
    for (let number = Math.max(this.first, Math.ceil(from)); number < last;) {
      const chunk = this.#chunkOf(number)
      const place = this.#placeOf(number)
      const lines = Math.min(CHUNK - place, last - number)
      yield { bytes: chunk.bytes, from: startOf(chunk, place), ends: chunk.ends.subarray(place, place + lines) }
      number += lines
    }
  }

  *range(from: number, to: number): Generator<string, void, undefined> {
    const last = Math.min(this.end, to)
    for (let number = Math.max(this.first, Math.ceil(from)); number < last; number++) {
      const line = this.at(number)
      if (line !== undefined) yield line
    }
  }

  pack(from: number, to: number): PackedLines {
    const runs = [...this.runs(from, to)]
    const ends = new Uint32Array(runs.reduce((count, run) => count + run.ends.length, 0))
    const bytes = new Uint8Array(runs.reduce((size, run) => size + sizeOf(run), 0))
    let count = 0
    let size = 0
    for (const run of runs) {
      bytes.set(run.bytes.subarray(run.from, run.from + sizeOf(run)), size)
      for (const end of run.ends) ends[count++] = size + end - run.from
      size += sizeOf(run)
    }
    return { bytes, ends }
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

  append(lines: PackedLines, cap = MAX_LOG_LINES, mostBytes = MAX_LOG_BYTES): LogLines {
    const count = lines.ends.length
    if (count === 0) return this
    const chunks = this.#writable(this.#offset + this.length)
    for (let at = 0; at < count;) {
      const tail = chunks.at(-1)
      if (tail !== undefined && tail.count < CHUNK) at += fill(tail, lines, at)
      else if (count - at < CHUNK)
        chunks.push({ bytes: new Uint8Array(0), ends: new Uint32Array(CHUNK), from: 0, count: 0 })
      else {
        // Lines that fill a whole chunk are not copied: nothing is appended to that chunk.
        chunks.push({
          bytes: lines.bytes,
          ends: lines.ends.subarray(at, at + CHUNK),
          from: startOf(lines, at),
          count: CHUNK,
        })
        at += CHUNK
      }
    }
    const bytes = this.#bytes + endOf(lines, count - 1)
    const longer = new ChunkedLines(chunks, this.#offset, this.first, this.end + count, bytes)
    const bounded = longer.length > cap ? longer.#trim(longer.length - cap + Math.floor(cap / 3)) : longer
    return bounded.#bytes > mostBytes ? bounded.#newest(mostBytes - Math.floor(mostBytes / 3)) : bounded
  }

  #has(number: number): boolean {
    return Number.isInteger(number) && number >= this.first && number < this.end
  }

  #placeOf(number: number): number {
    return (this.#offset + number - this.first) % CHUNK
  }

  #chunkOf(number: number): Chunk {
    const chunk = this.#chunks[Math.floor((this.#offset + number - this.first) / CHUNK)]
    if (chunk === undefined) throw new Error(`There is no line ${number}.`)
    return chunk
  }

  // The chunks with room directly after position `used`. When another list has appended there already, the list of
  // chunks and its last chunk are copied.
  #writable(used: number): Chunk[] {
    const count = Math.ceil(used / CHUNK)
    const inLast = used - (count - 1) * CHUNK
    const mayExtend = this.#chunks.length === count && this.#chunks[count - 1]?.count === inLast
    if (mayExtend && used > 0) return this.#chunks
    const copy = this.#chunks.slice(0, count)
    const last = copy[count - 1]
    if (last !== undefined)
      copy[count - 1] = {
        ...last,
        bytes: last.bytes.slice(0, endOf(last, inLast - 1)),
        ends: last.ends.slice(),
        count: inLast,
      }
    return copy
  }

  #trim(count: number): ChunkedLines {
    const gone = Math.min(count, this.length)
    const position = this.#offset + gone
    const whole = Math.floor(position / CHUNK)
    let bytes = this.#bytes
    for (const run of this.runs(this.first, this.first + gone)) bytes -= sizeOf(run)
    return new ChunkedLines(this.#chunks.slice(whole), position - whole * CHUNK, this.first + gone, this.end, bytes)
  }

  // A copy: chunks are freed only as a whole, and long lines make them large.
  #newest(bytes: number): LogLines {
    let from = this.end
    for (let size = this.bytesAt(from - 1); from > this.first && size <= bytes; size += this.bytesAt(from - 1)) from--
    return ChunkedLines.startingAt(from).append(this.pack(from, this.end), Infinity, Infinity)
  }
}

type Ends = { readonly ends: Uint32Array; readonly from?: number }

function endOf({ ends }: Ends, place: number): number {
  return ends[place] ?? 0
}
function startOf(lines: Ends, place: number): number {
  return place === 0 ? (lines.from ?? 0) : endOf(lines, place - 1)
}
function sizeOf(run: LineRun): number {
  return endOf(run, run.ends.length - 1) - run.from
}

/** Appends lines from index `from` on to a chunk, and returns how many fit. */
function fill(chunk: Chunk, lines: PackedLines, from: number): number {
  const count = Math.min(CHUNK - chunk.count, lines.ends.length - from)
  const start = startOf(lines, from)
  const run = lines.bytes.subarray(start, endOf(lines, from + count - 1))
  const used = startOf(chunk, chunk.count)
  const wanted = used + run.length
  if (chunk.bytes.length < wanted) {
    const isFull = chunk.count + count === CHUNK
    const grown = new Uint8Array(isFull ? wanted : Math.max(LEAST_BYTES, 2 * wanted))
    grown.set(chunk.bytes.subarray(0, used))
    chunk.bytes = grown
  }
  chunk.bytes.set(run, used)
  for (let index = 0; index < count; index++)
    chunk.ends[chunk.count + index] = used + endOf(lines, from + index) - start
  chunk.count += count
  return count
}

/** The list before anything was received. */
export const emptyLog: LogLines = ChunkedLines.startingAt(0)

/** A list whose first line has this number. */
export function logFrom(first: number, lines: PackedLines): LogLines {
  return ChunkedLines.startingAt(first).append(lines)
}

/** The inverse of `toJSON`. */
export function restoreLog({ first, lines }: { readonly first: number; readonly lines: readonly string[] }): LogLines {
  return logFrom(first, packLines(lines))
}

/**
 * Appends lines (`["log",-2,[…]]`, docs/protocol.md §8) without changing the given list, in time proportional to the new
 * lines. A list longer than the cap is trimmed to two thirds of it (docs/product.md §9); likewise for bytes.
 */
export function appendLog(log: LogLines, lines: PackedLines, cap = MAX_LOG_LINES, mostBytes = MAX_LOG_BYTES): LogLines {
  return log.append(lines, cap, mostBytes)
}

/**
 * The list after the client sent its whole log again (`["log",[…]]`). If it contains the last known lines, they keep
 * their numbers, so that the scroll position survives a reconnection. Otherwise it is a new log (the client restarted),
 * and its numbers continue after the old ones.
 */
export function replaceLog(log: LogLines, lines: PackedLines, cap = MAX_LOG_LINES): LogLines {
  return ChunkedLines.startingAt(startOfReplay(log, lines)).append(lines, cap)
}

function startOfReplay(log: LogLines, lines: PackedLines): number {
  const anchor = log.pack(log.end - ANCHOR, log.end)
  const count = anchor.ends.length
  if (count === 0) return log.end
  for (let at = lines.ends.length - count; at >= 0; at--) if (isAnchorAt(lines, at, anchor)) return log.end - count - at
  return log.end
}

function isAnchorAt(lines: PackedLines, at: number, anchor: PackedLines): boolean {
  const start = startOf(lines, at)
  // Comparing lengths first rules out most positions.
  if (anchor.ends.some((end, index) => endOf(lines, at + index) - start !== end)) return false
  return anchor.bytes.every((byte, index) => lines.bytes[start + index] === byte)
}
