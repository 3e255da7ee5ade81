import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { dataUrlImage, safeWebUrl } from '../../folding/address/web-address.ts'
import { visitTeamQuestion } from '../../machines/account/account/page.questions.ts'
import { selectTeam, selectTeamKey } from '../../machines/account/donor/donor.selectors.ts'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { useResource } from '../hooks/use-resource.ts'
import styles from './team-slot.module.css'

function Mark({ name, logo }: { readonly name: string; readonly logo: string | undefined }) {
  return (
    <>
      {logo === undefined ? <Icon name="team" /> : <img src={logo} alt="" className={styles['logo']} />}
      <bdi className={styles['name']}>{name}</bdi>
    </>
  )
}

/** The donor's team, if any. Asks before its website is opened. */
export function TeamSlot() {
  const { donor, dialogs } = useSystem()
  const number = useSelector(donor, selectTeam)
  const team = useResource(useSelector(donor, selectTeamKey)).value
  const name = (team?.name ?? '') || t`Team ${number}`
  // Only data URLs: loading an image from another server would reveal the user's IP address to the team's owner.
  const mark = <Mark name={name} logo={dataUrlImage(team?.logo)} />
  const address = safeWebUrl(team?.url)
  if (number === 0) return null
  if (address === undefined) return <span className={styles['team']}>{mark}</span>
  return (
    <button
      type="button"
      aria-label={t`Visit the website of ${name}`}
      className={styles['team']}
      onClick={() => dialogs.send({ type: 'dialogs.ask', dialog: visitTeamQuestion(address) })}
    >
      {mark}
    </button>
  )
}
