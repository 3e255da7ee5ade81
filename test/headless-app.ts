import { waitFor, type AnyActorRef, type SnapshotFrom } from 'xstate'
import { WebSocket } from 'ws'
import type { Network } from '../programs/network/index.ts'
import { inlinePort } from '../src/actors/wire/inline-port.ts'
import { openSocketWith } from '../src/actors/wire/socket.ts'
import { connectWire } from '../src/actors/wire/wire.ts'
import { startSystem } from '../src/app/system.ts'
import type { Recorder } from '../src/journal/recorder.ts'
import type { ShownDialog } from '../src/machines/shared/dialogs/dialogs.events.ts'
import { selectDialog } from '../src/machines/shared/dialogs/dialogs.selectors.ts'
import type { System } from '../src/machines/app/system.ts'
import { inlineSearch } from './fakes/search-thread.ts'
import { webSocketUrl, webUrl } from './urls.ts'
import { createDevice, type Device } from './fakes/device.ts'

const LONGEST_WAIT = 15_000

/** A network of four clients without long waits. */
export const QUICK_NETWORK = {
  port: 0,
  data: undefined,
  seed: 11,
  machines: 4,
  keyBits: 1024,
  accountKeyBits: 1024,
  relayPaceMs: 5,
  commandDelayMs: 20,
  reconnectMs: 100,
  retryMs: 200,
  client: { host: '127.0.0.1', port: 9 },
} as const

/** The whole product without its screens: its clients and effects on a real network. */
export type HeadlessApp = {
  readonly device: Device
  readonly system: () => System
  /** Waits until the snapshot satisfies `holds`. */
  readonly until: <Ref extends AnyActorRef>(ref: Ref, holds: (snapshot: SnapshotFrom<Ref>) => boolean) => Promise<void>
  /** The dialog that is shown, once there is one. */
  readonly shownDialog: () => Promise<ShownDialog>
  readonly answer: (button: string) => void
  /** Makes the account server reachable or not; `which` limits that to some addresses. */
  readonly setReachable: (isReachable: boolean, which?: RegExp) => void
  readonly reload: () => void
  readonly leave: () => void
}

/** The browser globals that a page uses. */
export type BrowserEnvironment = {
  readonly document: Document
  readonly window: Window
  readonly now: () => number
  readonly isHidden: () => boolean
  readonly openWebSocket: (url: string) => WebSocket
}

const noListeners = { addEventListener: () => undefined, removeEventListener: () => undefined }

function usualBrowser(network: Network): BrowserEnvironment {
  return {
    document: {
      ...noListeners,
      visibilityState: 'visible',
      hasFocus: () => true,
      querySelector: () => null,
    } as unknown as Document,
    window: {
      ...noListeners,
      setInterval: () => 0,
      clearInterval: () => undefined,
      requestAnimationFrame: (draw: FrameRequestCallback) => setTimeout(() => draw(performance.now()), 16),
      cancelAnimationFrame: clearTimeout,
      isSecureContext: true,
      navigator: { onLine: true },
      location: { origin: new URL(network.dashboardUrl).origin, assign: () => undefined },
    } as unknown as Window,
    now: Date.now,
    isHidden: () => false,
    openWebSocket: url => new WebSocket(url),
  }
}

type PageOptions = {
  readonly network: Network
  readonly device: Device
  readonly channel: string | undefined
  readonly isReachable: (url: string) => boolean
  readonly recorder: Recorder | undefined
  readonly directAddress: string
  readonly browser: BrowserEnvironment
}

