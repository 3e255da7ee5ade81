import { every } from '../event-loop.ts'
import type { PendingChange } from '../machines/schedules/schedules.selectors.ts'

export type AccountReaderDeps = {
  /** Whether a page reads a client of the account now. */
  readonly isRead: () => boolean
  /** Decisions of schedules about clients of the account that wait for the client. */
  readonly pending: () => readonly PendingChange[]
  /** `isSending`: a schedule sends a command now. */
  readonly connect: (isWanted: boolean, isSending: boolean) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type AccountReaders = {
  /** A page asked for a client: it tries again soon, and the relay is connected meanwhile. */
  readonly want: () => void
  readonly stop: () => void
}

const LOOK_MS = 1000
/** How long the relay stays connected for a page or a decision. */
const WANTED_MS = 120_000

/** Decides when the clients of the account are connected besides their samples. */
export function followAccountReaders({ isRead, pending, connect, now }: AccountReaderDeps): AccountReaders {
  let wantedUntil = 0
  /** Decisions for which the relay was connected. A client that is away is tried again with each sample. */
  let seenKeys: ReadonlySet<string> = new Set()
  const stop = every(LOOK_MS, () => {
    const waiting = pending()
    if (waiting.some(({ key }) => !seenKeys.has(key))) wantedUntil = now() + WANTED_MS
    seenKeys = new Set(waiting.map(({ key }) => key))
    connect(
      isRead() || now() < wantedUntil,
      waiting.some(({ isSending }) => isSending),
    )
  })
  return {
    want: () => {
      wantedUntil = now() + WANTED_MS
      connect(true, false)
    },
    stop,
  }
}
