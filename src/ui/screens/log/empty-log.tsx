import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { isFiltered } from '../../../machines/screens/log/log.selectors.ts'
import { Icon } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useIsAwaited } from '../../hooks/use-relay-pending.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import styles from './log-view.module.css'

/** Shown when no lines are visible. */
export function EmptyLog() {
  const { log } = useSystem()
  const isLoading = useSelector(log, snapshot => snapshot.hasTag('loading'))
  const filtered = useSelector(log, isFiltered)
  const connected = useClientSelector(snapshot => snapshot.hasTag('connected'))
  const isAwaited = useIsAwaited()
  return (
    <div role="status" className={styles['empty']}>
      <Icon name="log" />
      <p>{isLoading ? t`Loading log...` : filtered ? t`No matching log lines.` : t`The log is empty.`}</p>
      {isLoading && !connected && !isAwaited ? (
        <p>{t`The machine is disconnected. Its log loads when it reconnects.`}</p>
      ) : undefined}
    </div>
  )
}