function openPage({
  network,
  device,
  channel,
  isReachable,
  recorder,
  directAddress,
  browser: { document, window, now, isHidden, openWebSocket },
}: PageOptions) {
  const wire = connectWire({
    port: inlinePort({
      openSocket: openSocketWith(openWebSocket),
      now,
      random: Math.random,
      later: (ms, run) => {
        const timer = setTimeout(run, ms / 10)
        return () => clearTimeout(timer)
      },
    }),
    requestFrame: queueMicrotask,
    now: () => performance.now(),
    isHidden,
    epochNow: now,
  })
  const system = startSystem({
    document,
    window,
    settings: {
      apiUrl: webUrl(network.apiUrl),
      directAddress,
      otherDirectAddresses: [],
      nodeScheme: 'ws',
      versionUrl: webUrl(`${network.apiUrl}/release/latest.json`),
      providers: [],
      statisticsUrl: webSocketUrl(`${network.apiUrl.replace(/^http/, 'ws')}/statistics`),
      awardsUrl: webUrl(`${network.apiUrl}/awards`),
      newsSource: 'api',
      newsUrl: webUrl(network.apiUrl),
      articleUrl: webUrl(`${network.apiUrl}/article`),
      journalEvents: 0,
      journalMegabytes: 0,
    },
    wire,
    storage: device.storage,
    vault: Promise.resolve(device.vault),
    cacheStore: Promise.resolve(device.cacheStore),
    openSocket: openSocketWith(openWebSocket),
    openIncidents: device.openIncidents,
    notifications: { navigator: {}, notification: undefined, openAudio: undefined, show: () => undefined },
    openMolecules: () => Promise.resolve(undefined),
    openRecords: () => Promise.resolve(undefined),
    openUnits: device.openUnits,
    openChannel: channel === undefined ? undefined : () => new BroadcastChannel(channel),
    openSearchThread: inlineSearch,
    credentials: undefined,
    fetch: (url, init) =>
      isReachable(url instanceof Request ? url.url : url.toString())
        ? fetch(url, init)
        : Promise.reject(new TypeError('fetch failed')),
    now,
    random: Math.random,
    keyBits: 1024,
    ...(recorder === undefined ? {} : { recorder }),
  })
  for (const part of ['account', 'bulk', 'clientSettings', 'connections', 'history', 'log', 'viewer'] as const)
    system.app.send({ type: 'app.want', part })
  return {
    system,
    close: () => {
      system.app.stop()
      wire.stop()
    },
  }
}

type HeadlessAppOptions = {
  /** Storage that tabs of one browser share. */
  readonly device?: Device
  /** The name of the BroadcastChannel that tabs of one browser share. */
  readonly channel?: string
  readonly recorder?: Recorder
  /** host:port of the client on this computer; none is connected to without it. */
  readonly directAddress?: string
  /** A browser whose visibility and clock can be changed, or that counts listeners and sockets. */
  readonly browser?: BrowserEnvironment
}

export function startHeadlessApp(
  network: Network,
  {
    device = createDevice(),
    channel,
    recorder,
    directAddress = '',
    browser = usualBrowser(network),
  }: HeadlessAppOptions = {},
): HeadlessApp {
  let unreachable: RegExp | undefined
  const open = () =>
    openPage({
      network,
      device,
      channel,
      isReachable: url => unreachable?.test(url) !== true,
      recorder,
      directAddress,
      browser,
    })
  let page = open()
  const until: HeadlessApp['until'] = async (ref, holds) => {
    await waitFor(ref, holds, { timeout: LONGEST_WAIT })
  }
  const shown = () => selectDialog(page.system.dialogs.getSnapshot())
  return {
    device,
    system: () => page.system,
    until,
    shownDialog: async () => {
      await until(page.system.dialogs, snapshot => selectDialog(snapshot) !== undefined)
      const dialog = shown()
      if (dialog === undefined) throw new Error('No dialog is shown.')
      return dialog
    },
    answer: button => page.system.dialogs.send({ type: 'dialogs.answer', id: shown()?.id ?? '', button }),
    setReachable: (isReachable, which = /./) => (unreachable = isReachable ? undefined : which),
    reload: () => {
      page.close()
      page = open()
    },
    leave: () => page.close(),
  }
}
