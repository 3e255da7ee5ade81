import { creditsByTime, donorById } from '../store/credits.ts'
import type { CreditOwner } from '../store/credits.ts'
import type { Store } from '../store/store.ts'
import { teamById } from '../store/teams.ts'
import { add, scoreAt, HOUR_MS, NOTHING } from './score-curve.ts'
import type { ScoreCurve, Sum } from './score-curve.ts'
import type { Population } from './population.ts'

export type Point = { time: string; value: Sum }

/** Points of a donor or team over time: initial points, points of the seed's curves, and single credits. */
export type Series = {
  /** Newest first, one for each full hour after `since` (epoch ms). */
  points(asked: { at: number; since: number | undefined; count: number }): Promise<Point[]>
  pointAt(at: number): Promise<Point>
}

export type SeriesSource = {
  /** Undefined for an unknown team. */
  team(team: number): Promise<Series | undefined>
  /** Undefined for an unknown donor id. */
  donor(uid: number): Promise<Series | undefined>
}

export const MAX_POINTS = 10_000

const timeText = (at: number): string => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z')

type Source = { store: Store; whose: CreditOwner; before: Sum; growths: readonly ScoreCurve[] }

const createSeries = ({ store, whose, before, growths }: Source): Series => {
  const grown = (at: number): Sum => growths.reduce((sum, growth) => add(sum, scoreAt(growth, at)), before)

  return {
    pointAt: async at => {
      const credits = await creditsByTime(store, whose)
      const booked = credits.reduce((sum, { credit }) => add(sum, { score: credit, wus: 1 }), NOTHING)
      return { time: timeText(at), value: add(grown(at), booked) }
    },
    points: async ({ at, since, count }) => {
      const credits = (await creditsByTime(store, whose)).map(({ time, credit }) => ({ at: Date.parse(time), credit }))
      const began = Math.min(at, ...growths.map(({ start }) => start), ...credits.slice(0, 1).map(credit => credit.at))
      const first = Math.max(Math.floor(began / HOUR_MS) * HOUR_MS, since === undefined ? 0 : since + 1)
      let booked = credits.reduce((sum, { credit }) => add(sum, { score: credit, wus: 1 }), NOTHING)
      const points: Point[] = []
      for (
        let hour = Math.floor(at / HOUR_MS) * HOUR_MS;
        hour >= first && points.length < Math.min(count, MAX_POINTS);
        hour -= HOUR_MS
      ) {
        for (let last = credits.at(-1); last !== undefined && last.at > hour; last = credits.at(-1)) {
          booked = add(booked, { score: -last.credit, wus: -1 })
          credits.pop()
        }
        points.push({ time: timeText(hour), value: add(grown(hour), booked) })
      }
      return points
    },
  }
}

export const createSeriesSource = (store: Store, { members, unnamedMembers }: Population): SeriesSource => ({
  team: async team => {
    const found = await teamById(store, team)
    if (found === undefined) return undefined
    const crowd = unnamedMembers.get(team)
    const growths = [
      ...members.filter(member => member.team === team).map(({ curve }) => curve),
      ...(crowd === undefined ? [] : [crowd]),
    ]
    return createSeries({ store, whose: { team }, before: { score: found.score, wus: found.wus }, growths })
  },
  donor: async uid => {
    const found = await donorById(store, uid)
    if (found === undefined) return undefined
    const growths = members.filter(({ name }) => name === found.name).map(({ curve }) => curve)
    return createSeries({ store, whose: { donor: uid }, before: NOTHING, growths })
  },
})
