import { streamSSE } from 'hono/streaming'
import type { Access } from '../access/access.ts'
import { incidentAnswer } from './alert-handlers.ts'
import { machineAnswer, unitAnswer } from './answers.ts'
import type { ApiServices, Handlers, ServerNews } from './api.ts'

export type EventStreamServices = Pick<ApiServices, 'follow' | 'now'> & { readonly access: Pick<Access, 'whenOver'> }

const MOST_STREAMS = 200
const ALIVE_MS = 20_000

/** The handler of server-sent events. */
export const eventHandlers = ({ access, follow, now }: EventStreamServices): Pick<Handlers, 'events'> => {
  let streams = 0
  return {
    events: ({ identity, query: { types } }, context) => {
      if (streams >= MOST_STREAMS) return context.json({ error: 'Too many streams' }, 429)
      streams++
      return streamSSE(context, async stream => {
        const closed = new Promise<void>(resolve => stream.onAbort(resolve))
        const send = (event: string, data: unknown): void => {
          stream.writeSSE({ event, data: JSON.stringify(data) }).catch(() => stream.abort())
        }
        const unfollow = follow(news => {
          if (types?.includes(news.type) !== false) send(news.type, contentOf(news, now()))
        })
        const cancelEnd = access.whenOver(identity, () => stream.abort())
        const alive = setInterval(() => send('alive', {}), ALIVE_MS)
        send('alive', {})
        await closed
        streams--
        clearInterval(alive)
        cancelEnd()
        unfollow()
      })
    },
  }
}

const contentOf = (news: ServerNews, at: number): unknown => {
  switch (news.type) {
    case 'machine':
      return machineAnswer(news.machine)
    case 'incidents':
      return news.incidents.map(incident => incidentAnswer(incident, at))
    case 'units':
      return news.units.map(unit => unitAnswer(unit, new Map()))
    case 'schedules':
    case 'shared':
      return {}
  }
}
