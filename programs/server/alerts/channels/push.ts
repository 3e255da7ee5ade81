import * as v from 'valibot'
import webPush from 'web-push'
import { name as nameField, word } from '../../config/fields.ts'
import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import { isPushService } from '../../push/push-services.ts'
import type { PushKeys } from '../../push/push-keys.ts'
import type { StoredSubscription } from '../../store/push-store.ts'
import type { Message } from '../message.ts'
import { channelKind, shortened } from './channel.ts'
import { callHttp } from './http-call.ts'

/** Seconds for which a push service keeps a message for a browser that is closed. */
const KEPT_SECONDS = 86_400
/** A push service takes 4096 bytes, encrypted; a character has at most four. */
const MOST_TITLE = 150
const MOST_BODY = 700
const TAG_LENGTH = 32

/** Notifications of browsers that were subscribed in the page. Their content is encrypted for each browser (RFC 8291). */
export const push = channelKind('push', {
  label: 'Web Push',
  sends: 'a notification in browsers that were subscribed in the page, also while it is closed',
  settings: {
    contact: v.pipe(
      word(),
      v.regex(
        /^(?:mailto:[^@\s]+@[^@\s]+\.[^@\s]+|https:\/\/\S+)$/,
        'must be an address such as "mailto:ana@example.org"',
      ),
      v.description(
        'Where the push service of a browser can reach you, if this server sends too much: mailto: or https:.',
      ),
    ),
    user: v.pipe(
      v.optional(nameField),
      v.description('Only browsers that this user subscribed; default: those of all users.'),
    ),
  },
  secrets: [],
  mistake: ({ user }, where, { users }) =>
    user !== undefined && users.length > 0 && !users.some(candidate => candidate.name === user)
      ? { key: 'user', message: `${where}.user names ${user}, who is no user.` }
      : undefined,
  open: ({ name, user, contact }, { subscriptions, pushKeys, now }) => {
    if (pushKeys === undefined) throw new Error('A channel of Web Push has keys.')
    const sendTo = async (subscription: StoredSubscription, message: Message): Promise<Attempt> => {
      const { endpoint } = subscription
      const forget = (): Promise<void> => subscriptions.remove(endpoint)
      // A restored backup may have anything.
      const request = isPushService(endpoint) ? requestFor(subscription, message, pushKeys, contact) : undefined
      if (request === undefined) {
        await forget()
        return { kind: 'refused', reason: `${name} has a subscription that cannot be used; it was removed` }
      }
      let status = 0
      const result = await callHttp(name, endpoint, { ...request, onStatus: answered => (status = answered) }, now)
      // Not Found and Gone: the browser has ended the subscription.
      if (status !== 404 && status !== 410) return result
      await forget()
      return { kind: 'refused', reason: `${name}: the browser has ended its subscription` }
    }
    return {
      // A message of the same id replaces the one that is shown.
      isRepeatable: true,
      send: async message => {
        try {
          const browsers = await subscriptions.list(user)
          if (browsers.length === 0) return { kind: 'refused', reason: `${name}: no browser is subscribed` }
          const results = await Promise.all(browsers.map(browser => sendTo(browser, message)))
          return (
            results.find(({ kind }) => kind === 'sent') ??
            results.find(({ kind }) => kind !== 'refused') ??
            results[0] ?? { kind: 'refused', reason: `${name}: no browser is subscribed` }
          )
        } catch {
          return { kind: 'failed', reason: `${name}: the subscriptions could not be read` }
        }
      },
    }
  },
})

/** The encrypted request; undefined when the keys of a subscription are none. */
function requestFor(
  { endpoint, keys: subscriptionKeys }: StoredSubscription,
  { id, title, body, gravity }: Message,
  { publicKey, privateKey }: PushKeys,
  contact: string,
):
  | { readonly method: 'POST'; readonly headers: Record<string, string>; readonly body: Uint8Array<ArrayBuffer> }
  | undefined {
  const payload = JSON.stringify({ id, title: shortened(title, MOST_TITLE), body: shortened(body, MOST_BODY) })
  try {
    const { headers, body: encrypted } = webPush.generateRequestDetails({ endpoint, keys: subscriptionKeys }, payload, {
      vapidDetails: { subject: contact, publicKey, privateKey },
      TTL: KEPT_SECONDS,
      contentEncoding: 'aes128gcm',
      urgency: gravity === 'grave' ? 'high' : 'normal',
      // What waits for a browser that is closed is replaced too.
      topic: id.replaceAll(/[^\w-]/g, '').slice(0, TAG_LENGTH),
    })
    return { method: 'POST', headers, body: new Uint8Array(encrypted) }
  } catch {
    return undefined
  }
}
