import { useSelector } from '@xstate/react'
import { isAnonymous } from '../../../folding/validation.ts'
import { isSignedIn, selectAccount } from '../../../machines/account/account/account.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../system-context.ts'
import { Page } from '../page.tsx'

const site = 'https://stats.foldingathome.org'

const Donor = ({ user }: { user: string }) => (
  <EmptyState
    icon="stats"
    title={`Statistics of ${user}`}
    actions={
      <ButtonLink kind="primary" to={`${site}/donor/name/${encodeURIComponent(user)}`}>
        Show my statistics
      </ButtonLink>
    }
  >
    <p>Points, ranks and awards are counted on the project’s statistics site.</p>
  </EmptyState>
)

const Nobody = () => {
  const { account, signIn } = useSystem()
  const isIn = useSelector(account, isSignedIn)
  return (
    <EmptyState
      icon="user"
      title="Folding anonymously"
      actions={
        isIn ? (
          <ButtonLink kind="primary" to="/machines">
            Show the machines
          </ButtonLink>
        ) : (
          <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
            Login
          </Button>
        )
      }
    >
      <p>Statistics belong to a name. {isIn ? 'This account has none.' : 'Log in to see yours.'}</p>
    </EmptyState>
  )
}

export const StatsScreen = () => {
  const user = useSelector(useSystem().account, (snapshot) => selectAccount(snapshot)?.user)
  return <Page title="Stats">{user === undefined || isAnonymous(user) ? <Nobody /> : <Donor user={user} />}</Page>
}
