import { expect, test } from '@playwright/test'
import { serveAlone } from '../../network/index.ts'
import { startBusyClient } from './busy-client.ts'
import { median, openGauge, report } from './figures.ts'

const ROUNDS = 7

test('cold load of /machines', async ({ browser }, info) => {
  const client = await startBusyClient(2)
  const host = await serveAlone({ port: 0, client: client.address })
  const rounds: { bytes: number; requests: number; first: number; work: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const gauge = await openGauge(page)
    let bytes = 0
    let requests = 0
    await gauge.session.send('Network.enable')
    gauge.session.on('Network.loadingFinished', ({ encodedDataLength }) => {
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
    await page.waitForLoadState('networkidle')
    rounds.push({ bytes, requests, first: (await first.jsonValue()) ?? Number.NaN, work })
    await context.close()
  }
  await report(info, [
    { name: 'bytes over the wire', value: median(rounds.map(({ bytes }) => bytes)) / 1000, unit: 'kB', goal: 230 },
    { name: 'requests', value: median(rounds.map(({ requests }) => requests)), unit: '' },
    { name: 'first machine after navigation', value: median(rounds.map(({ first }) => first)), unit: 'ms', goal: 471 },
    { name: 'main-thread work until then', value: median(rounds.map(({ work }) => work)), unit: 'ms' },
  ])
  client.stop()
  await host.stop()
})
