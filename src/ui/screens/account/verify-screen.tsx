import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { useParams } from 'react-router-dom'
import { selectVerifyOutcome, type VerifyOutcome } from '../../../machines/account/verify/verify.selectors.ts'
import { isSignedIn } from '../../../machines/account/account/account.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import type { IconName } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'

type Words = { readonly icon: IconName; readonly title: string; readonly text: string }

const words: Readonly<Record<VerifyOutcome, Words>> = {
  pending: { icon: 'loading', title: t`Verifying...`, text: t`Checking with the account server.` },
  verified: { icon: 'done', title: t`Email verified.`, text: t`Your account is now active. You can log in.` },
  refused: {
    icon: 'fail',
    title: t`Email verification failed.`,
    text: t`A verification token can be used only once. If you already used this link, your account may be active: try to log in.`,
  },
  unreachable: {
    icon: 'offline',
    title: t`Email verification failed.`,
    text: t`The account server cannot be reached. Check your connection and try again.`,
  },
}

/** What is left to do at the end of a link from an e-mail. */
export const LoginOrMachines = () => {
  const { account, signIn } = useSystem()
  return useSelector(account, isSignedIn) ? (
    <ButtonLink kind="primary" to="/machines">
      {t`Go to your machines`}
    </ButtonLink>
  ) : (
    <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
      {t`Login`}
    </Button>
  )
}

/** What the link in a verification e-mail leads to. */
export const VerifyScreen = () => {
  const { verify, account } = useSystem()
  const isIn = useSelector(account, isSignedIn)
  const { token = '' } = useParams()
  const outcome = useSelector(verify, selectVerifyOutcome)
  const begin = (): void => verify.send({ type: 'verify.begin', secrets: { token } })
  useEffect(() => verify.send({ type: 'verify.begin', secrets: { token } }), [verify, token])
  const { icon, title, text } = words[outcome]
  return (
    <Page title={t`Verify your email address`}>
      <div role="status">
        <EmptyState
          icon={icon}
          title={title}
          align="start"
          actions={
            outcome === 'pending' ? undefined : (
              <>
                {outcome === 'unreachable' ? <Button onPress={begin}>{t`Try again`}</Button> : undefined}
                <LoginOrMachines />
              </>
            )
          }
        >
          <p>{isIn && outcome === 'verified' ? t`Your account is now active.` : text}</p>
        </EmptyState>
      </div>
    </Page>
  )
}
