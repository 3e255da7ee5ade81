import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Browser } from '@playwright/test'
import { startNetwork } from '../../programs/network/index.ts'
import { startFileHost } from '../end-to-end/file-host.ts'
import { median, openProcessorGauge, report } from './figures.ts'

const ROUNDS = 7
const FOLDER = join(import.meta.dirname, '../../build/demo')
const GOAL = 1.5

/** Until the first unit runs: milliseconds, and of processor time of all threads of the page. */
async function firstUnit(browser: Browser, address: string): Promise<{ readonly time: number; readonly work: number }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const processor = await openProcessorGauge(browser)
  const before = await processor()
  const began = performance.now()
  await page.goto(address)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  const time = performance.now() - began
  const work = (await processor()) - before
  await context.close()
  return { time, work }
}

test('first running unit of the demo', async ({ browser }, info) => {
  test.setTimeout(900_000)
  test.skip(!existsSync(FOLDER), 'npm run build:demo has not been run')
  const network = await startNetwork({ port: 0, machines: 0, client: { host: '127.0.0.1', port: 9 } })
  const host = await startFileHost(FOLDER, '/some/where/')
  const plain: (typeof demo)[number][] = []
  const demo: Awaited<ReturnType<typeof firstUnit>>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await firstUnit(browser, network.dashboardUrl))
    demo.push(await firstUnit(browser, `${host.url}?tour=one`))
  }
  await host.stop()
  await network.stop()
  const times = [plain, demo].map(rounds => median(rounds.map(({ time }) => time)))
  const works = [plain, demo].map(rounds => median(rounds.map(({ work }) => work)))
  const [plainTime = Number.NaN, demoTime = Number.NaN] = times
  const [plainWork = Number.NaN, demoWork = Number.NaN] = works
  await report(info, [
    { name: 'plain build: first running unit', value: plainTime, unit: 'ms' },
    { name: 'demo: first running unit', value: demoTime, unit: 'ms' },
    { name: 'demo: time beside the plain build', value: demoTime / plainTime, unit: 'times', goal: GOAL },
    { name: 'plain build: processor time', value: plainWork, unit: 'ms' },
    { name: 'demo: processor time, with the network', value: demoWork, unit: 'ms' },
  ])
})
