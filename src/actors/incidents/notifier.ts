import { loadCode } from '../../loading/load-code.ts'
import type {
  NotificationPermissionState,
  NotifierCommand,
  NotifierFact,
  QuietHours,
} from '../../machines/incidents/incidents/incidents.events.ts'
import { factActor } from '../fact-actor.ts'

export type NotifierDeps = {
  readonly document: Pick<
    Document,
    'visibilityState' | 'hasFocus' | 'querySelector' | 'addEventListener' | 'removeEventListener'
  >
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly navigator: {
    readonly locks?: Pick<LockManager, 'request' | 'query'> | undefined
    readonly serviceWorker?: Pick<ServiceWorkerContainer, 'getRegistration'> | undefined
    readonly setAppBadge?: ((count: number) => Promise<void>) | undefined
    readonly clearAppBadge?: (() => Promise<void>) | undefined
  }
  /** Undefined where there are no notifications. */
  readonly notification: NotificationApi | undefined
  readonly openAudio: (() => AudioContext) | undefined
  /** Opens a page of the dashboard in this tab, after a click. */
  readonly show: (path: string) => void
  readonly now: () => number
}

/** The part of `Notification` that is used. */
export type NotificationApi = {
  readonly permission: NotificationPermission
  readonly requestPermission: () => Promise<NotificationPermission>
  new (
    title: string,
    options?: NotificationOptions,
  ): Pick<Notification, 'close'> & {
    onclick: Notification['onclick']
  }
}

/** The path that a notification leads to. */
export const ATTENTION_PATH = `${import.meta.env.BASE_URL}attention`
/** Held by every tab that is in front. */
const IN_FRONT = 'foldboard-in-front'
/** Held by the tab that shows a notification, so that only one does. */
const SHOWING = 'foldboard-notification'

/** Asks the browser's user for the permission. Rejects where there are no notifications. */
export async function askPermission({
  notification,
}: Pick<NotifierDeps, 'notification'>): Promise<NotificationPermissionState> {
  if (notification === undefined) return 'unsupported'
  return notification.requestPermission()
}

/** Shows the count in the tab, and notifications while no tab of this page is in front. */
export function notifier(deps: NotifierDeps) {
  return factActor<NotifierCommand, undefined, NotifierFact>(({ report, receive }) => {
    const { document, window, navigator } = deps
    const showCount = countShower(deps)
    report({ type: 'notifier.permission', permission: deps.notification?.permission ?? 'unsupported' })
    const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus()
    let release: (() => void) | undefined
    const holdFront = (): void => {
      if (!isInFront()) {
        release?.()
        release = undefined
      } else if (release === undefined) {
        const held = new Promise<void>(resolve => (release = resolve))
        navigator.locks?.request(IN_FRONT, { mode: 'shared' }, () => held).catch(() => undefined)
      }
    }
    const isAnyInFront = async (): Promise<boolean> => {
      if (isInFront()) return true
      const { held = [] } = (await navigator.locks?.query()) ?? {}
      return held.some(({ name }) => name === IN_FRONT)
    }
    const show = async (title: string, body: string, tag: string): Promise<void> => {
      const options: NotificationOptions = { body, tag, icon: ICON, badge: ICON, data: { path: ATTENTION_PATH } }
      const registration = await navigator.serviceWorker?.getRegistration()
      if (registration?.active !== undefined && registration.active !== null)
        await registration.showNotification(title, options)
      else if (deps.notification !== undefined) {
        const shown = new deps.notification(title, options)
        shown.onclick = () => {
          deps.show(ATTENTION_PATH)
          shown.close()
        }
      }
    }
    const notify = async (command: Extract<NotifierCommand, { type: 'notifier.notify' }>): Promise<NotifierFact> => {
      const remaining = quietFor(command.quietHours, deps.now())
      if (remaining > 0) return { type: 'notifier.quiet', remaining }
      if (await isAnyInFront()) return { type: 'notifier.done' }
      const { digestOf } = await loadCode(() => import('./digest.ts'))
      const { title, body, tag } = digestOf(command.incidents, deps.now())
      await onlyOne(navigator.locks, async () => {
        await show(title, body, tag)
        if (command.hasSound) await play(deps.openAudio)
      })
      return { type: 'notifier.done' }
    }
    const attempt = async (command: Exclude<NotifierCommand, { type: 'notifier.count' }>): Promise<void> => {
      try {
        if (command.type === 'notifier.notify') report(await notify(command))
        else {
          const { testNotificationText } = await loadCode(() => import('./digest.ts'))
          const { title, body, tag } = testNotificationText()
          await show(title, body, tag)
          if (command.hasSound) await play(deps.openAudio)
        }
      } catch (error) {
        report({ type: 'notifier.failed', reason: error instanceof Error ? error.message : String(error) })
      }
    }
    receive(command => {
      if (command.type === 'notifier.count') showCount(command.count)
      else void attempt(command)
    })
    holdFront()
    document.addEventListener('visibilitychange', holdFront)
    window.addEventListener('focus', holdFront)
    window.addEventListener('blur', holdFront)
    return () => {
      release?.()
      document.removeEventListener('visibilitychange', holdFront)
      window.removeEventListener('focus', holdFront)
      window.removeEventListener('blur', holdFront)
    }
  })
}

