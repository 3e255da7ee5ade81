import { t } from '@lingui/core/macro'
import { useConnectionDialogs } from '../hooks/use-connection-dialogs.ts'
import { Pressable } from '../parts/actions/button.tsx'
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
