import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { chooseFromMenu, expectState, machineCalled } from '../end-to-end/machines-view.ts'
import { isAble } from '../../src/protocol/client/client-abilities.ts'
import { isJsonObject } from '../../src/protocol/json.ts'
import { ask, askFor, sendCommand } from './client-report.ts'
import { expect, expectReport, finishOf, nameOf, pausedOf, sentBy, test as base, versionOf } from './fixtures.ts'
import { REAL_CLIENT } from './real-client.ts'
import { trust } from './real-node.ts'
import { createWorkAuthority } from './work-authority.ts'
import { startWorkServers, type WorkServers } from './work-servers.ts'

const DIST = join(import.meta.dirname, '../../dist')
/** Versions before 8.5 let themselves in by this name alone (docs/protocol.md §10). */
const PAGE = 'http://localhost:7396/machines'

const test = base.extend<{
  /** A client with a unit for two CPUs, on the page that it serves. */
  readonly fold: (
    ...times: readonly [seconds: number, downloadMs?: number]
  ) => Promise<{ readonly name: string; readonly machine: Locator; readonly servers: WorkServers }>
}>({
  fold: async ({ page, startClient, stopAfterTest, keepPrinted }, use) => {
    await use(async (...times) => {
      const authority = stopAfterTest(createWorkAuthority())
      const servers = stopAfterTest(await startWorkServers(authority, ...times))
      keepPrinted('work-servers', servers)
      const { environment } = stopAfterTest(trust([servers.certificate]))
      const options = ['--web-root', DIST, '--assignment-servers', '127.0.0.1']
      await startClient(options, environment, authority.trustedBy(REAL_CLIENT ?? ''))
      await sendCommand(
        { cmd: 'config', config: { groups: { '': { cpus: 2 } } } },
        ({ groups }) => groups.get('')?.['cpus'] === 2,
      )
      await sendCommand({ cmd: 'state', state: 'fold' }, report => pausedOf(report) === false)
      await expectReport(({ units }) => units.map(({ state }) => state), ['RUN'], 60_000)
      await page.goto(PAGE)
      const name = await nameOf()
      const machine = machineCalled(page, name)
      await expect(machine).toContainText(/Running/)
      return { name, machine, servers }
    })
  },
})

test('CPUs that are paused by themselves hold their unit, and fold again with it', async ({ page, fold }) => {
  const { machine } = await fold(300)
  await chooseFromMenu(page, /^More$/, 'Select machines')
  await page.getByRole('button', { name: /^Select all/ }).click()
  await chooseFromMenu(page, 'More actions for the selected machines', 'GPUs and CPUs…')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /GPUs and CPUs/ })
    .click()
  await page.getByRole('option', { name: 'CPUs' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause CPUs (1)' }).click()
  await expectReport(({ groups }) => groups.get('')?.['cpus'], 0)
  await expectReport(({ units }) => units.map(found => found['pause_reason']), ['Resources not available'])
  await expectReport(pausedOf, false)
  const line = machine.getByRole('list', { name: 'GPUs and CPUs' }).getByRole('listitem')
  await expect(line).toHaveText(/^CPUs: paused since/)
  await line.getByRole('button', { name: 'Fold CPUs' }).click()
  await expectReport(({ groups }) => groups.get('')?.['cpus'], 2)
  await expectReport(
    ({ units }) => units.map(({ state, pause_reason: reason }) => [state, reason]),
    [['RUN', undefined]],
  )
  await expect(line).toHaveCount(0)
})

/** Of a unit. */
const SECONDS = 40
/** What is counted for the download and upload of the next one. */
const TRANSFER_MS = 300_000
/** Longer than the page waits between two looks at the machine. */
const DOWNLOAD_MS = 20_000

/** A field of the browser has minutes. The text of the time as that field has it. */
function localText(page: Page, at: number): Promise<string> {
  return page.evaluate(time => {
    const offset = new Date(time).getTimezoneOffset() * 60_000
    return new Date(time - offset).toISOString().slice(0, 16)
  }, at)
}

function idleLine(page: Page, name: string): Locator {
  return machineCalled(page, name).getByText(/^Idle by .*Keep this page open\.$/)
}

test('a machine that shall be idle by a time fetches until one more unit would be too late, and finishes', async ({
  page,
  context,
  browser,
  pageErrors,
  stopAfterTest,
  fold,
}) => {
  test.setTimeout(480_000)
  const { name, servers } = await fold(SECONDS, DOWNLOAD_MS)
  test.skip(
    !isAble(await versionOf(), 'result'),
    'Older clients do not say how units ended: it is not known how long one takes.',
  )
  const tab = await context.newPage()
  const sent = [sentBy(page), sentBy(tab)]
  await page.reload()
  const elsewhere = await browser.newContext()
  stopAfterTest({ stop: () => elsewhere.close() })
  const stranger = await elsewhere.newPage()
  for (const other of [tab, stranger]) {
    await pageErrors.watch(other)
    await other.goto(PAGE)
    await expectState(other, name, 'Folding')
  }
  const results = async () => (await askFor('wus')).map(unit => (isJsonObject(unit) ? unit['result'] : undefined))
  await expect.poll(results, { timeout: 90_000 }).toEqual(['credited'])
  // Time for the unit of now and one more, and for less than three.
  const least = Date.now() + TRANSFER_MS + 3 * SECONDS * 1000 + DOWNLOAD_MS
  const until = Math.ceil(least / 60_000) * 60_000
  await chooseFromMenu(page, `Actions for ${name}`, 'Idle by a time…')
  await page
    .getByRole('dialog')
    .getByLabel('Idle by')
    .fill(await localText(page, until))
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    /takes no new work from about .*its units usually take 4\ds on CPUs .*; the last 1\)/,
  )
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Idle by .* \(1\)$/ })
    .click()
  const [tabs, pages] = [
    [page, tab],
    [page, tab, stranger],
  ]
  const fetchedBefore = servers.issued()
  for (const one of tabs) await expect(idleLine(one, name)).toContainText('takes no new work from about')

  await expect.poll(async () => finishOf(await ask()), { timeout: until - Date.now(), intervals: [500] }).toBe(true)
  const ahead = until - Date.now()
  const fetched = servers.issued()
  expect(fetched).toBeGreaterThan(fetchedBefore)
  const usual = TRANSFER_MS + SECONDS * 1000
  console.log(`Asked to finish ${Math.round(ahead / 1000)} s before the time; ${fetched} units by then`)
  // What the client says of a unit that has just begun is up to twice its length.
  expect(ahead).toBeGreaterThan(usual - DOWNLOAD_MS - 30_000)
  expect(ahead).toBeLessThan(usual + 2 * SECONDS * 1000 + 5000)
  for (const one of pages) await expectState(one, name, 'Finishing')
  for (const one of tabs) await expect(idleLine(one, name)).toHaveText(/takes no new work\. /)

  await expectReport(({ units }) => units.length, 0, 120_000)
  await expectReport(report => [pausedOf(report), finishOf(report)], [true, false])
  for (const one of pages) await expectState(one, name, 'Paused')
  for (const one of tabs) await expect(idleLine(one, name)).toHaveCount(0, { timeout: 30_000 })
  await wait(5000)
  expect(servers.issued()).toBe(fetched)
  expect(await results()).toEqual(Array.from({ length: fetched }, () => 'credited'))
  // Both tabs watch the machine; each tells it once at most, which is the same to the client.
  for (const texts of sent) expect(texts.filter(text => text.includes('"finish"')).length).toBeLessThanOrEqual(1)
})
