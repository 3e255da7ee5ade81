import { useSelector } from '@xstate/react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { selectClientRef } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { isAccountLoading } from '../../../machines/account/account/account.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../system-context.ts'
import { useClientName } from '../../use-client-name.ts'
import { ClientContext } from '../machines/client-context.ts'
import { Page } from '../page.tsx'

const Missing = () => (
  <EmptyState
    icon="machines"
    title="This machine is not here"
    actions={
      <ButtonLink kind="primary" to="/machines">
        Show the machines
      </ButtonLink>
    }
  >
    <p>It belongs to no account that is signed in, and is not connected directly.</p>
  </EmptyState>
)

type Props = { readonly title: string; readonly children: ReactNode }

/** The machine that the address names; in its place a word when there is none. */
export const OfMachine = ({ title, children }: Props) => {
  const { machID = '' } = useParams()
  const { fleet, account } = useSystem()
  const client = useSelector(fleet, selectClientRef(machID))
  const isLoading = useSelector(account, isAccountLoading)
  if (client === undefined) {
    return <Page title={title}>{isLoading ? <Skeleton label="Loading the machine…" rows={5} /> : <Missing />}</Page>
  }
  return <ClientContext value={client}>{children}</ClientContext>
}

type PageProps = Props & {
  /** What can be done beside closing it. */
  readonly actions?: ReactNode
  /** It takes the height that the window has, and scrolls inside. */
  readonly isFilling?: boolean
}

/** A screen about the machine that the address names. */
export const MachinePage = ({ title, actions, isFilling = false, children }: PageProps) => {
  const { machID } = useParams()
  const name = useClientName(machID)
  return (
    <OfMachine title={title}>
      <Page
        title={title}
        of={name}
        subtitle={<bdi>{name}</bdi>}
        isFilling={isFilling}
        actions={
          <>
            {actions}
            <ButtonLink to="/machines">Close</ButtonLink>
          </>
        }
      >
        {children}
      </Page>
    </OfMachine>
  )
}
