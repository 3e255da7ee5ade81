import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { webAddress, word } from '../../config/fields.ts'
import { channelKind } from './channel.ts'
import { callHttp, JSON_TYPE } from './http-call.ts'

/** The key of a secret: `whsec_` and base64 as Standard Webhooks has it, else its text. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret, 'utf8')
}

/** The signature of a request as Standard Webhooks describes it: HMAC-SHA256 of id, time and body. `at`: epoch seconds. */
export function signatureOf(secret: string, id: string, at: number, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** The message as JSON, signed when there is a secret. The id is the same for each attempt. */
export const webhook = channelKind('webhook', {
  label: 'Webhook',
  sends: 'JSON, signed as [Standard Webhooks](https://www.standardwebhooks.com) describes if there is a secret',
  settings: {
    url: v.pipe(webAddress, v.description('Address that is called.')),
    secret: v.pipe(
      v.optional(v.pipe(word(), v.minLength(16, 'must have at least 16 characters'))),
      v.description(
        'Signs each request by HMAC-SHA256, as Standard Webhooks describes; `whsec_` and base64, or any text.',
      ),
    ),
  },
  secrets: ['secret'],
  open: ({ name, url, secret }, { now }) => ({
    isRepeatable: true,
    send: message => {
      const { id, title, body: text, gravity = null, link = null, incidents } = message
      const body = JSON.stringify({ id, at: new Date(message.at).toISOString(), title, text, gravity, link, incidents })
      const seconds = Math.floor(now() / 1000)
      const headers = {
        ...JSON_TYPE,
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        ...(secret === undefined ? {} : { 'webhook-signature': signatureOf(secret, id, seconds, body) }),
      }
      return callHttp(name, url, { method: 'POST', headers, body }, now)
    },
  }),
})
