import { expect, test, type Browser } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { startBusyClient } from './busy-client.ts'
import { median, openGauge, openProcessorGauge, pass, report } from './figures.ts'

const ROUNDS = 7
const ENCODINGS = ['gzip', 'br'] as const
/** The page is quiet when nothing was requested or received for so long. What is put off by some seconds counts too. */
const QUIET_MS = 3000
const LONGEST_MS = 15_000

/** Another build of this project to compare with: its folder. */
const reference = process.env['FOLDBOARD_REFERENCE']

/** A script of fixed content: what it takes to parse, compile and run it is the unit of processor time. */
const FIXED_SCRIPT = `${Array.from(
  { length: 20_000 },
  (_, at) => `function f${at}(a, b) { let c = a + ${at}; for (let i = 0; i < 3; i++) c = (c * 31 + b) | 0; return c }`,
).join('\n')}
document.title = String(${Array.from({ length: 20_000 }, (_, at) => `f${at}(1, 2)`).join('+')})`

type Round = {
  readonly bytes: number
  readonly requests: number
  readonly first: number
  readonly work: number
  /** Milliseconds of processor time of all threads: until the first machine, until the page is quiet, of the fixed script. */
  readonly untilFirst: number
  readonly untilQuiet: number
  readonly fixed: number
}

async function load(browser: Browser, address: string, encoding: string): Promise<Round> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const gauge = await openGauge(page)
  const processor = await openProcessorGauge(browser)
  let bytes = 0
  let requests = 0
  let lastTraffic = Date.now()
  const began = Date.now()
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
  const before = await processor()
  await page.goto(`${address}/machines`)
  await expect(page.getByRole('table', { name: 'Busy' })).toBeVisible()
  const first = await page.waitForFunction(() => (globalThis as unknown as { firstMachine?: number }).firstMachine)
  const untilFirst = (await processor()) - before
  const work = await gauge.work()
  while (Date.now() - lastTraffic < QUIET_MS || Date.now() - began < LONGEST_MS) await pass(100)
  const untilQuiet = (await processor()) - before
  const round = { bytes, requests, first: (await first.jsonValue()) ?? Number.NaN, work, untilFirst, untilQuiet }
  await page.goto('about:blank')
  const beforeFixed = await processor()
  await page.addScriptTag({ content: FIXED_SCRIPT })
  const fixed = (await processor()) - beforeFixed
  await context.close()
  return { ...round, fixed }
}

test('cold load of /machines', async ({ browser }, info) => {
  test.setTimeout(900_000)
  const client = await startBusyClient(2)
  const network = await serveAlone({ port: 0, client: client.address })
  const other =
    reference === undefined ? undefined : await serveAlone({ port: 0, client: client.address, dist: reference })
  const rounds: (Round & { readonly encoding: string })[] = []
  const others: Round[] = []
  for (const encoding of Array.from({ length: ROUNDS }, () => ENCODINGS).flat()) {
    rounds.push({ encoding, ...(await load(browser, network.dashboardUrl, encoding)) })
    if (other !== undefined && encoding === 'gzip') others.push(await load(browser, other.dashboardUrl, encoding))
  }
  const gzip = rounds.filter(({ encoding }) => encoding === 'gzip')
  const bytesWith = (encoding: string): number =>
    median(rounds.flatMap(round => (round.encoding === encoding ? [round.bytes] : []))) / 1000
  const figures = (of: readonly Round[], where: string) => [
    { name: `first machine after navigation${where}`, value: median(of.map(({ first }) => first)), unit: 'ms' },
    { name: `main-thread work until then${where}`, value: median(of.map(({ work }) => work)), unit: 'ms' },
    {
      name: `processor time until then${where}`,
      value: median(of.map(({ untilFirst, fixed }) => untilFirst / fixed)),
      unit: 'scripts',
    },
    {
      name: `processor time until quiet${where}`,
      value: median(of.map(({ untilQuiet, fixed }) => untilQuiet / fixed)),
      unit: 'scripts',
    },
  ]
  await report(info, [
    { name: 'bytes until the page is quiet, gzip', value: bytesWith('gzip'), unit: 'kB', goal: 315 },
    { name: 'bytes until the page is quiet, Brotli', value: bytesWith('br'), unit: 'kB' },
    { name: 'requests until the page is quiet', value: median(rounds.map(({ requests }) => requests)), unit: '' },
    ...figures(gzip, ''),
    ...(others.length === 0 ? [] : figures(others, ', reference')),
  ])
  client.stop()
  await network.stop()
  await other?.stop()
})
