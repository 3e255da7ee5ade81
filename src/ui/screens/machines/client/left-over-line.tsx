import { t } from '@lingui/core/macro'
import { badgeText } from '../../../../folding/client/badges.ts'
import { selectBadges, selectId, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { useClient, useClientAt, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { openBulk, putAway } from './client-menu.tsx'
import styles from './processors.module.css'

/** Since when the client is left over, and the ways to be rid of it; nothing where it is not. */
export function LeftOverLine() {
  const client = useClient()
  const system = useSystem()
  const isLeftOver = useClientSelector(snapshot => selectBadges(snapshot).includes('left-over'))
  const text = useClientAt((snapshot, now) => badgeText('left-over', selectView(snapshot), { now }).reason)
  if (!isLeftOver) return null
  return (
    <div className={styles['line']}>
      <Icon name="dump" />
      <span className={styles['text']}>{text}</span>
      <Button isSmall onPress={() => putAway(client, system)}>{t`Hide`}</Button>
      <Button isSmall onPress={() => openBulk(system, { kind: 'unlink' }, selectId(client.getSnapshot()))}>
        {t`Unlink from the account…`}
      </Button>
    </div>
  )
}
