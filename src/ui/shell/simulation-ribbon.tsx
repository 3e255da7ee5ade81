import { t } from '@lingui/core/macro'
import { DIRECT_ID } from '../../folding/client/client.ts'
import { ownValue } from '../../folding/shared/read.ts'
import { selectData } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useConnectionDialogs } from '../hooks/use-connection-dialogs.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { Button, Pressable } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import styles from './simulation-ribbon.module.css'

/** Says on all screens that what is shown is not the person's own computer, and leads to that. */
export function SimulationRibbon() {
  const { checkPage } = useConnectionDialogs()
  return (
    <Pressable
      className={styles['ribbon']}
      tooltip={{ text: t`These machines compute nothing, and nobody gets points for them.`, placement: 'bottom' }}
      onPress={checkPage}
    >
      <Icon name="molecule" />
      <strong>{t`Simulation`}</strong>
      <span className={styles['way']}>{t`Connect my own computer`}</span>
    </Pressable>
  )
}

/** Asks whether the client that was started on this computer takes the place of the simulated one. */
export function ClientBehindNotice() {
  const client = useSelector(useSystem().fleet, selectClientRef(DIRECT_ID))
  const isThere = useSelector(
    client,
    snapshot => snapshot !== undefined && ownValue(selectData(snapshot)?.info, 'client_behind') === true,
  )
  if (!isThere) return null
  return (
    <Banner
      tone="done"
      icon="machines"
      actions={
        <Button isSmall kind="primary" onPress={() => window.location.assign('/api/client/show')}>
          {t`Show it`}
        </Button>
      }
    >
      {t`Folding@home now runs on this computer. Simulated machines are shown until you press “Show it”.`}
    </Banner>
  )
}
