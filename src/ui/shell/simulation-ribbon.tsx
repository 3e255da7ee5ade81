import { t } from '@lingui/core/macro'
import { useConnectionDialogs } from '../hooks/use-connection-dialogs.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import styles from './simulation-ribbon.module.css'

/** Says on all screens that what is shown is not the person's own computer, and leads to that. */
export function SimulationRibbon() {
  const { checkPage } = useConnectionDialogs()
  return (
    <div
      className={styles['ribbon']}
      role="note"
      title={t`These machines compute nothing, and nobody gets points for them.`}
    >
      <Icon name="molecule" />
      <strong>{t`Simulation`}</strong>
      <Button kind="quiet" isSmall onPress={checkPage}>
        {t`Connect my own computer`}
      </Button>
    </div>
  )
}
