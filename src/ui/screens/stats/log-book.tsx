import { t, plural } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { logBookOf, type LogBook as Book, type LogEntry } from '../../../folding/fleet/log-book.ts'
import { formatDigits, formatNumber } from '../../../folding/text/format.ts'
import { formatBothClocks, formatDate, formatInterval, formatIso } from '../../../folding/text/times.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import type { ArchivedUnit } from '../../../folding/unit/history.ts'
import { projectOf, projectTitle } from '../../../folding/unit/unit-progress.ts'
import { selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { isHistoryComing, selectStoredClient } from '../../../machines/units/history/history.selectors.ts'
import { useCredits } from '../../hooks/use-credits.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useEndedUnits, useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { MilestoneButton } from '../../milestone/milestone-button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { Icon, type IconName } from '../../parts/icons/icon.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { HistoryBegins } from '../history-begins.tsx'
import { pointsText, pointsTitle, WithoutPoints } from '../projects/work-done.tsx'
import { Section } from '../section.tsx'
import { HistoryLimit } from '../work-units/history-notes.tsx'
import { Figures } from './figures.tsx'
import styles from './log-book.module.css'
import stats from './stats.module.css'

const HOUR = 3_600_000

const icons: Readonly<Record<LogEntry['kind'], IconName>> = { units: 'units', points: 'award', years: 'history' }

function unitsText(units: number): string {
  return plural(units, { one: `${formatNumber(units)} work unit`, other: `${formatNumber(units)} work units` })
}

function titleOf({ kind, count }: LogEntry): string {
  const amount = formatNumber(count)
  if (kind === 'points') return t`${amount} points`
  if (kind === 'years') return plural(count, { one: '# year of folding', other: '# years of folding' })
  if (count === 1) return t`First known work unit`
  return unitsText(count)
}

/** The unit with which it was reached, and its machine. */
function Where({ archived: { machine: client, unit } }: { readonly archived: ArchivedUnit }) {
  const name = useSelector(useSystem().history, selectStoredClient(client))?.name
  const title = projectTitle(projectOf(unit))
  return (
    <p className="flex wrap gap-0-3 quiet type-3 anywhere">
      {unit.id === undefined ? title : <Link to={`/unit/${pathPart(unit.id)}`}>{title}</Link>}
      {name === undefined ? undefined : <bdi>{name}</bdi>}
    </p>
  )
}

function Entry({ entry }: { readonly entry: LogEntry }) {
  const client = useSelector(useSystem().fleet, selectMemberId(entry.archived?.machine ?? ''))
  const unit = entry.archived?.unit.id
  const title = titleOf(entry)
  return (
    <li className={styles['entry']}>
      <time className={styles['date']} dateTime={formatIso(entry.at)} title={formatBothClocks(entry.at)}>
        {formatDate(entry.at)}
      </time>
      <span className={styles['mark']}>
        <Icon name={icons[entry.kind]} />
      </span>
      <div>
        <p className={styles['what']}>
          {title}{' '}
          <MilestoneButton
            title={title}
            lines={[formatDate(entry.at)]}
            subject={client === undefined || unit === undefined ? undefined : { client, unit }}
          />
        </p>
        {entry.archived === undefined ? undefined : <Where archived={entry.archived} />}
      </div>
    </li>
  )
}

function Totals({ book }: { readonly book: Book }) {
  return (
    <div className="grid gap-3">
      <Figures
        figures={[
          { label: t`Work units completed`, value: formatNumber(book.units) },
          {
            label: pointsTitle(book),
            value: pointsText(book),
            ...(book.logged === 0 || book.logged === book.units
              ? {}
              : { note: t`as credited for ${unitsText(book.logged)}` }),
          },
          { label: t`Run Time`, value: formatInterval(book.seconds) },
          ...(book.mostFolded === undefined
            ? []
            : [
                {
                  label: t`Most folded project`,
                  value: (
                    <Link to={`/projects?find=${book.mostFolded.project}`}>
                      {formatDigits(book.mostFolded.project)}
                    </Link>
                  ),
                  note: unitsText(book.mostFolded.units),
                },
              ]),
        ]}
      />
      <WithoutPoints count={book.withoutPoints} className="quiet type-3" />
    </div>
  )
}

function Content() {
  useHistoryOf('units', 'all')
  useCredits()
  const units = useEndedUnits()
  const until = useClock(now => Math.ceil(now / HOUR)) * HOUR
  const book = useMemo(() => logBookOf(units, until), [units, until])
  const isComing = useSelector(useSystem().history, isHistoryComing)
  if (book.units === 0 && isComing) return <Skeleton label={t`Loading history…`} rows={4} />
  if (book.units === 0)
    return (
      <p className="quiet type-3">
        {t`Work units that your machines complete are collected here, even after the machines have discarded them.`}
      </p>
    )
  return (
    <>
      <HistoryLimit />
      {book.since === undefined ? undefined : (
        <p className="quiet type-3">
          <HistoryBegins at={book.since} />
        </p>
      )}
      <div className={styles['book']}>
        <Totals book={book} />
        <ol className={styles['entries']}>
          {book.entries.map(entry => (
            <Entry key={`${entry.kind} ${entry.count}`} entry={entry} />
          ))}
        </ol>
      </div>
    </>
  )
}

/** What a person's folding came to, from the history that is kept; off when they do not want it. */
export function LogBook() {
  const { preferences } = useSystem()
  const isShown = useSelector(preferences, ({ context }) => context.shown.showsLogBook)
  const title = t`Log book`
  return (
    <Section
      title={title}
      className={classNames(stats['panel'], styles['section'])}
      help={
        <Help about={title}>
          <p>{t`Computed from the work units of the history. Points are those that were credited, where they are known. The API is asked for them while this page is open, one work unit every two seconds. All others are what the machines estimated.`}</p>
        </Help>
      }
      tools={
        <Switch
          isSelected={isShown}
          onChange={shows => preferences.send({ type: 'preferences.change', change: { showsLogBook: shows } })}
        >
          {t`Show the log book`}
        </Switch>
      }
    >
      {isShown ? <Content /> : undefined}
    </Section>
  )
}
