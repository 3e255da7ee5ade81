import { useSelector } from './use-selector.ts'
import { createContext, use, useMemo } from 'react'
import { isPartThere } from '../../machines/app/app.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { whyNoShared } from '../../machines/server/session/session.selectors.ts'

/** The server that serves this page and connects to its clients. Its code is loaded only where there is one. */
export type PageServer = {
  readonly session: System['serverSession']
  readonly editor: System['scheduleEditor']
  readonly alerts: System['serverAlerts']
}

/** Undefined for a page without such a server, and until it is asked. */
export const ServerContext = createContext<PageServer | undefined>(undefined)

/** The server of a running or a recorded page; undefined where there is none, and until its code is loaded. */
export function useServerOf(system: System): PageServer | undefined {
  const isThere = useSelector(system.app, isPartThere('server'))
  const isOn = useSelector(isThere ? system.serverSession : undefined, snapshot => snapshot?.hasTag('off') === false)
  return useMemo(
    () =>
      isOn ? { session: system.serverSession, editor: system.scheduleEditor, alerts: system.serverAlerts } : undefined,
    [isOn, system],
  )
}

export function usePageServer(): PageServer | undefined {
  return use(ServerContext)
}

/** Why this page may not change tags and saved views; undefined when it may. */
export function useWhyNoShared(): string | undefined {
  const session = usePageServer()?.session
  return useSelector(session, snapshot => (snapshot === undefined ? undefined : whyNoShared(snapshot)))
}

/** For what is shown only where there is a server. */
export function useServer(): PageServer {
  const server = use(ServerContext)
  if (server === undefined) throw new Error('useServer needs a ServerContext.')
  return server
}