const ICON = `${import.meta.env.BASE_URL}icons/icon-192.png`

/** Milliseconds until the quiet hours end, in local time; 0 outside of them. */
export function quietFor(quiet: QuietHours | undefined, at: number): number {
  if (quiet === undefined || quiet.from === quiet.until) return 0
  const date = new Date(at)
  const minute = date.getHours() * 60 + date.getMinutes()
  const isQuiet =
    quiet.from < quiet.until
      ? minute >= quiet.from && minute < quiet.until
      : minute >= quiet.from || minute < quiet.until
  if (!isQuiet) return 0
  // By the calendar, so that a change of the clocks in between counts.
  const end = new Date(at)
  if (minute >= quiet.until) end.setDate(end.getDate() + 1)
  end.setHours(Math.floor(quiet.until / 60), quiet.until % 60, 0, 0)
  return Math.max(1000, end.getTime() - at)
}

/** Runs in one of several tabs that want the same at once; the others wait, and then find their tag shown already. */
async function onlyOne(locks: NotifierDeps['navigator']['locks'], run: () => Promise<void>): Promise<void> {
  if (locks === undefined) await run()
  else
    await locks.request(SHOWING, { ifAvailable: true }, async lock => {
      if (lock === null) return
      await run()
      // Longer than tabs differ in when they see the same incident.
      await new Promise(resolve => setTimeout(resolve, SAME_INCIDENT))
    })
}

/** Milliseconds. */
const SAME_INCIDENT = 3000

/** Two short tones. A browser plays them only after the user did something on the page. */
async function play(open: NotifierDeps['openAudio']): Promise<void> {
  const audio = open?.()
  if (audio === undefined) return
  await Promise.race([audio.resume(), new Promise(resolve => setTimeout(resolve, 500))])
  if (audio.state === 'running') {
    const volume = audio.createGain()
    volume.gain.value = 0.15
    volume.connect(audio.destination)
    for (const [index, frequency] of [660, 880].entries()) {
      const tone = audio.createOscillator()
      tone.frequency.value = frequency
      tone.connect(volume)
      tone.start(audio.currentTime + index * 0.18)
      tone.stop(audio.currentTime + index * 0.18 + 0.15)
    }
    await new Promise(resolve => setTimeout(resolve, 600))
  }
  await audio.close()
}

/** The count in the icon of the tab, and on the icon of an installed app. The title is drawn by the screens. */
function countShower({ document, navigator }: NotifierDeps): (count: number) => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const plain = link?.getAttribute('href') ?? ''
  return count => {
    const icon = count === 0 ? plain : iconWith(count)
    // Browsers fetch it again also where it is the same.
    if (link?.getAttribute('href') !== icon) link?.setAttribute('href', icon)
    const shown = count === 0 ? navigator.clearAppBadge?.() : navigator.setAppBadge?.(count)
    shown?.catch(() => undefined)
  }
}

function iconWith(count: number): string {
  const text = count > 99 ? '99+' : String(count)
  const size = text.length > 2 ? 9 : text.length > 1 ? 12 : 15
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="#8f3063"><path d="M3.5 8h6v14.5l-3-3-3 3z"/><path d="M9.5 2H22l-3 3 3 3H3.5z" opacity=".62"/><path d="M9.5 10.75H19l-2.75 2.75L19 16.25H9.5z" opacity=".62"/></g><circle cx="16" cy="16" r="8" fill="#b3261e"/><text x="16" y="${16 + size / 3}" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(icon)}`
}
