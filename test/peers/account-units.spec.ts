import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'
import { signIn as signInAtApi } from '../network/page.ts'
import { chooseFromMenu, expectState, machineCalled, press, unitsOf } from '../end-to-end/machines-view.ts'
import { signIn } from '../end-to-end/sign-in.ts'
import { isJsonObject, type JsonObject } from '../../src/protocol/json.ts'
import { ask, askFor, sendCommand } from './client-report.ts'
import { expect, expectReport, nameOf, pausedOf, test as base } from './fixtures.ts'
import { CLIENT_PORT, REAL_CLIENT, REAL_NODE } from './real-client.ts'
import { certificateAt, startRealNode, trust } from './real-node.ts'
import { createWorkAuthority } from './work-authority.ts'
import { startWorkServers } from './work-servers.ts'

// Work servers have the port that an account's node has by default.
const NODE_PORT = 8443
const GROUPS = ['', 'b', 'c', 'd', 'e', 'f']
const MOST_AGE_MS = 10_000
/** What is older says its age; a second for the measurement, which asks the client twice a second and reads tenths of a percent. */
const SILENT_AGE_MS = 7000
const OLDEST_MS = 12_000
/** By how much a load of a page may age what others show. */
const MOST_DELAY_MS = 3000
/** From a press on a page to the client. */
const MOST_PRESS_MS = 1500
/** Of what is shown, the median. */
const MEDIAN_MS = 5000

const test = base.extend<{
  /** A client with work, linked to the account of the embedded network by `page`, which is on the client's computer. */
  readonly fold: (groups: readonly string[], seconds: number) => Promise<Network>
}>({
  fold: async ({ page, startTestNetwork, startClient, stopAfterTest, keepPrinted }, use) => {
    await use(async (groups, seconds) => {
      const node = stopAfterTest(await startRealNode(NODE_PORT))
      keepPrinted('node', node)
      const authority = stopAfterTest(createWorkAuthority())
      const servers = stopAfterTest(await startWorkServers(authority, seconds))
      keepPrinted('work-servers', servers)
      const network = await startTestNetwork({
        machines: 0,
        isDemo: false,
        tls: true,
        client: { host: '127.0.0.1', port: CLIENT_PORT },
      })
      const relay = await certificateAt(Number(new URL(network.nodeUrl).port))
      const { environment } = stopAfterTest(trust([relay, node.certificate, servers.certificate]))
      const options = ['--api-server', network.apiUrl, '--assignment-servers', '127.0.0.1']
      await startClient(options, environment, authority.trustedBy(REAL_CLIENT ?? ''))
      const { api, account } = await signInAtApi(network.apiUrl, network.account)
      await api('PUT', '/account', { node: node.host })
      const throughRelay = relayMessages(page)
      await page.goto(`${network.dashboardUrl}/machines`)
      await signIn(page, network.account)
      const { id } = await account()
      await expectReport(({ info }) => info['account'], id)
      await settled(throughRelay)
      const settings = Object.fromEntries(groups.map(name => [name, { cpus: 1 }]))
      await sendCommand({ cmd: 'config', config: { groups: settings } }, report => report.groups.size === groups.length)
      await sendCommand({ cmd: 'state', state: 'fold' }, report => pausedOf(report) === false)
      return network
    })
  },
})

test.skip(REAL_NODE === undefined, 'FOLDBOARD_REAL_NODE names no program: see test/peers/README.md.')

/** Percent of the work of each unit that runs, from the least to the most. */
function progressOf(units: readonly JsonObject[]): readonly number[] {
  return units
    .flatMap(unit => (unit['state'] === 'RUN' ? [Number(unit['wu_progress']) * 100] : []))
    .sort((a, b) => a - b)
}

type Sample = { readonly at: number; readonly progress: readonly number[] }

/** What the client reports, twice a second. */
function watchClient() {
  const samples: Sample[] = []
  const end = new AbortController()
  const watched = (async () => {
    while (!end.signal.aborted) {
      samples.push({ at: Date.now(), progress: progressOf((await ask()).units) })
      await wait(500)
    }
  })()
  return {
    /** How long ago the client reported what is shown, milliseconds: the oldest of its units. */
    ageOf: ({ at, progress }: Sample): number =>
      Math.max(
        ...progress.map((percent, index) => {
          // The page rounds to tenths.
          const past = samples.findLast(sample => (sample.progress[index] ?? 0) <= percent + 0.05)
          return at - (past ?? samples[0] ?? { at }).at
        }),
      ),
    stop: () => {
      end.abort()
      return watched
    },
  }
}

