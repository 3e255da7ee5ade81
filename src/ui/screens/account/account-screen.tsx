import { useSelector } from '@xstate/react'
import { Navigate, useParams } from 'react-router-dom'
import { UNKNOWN } from '../../../folding/format.ts'
import { isAccountLoading, isSignedIn, selectAccount } from '../../../machines/account/account/account.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../system-context.ts'
import { Page } from '../page.tsx'
import styles from './account-screen.module.css'

const tabs: readonly string[] = ['settings', 'appearance', 'teams']

const Facts = () => {
  const account = useSelector(useSystem().account, selectAccount)
  const facts: readonly (readonly [string, string])[] = [
    ['User', account?.user ?? 'Anonymous'],
    ['E-mail', account?.email ?? UNKNOWN],
    ['Team', account?.team === undefined || account.team === 0 ? 'No team selected' : String(account.team)],
    ['Cause', account?.cause ?? 'any'],
    ['Node', account?.node ?? UNKNOWN],
    ['Machines', String(account?.machines?.length ?? 0)],
  ]
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The account that is signed in. Closed to those who are not. */
export const AccountScreen = () => {
  const { account } = useSystem()
  const { tab } = useParams()
  const isLoading = useSelector(account, isAccountLoading)
  const isIn = useSelector(account, isSignedIn)
  if (isLoading) return <Skeleton label="Loading the account…" rows={5} />
  if (!isIn) return <Navigate to="/machines" replace />
  if (tab === undefined || !tabs.includes(tab)) return <Navigate to="/account/settings" replace />
  return (
    <Page
      title="Account Settings"
      actions={
        <Button icon="logout" onPress={() => account.send({ type: 'account.signOut' })}>
          Logout
        </Button>
      }
    >
      <Facts />
    </Page>
  )
}
