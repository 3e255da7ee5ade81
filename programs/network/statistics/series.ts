import { isoTime } from '../clients/time-text.ts'
import { creditsByTime, donorById, type CreditOwner } from '../store/credits.ts'
import type { Store } from '../store/store.ts'
import { teamById } from '../store/teams.ts'
import { add, scoreAt, HOUR_MS, NOTHING, type ScoreCurve, type Sum } from './score-curve.ts'
import type { Population } from './population.ts'

export type Point = { time: string; value: Sum }

export const MAX_POINTS = 10_000

type Source = { store: Store; owner: CreditOwner; initial: Sum; curves: readonly ScoreCurve[] }

/** Points of a donor or team over time: initial points, points of the seed's curves, and single credits. */
function createSeries({ store, owner, initial, curves }: Source) {
  const scoreOfCurves = (at: number): Sum => curves.reduce((sum, curve) => add(sum, scoreAt(curve, at)), initial)

  return {
    pointAt: async (at: number): Promise<Point> => {
      const credits = await creditsByTime(store, owner)
      const credited = credits.reduce((sum, { credit }) => add(sum, { score: credit, wus: 1 }), NOTHING)
      return { time: isoTime(at), value: add(scoreOfCurves(at), credited) }
    },
    /** Newest first, one for each full hour after `since` (epoch ms). */
    points: async (at: number, since: number | undefined, count: number): Promise<Point[]> => {
      const credits = (await creditsByTime(store, owner)).map(({ time, credit }) => ({ at: Date.parse(time), credit }))
      const began = Math.min(at, ...curves.map(({ start }) => start), ...credits.slice(0, 1).map(credit => credit.at))
      const first = Math.max(Math.floor(began / HOUR_MS) * HOUR_MS, since === undefined ? 0 : since + 1)
      let credited = credits.reduce((sum, { credit }) => add(sum, { score: credit, wus: 1 }), NOTHING)
      const points: Point[] = []
      for (
        let hour = Math.floor(at / HOUR_MS) * HOUR_MS;
        hour >= first && points.length < Math.min(count, MAX_POINTS);
        hour -= HOUR_MS
      ) {
        for (let last = credits.at(-1); last !== undefined && last.at > hour; last = credits.at(-1)) {
          credited = add(credited, { score: -last.credit, wus: -1 })
          credits.pop()
        }
        points.push({ time: isoTime(hour), value: add(scoreOfCurves(hour), credited) })
      }
      return points
    },
  }
}

export type Series = ReturnType<typeof createSeries>

export function createSeriesSource(store: Store, { members, unnamedMembers }: Population) {
  return {
    /** Undefined for an unknown team. */
    team: async (team: number): Promise<Series | undefined> => {
      const found = await teamById(store, team)
      if (found === undefined) return undefined
      const unnamed = unnamedMembers.get(team)
      const curves = [
        ...members.filter(member => member.team === team).map(({ curve }) => curve),
        ...(unnamed === undefined ? [] : [unnamed]),
      ]
      return createSeries({ store, owner: { team }, initial: { score: found.score, wus: found.wus }, curves })
    },
    /** Undefined for an unknown donor id. */
    donor: async (uid: number): Promise<Series | undefined> => {
      const found = await donorById(store, uid)
      if (found === undefined) return undefined
      const curves = members.filter(({ name }) => name === found.name).map(({ curve }) => curve)
      return createSeries({ store, owner: { donor: uid }, initial: NOTHING, curves })
    },
  }
}

export type SeriesSource = ReturnType<typeof createSeriesSource>
