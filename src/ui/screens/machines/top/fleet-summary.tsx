import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useSearchParams } from 'react-router-dom'
import { formatNumber, formatPoints } from '../../../../folding/text/format.ts'
import { formatInterval } from '../../../../folding/text/times.ts'
import { selectNow } from '../../../../machines/app/clock/clock.selectors.ts'
import type { StateTone } from '../../../../folding/shared/appearance.ts'
import { UNIT_STATES } from '../../../../folding/client/unit-counts.ts'
import {
  selectFleetPpd,
  selectGoneSince,
  selectTotals,
  selectTotalsAsOf,
} from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { AsOf } from '../../../parts/display/as-of.tsx'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import type { Tone } from '../../../parts/display/tone.ts'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { Icon, type IconName } from '../../../parts/icons/icon.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { loadFind, useFindCode } from './find-code.ts'
import { AT_ONCE, filterOf, withFilter } from '../view-params.ts'
import styles from './fleet-summary.module.css'
import { useNotConnected } from './use-not-connected.ts'

const figures = [
  { key: 'clients', label: t`Machines` },
  { key: 'cpus', label: t`Active CPUs` },
  { key: 'gpus', label: t`Active GPUs` },
] as const

/** A term of a query, such as `state:paused`. */
type Term = { readonly key: string; readonly value: string }
type UnitState = {
  readonly tone: StateTone
  readonly icon: IconName
  readonly text: (count: string) => string
  /** What the button searches for. */
  readonly term: Term
}

function state(value: string): Term {
  return { key: 'state', value }
}

/** Values of the query's term `state` that have another name than the state. */
const queryNames: Readonly<Partial<Record<StateTone, string>>> = { running: 'folding', transfer: 'transferring' }

const unitStates: readonly UnitState[] = UNIT_STATES.map(one => ({
  ...one,
  term: state(queryNames[one.tone] ?? one.tone),
}))

function useTotal(key: (typeof figures)[number]['key'] | StateTone | 'failing' | 'recent'): number {
  return useSelector(useSystem().fleet, snapshot => selectTotals(snapshot)[key])
}

function Figure({ total }: { total: (typeof figures)[number]['key'] }) {
  return <>{formatNumber(useTotal(total))}</>
}

type CountProps = {
  readonly icon: IconName
  readonly tone: Tone
  readonly text: string
  readonly term: Term
}

/** When it goes with the focus, the focus goes on. */
function keepFocus(button: HTMLElement | null) {
  return () => {
    if (document.activeElement === button) focusContentSoon()
  }
}

/** A count that searches for what it counts; pressed while the query has its term. */
function CountButton({ icon, tone, text, term: { key, value } }: CountProps) {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const code = useFindCode(filter !== '')
  const isPressed = code?.hasValue(filter, key, value) ?? false
  const toggle = async (): Promise<void> => {
    // Without the code the query is shown with what failed and a button to try again.
    const toggled = await loadFind().then(
      ({ withToggledValue }) => withToggledValue,
      () => (text: string) => `${text} ${key}:${value}`.trim(),
    )
    setParams(now => withFilter(now, toggled(filterOf(now), key, value)), AT_ONCE)
  }
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      title={isPressed ? t`Show all again` : t`Show only these machines`}
      className={styles['count']}
      onClick={() => void toggle()}
      ref={keepFocus}
    >
      <StatusMark icon={icon} tone={tone} text={text} />
      {isPressed ? <Icon name="check" /> : undefined}
    </button>
  )
}

function StateCount({ tone, icon, text, term }: UnitState) {
  const count = useTotal(tone)
  if (count === 0) return null
  return (
    <li>
      <CountButton icon={icon} tone={tone} text={text(formatNumber(count))} term={term} />
    </li>
  )
}

/** Of how many clients the points per day are those that they had before they went, a short time ago. */
function RecentlyGone() {
  const { clock, fleet } = useSystem()
  const count = useTotal('recent')
  const age = useSelector(clock, snapshot => {
    const since = count === 0 ? undefined : selectGoneSince(fleet.getSnapshot())
    return since === undefined ? undefined : formatInterval(Math.max(0, selectNow(snapshot) - since) / 1000)
  })
  return age === undefined ? null : (
    <small className={styles['recent']}>{t`includes ${formatNumber(count)} not seen for ${age}`}</small>
  )
}

/** How old the totals are, on a line of its own, where clients report in turns. */
export function TotalsAge() {
  const { clock, fleet } = useSystem()
  const asOf = useSelector(clock, () => selectTotalsAsOf(fleet.getSnapshot()))
  return asOf === undefined ? null : (
    <span className={styles['recent']}>
      <AsOf at={asOf} />
    </span>
  )
}

/** Totals of all clients. */
export function FleetSummary() {
  const { clock, fleet } = useSystem()
  // Clients that are not visible report over several frames of a second.
  const ppd = useSelector(clock, () => selectFleetPpd(fleet.getSnapshot()))
  const failing = useTotal('failing')
  const { disconnected, loading } = useNotConnected()
  return (
    <div className={styles['summary']}>
      <table className={styles['figures']}>
        <caption className="visually-hidden">{t`All machines`}</caption>
        <thead>
          <tr>
            {figures.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">
              <abbr title={t`Points per day`}>PPD</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            {figures.map(({ key }) => (
              <td key={key}>
                <Figure total={key} />
              </td>
            ))}
            <td className={styles['ppd']}>
              {formatPoints(ppd)}
              <RecentlyGone />
              <TotalsAge />
            </td>
          </tr>
        </tbody>
      </table>
      <ul className={styles['states']} aria-label={t`Work units by state`}>
        {unitStates.map(one => (
          <StateCount key={one.tone} {...one} />
        ))}
        {failing === 0 ? undefined : (
          <li>
            <CountButton
              icon="warning"
              tone="failed"
              text={plural(failing, { one: '# machine failing', other: '# machines failing' })}
              term={{ key: 'failed', value: '>1' }}
            />
          </li>
        )}
        {loading === 0 ? undefined : (
          <li>
            <CountButton
              icon="loading"
              tone="unknown"
              text={t`${formatNumber(loading)} loading`}
              term={state('loading')}
            />
          </li>
        )}
        {disconnected === 0 ? undefined : (
          <li>
            <CountButton
              icon="offline"
              tone="stale"
              text={t`${formatNumber(disconnected)} disconnected`}
              term={state('disconnected')}
            />
          </li>
        )}
      </ul>
    </div>
  )
}
