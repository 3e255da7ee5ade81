import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState, type ReactNode } from 'react'
import { Outlet, useParams } from 'react-router-dom'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { isAccountLoading } from '../../../machines/account/account/account.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { ClientContext, useClientSelector } from '../../hooks/client-context.ts'
import { Page } from '../page.tsx'
import { MachineTop, useMachineTab } from './machine-top.tsx'

function Missing() {
  return (
    <EmptyState
      icon="machines"
      title={t`Machine not found`}
      actions={
        <ButtonLink kind="primary" to="/machines">
          {t`Show machines`}
        </ButtonLink>
      }
    >
      <p>{t`Log in to the account it is linked to, or connect to it directly.`}</p>
    </EmptyState>
  )
}

type Props = {
  /** Of the page while there is no client. */
  readonly title: string
  readonly children: ReactNode
}

/**
 * The connection to the client in the route, found by the client's own id or that of a connection. A working connection
 * is not replaced by another one: that would have a different log, and settings without the unsaved edits.
 */
function useRouteClient(): ClientRef | undefined {
  const { machID = '' } = useParams()
  const { fleet } = useSystem()
  const [found, setFound] = useState<{ readonly named: string; readonly id: string | undefined }>()
  const id = useSelector(fleet, selectMemberId(machID, found?.named === machID ? found.id : undefined))
  if (found?.named !== machID || found.id !== id) setFound({ named: machID, id })
  return useSelector(fleet, selectClientRef(id ?? ''))
}

/** Provides the client in the route to `children`; shows a message instead when there is none. */
export function ClientProvider({ title, children }: Props) {
  const { account } = useSystem()
  const client = useRouteClient()
  const isLoading = useSelector(account, isAccountLoading)
  if (client === undefined) {
    return <Page title={title}>{isLoading ? <Skeleton label={t`Loading the machine…`} rows={5} /> : <Missing />}</Page>
  }
  return (
    <ClientContext key={client.sessionId} value={client}>
      {children}
    </ClientContext>
  )
}

function NamedPage() {
  const name = useClientSelector(selectName)
  const { title, fillsHeight = false } = useMachineTab()
  return (
    <Page title={title} subject={name} head={<MachineTop Heading="h1" />} fillsHeight={fillsHeight}>
      <Outlet />
    </Page>
  )
}

/** The page of the client in the route. Its tabs are the routes within. */
export function MachinePage() {
  return (
    <ClientProvider title={t`Machine`}>
      <NamedPage />
    </ClientProvider>
  )
}
