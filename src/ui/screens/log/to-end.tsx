import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatCount } from '../../../folding/shared/format.ts'
import { isFollowing, selectLineCount, selectNewLines } from '../../../machines/screens/log/log.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './log-view.module.css'

/** The way back to the end, with what has come there meanwhile. */
export const ToEnd = () => {
  const { log } = useSystem()
  const following = useSelector(log, isFollowing)
  const fresh = useSelector(log, selectNewLines)
  const hasLines = useSelector(log, snapshot => selectLineCount(snapshot) > 0)
  if (following || !hasLines) return undefined
  return (
    <div className={styles['to-end']}>
      <Button icon="arrow-down" onPress={() => log.send({ type: 'log.goToEnd' })}>
        {fresh === 0 ? t`Go to the end` : formatCount(fresh, t`new line`)}
      </Button>
    </div>
  )
}
