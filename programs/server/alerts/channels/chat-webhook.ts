import * as v from 'valibot'
import { webAddress } from '../../config/fields.ts'
import type { Message } from '../message.ts'
import { channelKind } from './channel.ts'
import { callHttp, JSON_TYPE } from './http-call.ts'

/** An incoming webhook of a chat, whose address is a secret: it may come from the environment. */
export function chatWebhook<const Kind extends string>(
  kind: Kind,
  {
    payload,
    ...texts
  }: { readonly label: string; readonly sends: string; readonly payload: (message: Message) => object },
) {
  return channelKind(kind, {
    ...texts,
    settings: { url: v.pipe(v.optional(webAddress), v.description('Address of the incoming webhook.')) },
    secrets: ['url'],
    mistake: ({ url }, where) =>
      url === undefined ? { key: 'url', message: `The setting ${where}.url is missing.` } : undefined,
    open: ({ name, url = '' }, { now }) => ({
      isRepeatable: false,
      send: message =>
        callHttp(name, url, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(payload(message)) }, now),
    }),
  })
}
