import { createContext, use } from 'react'
import type { ScheduleEditorRef } from '../../machines/server/schedule-editor/schedule-editor.machine.ts'
import type { SessionRef } from '../../machines/server/session/session.machine.ts'

/** The server that serves this page and connects to its machines. Its code is loaded only where there is one. */
export type PageServer = { readonly session: SessionRef; readonly editor: ScheduleEditorRef }

/** Undefined for a page without such a server, and while a recording is shown. */
export const ServerContext = createContext<PageServer | undefined>(undefined)

export const usePageServer = (): PageServer | undefined => use(ServerContext)

/** For what is shown only where there is a server. */
export const useServer = (): PageServer => {
  const server = use(ServerContext)
  if (server === undefined) throw new Error('useServer needs a ServerContext.')
  return server
}
