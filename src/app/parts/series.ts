import type { Cache } from '../../actors/resources/cache.ts'
import { seriesCacheActor } from '../../actors/resources/series-cache.ts'
import { seriesSocket } from '../../actors/resources/series-socket.ts'
import type { OpenSocket } from '../../actors/wire/hub.types.ts'
import { withJitter } from '../../folding/shared/back-off.ts'
import { seriesMachine, seriesWait } from '../../machines/resource/series/series.machine.ts'
import type { SocketUrl } from '../../protocol/url.ts'

export type SeriesDeps = {
  readonly openSocket: OpenSocket
  readonly url: SocketUrl
  readonly cache: Cache
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The machine of points over time, with its effects. */
export function seriesMachines({ openSocket, url, cache, now, random }: SeriesDeps) {
  return {
    series: seriesMachine.provide({
      delays: { reconnectDelay: ({ context }) => withJitter(seriesWait(context), random()) },
      actors: { seriesSocket: seriesSocket({ openSocket, url }), seriesCache: seriesCacheActor({ cache, now }) },
    }),
  }
}
