/*
 * Statistics of a donor and a team.
 */
import { pathPart } from '../../protocol/url.ts'
import type { Donor, TeamStats } from '../../protocol/api/api.ts'
import { clampShare } from '../text/format.ts'
import { safeWebUrl } from '../address/web-address.ts'

/** A team's statistics with one donor's share; both are of the same time. */
export type TeamStanding = {
  readonly rank: number | undefined
  readonly score: number
  readonly wus: number
  /** The donor's contribution; undefined when anonymous or without points. */
  readonly contribution: { readonly score: number; readonly wus: number; readonly share: number } | undefined
}

/** Zeros for an unknown team (docs/product.md §7). */
export function teamStanding(number: number, team: TeamStats | undefined, donor: Donor | undefined): TeamStanding {
  const membership = donor?.teams?.find(other => other.team === number)
  const score = membership?.tscore ?? team?.score ?? 0
  const ownScore = membership?.score
  return {
    rank: positiveRank(membership?.trank ?? team?.rank),
    score,
    wus: membership?.twus ?? team?.wus ?? 0,
    contribution:
      ownScore === undefined
        ? undefined
        : { score: ownScore, wus: membership?.wus ?? 0, share: clampShare(score > 0 ? ownScore / score : 0) ?? 0 },
  }
}

/** Ranks count from 1; anything else is no rank. */
export function positiveRank(rank: number | undefined): number | undefined {
  return rank !== undefined && rank >= 1 ? rank : undefined
}

export type AwardKind = 'wus' | 'score'

/** The URL of an award's image; undefined when it is not safe. */
export function awardUrl(
  base: string,
  { user, team, kind }: { user?: string | undefined; team: number; kind: AwardKind },
): string | undefined {
  const query = new URLSearchParams({
    ...(user === undefined ? {} : { user }),
    ...(team === 0 ? {} : { team: String(team) }),
    type: kind,
  })
  return base === '' ? undefined : safeWebUrl(`${base}?${query.toString()}`)
}

/** A donor's page on the project's statistics site. */
export function donorStatsUrl(name: string): string {
  return `https://stats.foldingathome.org/donor/name/${pathPart(name)}`
}
