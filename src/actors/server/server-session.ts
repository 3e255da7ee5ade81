import * as v from 'valibot'
import { schedulesAnswer, sessionAnswer } from '../../folding/schedule/server-answers.ts'
import type { ServerAnswer, ServerFact, ServerTask, TaskResult } from '../../machines/server/session/session.events.ts'
import { factActor } from '../fact-actor.ts'
import { callServer, refusalOf, type CallDeps } from './server-call.ts'

export type ServerSessionDeps = CallDeps & {
  /** As the browser's; missing in tests. */
  readonly openEvents: (url: string) => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>
}

const CLOSED = 2
/** From the refusal of a connection that was never open to its report, after which there is another one. Milliseconds. */
const REFUSAL_PAUSE = 30_000

/** Asks the server of this page who it is with, and for its schedules. Never rejects. */
export async function askServer(deps: ServerSessionDeps): Promise<ServerAnswer> {
  const [who, what] = await Promise.all([
    callServer(deps, '/api/server/session'),
    callServer(deps, '/api/server/schedules'),
  ])
  if (who?.status === 401 || what?.status === 401) return { kind: 'signedOut' }
  const session = v.safeParse(sessionAnswer, who?.content)
  const schedules = v.safeParse(schedulesAnswer, what?.content)
  return session.success && schedules.success
    ? { kind: 'known', session: session.output, schedules: schedules.output }
    : { kind: 'unreachable' }
}

function requestOf(task: ServerTask): { readonly path: string; readonly body: object } {
  switch (task.kind) {
    case 'override': {
      const { machine: client, group, state, minutes } = task
      return { path: `/api/server/machines/${client}/override`, body: { state, minutes, group } }
    }
    case 'follow':
      return { path: `/api/server/machines/${task.machine}/follow`, body: { group: task.group } }
    case 'save':
      return { path: '/api/server/schedules', body: { revision: task.revision, schedules: task.schedules } }
    case 'removeInput':
      return { path: `/api/server/inputs/${task.name}/remove`, body: {} }
    case 'resetMeter':
      return { path: `/api/server/meters/${task.name}/reset`, body: {} }
    case 'signOut':
      return { path: '/api/server/logout', body: {} }
  }
}

/** Has the server do something. Never rejects. */
export async function doServerTask(deps: ServerSessionDeps, task: ServerTask): Promise<TaskResult> {
  const { path, body } = requestOf(task)
  const got = await callServer(deps, path, body)
  if (got === undefined) return { kind: 'unreachable' }
  if (got.status === 401) return { kind: 'signedOut' }
  if (got.status === 200) return { kind: task.kind === 'signOut' ? 'signedOut' : 'done' }
  if (got.status === 409) return { kind: 'conflict' }
  return { kind: 'refused', reason: refusalOf(got) }
}

/** Reports when something changed at the server, and when it does not tell any more. */
export function serverEvents({ openEvents }: ServerSessionDeps) {
  return factActor<{ readonly type: 'none' }, undefined, ServerFact>(({ report }) => {
    const source = openEvents('/api/server/events?types=schedules,shared')
    for (const event of ['schedules', 'shared'])
      source.addEventListener(event, () => report({ type: 'server.changed' }))
    let pause = REFUSAL_PAUSE
    let timer: ReturnType<typeof setTimeout> | undefined
    source.addEventListener('open', () => (pause = 0))
    // A browser connects again by itself after an error of the network, and not after a refusal.
    source.addEventListener('error', () => {
      if (source.readyState === CLOSED) timer = setTimeout(() => report({ type: 'server.eventsLost' }), pause)
    })
    return () => {
      clearTimeout(timer)
      source.close()
    }
  })
}
