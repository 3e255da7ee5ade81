import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useState, type ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { isAccountLoading } from '../../../machines/account/account/account.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { ClientContext, useFact } from '../machines/client-context.ts'
import { Page } from '../page.tsx'

const Missing = () => (
  <EmptyState
    icon="machines"
    title={t`This machine is not here`}
    actions={
      <ButtonLink kind="primary" to="/machines">
        {t`Show the machines`}
      </ButtonLink>
    }
  >
    <p>{t`It belongs to no account that is signed in, and is not connected directly.`}</p>
  </EmptyState>
)

type Props = { readonly title: string; readonly children: ReactNode }

/**
 * The connection to the machine that the address names, by its own id or by that of a connection. It stays the same while
 * it works: another one would have another log, and settings without what was typed.
 */
const useNamedMachine = (): ClientRef | undefined => {
  const { machID = '' } = useParams()
  const { fleet } = useSystem()
  const [kept, keep] = useState<{ readonly named: string; readonly id: string | undefined }>()
  const id = useSelector(fleet, selectMemberId(machID, kept?.named === machID ? kept.id : undefined))
  if (kept?.named !== machID || kept.id !== id) keep({ named: machID, id })
  return useSelector(fleet, selectClientRef(id ?? ''))
}

/** The machine that the address names; in its place a word when there is none. */
export const OfMachine = ({ title, children }: Props) => {
  const { account } = useSystem()
  const client = useNamedMachine()
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

type PageProps = Props & {
  /** What can be done beside closing it. */
  readonly actions?: ReactNode
  /** It takes the height that the window has, and scrolls inside. */
  readonly isFilling?: boolean
}

const NamedPage = ({ title, actions, isFilling = false, children }: PageProps) => {
  const name = useFact(selectName)
  return (
    <Page
      title={title}
      of={name}
      subtitle={<bdi>{name}</bdi>}
      isFilling={isFilling}
      actions={
        <>
          {actions}
          <ButtonLink to="/machines">{t`Close`}</ButtonLink>
        </>
      }
    >
      {children}
    </Page>
  )
}

/** A screen about the machine that the address names. */
export const MachinePage = (props: PageProps) => (
  <OfMachine title={props.title}>
    <NamedPage {...props} />
  </OfMachine>
)
