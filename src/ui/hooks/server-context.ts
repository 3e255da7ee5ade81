import { useSelector } from '@xstate/react'
import { createContext, use, useMemo } from 'react'
import type { System } from '../../machines/app/system.ts'
import { whyNoShared } from '../../machines/server/session/session.selectors.ts'
import { selectDeferral } from '../../machines/shared/deferred-logic.ts'

/** The server that serves this page and connects to its machines. Its code is loaded only where there is one. */
export type PageServer = {
  readonly session: System['serverSession']
  readonly editor: System['scheduleEditor']
  readonly alerts: System['serverAlerts']
}

/** Undefined for a page without such a server, and until it is asked. */
export const ServerContext = createContext<PageServer | undefined>(undefined)

const isLoaded = (snapshot: unknown): boolean => selectDeferral(snapshot) === 'loaded'

/** The server of a running or a recorded page; undefined where there is none, and until its code is loaded. */
export const useServerOf = (system: System): PageServer | undefined => {
  const { serverSession: session, scheduleEditor: editor, serverAlerts: alerts } = system
  const hasSession = useSelector(session, snapshot => isLoaded(snapshot) && !snapshot.hasTag('off'))
  const hasEditor = useSelector(editor, isLoaded)
  const hasAlerts = useSelector(alerts, isLoaded)
  const hasServer = hasSession && hasEditor && hasAlerts
  return useMemo(() => (hasServer ? { session, editor, alerts } : undefined), [hasServer, session, editor, alerts])
}

export const usePageServer = (): PageServer | undefined => use(ServerContext)

/** Why this page may not change tags and saved views; undefined when it may. */
export const useWhyNoShared = (): string | undefined => {
  const session = usePageServer()?.session
  return useSelector(session, snapshot => (snapshot === undefined ? undefined : whyNoShared(snapshot)))
}

/** For what is shown only where there is a server. */
export const useServer = (): PageServer => {
  const server = use(ServerContext)
  if (server === undefined) throw new Error('useServer needs a ServerContext.')
  return server
}
