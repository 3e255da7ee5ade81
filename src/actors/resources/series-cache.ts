import * as v from 'valibot'
import type { SeriesFact, SeriesCacheCommand } from '../../machines/resource/series/series.events.ts'
import type { SeriesPoint } from '../../protocol/api/series.ts'
import { factActor } from '../fact-actor.ts'
import type { Cache } from './cache.ts'

export type SeriesCacheDeps = {
  readonly cache: Cache
  /** Corrected epoch milliseconds. */
  readonly now: () => number
}

const points = v.array(v.object({ at: v.number(), score: v.number(), wus: v.number() }))

/** Caches points over time in the personal partition, which is cleared at sign-out. */
export function seriesCacheActor({ cache, now }: SeriesCacheDeps) {
  return factActor<SeriesCacheCommand, undefined, SeriesFact>(({ report, receive }) => {
    let isStopped = false
    const load = async (ref: SeriesCacheCommand['ref']): Promise<void> => {
      const entry = await cache.readSoon('personal', `series/${ref}`)
      if (!isStopped) report({ type: 'series.restored', ref, points: pointsOf(entry?.body) })
    }
    receive(command => {
      if (command.type === 'seriesCache.load') void load(command.ref)
      else void cache.write('personal', `series/${command.ref}`, { at: now(), body: command.points })
    })
    return () => {
      isStopped = true
    }
  })
}

function pointsOf(body: unknown): readonly SeriesPoint[] {
  return v.is(points, body) ? body : []
}
