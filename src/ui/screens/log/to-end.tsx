import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { selectLineCount, selectNewLines } from '../../../machines/screens/log/log.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './log-view.module.css'

/** Scrolls to the end; shows the number of new lines. */
export function ToEnd() {
  const { log } = useSystem()
  const following = useSelector(log, snapshot => snapshot.hasTag('following'))
  const fresh = useSelector(log, selectNewLines)
  const hasLines = useSelector(log, snapshot => selectLineCount(snapshot) > 0)
  if (following || !hasLines) return undefined
  return (
    <div className={styles['to-end']}>
      <Button
        icon="arrow-down"
        onPress={() => {
          log.send({ type: 'log.goToEnd' })
          focusContentSoon()
        }}
      >
        {fresh === 0 ? t`Go to the end` : plural(fresh, { one: '# new line', other: '# new lines' })}
      </Button>
    </div>
  )
}
