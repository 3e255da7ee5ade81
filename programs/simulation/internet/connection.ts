import type { Chance } from '../time/chance.ts'
import type { Realm } from '../realms/realm.ts'
import type { Conditions, Route } from './conditions.ts'

export type Frame =
  | { readonly type: 'message'; readonly data: Buffer; readonly isBinary: boolean }
  | { readonly type: 'ping' | 'pong'; readonly data: Buffer }
  /** A Close frame. */
  | { readonly type: 'closing'; readonly code: number; readonly reason: string }

/** What an end does with what arrives. */
export type Handler = {
  readonly received: (frame: Frame) => void
  /** Whether it answers pings at once, by itself. */
  readonly answersPings?: () => boolean
  /** The connection has ended without a Close frame, or after one. Called once. */
  readonly ended: () => void
}

/** One end of a connection. Frames arrive at the other one in order. */
export type End = {
  readonly send: (frame: Frame) => void
  /** Ends the connection at once; the other end learns it after what was sent before. */
  readonly destroy: () => void
  /** Bytes that were sent and have not arrived. */
  readonly pending: () => number
  /** Whether nothing is on its way, and nothing is wrong with the connection. */
  readonly isAtRest: () => boolean
  /** The other end. */
  readonly other: () => End
  /** Nothing arrives while it is paused. */
  readonly pause: () => void
  readonly resume: () => void
  readonly route: Route
  handler: Handler | undefined
}

/** Milliseconds after which a connection breaks through which nothing passes, although something was sent. */
const LONGEST_CUT = 30_000

type Waiting = { readonly at: number; readonly run: () => void; readonly what: string; readonly size: number }

type DirectionParts = {
  readonly receiver: Realm
  readonly route: Route
  readonly conditions: Conditions
  readonly latency: () => number
  readonly breakUp: () => void
}

/** One direction: a queue that its receiver empties. */
function createDirection({ receiver, route, conditions, latency, breakUp }: DirectionParts) {
  let queue: Waiting[] = []
  let cancel: (() => void) | undefined
  let isPaused = false
  let blockedSince: number | undefined
  let withdraw = (): void => undefined
  let last = -Infinity
  let bytes = 0

  const isBlocked = (): boolean => {
    if (!conditions.isCut(route)) {
      blockedSince = undefined
      return false
    }
    blockedSince ??= receiver.trueNow()
    return true
  }

  const schedule = (ms: number, what: string): void => {
    cancel ??= receiver.after(ms, what, deliver)
  }

  const unschedule = (): void => {
    cancel?.()
    cancel = undefined
  }

  /** Until the cut ends, or has lasted so long that the connection breaks. */
  const waitBlocked = (since: number): void => {
    schedule(since + LONGEST_CUT - receiver.trueNow(), 'blocked')
    withdraw = conditions.whenOneEnds(() => {
      unschedule()
      schedule(0, 'a condition ends')
    })
  }

  const deliver = (): void => {
    cancel = undefined
    withdraw()
    const first = queue[0]
    if (first === undefined || isPaused) return
    if (isBlocked()) {
      const since = blockedSince ?? 0
      if (receiver.trueNow() - since >= LONGEST_CUT) breakUp()
      else waitBlocked(since)
      return
    }
    queue.shift()
    bytes -= first.size
    if (queue[0] !== undefined) schedule(Math.max(0, queue[0].at - receiver.trueNow()), queue[0].what)
    first.run()
  }

  return {
    add: (what: string, size: number, run: () => void): void => {
      last = Math.max(last, receiver.trueNow() + latency() + conditions.delay(route))
      queue.push({ at: last, run, what, size })
      bytes += size
      if (queue.length === 1 && !isPaused) schedule(last - receiver.trueNow(), what)
    },
    pending: () => bytes,
    isEmpty: () => queue.length === 0,
    clear: () => {
      queue = []
      bytes = 0
      withdraw()
      unschedule()
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      if (queue[0] !== undefined) schedule(0, 'resumed')
    },
  }
}

export type ConnectionParts = {
  readonly near: Realm
  readonly far: Realm
  readonly route: Route
  readonly conditions: Conditions
  readonly chance: Chance
  /** What the journal shows of a frame. */
  readonly describe: (frame: Frame) => string
  readonly whenEnded: () => void
}

export type Connection = {
  /** The end of the one that connected. */
  readonly near: End
  readonly far: End
  /** Ends it for both, as a router that forgets it. */
  readonly breakUp: () => void
}

/** When a realm ends, so do its connections. */
export function createConnection(options: ConnectionParts): Connection {
  const { near, far, route, conditions, chance, describe, whenEnded } = options
  const base = chance.whole(2, 40)
  const latency = (): number => base + chance.whole(0, 4)

  /** Tells an end that the connection has ended, once. */
  const finish = (end: End): void => {
    const { handler } = end
    end.handler = undefined
    handler?.ended()
  }
  const breakUp = (): void => {
    for (const [realm, end, direction] of [
      [near, ends.near, toNear],
      [far, ends.far, toFar],
    ] as const) {
      direction.clear()
      realm.after(0, `${route.to} broken`, () => finish(end))
    }
    forget()
  }
  const parts = { route, conditions, latency, breakUp }
  const toNear = createDirection({ receiver: near, ...parts })
  const toFar = createDirection({ receiver: far, ...parts })
  type Direction = typeof toNear

  const createEnd = (ownRealm: Realm, into: Direction, out: Direction, other: () => End): End => {
    let isOpen = true
    return {
      route,
      handler: undefined,
      send: frame => {
        const text = describe(frame)
        if (isOpen && !conditions.loses(route, text))
          out.add(text, 'data' in frame ? frame.data.length : 2, () => other().handler?.received(frame))
      },
      destroy() {
        if (!isOpen) return
        isOpen = false
        into.clear()
        ownRealm.after(0, `${route.to} closed`, () => finish(this))
        out.add(`${route.to} ended`, 0, () => {
          other().destroy()
          forget()
        })
      },
      pending: out.pending,
      isAtRest: () => into.isEmpty() && out.isEmpty() && conditions.isCalm(),
      other,
      pause: into.pause,
      resume: into.resume,
    }
  }
  const ends: { readonly near: End; readonly far: End } = {
    near: createEnd(near, toNear, toFar, () => ends.far),
    far: createEnd(far, toFar, toNear, () => ends.near),
  }
  const endings = [near.onEnd(() => ends.near.destroy()), far.onEnd(() => ends.far.destroy())]
  const forget = (): void => {
    for (const ending of endings) ending()
    whenEnded()
  }
  return { ...ends, breakUp }
}
