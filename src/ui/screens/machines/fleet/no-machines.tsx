import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import {
  isAccountLoading,
  isAccountUnreachable,
  isSignedIn,
} from '../../../../machines/account/account/account.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { ButtonLink } from '../../../parts/actions/button-link.tsx'
import { EmptyState } from '../../../parts/display/empty-state.tsx'
import { Skeleton } from '../../../parts/display/skeleton.tsx'
import { useSystem } from '../../../hooks/system-context.ts'

const LoginButton = () => {
  const { signIn } = useSystem()
  return (
    <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
      {t`Login`}
    </Button>
  )
}

/** No machines: why that may be, and the ways to some. */
export const NoMachines = () => {
  const { account, connect } = useSystem()
  const isLoading = useSelector(account, isAccountLoading)
  const isIn = useSelector(account, snapshot => isSignedIn(snapshot) || isAccountUnreachable(snapshot))
  const isLost = useSelector(account, isAccountUnreachable)
  if (isLoading) return <Skeleton label={t`Loading machines…`} rows={6} />
  return (
    <EmptyState
      icon="machines"
      title={t`No machines found`}
      actions={
        <>
          {isIn ? undefined : <LoginButton />}
          <ButtonLink to="https://foldingathome.org/start-folding/">{t`Install the client software`}</ButtonLink>
          <Button icon="connect" onPress={() => connect.send({ type: 'connect.ask' })}>
            {t`Connect to a client`}
          </Button>
        </>
      }
    >
      {isLost ? (
        <p>{t`Your account’s machines appear here as soon as the account server can be reached.`}</p>
      ) : isIn ? (
        <p>
          {t`No machine is linked to this account. Install the client software on one and link it with the account’s token.`}
        </p>
      ) : (
        <p>{t`Log in to see the machines of your account, or install the client software on this computer.`}</p>
      )}
      <p>{t`If the client runs here and you use the Brave browser, turn its shields down for this page.`}</p>
    </EmptyState>
  )
}
