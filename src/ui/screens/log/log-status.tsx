import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useLayoutEffect, type RefObject } from 'react'
import { formatNumber, formatWholePercent } from '../../../folding/text/format.ts'
import { formatUtc } from '../../../folding/text/times.ts'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import { coreEndText } from '../../../folding/unit/known-answers.ts'
import type { ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { selectLogAsOf, selectLogLines } from '../../../machines/connection/client/client.selectors.ts'
import type { LogSnapshot } from '../../../machines/screens/log/log.machine.ts'
import {
  selectSelectedLine,
  selectMatchNumber,
  selectFoundCount,
  selectLineCount,
  selectPatternFault,
  selectPercent,
  showsContext,
} from '../../../machines/screens/log/log.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { AsOf } from '../../parts/display/as-of.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useIsAwaited } from '../../hooks/use-relay-pending.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import styles from './log-status.module.css'
import type { LogPages } from './use-log-scroll.ts'

/** Why the search does not filter, or filters only partly. */
function selectSearchError(snapshot: LogSnapshot): string | undefined {
  const fault = selectPatternFault(snapshot)
  if (fault !== undefined) return t`Not a valid regular expression (${fault}); no filter is applied.`
  const searchFault = snapshot.context.searchFault
  if (searchFault !== undefined) return t`The search could not be started. ${loadFaultText(searchFault)}`
  if (!snapshot.context.isSlow) return undefined
  const slow = t`The search took longer than one second and was stopped; no filter is applied.`
  return snapshot.hasTag('stopped') && selectFoundCount(snapshot) !== undefined
    ? t`${slow} New lines are not searched.`
    : slow
}

function selectCounts(snapshot: LogSnapshot): string {
  const count = selectLineCount(snapshot)
  const found = selectFoundCount(snapshot)
  const rank = selectMatchNumber(snapshot)
  if (found === undefined) return plural(count, { one: '# line', other: '# lines' })
  return rank === undefined
    ? t`${formatNumber(found)} of ${plural(count, { one: '# line', other: '# lines' })}`
    : t`Match ${formatNumber(rank)} of ${formatNumber(found)}`
}

/** What the address asked for could not be shown exactly. */
function selectLocationNotice(snapshot: LogSnapshot): string | undefined {
  const located = snapshot.context.located
  const time = formatUtc(located?.at)
  if (located?.how === 'later') return t`The log begins after ${time}; its first line is marked.`
  if (located?.how === 'unmatched') return t`No line about it is in the log; the last line until ${time} is marked.`
  return undefined
}

function lineAt(number: number | undefined) {
  return (snapshot: ClientSnapshot): string | undefined =>
    number === undefined ? undefined : selectLogLines(snapshot).at(number)
}

function selectAnnouncement(snapshot: LogSnapshot): string {
  const located = snapshot.context.located
  if (located?.how === 'exact') return t`The last line until ${formatUtc(located.at)} is marked.`
  const found = selectFoundCount(snapshot)
  return found === undefined ? '' : plural(found, { one: '# matching line', other: '# matching lines' })
}

/** Switches between all lines, around the selected one, and matches only. */
function ContextButton() {
  const { log } = useSystem()
  const found = useSelector(log, selectFoundCount)
  const hasChosen = useSelector(log, snapshot => selectSelectedLine(snapshot) !== undefined)
  const inContext = useSelector(log, showsContext)
  if (found === undefined || found === 0) return undefined
  return (
    <Button
      isSmall
      blockedBecause={hasChosen ? undefined : t`Select a line first: click it, or press n for the next match.`}
      onPress={() => log.send({ type: inContext ? 'log.showFound' : 'log.showContext' })}
    >
      {inContext ? t`Show matches only` : t`Show in context`}
    </Button>
  )
}

export function LogStatus({ pages }: { readonly pages: RefObject<LogPages | null> }) {
  const { log } = useSystem()
  const error = useSelector(log, selectSearchError)
  const counts = useSelector(log, selectCounts)
  const location = useSelector(log, selectLocationNotice)
  const selected = useClientSelector(lineAt(useSelector(log, selectSelectedLine)))
  const notice = location ?? coreEndText(selected ?? '')
  const announcement = useSelector(log, selectAnnouncement)
  const percent = useSelector(log, selectPercent)
  const following = useSelector(log, snapshot => snapshot.hasTag('following'))
  const isLoading = useSelector(log, snapshot => snapshot.hasTag('loading'))
  const connected = useClientSelector(snapshot => snapshot.hasTag('connected'))
  const isAwaited = useIsAwaited()
  const asOf = useClientSelector(selectLogAsOf)
  // The error takes its rows from the log.
  useLayoutEffect(() => pages.current?.keepEnd(), [pages, error, notice])
  return (
    <footer className={styles['status']}>
      <p
        role="status"
        className={error !== undefined ? styles['error'] : (notice ?? '') === '' ? 'visually-hidden' : styles['notice']}
      >
        {error === undefined ? undefined : <Icon name="warning" />}
        {error === undefined && notice !== undefined ? <Icon name="info" /> : undefined}
        {error ?? notice ?? announcement}
      </p>
      {isLoading ? undefined : <span>{counts}</span>}
      <ContextButton />
      <span className={styles['end']}>
        {connected || isLoading || isAwaited ? undefined : (
          <span className={styles['offline']}>{t`Disconnected: older lines only`}</span>
        )}
        {connected && asOf !== undefined && !isLoading ? <AsOf at={asOf} /> : undefined}
        {following && connected && asOf === undefined && !isLoading ? <span>{t`Following`}</span> : undefined}
        <span className={styles['percent']} title={t`Scroll position`}>
          {formatWholePercent(percent / 100)}
        </span>
      </span>
    </footer>
  )
}
