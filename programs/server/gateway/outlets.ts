/** One stream to a page or a program: a WebSocket, events, or the body of an answer. */
export type Sink = {
  /** Bytes that were written and that its reader has not taken yet. */
  readonly waiting: () => number
  readonly end: () => void
}

export type Outlet = {
  /** Call it after each write: it ends streams, this one or others, whose bytes are beyond a budget. */
  readonly wrote: () => void
  readonly close: () => void
}

/** All streams of this server, with a budget for each identity and one for all of them. */
export type Outlets = {
  /** Opens a stream in somebody's name; undefined when there are too many of its kind. */
  readonly open: (name: string, kind: StreamKind, sink: Sink) => Outlet | undefined
}

type StreamKind = 'answer' | 'events' | 'socket'

export type Budget = {
  /** Bytes that wait for readers. */
  readonly bytes: number
  readonly streams: Readonly<Record<StreamKind, number>>
}

const MEGABYTE = 1_048_576
/** The first messages of a page with a thousand clients may all wait at once. A page has a socket for each client, and a stream of events. */
const FOR_EACH: Budget = { bytes: 64 * MEGABYTE, streams: { answer: 1_000, events: 50, socket: 10_000 } }
export const FOR_ALL: Budget = { bytes: 256 * MEGABYTE, streams: { answer: 10_000, events: 1_000, socket: 20_000 } }

type Stream = { readonly sink: Sink; readonly groups: readonly Group[]; waiting: number }
type Group = {
  readonly budget: Budget
  readonly streams: Set<Stream>
  readonly counts: Record<StreamKind, number>
  waiting: number
}

function groupOf(budget: Budget): Group {
  return {
    budget,
    streams: new Set(),
    counts: { answer: 0, events: 0, socket: 0 },
    waiting: 0,
  }
}

function measure(stream: Stream, waiting = stream.sink.waiting()): void {
  for (const group of stream.groups) group.waiting += waiting - stream.waiting
  stream.waiting = waiting
}

/** Ends the streams for which most waits: their page connects again, and gets the newest state. */
function relieve(group: Group): void {
  if (group.waiting <= group.budget.bytes) return
  // Readers take bytes between writes, so what was measured before is too much.
  for (const stream of group.streams) measure(stream)
  for (const { sink } of [...group.streams].sort((one, other) => other.waiting - one.waiting)) {
    if (group.waiting <= group.budget.bytes) return
    sink.end()
  }
}

export function createOutlets(forEach = FOR_EACH, forAll = FOR_ALL): Outlets {
  const all = groupOf(forAll)
  const identities = new Map<string, Group>()
  return {
    open: (name, kind, { waiting, end }) => {
      const ownGroup = identities.get(name) ?? groupOf(forEach)
      const groups = [ownGroup, all]
      if (groups.some(({ counts, budget }) => counts[kind] >= budget.streams[kind])) return undefined
      identities.set(name, ownGroup)
      const close = (): void => {
        if (!ownGroup.streams.has(stream)) return
        measure(stream, 0)
        for (const group of groups) {
          group.streams.delete(stream)
          group.counts[kind]--
        }
        if (ownGroup.streams.size === 0) identities.delete(name)
      }
      const sink: Sink = {
        waiting,
        end: () => {
          close()
          end()
        },
      }
      const stream: Stream = { sink, groups, waiting: 0 }
      for (const group of groups) {
        group.streams.add(stream)
        group.counts[kind]++
      }
      return {
        wrote: () => {
          if (!ownGroup.streams.has(stream)) return
          measure(stream)
          groups.forEach(relieve)
        },
        close,
      }
    },
  }
}
