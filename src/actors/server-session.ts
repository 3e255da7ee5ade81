import * as v from 'valibot'
import { schedulesAnswer, sessionAnswer } from '../folding/schedule/server-answers.ts'
import type { ServerAnswer, ServerFact, ServerTask, TaskResult } from '../machines/server/session/session.events.ts'
import { factActor } from './fact-actor.ts'
import { readBoundedText } from './limits.ts'

export type ServerSessionDeps = {
  readonly fetch: typeof globalThis.fetch
  /** As the browser's; missing in tests. */
  readonly openEvents: (url: string) => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>
}

const TIMEOUT_MS = 15_000
const CLOSED = 2

type Got = { readonly status: number; readonly content: unknown }

const call = async ({ fetch }: ServerSessionDeps, path: string, body?: object): Promise<Got | undefined> => {
  try {
    const response = await fetch(path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await readBoundedText(response)
    return text === undefined ? undefined : { status: response.status, content: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Asks the server of this page who it is with, and for its schedules. Never rejects. */
export const askServer = async (deps: ServerSessionDeps): Promise<ServerAnswer> => {
  const [who, what] = await Promise.all([call(deps, '/api/server/session'), call(deps, '/api/server/schedules')])
  if (who?.status === 401 || what?.status === 401) return { kind: 'signedOut' }
  const session = v.safeParse(sessionAnswer, who?.content)
  const schedules = v.safeParse(schedulesAnswer, what?.content)
  return session.success && schedules.success
    ? { kind: 'known', session: session.output, schedules: schedules.output }
    : { kind: 'unreachable' }
}

const requestOf = (task: ServerTask): { readonly path: string; readonly body: object } => {
  switch (task.kind) {
    case 'override': {
      const { machine, group, state, minutes } = task
      return { path: `/api/server/machines/${machine}/override`, body: { state, minutes, group } }
    }
    case 'follow':
      return { path: `/api/server/machines/${task.machine}/follow`, body: { group: task.group } }
    case 'save':
      return { path: '/api/server/schedules', body: { revision: task.revision, schedules: task.schedules } }
    case 'signOut':
      return { path: '/api/server/logout', body: {} }
  }
}

const refusal = v.object({ error: v.pipe(v.string(), v.maxLength(500)) })

/** Has the server do something. Never rejects. */
export const doServerTask = async (deps: ServerSessionDeps, task: ServerTask): Promise<TaskResult> => {
  const { path, body } = requestOf(task)
  const got = await call(deps, path, body)
  if (got === undefined) return { kind: 'unreachable' }
  if (got.status === 401) return { kind: 'signedOut' }
  if (got.status === 200) return { kind: task.kind === 'signOut' ? 'signedOut' : 'done' }
  if (got.status === 409) return { kind: 'conflict' }
  const error = v.safeParse(refusal, got.content)
  return { kind: 'refused', reason: error.success ? error.output.error : `HTTP ${got.status}` }
}

/** Reports when something changed at the server, and when it does not tell any more. */
export const serverEvents = ({ openEvents }: ServerSessionDeps) =>
  factActor<{ readonly type: 'none' }, undefined, ServerFact>(({ report }) => {
    const source = openEvents('/api/server/events')
    source.addEventListener('schedules', () => report({ type: 'server.changed' }))
    // A browser connects again by itself after an error of the network, and not after a refusal.
    source.addEventListener('error', () => {
      if (source.readyState === CLOSED) report({ type: 'server.eventsLost' })
    })
    return () => source.close()
  })
