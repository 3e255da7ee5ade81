import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { dataUrlImage } from '../../folding/address/web-address.ts'
import {
  isAccountLoading,
  isAccountUnreachable,
  selectAccount,
} from '../../machines/account/account/account.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { focusContentSoon } from '../parts/focus-content.ts'
import { Icon } from '../parts/icons/icon.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './account-slot.module.css'

function AccountLink({ label, avatar }: { readonly label: string; readonly avatar?: string | undefined }) {
  return (
    <Link to="/account/" aria-label={label} className={styles['avatar']}>
      {avatar === undefined ? <Icon name="user" /> : <img src={avatar} alt="" width="32" height="32" />}
    </Link>
  )
}

/** Frames until the Login button is gone, and with it the focus. */
const LOGIN_FRAMES = 30

/** Link to the account, or a login button. Its width is reserved until it is known whether the user is signed in. */
export function AccountSlot() {
  const { account, signIn } = useSystem()
  const isLoading = useSelector(account, isAccountLoading)
  const isLost = useSelector(account, isAccountUnreachable)
  const isSigningIn = useSelector(signIn, snapshot => snapshot.hasTag('open'))
  const isIn = useSelector(account, snapshot => snapshot.hasTag('signedIn'))
  const user = useSelector(account, snapshot => selectAccount(snapshot)?.user)
  const avatar = useSelector(account, snapshot => dataUrlImage(selectAccount(snapshot)?.avatar))
  // The Login button, to which the dialog gave the focus back, goes.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isSigningIn) wasOpen.current = true
    else if (isIn && wasOpen.current) {
      wasOpen.current = false
      focusContentSoon(LOGIN_FRAMES)
    }
  }, [isIn, isSigningIn])
  if (isIn) return <AccountLink label={t`Account of ${user ?? t`Anonymous`}`} avatar={avatar} />
  if (isLost) return <AccountLink label={t`Account (cannot be reached)`} />
  // The code of accounts looks for a session when it is loaded. The button stays, for the focus to return to.
  if (isLoading && !isSigningIn)
    return (
      <span role="status" className={styles['loading']}>
        <span className="visually-hidden">{t`Loading the account…`}</span>
      </span>
    )
  return (
    <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
      {t`Login`}
    </Button>
  )
}
