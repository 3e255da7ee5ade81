import { useSelector } from '@xstate/react'
import { selectAccount } from '../../machines/account/account/account.selectors.ts'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../system-context.ts'
import styles from './team-slot.module.css'

/** The team that the account folds for; 0 means none. */
export const TeamSlot = () => {
  const team = useSelector(useSystem().account, (snapshot) => selectAccount(snapshot)?.team ?? 0)
  if (team === 0) return null
  return (
    <span className={styles['team']}>
      <Icon name="team" />
      Team {team}
    </span>
  )
}
