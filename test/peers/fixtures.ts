import { writeFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'
import { expect, test as base } from '../end-to-end/fixtures.ts'
import { hideLocalClient } from '../end-to-end/page-state.ts'
import { signIn } from '../end-to-end/sign-in.ts'
import { REAL_CLIENT, startRealClient, type RealClient } from './real-client.ts'
import { ask, type ClientReport } from './client-report.ts'

export { expect } from '../end-to-end/fixtures.ts'

export const test = base.extend<{
  /** Starts the real client for this test; it goes with the test. */
  readonly startClient: (
    options?: readonly string[],
    environment?: Readonly<Record<string, string>>,
    program?: string,
  ) => Promise<RealClient>
  /** When the test fails, what this peer printed lies beside the other results of the test. */
  readonly keepPrinted: (name: string, peer: { readonly printed: () => string }) => void
  /**
   * A page on another computer, signed in, which reaches the client through the relay alone. `prepare`: before it is loaded;
   * `on`: in another browser than that of the tests.
   */
  readonly remote: (
    network: Network,
    settings?: { readonly prepare?: (page: Page) => Promise<unknown>; readonly on?: Browser },
  ) => Promise<Page>
}>({
  remote: async ({ browser, pageErrors, stopAfterTest }, use) => {
    await use(async ({ dashboardUrl, account }, { prepare, on = browser } = {}) => {
      const context = await on.newContext()
      stopAfterTest({ stop: () => context.close() })
      const page = await context.newPage()
      await pageErrors.watch(page)
      await hideLocalClient(page)
      await prepare?.(page)
      await page.goto(`${dashboardUrl}/machines`)
      await signIn(page, account)
      return page
    })
  },
  startClient: async ({ stopAfterTest, keepPrinted }, use) => {
    await use(async (...settings) => {
      const client = stopAfterTest(await startRealClient(...settings))
      keepPrinted('client', client)
      return client
    })
  },
  keepPrinted: async ({}, use, testInfo) => {
    const peers: { readonly name: string; readonly printed: () => string }[] = []
    await use((name, { printed }) => {
      peers.push({ name, printed })
    })
    if (testInfo.status !== testInfo.expectedStatus)
      for (const { name, printed } of peers) writeFileSync(testInfo.outputPath(`${name}.txt`), printed())
  },
})

test.skip(REAL_CLIENT === undefined, 'FOLDBOARD_REAL_CLIENT names no program: see test/peers/README.md.')

/** Until the client tells the witness this. */
export function expectReport(of: (report: ClientReport) => unknown, wanted: unknown, timeout = 20_000): Promise<void> {
  return expect.poll(async () => of(await ask()), { timeout, intervals: [300] }).toEqual(wanted)
}

export function pausedOf(report: ClientReport): unknown {
  return report.groups.get('')?.['paused']
}
export function finishOf(report: ClientReport): unknown {
  return report.groups.get('')?.['finish']
}

/** By the keyboard: the box that is drawn covers the one that is there. */
export function tick(page: Page, name: string): Promise<void> {
  return page.getByRole('checkbox', { name }).press('Space')
}

async function textIn(key: string): Promise<string> {
  const text = (await ask()).info[key]
  if (typeof text !== 'string') throw new Error(`The client says its ${key}.`)
  return text
}
export function versionOf(): Promise<string> {
  return textIn('version')
}
export function idOf(): Promise<string> {
  return textIn('id')
}
/** What the client calls itself; there is one client a computer. */
export function nameOf(): Promise<string> {
  return textIn('mach_name')
}

/** Everything that the page writes to sockets from here on. */
export function sentBy(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('websocket', socket => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  return sent
}
