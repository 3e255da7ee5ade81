import { t } from '@lingui/core/macro'
import { idleText } from '../../../../folding/fleet/idle-time.ts'
import { selectClientKey, selectData } from '../../../../machines/connection/client/client.selectors.ts'
import { selectIdleTime } from '../../../../machines/fleet/idle-times/idle-times.selectors.ts'
import { useClientAt, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import styles from './processors.module.css'

/** By when the client shall be idle, and how that goes; nothing where it has no such time. */
export function IdleLine() {
  const { idleTimes } = useSystem()
  const client = useClientSelector(selectClientKey)
  const time = useSelector(idleTimes, selectIdleTime(client))
  const text = useClientAt((snapshot, now) => {
    const data = selectData(snapshot)
    return time === undefined || data === undefined ? undefined : idleText(data, time, now)
  })
  if (client === undefined || text === undefined) return null
  return (
    <div className={styles['line']}>
      <Icon name="do-finish" />
      <span className={styles['text']}>
        {text}. {t`Keep this page open.`}
      </span>
      <Button
        isSmall
        onPress={() => {
          idleTimes.send({ type: 'idleTimes.set', client, time: undefined })
          focusContentSoon()
        }}
      >
        {t`Cancel the idle time`}
      </Button>
    </div>
  )
}