/** What a page shows of the client; `saidAge` when it says as of when. */
async function shownOn(page: Page, name: string): Promise<Sample & { readonly saidAge: number | undefined }> {
  const { cells, asOf } = await machineCalled(page, name).evaluate(region => ({
    cells: [...region.querySelectorAll('td, [role=cell], [role=gridcell]')].map(({ textContent }) => textContent),
    asOf: [...region.querySelectorAll('span')]
      .find(({ textContent }) => textContent.startsWith('as of '))
      ?.querySelector('time')?.dateTime,
  }))
  const at = Date.now()
  const progress = cells.flatMap(text => {
    const percent = /^(\d+\.\d)\s?%/.exec(text)?.[1]
    return percent === undefined ? [] : [Number(percent)]
  })
  return {
    at,
    progress: progress.sort((a, b) => a - b),
    saidAge: asOf === undefined ? undefined : at - Date.parse(asOf),
  }
}

/** As when another tab is in front. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperties(document, { hidden: { value: true }, visibilityState: { value: 'hidden' } })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

/** Until no message has come for a while: a session that is open while units start brings a hundred messages. */
async function settled(messages: readonly string[]): Promise<void> {
  let count = -1
  while (count < messages.length) {
    count = messages.length
    await wait(3000)
  }
}

/** The messages of sessions that a page sends and receives through the node from here on. */
function relayMessages(page: Page): readonly string[] {
  const messages: string[] = []
  const keep = ({ payload }: { readonly payload: string | Buffer }): void => {
    if (/"type": *"message"/.test(String(payload))) messages.push(String(payload).slice(0, 100))
  }
  page.on('websocket', socket => {
    if (new URL(socket.url()).port === String(NODE_PORT)) socket.on('framesent', keep).on('framereceived', keep)
  })
  return messages
}

test('work units go from assignment to credited, and the page of a far computer follows them', async ({
  fold,
  remote,
}) => {
  const page = await remote(await fold([''], 20))
  const name = await nameOf()
  const units = machineCalled(page, name).getByRole('table', { name, exact: true })
  await expect(units).toContainText(/18201.*Run/, { timeout: 60_000 })
  await expect
    .poll(async () => (await askFor('wus')).filter(isJsonObject).map(unit => unit['result']), { timeout: 60_000 })
    .toContain('credited')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Units' }).click()
  await expect(page.getByRole('cell', { name: 'Credited' }).first()).toBeVisible()
})

test('a unit is dumped from far away, and no other', async ({ fold, remote }) => {
  const page = await remote(await fold(['', 'b'], 1200))
  const name = await nameOf()
  // One that is paused keeps the state of one that runs.
  const running = async () =>
    (await ask()).units.flatMap(({ id, state, pause_reason: reason }) =>
      state === 'RUN' && reason === undefined ? [id] : [],
    )
  await expect.poll(running, { timeout: 60_000 }).toHaveLength(2)
  await expect.poll(async () => (await shownOn(page, name)).progress.length, { timeout: 30_000 }).toBe(2)
  await press(page, 'Pause', `Default on ${name}`)
  await expect.poll(running, { timeout: 20_000 }).toHaveLength(1)
  const [other] = await running()
  const dumped = (await ask()).units.find(({ id }) => id !== other)
  const menu = `Actions for unit ${Number(dumped?.['number'])}, project 18201`
  // The group reports it before the unit does, and a menu offers what held when it was opened.
  await expect(unitsOf(page, `${name}, Default`).getByRole('img', { name: 'Paused' })).toBeVisible({ timeout: 20_000 })
  await chooseFromMenu(page, menu, 'Dump…')
  await page.getByRole('alertdialog', { name: 'Dump WU?' }).getByRole('button', { name: 'Dump' }).click()
  const ended = async () => (await askFor('wus')).filter(isJsonObject).map(({ id, result }) => [id, result])
  await expect.poll(ended, { timeout: 30_000 }).toEqual([[dumped?.['id'], 'dumped']])
  expect(await running()).toEqual([other])
  await expect(page.getByText(/was ignored|was not confirmed/)).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Units' }).click()
  await expect(page.getByRole('cell', { name: 'Dumped' }).first()).toBeVisible({ timeout: 20_000 })
})

