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

/** Shown without any machine: the likely reason and what to do (docs/product.md §2). */
export const NoMachines = () => {
  const { account, connect } = useSystem()
  const isLoading = useSelector(account, isAccountLoading)
  const hasAccount = useSelector(account, snapshot => isSignedIn(snapshot) || isAccountUnreachable(snapshot))
  const isUnreachable = useSelector(account, isAccountUnreachable)
  if (isLoading) return <Skeleton label={t`Loading machines…`} rows={6} />
  return (
    <EmptyState
      icon="machines"
      title={t`No machines found`}
      actions={
        <>
          {hasAccount ? undefined : <LoginButton />}
          <ButtonLink to="https://foldingathome.org/start-folding/">{t`Install the client software`}</ButtonLink>
          <Button icon="connect" onPress={() => connect.send({ type: 'connect.ask' })}>
            {t`Connect to a client`}
          </Button>
        </>
      }
    >
      {isUnreachable ? (
        <p>{t`Your account’s machines will appear here when the account server is reachable.`}</p>
      ) : hasAccount ? (
        <p>
          {t`No machine is linked to this account. Install the client software on a machine and link it with your account token.`}
        </p>
      ) : (
        <p>{t`Log in to see your account’s machines, or install the client software on this computer.`}</p>
      )}
      <p>{t`If the client runs on this computer and you use the Brave browser, turn shields down for this page.`}</p>
    </EmptyState>
  )
}
