import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { useParams } from 'react-router-dom'
import { selectVerifyOutcome, type VerifyOutcome } from '../../../machines/account/verify/verify.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import type { IconName } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { WhenLoaded } from '../when-loaded.tsx'

type OutcomeText = { readonly icon: IconName; readonly title: string; readonly text: string }

const outcomeTexts: Readonly<Record<VerifyOutcome, OutcomeText>> = {
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

/** The next step after following a link from an email. */
export function LoginOrMachines() {
  const { account, signIn } = useSystem()
  return useSelector(account, snapshot => snapshot.hasTag('signedIn')) ? (
    <ButtonLink kind="primary" to="/machines">
      {t`Go to your machines`}
    </ButtonLink>
  ) : (
    <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
      {t`Login`}
    </Button>
  )
}

function Verification() {
  const { verify, account } = useSystem()
  const signedIn = useSelector(account, snapshot => snapshot.hasTag('signedIn'))
  const { token = '' } = useParams()
  const outcome = useSelector(verify, selectVerifyOutcome)
  const verifyAgain = (): void => verify.send({ type: 'verify.begin', secrets: { token } })
  useEffect(() => verify.send({ type: 'verify.begin', secrets: { token } }), [verify, token])
  const { icon, title, text } = outcomeTexts[outcome]
  return (
    <div role="status">
      <EmptyState
        icon={icon}
        title={title}
        align="start"
        actions={
          outcome === 'pending' ? undefined : (
            <>
              {outcome === 'unreachable' ? <Button onPress={verifyAgain}>{t`Try again`}</Button> : undefined}
              <LoginOrMachines />
              {outcome === 'verified' ? undefined : (
                <ButtonLink to="/help/when-something-is-wrong#login-fails">{t`Help`}</ButtonLink>
              )}
            </>
          )
        }
      >
        <p>{signedIn && outcome === 'verified' ? t`Your account is now active.` : text}</p>
      </EmptyState>
    </div>
  )
}

/** The target of the link in a verification email. */
export function VerifyScreen() {
  return (
    <Page title={t`Verify your email address`}>
      <WhenLoaded part="account" what={t`This screen`}>
        <Verification />
      </WhenLoaded>
    </Page>
  )
}
