import { plural, t } from '@lingui/core/macro'
import { formatNumber, formatValue } from '../../../folding/text/format.ts'
import { formatBothClocks, formatLocalShort, parseTime } from '../../../folding/text/times.ts'
import type { Credit } from '../../../protocol/api/api.ts'
import { Button } from '../../parts/actions/button.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { Section } from '../section.tsx'
import styles from './unit-screen.module.css'
import { useCreditsKey } from './unit-source.ts'

function Instant({ time }: { time: unknown }) {
  const at = parseTime(time)
  return <td {...(at === undefined ? {} : { title: formatBothClocks(at) })}>{formatLocalShort(at)}</td>
}

function Table({ credits }: { credits: readonly Credit[] }) {
  return (
    <div role="region" aria-label={t`Table of logged credits`} tabIndex={0} className={styles['scroller']}>
      <table className={styles['credits']}>
        <caption className="visually-hidden">
          {plural(credits.length, { one: '# logged credit', other: '# logged credits' })}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t`Code`}</th>
            <th scope="col">{t`User`}</th>
            <th scope="col" className={styles['end']}>
              {t`Team`}
            </th>
            <th scope="col" className={styles['end']}>
              {t`Credit`}
            </th>
            <th scope="col">{t`Assigned`}</th>
            <th scope="col">{t({ message: 'Credited', context: 'time' })}</th>
          </tr>
        </thead>
        <tbody>
          {credits.map(({ code, user, team, credit, assign_time, credit_time }, index) => (
            <tr key={index}>
              <td>{formatValue(code)}</td>
              <td>{formatValue(user)}</td>
              <td className={styles['end']}>{formatValue(team)}</td>
              <td className={styles['end']}>{formatNumber(credit)}</td>
              <Instant time={assign_time} />
              <Instant time={credit_time} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Credits() {
  const { queryCache } = useSystem()
  const key = useCreditsKey()
  const { value: credits, isAbsent, fault } = useResource(key)
  if (credits !== undefined && credits.length > 0) return <Table credits={credits} />
  // Without a key the unit has not been assigned, so it cannot have credits.
  if (key === undefined || isAbsent || credits !== undefined)
    return <p className="quiet type-3">{t`No credits logged`}</p>
  if (fault === undefined) return <p className="quiet type-3">{t`Loading...`}</p>
  return (
    <div className="row gap-3 color-failed">
      <p>{t`Could not load the credits.`}</p>
      <Button icon="reset" isSmall onPress={() => queryCache.send({ type: 'queryCache.refresh', key })}>
        {t`Try again`}
      </Button>
    </div>
  )
}

/** The credits that the project's servers have logged for the unit (docs/product.md §2). */
export function UnitCredits() {
  return (
    <Section
      title={t`Logged Credits`}
      note={t`May include credits awarded to other users.`}
      isLive
      className={styles['section']}
    >
      <Credits />
    </Section>
  )
}
