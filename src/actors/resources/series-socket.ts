import type { SeriesFact, SeriesSocketCommand } from '../../machines/resource/series/series.events.ts'
import { parseMessage, type JsonObject } from '../../protocol/json.ts'
import { decodeSeriesMessage, subscribeMessage, unsubscribeMessage } from '../../protocol/api/series.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import { factActor } from '../fact-actor.ts'
import type { OpenSocket } from '../wire/hub.types.ts'

export type SeriesSocketDeps = { readonly openSocket: OpenSocket; readonly url: SocketUrl }

/** The statistics socket. Messages that cannot be decoded are ignored. */
export function seriesSocket({ openSocket, url }: SeriesSocketDeps) {
  return factActor<SeriesSocketCommand, undefined, SeriesFact>(({ report, receive }) => {
    const socket = openSocket(url, {
      opened: () => report({ type: 'seriesSocket.opened' }),
      closed: () => report({ type: 'seriesSocket.closed' }),
      received: data => {
        const fact = typeof data === 'string' ? factOf(data) : undefined
        if (fact !== undefined) report(fact)
      },
    })
    const send = (message: JsonObject): void => socket.send(JSON.stringify(message))
    receive(command =>
      send(
        command.type === 'seriesSocket.subscribe'
          ? subscribeMessage(command.ref, command.since)
          : unsubscribeMessage(command.ref),
      ),
    )
    return () => socket.close()
  })
}

function factOf(text: string): SeriesFact | undefined {
  const parsed = parseMessage(text)
  const decoded = parsed.ok ? decodeSeriesMessage(parsed.value) : parsed
  if (!decoded.ok) return undefined
  const { value } = decoded
  if (value.kind === 'points') return { type: 'series.received', ref: value.ref, points: value.points }
  return value.ref === undefined ? undefined : { type: 'series.refused', ref: value.ref, message: value.message }
}
