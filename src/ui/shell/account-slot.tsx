import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { ownPicture } from '../../folding/shared/web-address.ts'
import {
  isAccountLoading,
  isAccountUnreachable,
  isSignedIn,
  selectAccount,
} from '../../machines/account/account/account.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Link } from '../parts/actions/link.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './account-slot.module.css'

const ToAccount = ({ name, avatar }: { readonly name: string; readonly avatar?: string | undefined }) => (
  <Link to="/account/settings" aria-label={name} className={styles['avatar']}>
    {avatar === undefined ? <Icon name="user" /> : <img src={avatar} alt="" width="32" height="32" />}
  </Link>
)

/** The way to the account, or into it. While nobody knows yet whether somebody is signed in, the place is kept. */
export const AccountSlot = () => {
  const { account, signIn } = useSystem()
  const isLoading = useSelector(account, isAccountLoading)
  const isLost = useSelector(account, isAccountUnreachable)
  const isIn = useSelector(account, isSignedIn)
  const user = useSelector(account, snapshot => selectAccount(snapshot)?.user)
  const avatar = useSelector(account, snapshot => ownPicture(selectAccount(snapshot)?.avatar))
  if (isIn) return <ToAccount name={`Account of ${user ?? 'Anonymous'}`} avatar={avatar} />
  if (isLost) return <ToAccount name="Account, which cannot be reached" />
  if (isLoading)
    return (
      <span role="status" className={styles['coming']}>
        <span className="visually-hidden">{t`Loading the account…`}</span>
      </span>
    )
  return (
    <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
      {t`Login`}
    </Button>
  )
}
