import { t, plural } from '@lingui/core/macro'
import type { ProjectWork } from '../../../folding/fleet/project-work.ts'
import { formatNumber, UNKNOWN } from '../../../folding/text/format.ts'
import { formatDate, formatInterval } from '../../../folding/text/times.ts'

/** Points of completed units; `???` when those of none are known. */
export function pointsText({ units, points, withoutPoints }: Pick<ProjectWork, 'units' | 'points' | 'withoutPoints'>) {
  return units > 0 && withoutPoints === units ? UNKNOWN : formatNumber(points)
}

export function pointsTitle({ logged, units }: Pick<ProjectWork, 'logged' | 'units'>): string {
  if (logged === 0) return t`Points (estimated)`
  return logged === units ? t`Points (credited)` : t`Points (partly credited)`
}

/** How much was done for a project, and since when. */
export function workFacts(work: ProjectWork): readonly (readonly [name: string, value: string])[] {
  return [
    [t`Units`, formatNumber(work.units)],
    [pointsTitle(work), pointsText(work)],
    [t`Run Time`, formatInterval(work.seconds)],
    [t`Since`, formatDate(work.since)],
  ]
}

/** That some units count no points; nothing when all do. */
export function WithoutPoints({
  count,
  className,
}: {
  readonly count: number
  readonly className: string | undefined
}) {
  return count === 0 ? null : (
    <p className={className}>
      {plural(count, {
        one: 'The points of # work unit are not known, and not counted.',
        other: 'The points of # work units are not known, and not counted.',
      })}
    </p>
  )
}
