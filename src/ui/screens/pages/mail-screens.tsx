import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../system-context.ts'
import { Page } from '../page.tsx'

type Props = { readonly title: string; readonly text: string }

/** What a link in an e-mail of the account server leads to. */
const MailLink = ({ title, text }: Props) => {
  const { signIn } = useSystem()
  return (
    <Page title={title}>
      <EmptyState
        icon="user"
        title="This link belongs to foldingathome.org"
        actions={
          <>
            <ButtonLink to="https://app.foldingathome.org/">Go there</ButtonLink>
            <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
              Login
            </Button>
          </>
        }
      >
        <p>{text}</p>
      </EmptyState>
    </Page>
  )
}

export const VerifyScreen = () => (
  <MailLink
    title="Verify your e-mail address"
    text="Accounts are registered and verified there. Once your account is active, log in here with the same e-mail address and passphrase."
  />
)

export const ResetScreen = () => (
  <MailLink
    title="Reset your passphrase"
    text="Passphrases are reset there. Once that is done, log in here with the new one."
  />
)