test('six work units on three pages of an account: what is shown is at most ten seconds old, or says its age', async ({
  page,
  fold,
  remote,
}) => {
  test.setTimeout(400_000)
  const direct = page
  const throughRelay = relayMessages(direct)
  const network = await fold(GROUPS, 1200)
  const name = await nameOf()
  await expect.poll(async () => progressOf((await ask()).units).length, { timeout: 60_000 }).toBe(GROUPS.length)
  const client = watchClient()
  try {
    const pages = [await remote(network), await remote(network)] as const
    for (const one of [direct, ...pages])
      await expect.poll(async () => (await shownOn(one, name)).progress.length, { timeout: 60_000 }).toBe(GROUPS.length)

    // It had one for a moment, to learn that both ways lead to one process; what was sent in it has passed by now.
    const before = throughRelay.length
    const tooOld: string[] = []
    const end = Date.now() + 60_000
    let count = 0
    while (Date.now() < end) {
      for (const [index, one] of [direct, ...pages].entries()) {
        const shown = await shownOn(one, name)
        const age = client.ageOf(shown)
        expect(shown.progress).toHaveLength(GROUPS.length)
        if (age > MOST_AGE_MS + (shown.saidAge ?? 0)) tooOld.push(`page ${index}: ${age} ms, said ${shown.saidAge}`)
        count++
      }
      await wait(2000)
    }
    expect(tooOld).toEqual([])
    expect(count).toBeGreaterThan(30)
    expect(throughRelay.slice(before)).toEqual([])

    const [far] = pages
    await far.reload()
    await expect(async () => {
      const shown = await shownOn(far, name)
      expect(shown.progress).toHaveLength(GROUPS.length)
      expect(client.ageOf(shown)).toBeLessThanOrEqual(MOST_AGE_MS + (shown.saidAge ?? 0))
      await expect(far.getByRole('button', { name: 'Pause All' })).toBeEnabled({ timeout: 100 })
      await expect(machineCalled(far, name)).not.toContainText(/Disconnected|Loading/, { timeout: 100 })
    }).toPass({ timeout: 15_000, intervals: [100] })

    // More than once: all of this runs on one computer, which may be busy for a moment.
    const delays: number[] = []
    while (delays.length < 3 && !delays.some(delay => delay <= MOST_PRESS_MS)) {
      if (delays.length > 0) {
        await sendCommand({ cmd: 'state', state: 'fold' }, report => pausedOf(report) === false)
        // The client takes only one command a second.
        await wait(1000)
        await expectState(far, name, 'Folding')
      }
      await far.getByRole('button', { name: 'Pause All' }).click()
      const pressedAt = Date.now()
      await expect.poll(async () => pausedOf(await ask()), { timeout: 20_000, intervals: [100] }).toBe(true)
      delays.push(Date.now() - pressedAt)
    }
    console.log(`From the press to the client: ${delays.map(secondsText).join(', ')} s`)
    expect(Math.min(...delays)).toBeLessThanOrEqual(MOST_PRESS_MS)
  } finally {
    await client.stop()
  }
})

/** Seconds with one decimal. */
function secondsText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : (milliseconds / 1000).toFixed(1)
}

function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/** A row of the table in docs/protocol.md §11.6. */
function ageRow(name: string, ages: readonly number[], said: number): string {
  const at = (share: number) => secondsText(quantile(ages, share))
  return `| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | says its age in ${Math.round((100 * said) / ages.length)} % |`
}

for (const { units, pages: count, hidden = 0 } of [
  { units: 1, pages: 1 },
  { units: 2, pages: 1 },
  { units: 4, pages: 3 },
  { units: 4, pages: 3, hidden: 1 },
])
  test(`how old what is shown of ${units} units is on ${count} pages through the relay, ${hidden} of them hidden, and what a load of one more does`, async ({
    fold,
    remote,
  }, info) => {
    test.setTimeout(400_000)
    const network = await fold(GROUPS.slice(0, units), 1200)
    const name = await nameOf()
    await expect.poll(async () => progressOf((await ask()).units).length, { timeout: 60_000 }).toBe(units)
    const client = watchClient()
    try {
      const pages: Page[] = []
      while (pages.length < count - hidden) pages.push(await remote(network))
      for (let index = 0; index < hidden; index++) await hide(await remote(network))
      for (const one of pages)
        await expect.poll(async () => (await shownOn(one, name)).progress.length, { timeout: 60_000 }).toBe(units)
      const measure = async (milliseconds: number) => {
        const ages: number[] = []
        const silent: string[] = []
        let said = 0
        const end = Date.now() + milliseconds
        while (Date.now() < end) {
          await wait(1000)
          for (const one of pages) {
            const shown = await shownOn(one, name)
            const age = client.ageOf(shown)
            ages.push(age)
            if (shown.saidAge !== undefined) said++
            else if (age > SILENT_AGE_MS) silent.push(`${age} ms`)
          }
        }
        expect(silent).toEqual([])
        return { ages, said }
      }
      const before = await measure(60_000)
      const [loaded] = await Promise.all([measure(30_000), remote(network)])
      const rows = [
        ageRow(`${units} units, ${count} pages, ${hidden} hidden`, before.ages, before.said),
        ageRow(`the same, one more page is loaded`, loaded.ages, loaded.said),
      ]
      await info.attach('ages', { body: rows.join('\n'), contentType: 'text/plain' })
      console.log(rows.join('\n'))
      for (const { ages } of [before, loaded]) expect(Math.max(...ages)).toBeLessThanOrEqual(OLDEST_MS)
      expect(quantile(before.ages, 0.5)).toBeLessThanOrEqual(MEDIAN_MS)
      // A second page has the first end following one unit: the node cannot pass on as much for two.
      if (units > 1) expect(Math.max(...loaded.ages)).toBeLessThanOrEqual(Math.max(...before.ages) + MOST_DELAY_MS)
    } finally {
      await client.stop()
    }
  })
