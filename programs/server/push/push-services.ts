import * as v from 'valibot'

/*
 * Subscriptions of browsers. A browser names the address to which its messages are sent, so a page could name any: only
 * the push services of browsers are called, over HTTPS.
 */

/** Of Chrome and Edge (old and new), Firefox, Safari and Edge. Their subdomains count too. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  'android.googleapis.com',
  'updates.push.services.mozilla.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
] as const

/** Whether an address is one of a browser's push service. */
export function isPushService(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    password === '' &&
    PUSH_SERVICES.some(service => hostname === service || hostname.endsWith(`.${service}`))
  )
}

function key(length: number) {
  return v.pipe(v.string(), v.regex(/^[\w-]+={0,2}$/, 'must be base64url'), v.maxLength(length))
}

export const endpoint = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.check(isPushService, 'must be an address of a push service of a browser'),
)

/** As `PushSubscription.toJSON()` has it. */
export const subscriptionBody = v.object({
  endpoint,
  keys: v.object({
    p256dh: v.pipe(key(90), v.minLength(86), v.description('Public key of the browser, base64url')),
    auth: v.pipe(key(26), v.minLength(20), v.description('Secret of the subscription, base64url')),
  }),
})
export const endpointBody = v.object({ endpoint })

export type Subscription = v.InferOutput<typeof subscriptionBody>
