import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatNumber } from '../../../folding/shared/format.ts'
import { loadFaultText } from '../../../folding/shared/load-fault.ts'
import { isConnected } from '../../../machines/connection/client/client.selectors.ts'
import type { LogSnapshot } from '../../../machines/screens/log/log.machine.ts'
import {
  isFollowing,
  isLogLoading,
  isPatternSlow,
  isSearchStopped,
  selectChosen,
  selectChosenRank,
  selectFoundCount,
  selectLineCount,
  selectPatternFault,
  selectPercent,
  selectSearchFault,
  showsContext,
} from '../../../machines/screens/log/log.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useFact } from '../machines/client-context.ts'
import styles from './log-status.module.css'

/** What is wrong with what was typed, and what that means for what is shown. */
const selectTrouble = (snapshot: LogSnapshot): string | undefined => {
  const fault = selectPatternFault(snapshot)
  if (fault !== undefined) return t`Not a valid regular expression (${fault}); no filter is applied.`
  const searchFault = selectSearchFault(snapshot)
  if (searchFault !== undefined) return t`The search could not be started. ${loadFaultText(searchFault)}`
  if (!isPatternSlow(snapshot)) return undefined
  const stays = t`The search took longer than one second and was stopped; no filter is applied.`
  return isSearchStopped(snapshot) && snapshot.context.found !== undefined
    ? t`${stays} New lines are not searched.`
    : stays
}

const selectCounts = (snapshot: LogSnapshot): string => {
  const count = formatNumber(selectLineCount(snapshot))
  const found = selectFoundCount(snapshot)
  const rank = selectChosenRank(snapshot)
  if (found === undefined) return `${count} lines`
  return rank === undefined
    ? t`${formatNumber(found)} of ${count} lines`
    : t`${formatNumber(rank)} of ${formatNumber(found)} found`
}

const selectSpoken = (snapshot: LogSnapshot): string => {
  const found = selectFoundCount(snapshot)
  return found === undefined ? '' : t`${formatNumber(found)} matching lines`
}

/** Into the midst of all other lines with the chosen one, and back. */
const Context = () => {
  const { log } = useSystem()
  const found = useSelector(log, selectFoundCount)
  const hasChosen = useSelector(log, snapshot => selectChosen(snapshot) !== undefined)
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

export const LogStatus = () => {
  const { log } = useSystem()
  const trouble = useSelector(log, selectTrouble)
  const counts = useSelector(log, selectCounts)
  const spoken = useSelector(log, selectSpoken)
  const percent = useSelector(log, selectPercent)
  const following = useSelector(log, isFollowing)
  const isLoading = useSelector(log, isLogLoading)
  const connected = useFact(isConnected)
  return (
    <footer className={styles['status']}>
      <p role="status" className={trouble === undefined ? 'visually-hidden' : styles['trouble']}>
        {trouble === undefined ? spoken : <Icon name="warning" />}
        {trouble}
      </p>
      {isLoading ? undefined : <span>{counts}</span>}
      <Context />
      <span className={styles['end']}>
        {connected || isLoading ? undefined : (
          <span className={styles['offline']}>{t`Disconnected: older lines only`}</span>
        )}
        {following && connected && !isLoading ? <span>{t`Following`}</span> : undefined}
        <span className={styles['percent']} title="How far down the log is scrolled">
          {percent}%
        </span>
      </span>
    </footer>
  )
}
