import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { selectSession } from '../../machines/server/session/session.selectors.ts'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useServer } from '../hooks/server-context.ts'

const roleNames = { viewer: t`Viewer`, operator: t`Operator`, administrator: t`Administrator` } as const

/** Who this page is with at its server: name, role, server and version, and the way out. */
export const ServerMenu = () => {
  const { session } = useServer()
  const known = useSelector(session, selectSession)
  if (known === undefined) return null
  const { name, role, server, canSignOut } = known
  const entries: readonly MenuEntry[] = [
    { id: 'who', label: t`${name}, ${roleNames[role]}`, icon: 'user', blockedBecause: t`Your role at this server` },
    {
      id: 'server',
      label: t`Server ${server.name}`,
      icon: 'connect',
      blockedBecause: t`Foldboard server ${server.version}`,
    },
    ...(role === 'administrator' ? [{ id: 'enroll', label: t`Enroll an account…`, icon: 'user' } as const] : []),
    {
      id: 'signOut',
      label: t`Sign out of the server`,
      icon: 'logout',
      startsGroup: true,
      blockedBecause: canSignOut ? undefined : t`Nobody has to sign in here, or a proxy signs you in.`,
    },
  ]
  return (
    <MenuButton
      label={t`Server ${server.name}, signed in as ${name}`}
      icon="user"
      entries={() => entries}
      onChoose={id => {
        if (id === 'enroll') window.location.assign('/api/server/enroll')
        else if (id === 'signOut' && canSignOut) session.send({ type: 'session.do', task: { kind: 'signOut' } })
      }}
    />
  )
}
