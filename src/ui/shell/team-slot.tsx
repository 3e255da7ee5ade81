import { useSelector } from '@xstate/react'
import { visitTeamQuestion } from '../../machines/account/account/account.questions.ts'
import { selectTeam, selectTeamAddress, selectTeamLogo, selectTeamName } from '../../machines/account/team/team.selectors.ts'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../system-context.ts'
import styles from './team-slot.module.css'

const Mark = () => {
  const { team } = useSystem()
  const logo = useSelector(team, selectTeamLogo)
  const name = useSelector(team, selectTeamName)
  return (
    <>
      {logo === undefined ? <Icon name="team" /> : <img src={logo} alt="" className={styles['logo']} />}
      <span className={styles['name']}>{name}</span>
    </>
  )
}

/** The team that is folded for, if there is one. Its site is never opened unasked. */
export const TeamSlot = () => {
  const { team, dialogs } = useSystem()
  const number = useSelector(team, selectTeam)
  const name = useSelector(team, selectTeamName)
  const address = useSelector(team, selectTeamAddress)
  if (number === 0) return null
  if (address === undefined)
    return (
      <span className={styles['team']}>
        <Mark />
      </span>
    )
  return (
    <button
      type="button"
      aria-label={`Visit the website of ${name}`}
      className={styles['team']}
      onClick={() => dialogs.send({ type: 'dialogs.ask', dialog: visitTeamQuestion(address) })}
    >
      <Mark />
    </button>
  )
}
