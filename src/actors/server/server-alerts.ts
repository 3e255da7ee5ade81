import * as v from 'valibot'
import { alertsAnswer, pushAnswer, testAnswer, type PushAnswer } from '../../folding/incidents/alert-answers.ts'
import type {
  AlertsReply,
  AlertTask,
  AlertTaskResult,
  BrowserPush,
} from '../../machines/server/alerts/server-alerts.events.ts'
import { callServer, refusalOf, type CallDeps } from './server-call.ts'

export type ServerAlertsDeps = CallDeps & {
  /** Missing on insecure pages and in some browsers. */
  readonly serviceWorker: Pick<ServiceWorkerContainer, 'getRegistration'> | undefined
  readonly notification: Pick<typeof Notification, 'permission' | 'requestPermission'> | undefined
}

async function pushManager({ serviceWorker }: ServerAlertsDeps): Promise<PushManager | undefined> {
  // Missing in some browsers, contrary to its type.
  return ((await serviceWorker?.getRegistration()) as Partial<ServiceWorkerRegistration> | undefined)?.pushManager
}

async function readBrowser(deps: ServerAlertsDeps): Promise<BrowserPush> {
  const manager = await pushManager(deps)
  if (manager === undefined || deps.notification === undefined) return 'unsupported'
  if (deps.notification.permission === 'denied') return 'denied'
  return (await manager.getSubscription()) === null ? 'off' : 'on'
}

/** Asks the server of this page for its alerts, and this browser whether it shows them. Never rejects. */
export async function askAlerts(deps: ServerAlertsDeps): Promise<AlertsReply> {
  const [alerts, push, browser] = await Promise.all([
    callServer(deps, '/api/server/alerts'),
    callServer(deps, '/api/server/push'),
    readBrowser(deps).catch((): BrowserPush => 'unsupported'),
  ])
  const subscription = v.safeParse(pushAnswer, push?.content)
  const answer = v.safeParse(alertsAnswer, alerts?.content)
  if (!subscription.success || (!answer.success && alerts?.status !== 403)) return { kind: 'unreachable' }
  return {
    kind: 'known',
    alerts: answer.success ? answer.output : undefined,
    push: subscription.output,
    // A server with a new database does not know the browser.
    browser: browser === 'on' && subscription.output.browsers === 0 ? 'off' : browser,
  }
}

function keyBytes(key: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0))
}

async function subscribed(deps: ServerAlertsDeps, key: NonNullable<PushAnswer['key']>): Promise<PushSubscription> {
  const manager = await pushManager(deps)
  if (manager === undefined) throw new Error('There is no service worker.')
  // One of other keys cannot be changed.
  await (await manager.getSubscription())?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes(key) })
}

async function subscribe(deps: ServerAlertsDeps): Promise<AlertTaskResult> {
  // First, while the browser counts the press of the button as recent.
  const permission = await deps.notification?.requestPermission()
  if (permission !== 'granted') return { kind: 'notAllowed' }
  const parsed = v.safeParse(pushAnswer, (await callServer(deps, '/api/server/push'))?.content)
  if (!parsed.success || parsed.output.key === null) return { kind: 'unreachable' }
  try {
    const subscription = await subscribed(deps, parsed.output.key)
    const { endpoint, keys } = subscription.toJSON()
    const got = await callServer(deps, '/api/server/push/subscribe', { endpoint, keys })
    if (got?.status === 200) return { kind: 'done' }
    await subscription.unsubscribe()
    return got === undefined ? { kind: 'unreachable' } : { kind: 'refused', reason: refusalOf(got) }
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function unsubscribe(deps: ServerAlertsDeps): Promise<AlertTaskResult> {
  const subscription = await (await pushManager(deps))?.getSubscription()
  if (subscription === undefined || subscription === null) return { kind: 'done' }
  const { endpoint } = subscription
  const isGone = await subscription.unsubscribe().catch(() => false)
  const got = await callServer(deps, '/api/server/push/unsubscribe', { endpoint })
  // The push service tells the server at the next message.
  return isGone || got?.status === 200 ? { kind: 'done' } : { kind: 'unreachable' }
}

/** Has the server or this browser do something. Never rejects. */
export async function doAlertTask(deps: ServerAlertsDeps, task: AlertTask): Promise<AlertTaskResult> {
  if (task.kind === 'subscribe') return subscribe(deps)
  if (task.kind === 'unsubscribe') return unsubscribe(deps)
  const { channel } = task
  const got = await callServer(deps, '/api/server/alerts/test', { channel }, TEST_MS)
  if (got === undefined) return { kind: 'unreachable' }
  const answer = v.safeParse(testAnswer, got.content)
  return answer.success
    ? { kind: 'tested', channel, answer: answer.output }
    : { kind: 'refused', reason: refusalOf(got) }
}

/** A channel has 20 seconds for an attempt. */
const TEST_MS = 40_000
