import type { IdleTime, IdleTimes } from '../../../folding/fleet/idle-time.ts'

/** Reported by the store: what this browser had at the start, and what another tab changed. */
export type IdleTimesFact = { readonly type: 'idleTimes.restored'; readonly times: IdleTimes }

/** By when a client, by its own id, shall be idle; undefined takes it back. */
export type SetIdleTime = {
  readonly type: 'idleTimes.set'
  readonly client: string
  readonly time: IdleTime | undefined
}

export type IdleTimesEvent = IdleTimesFact | SetIdleTime

/** Sent to the store. */
export type KeepIdleTimes = { readonly type: 'store.keep'; readonly value: IdleTimes }
