import { expect, test } from '@playwright/test'
import { serveAlone } from '../../network/index.ts'
import { startBusyClient } from './busy-client.ts'
import { median, openGauge, pass, report } from './figures.ts'

const ROUNDS = 7
const ENCODINGS = ['gzip', 'br'] as const
/** The page is quiet when nothing was requested or received for so long. */
const QUIET_MS = 3000

test('cold load of /machines', async ({ browser }, info) => {
  const client = await startBusyClient(2)
  const host = await serveAlone({ port: 0, client: client.address })
  const rounds: { encoding: string; bytes: number; requests: number; first: number; work: number }[] = []
  for (const encoding of Array.from({ length: ROUNDS }, () => ENCODINGS).flat()) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const gauge = await openGauge(page)
    let bytes = 0
    let requests = 0
    let lastTraffic = Date.now()
    await gauge.session.send('Network.enable')
    await gauge.session.send('Network.setExtraHTTPHeaders', { headers: { 'Accept-Encoding': encoding } })
    gauge.session.on('Network.requestWillBeSent', () => {
      lastTraffic = Date.now()
    })
    gauge.session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      lastTraffic = Date.now()
      bytes += encodedDataLength
      requests += 1
    })
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('[role=cell]') === null) return
        observer.disconnect()
        requestAnimationFrame(() => Object.assign(globalThis, { firstMachine: performance.now() }))
      }).observe(document, { subtree: true, childList: true })
    })
    await page.goto(`${host.dashboardUrl}/machines`)
    await expect(page.getByRole('table', { name: 'Busy' })).toBeVisible()
    const first = await page.waitForFunction(() => (globalThis as unknown as { firstMachine?: number }).firstMachine)
    const work = await gauge.work()
    while (Date.now() - lastTraffic < QUIET_MS) await pass(100)
    rounds.push({ encoding, bytes, requests, first: (await first.jsonValue()) ?? Number.NaN, work })
    await context.close()
  }
  const bytesWith = (encoding: string): number =>
    median(rounds.flatMap(round => (round.encoding === encoding ? [round.bytes] : []))) / 1000
  await report(info, [
    { name: 'bytes until the page is quiet, gzip', value: bytesWith('gzip'), unit: 'kB', goal: 315 },
    { name: 'bytes until the page is quiet, Brotli', value: bytesWith('br'), unit: 'kB' },
    { name: 'requests until the page is quiet', value: median(rounds.map(({ requests }) => requests)), unit: '' },
    { name: 'first machine after navigation', value: median(rounds.map(({ first }) => first)), unit: 'ms', goal: 471 },
    { name: 'main-thread work until then', value: median(rounds.map(({ work }) => work)), unit: 'ms' },
  ])
  client.stop()
  await host.stop()
})
