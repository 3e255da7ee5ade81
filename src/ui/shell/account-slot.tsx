import { useSelector } from '@xstate/react'
import { Link } from 'react-router-dom'
import { isAccountLoading, isSignedIn, selectAccount } from '../../machines/account/account/account.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../system-context.ts'
import styles from './account-slot.module.css'

/** Only pictures that are part of the account itself: nothing is fetched from elsewhere. */
const isPicture = (avatar: string | undefined): avatar is string => avatar?.startsWith('data:image/') === true

/** The way to the account, or into it. */
export const AccountSlot = () => {
  const { account, signIn } = useSystem()
  const isLoading = useSelector(account, isAccountLoading)
  const isIn = useSelector(account, isSignedIn)
  const user = useSelector(account, (snapshot) => selectAccount(snapshot)?.user)
  const avatar = useSelector(account, (snapshot) => selectAccount(snapshot)?.avatar)
  if (isIn) {
    return (
      <Link to="/account/settings" aria-label={`Account of ${user ?? 'Anonymous'}`} className={styles['avatar']}>
        {isPicture(avatar) ? <img src={avatar} alt="" width="32" height="32" /> : <Icon name="user" />}
      </Link>
    )
  }
  return (
    <Button kind="primary" isPending={isLoading} onPress={() => signIn.send({ type: 'signIn.open' })}>
      Login
    </Button>
  )
}
