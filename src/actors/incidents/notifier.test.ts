import { describe, expect, it } from 'vitest'
import { runActor } from '../../../test/run-actor.ts'
import type { Condition, Incident } from '../../folding/incidents/incident.ts'
import { newIncident } from '../../machines/incidents/incident/incident.machine.ts'
import type { NotifierFact } from '../../machines/incidents/incidents/incidents.events.ts'
import { digestOf } from './digest.ts'
import { askPermission, ATTENTION_PATH, notifier, type NotifierDeps } from './notifier.ts'

const NOON = new Date(2026, 10, 20, 12).getTime()

function incidentOf(client: string, more: Partial<Condition> = {}): Incident {
  const condition = { kind: 'stopped', gravity: 'grave', subject: '', since: NOON, evidence: {}, ...more } as const
  return newIncident({ machine: client, name: client.toUpperCase(), owner: undefined, condition })
}

type Shown = { readonly title: string; readonly options: NotificationOptions | undefined; readonly click: () => void }

function start({ hasFocus = false, hasWorker = false, isHeld = false } = {}) {
  const shown: Shown[] = []
  const worker: (readonly [string, NotificationOptions | undefined])[] = []
  const paths: string[] = []
  const badges: number[] = []
  const icons = ['/favicon.svg']
  class Recorder {
    static readonly permission = 'granted'
    static readonly requestPermission = () => Promise.resolve<NotificationPermission>('denied')
    onclick: ((event: Event) => unknown) | null = null
    readonly close = (): void => undefined
    constructor(title: string, options?: NotificationOptions) {
      shown.push({ title, options, click: () => void this.onclick?.(new Event('click')) })
    }
  }
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined }
  const document = {
    ...listeners,
    visibilityState: 'visible',
    hasFocus: () => hasFocus,
    querySelector: () => ({
      getAttribute: () => icons.at(-1),
      setAttribute: (_: string, value: string) => icons.push(value),
    }),
  }
  const locks: unknown = { query: () => Promise.resolve({ held: [{ name: 'foldboard-in-front' }] }) }
  const registration: unknown = {
    active: {},
    showNotification: (title: string, options?: NotificationOptions) => {
      worker.push([title, options])
      return Promise.resolve()
    },
  }
  const deps: NotifierDeps = {
    document: document as unknown as NotifierDeps['document'],
    window: listeners,
    navigator: {
      ...(isHeld ? { locks: locks as LockManager } : {}),
      ...(hasWorker
        ? { serviceWorker: { getRegistration: () => Promise.resolve(registration as ServiceWorkerRegistration) } }
        : {}),
      setAppBadge: count => Promise.resolve(void badges.push(count)),
      clearAppBadge: () => Promise.resolve(void badges.push(0)),
    },
    notification: Recorder,
    openAudio: undefined,
    show: path => paths.push(path),
    now: () => NOON,
  }
  const actor = runActor<NotifierFact>(notifier(deps))
  const notify = (incidents: readonly Incident[], quietHours?: { readonly from: number; readonly until: number }) => {
    actor.send({ type: 'notifier.notify', incidents, quietHours, hasSound: false })
    return actor.next(({ type }) => type !== 'notifier.permission')
  }
  return { actor, deps, notify, shown, worker, paths, badges, icons }
}

describe('the notifier', () => {
  it('reports whether it may notify, and asks', async () => {
    const { actor, deps } = start()
    expect(await actor.next(() => true)).toEqual({ type: 'notifier.permission', permission: 'granted' })
    expect(await askPermission(deps)).toBe('denied')
    expect(await askPermission({ notification: undefined })).toBe('unsupported')
  })

  it('shows a notification that leads to the incidents', async () => {
    const { notify, shown, paths } = start()
    expect(await notify([incidentOf('a')])).toEqual({ type: 'notifier.done' })
    expect(shown.map(({ title, options }) => [title, options?.data as unknown])).toEqual([
      ['A: Stopped after too many failures', { path: ATTENTION_PATH }],
    ])
    shown[0]?.click()
    expect(paths).toEqual([ATTENTION_PATH])
  })

  it('shows it through the service worker where there is one', async () => {
    const { notify, shown, worker } = start({ hasWorker: true })
    await notify([incidentOf('a'), incidentOf('b')])
    expect(shown).toEqual([])
    expect(worker.map(([title]) => title)).toEqual(['2 incidents need attention'])
  })

  it.each([{ hasFocus: true }, { isHeld: true }])('shows nothing while a tab is in front (%o)', async where => {
    const { notify, shown } = start(where)
    expect(await notify([incidentOf('a')])).toEqual({ type: 'notifier.done' })
    expect(shown).toEqual([])
  })

  it('shows nothing in quiet hours, and reports when they end', async () => {
    const { notify, shown } = start()
    expect(await notify([incidentOf('a')], { from: 11 * 60, until: 13 * 60 })).toEqual({
      type: 'notifier.quiet',
      remaining: 3_600_000,
    })
    expect(shown).toEqual([])
  })

  it('shows one on request, also while the page is in front', async () => {
    const { actor, shown } = start({ hasFocus: true })
    actor.send({ type: 'notifier.try', hasSound: false })
    await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Foldboard can notify you'])
  })

  it('shows the count in the icons', () => {
    const { actor, badges, icons } = start()
    for (const count of [0, 120, 0]) actor.send({ type: 'notifier.count', count })
    const plain = '/favicon.svg'
    // Set only where it is another: a browser would fetch it again.
    expect(badges).toEqual([0, 120, 0])
    expect(icons.map(icon => decodeURIComponent(icon))).toEqual([plain, expect.stringContaining('>99+<'), plain])
  })
})

describe('a digest', () => {
  it('has a line for each kind, with some names, and reports how many more there are', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map(client => incidentOf(client))
    const kinds = (['stalled', 'deadline', 'unreachable', 'gpu-gone', 'slow'] as const).map(kind =>
      incidentOf('x', { kind }),
    )
    const { title, body, tag } = digestOf([...kinds, ...many], NOON)
    expect(title).toBe('10 incidents need attention')
    expect(body.split('\n')).toHaveLength(5)
    expect(body).toContain('5 groups stopped after too many failures: A, B, C and 2 more')
    expect(body).toMatch(/\d more kinds? of incidents?$/)
    expect(tag.length).toBeLessThanOrEqual(510)
    expect(digestOf([...many, ...kinds], NOON).tag).toBe(tag)
  })
})
