/*
 * Where somebody stands: a donor's and a team's statistics as panels show them.
 */
import { pathPart } from '../../protocol/url.ts'
import type { Donor, TeamStats } from '../../protocol/api.ts'
import { clampShare } from '../shared/format.ts'
import { safeWebAddress } from '../shared/web-address.ts'

/** A team with what one of its donors gave; points in its statistics and those of the donor are counted at the same time. */
export type TeamStanding = {
  readonly rank: number | undefined
  readonly score: number
  readonly wus: number
  /** What the donor gave; undefined for who folds anonymously or has given nothing yet. */
  readonly own: { readonly score: number; readonly wus: number; readonly share: number } | undefined
}

/** Zeros where nothing is known of the team (docs/product.md §7). */
export const teamStanding = (number: number, team: TeamStats | undefined, donor: Donor | undefined): TeamStanding => {
  const membership = donor?.teams?.find(other => other.team === number)
  const score = membership?.tscore ?? team?.score ?? 0
  const own = membership?.score
  return {
    rank: positiveRank(membership?.trank ?? team?.rank),
    score,
    wus: membership?.twus ?? team?.wus ?? 0,
    own:
      own === undefined
        ? undefined
        : { score: own, wus: membership?.wus ?? 0, share: clampShare(score > 0 ? own / score : 0) ?? 0 },
  }
}

/** Ranks count from 1: anything else is none. */
export const positiveRank = (rank: number | undefined): number | undefined =>
  rank !== undefined && rank >= 1 ? rank : undefined

export type AwardKind = 'wus' | 'score'

/** Where the picture of an award is; undefined when there is no safe address for it. */
export const awardAddress = (
  base: string,
  { user, team, kind }: { user?: string | undefined; team: number; kind: AwardKind },
): string | undefined => {
  const query = new URLSearchParams({
    ...(user === undefined ? {} : { user }),
    ...(team === 0 ? {} : { team: String(team) }),
    type: kind,
  })
  return base === '' ? undefined : safeWebAddress(`${base}?${query.toString()}`)
}

/** Where a donor stands on the project's statistics site. */
export const donorStatsAddress = (name: string): string =>
  `https://stats.foldingathome.org/donor/name/${pathPart(name)}`
