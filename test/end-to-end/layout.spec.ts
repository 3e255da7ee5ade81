import type { Locator, Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { UNIT_COLUMNS } from '../../src/folding/unit/unit-columns.ts'
import { endedUnits } from '../bench/ended-units.ts'
import { violations } from './axe.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { layoutFaults } from './layout-faults.ts'
import { lengthenAnswers, startLongNamesClient } from './long-names.ts'
import { expectState, expectStates, machineCalled, unitsOf } from './machines-view.ts'
import { showColumns } from './page-state.ts'
import { follow } from './screens.ts'
import { submitLogin } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

const UNKNOWN_TOKEN = /status of 40[04]|^Request to another host: https:\/\/api\.foldingathome\.org\/verify\//

/** The text as the pseudo-locale writes it: it accents these letters. */
function inPseudoLocale(text: string | RegExp): RegExp {
  const accented: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' }
  const source = typeof text === 'string' ? text : text.source
  return new RegExp(source.replaceAll(/(?<!\\)[aeioucn]/g, letter => `[${letter}${accented[letter] ?? ''}]`))
}

/** Each screen, and what it shows once everything is there. */
function screensOf(unit: string): Readonly<Record<string, (page: Page) => Promise<unknown>>> {
  const heading = (name: string | RegExp) => (page: Page) =>
    expect(page.getByRole('heading', { level: 1 })).toHaveText(inPseudoLocale(name))
  const shows = (text: string | RegExp) => (page: Page) =>
    expect(page.getByRole('main').getByText(inPseudoLocale(text)).filter({ visible: true }).first()).toBeVisible()
  return {
    '/machines': shows('machine-abc'),
    '/machines?layout=single': shows('Last 7 days'),
    '/machines?filter=m': shows('Shown'),
    '/machines?filter=nobody+is+called+so': shows('No machines match'),
    '/machines?layout=map': heading('Machines'),
    '/machines?chart=ppd': shows('machine-abc'),
    '/machines?chart=finishes': shows('Misses deadline'),
    '/machines?layout=grid': shows('machine-abc'),
    '/attention': heading('Attention'),
    '/attention?tab=settings': heading('Attention'),
    '/wus': shows('Credited'),
    '/wus?tab=benchmarks': shows('How fast each project runs'),
    '/schedules': heading('Schedules'),
    '/stats': shows(/team-abc/),
    '/stats/power': shows('Watts now'),
    '/projects': shows('Runs on'),
    '/news': shows(/title-abc/),
    '/about': shows(/Foldboard/),
    '/help/server-at-home': heading(/./),
    '/unit/unit-5': shows('server-abc'),
    '/verify/token': heading(/email/),
    '/reset/token?email=a%40example.org': heading(/passphrase/),
    '/account/settings': heading('Account Settings'),
    '/account/appearance': heading('Account Settings'),
    '/account/teams': shows(/team-abc/),
    '/__direct__': shows('Last 7 days'),
    '/__direct__/units': shows('Credited'),
    '/__direct__/settings': shows('Cancel'),
    '/__direct__/details': shows('processor-abc'),
    '/__direct__/log': shows('line-abc'),
    '/__direct__/log?q=line': shows('Completed'),
    [`/__direct__/view/${unit}`]: shows('atoms'),
    '/nobody/details': shows('Machine not found'),
  }
}

/** Styles follow the direction of the document: once a screen is looked at from left to right, too. */
const LOOKS = [
  [360, 'rtl'],
  [800, 'ltr'],
  [1280, 'rtl'],
] as const

test('no screen is wider than its window or breaks a rule of axe, and nothing on it is cut off, outside its box or covered, from right to left and with texts 40 % longer [11.11, 13.4, 13.11, 13.12]', async ({
  page,
  startTestNetwork,
  stopAfterTest,
  pageErrors,
}) => {
  test.setTimeout(300_000)
  pageErrors.expect(UNKNOWN_TOKEN)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const client = stopAfterTest(await startLongNamesClient())
  const network = await startTestNetwork({ machines: 0, client: client.address })
  await lengthenAnswers(page, network)
  await page.goto(`${network.dashboardUrl}/machines`)
  await expect(machineCalled(page, client.name)).toBeVisible()
  await submitLogin(page, network.account)
  await page.getByRole('dialog', { name: 'Auto-linking client' }).getByRole('button', { name: 'OK' }).click()
  await page.goto(`${network.dashboardUrl}/machines?locale=pseudo-rtl`)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  for (const [path, isThere] of Object.entries(screensOf(client.unit))) {
    await follow(page, path)
    for (const [width, direction] of LOOKS) {
      await page.setViewportSize({ width, height: 844 })
      await page.locator('html').evaluate((root, dir) => root.setAttribute('dir', dir), direction)
      await isThere(page)
      await expect.poll(() => layoutFaults(page), `${path} at ${width}`).toEqual([])
    }
    expect(await violations(page, { isPseudo: true, hasContrast: false }), path).toEqual([])
  }
})

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not on the screen.')
  return box
}

/** How far from the left edge of the window the first letter of a text is. */
function textStart(locator: Locator, text: string): Promise<number> {
  return locator.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      if (walker.currentNode.textContent?.includes(wanted) === true)
        return range.getClientRects()[0]?.left ?? Number.NaN
    }
    return Number.NaN
  }, text)
}

test('the header and what dims the page behind a dialog reach both edges of the window; no ring is drawn around the heading that a new screen begins at; below a date the first line of a log begins where all others do', async ({
  page,
  stopAfterTest,
}) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  const width = await page.evaluate(() => innerWidth)
  expect(await boxOf(page.getByRole('banner'))).toMatchObject({ x: 0, width })
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const reaches = await page.evaluate(() =>
    [1, innerWidth - 1].map(x => document.elementFromPoint(x, innerHeight / 2)?.closest('#root') === null),
  )
  expect(reaches).toEqual([true, true])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('button', { name: /^Actions for unit 1/ }).click()
  await page.getByRole('menuitem', { name: '3D view' }).click()
  const heading = page.getByRole('heading', { level: 1, name: '3D view' })
  await expect(heading).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(heading).toHaveCSS('outline-style', 'none')

  await follow(page, '/__direct__/log')
  await expect.poll(() => client.untakenCommands().some(({ cmd }) => cmd === 'log')).toBe(true)
  client.say(['log', ['23:59:58:I1:before', '23:59:59:I1:before', '00:00:01:I1:after', '00:00:02:I1:after']])
  const lines = page.getByRole('log').locator('[data-line]')
  await expect(lines).toHaveCount(4)
  await expect(lines.nth(2)).toHaveAttribute('data-day')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await textStart(lines.nth(2), '00:00:01')).toBeCloseTo(await textStart(lines.nth(3), '00:00:02'), 0)
  }
})

test('why a unit stands still is seen whole, however many columns there are and however far they are scrolled', async ({
  page,
  stopAfterTest,
}) => {
  const reason = 'Resources not available because another program needs the processor and all graphics cards'
  const units = [unitData(), unitData({ id: 'two', number: 2, pause_reason: reason })]
  const client = stopAfterTest(await startScriptedClient(clientData({ units })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await showColumns(
    page,
    UNIT_COLUMNS.map(({ name }) => name),
  )
  await page.goto(`${dashboardUrl}/machines`)
  const why = unitsOf(page, 'puppet').nth(1).getByText(reason)
  await expect(why).toBeVisible()
  const panel = await boxOf(
    machineCalled(page, 'puppet').getByRole('heading', { level: 2 }).locator('xpath=ancestor::header'),
  )
  const isWithin = async (): Promise<void> => {
    const { x, width } = await boxOf(why)
    expect(x).toBeGreaterThanOrEqual(panel.x)
    expect(x + width).toBeLessThanOrEqual(panel.x + panel.width)
  }
  await isWithin()
  await page.getByRole('button', { name: 'Sort by Work Server' }).focus()
  await expect
    .poll(async () => (await boxOf(unitsOf(page, 'puppet').first().getByRole('cell').first())).x)
    .toBeLessThan(0)
  await isWithin()
})

test('counts that grow and states that come move nothing in a window of 390 and of 1280 pixels [13.3]', async ({
  page,
  stopAfterTest,
}) => {
  const few = [unitData()]
  const many = [
    ...Array.from({ length: 100 }, (_, at) => unitData({ id: `${at}`, number: at, ppd: 100_000 })),
    unitData({ id: 'w', number: 5000, pause_reason: 'Nothing' }),
    unitData({ id: 'd', number: 5001, state: 'DOWNLOAD' }),
    unitData({ id: 'f', number: 5002, state: 'FAILED' }),
  ]
  await page.setViewportSize({ width: 390, height: 844 })
  const client = stopAfterTest(await startScriptedClient(clientData({ units: few })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  await page.getByRole('button', { name: /^1 machine · / }).click()
  const top = async (): Promise<number> => (await boxOf(machineCalled(page, 'puppet'))).y
  for (const width of [390, 1280]) {
    client.say(['units', few])
    await page.setViewportSize({ width, height: 844 })
    await expectStates(page, ['1 running'])
    const before = await top()
    client.say(['units', many])
    await expectStates(page, ['100 running', '1 transferring', '1 paused', '1 failed'])
    expect(await top(), `${width} pixels`).toBe(before)
  }
})

test('on a phone a unit of the history begins at the edge, whatever its machine is called', async ({
  page,
  stopAfterTest,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const client = stopAfterTest(await startLongNamesClient())
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  await expect(machineCalled(page, client.name)).toBeVisible()
  await follow(page, '/wus')
  const row = page.getByRole('table', { name: 'Recent Work Unit History' }).getByRole('row').nth(1)
  const project = row.getByRole('cell').nth(1)
  await expect(project).toHaveText('18400')
  expect(await textStart(row, '18400')).toBeCloseTo(await textStart(row, client.name), 0)
  await row.scrollIntoViewIfNeeded()
  await expect(row.getByText('Credited')).toBeInViewport({ ratio: 1 })
})

test('while a history is filtered, nothing below the counts moves', async ({ page, stopAfterTest }) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'puppet', 'Folding')
  await follow(page, '/wus')
  await expect.poll(() => client.untakenCommands().some(({ cmd }) => cmd === 'wus')).toBe(true)
  client.say(['wus', endedUnits(1200, Date.now())])
  const tabs = page.getByRole('tablist', { name: 'Work units' })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await follow(page, '/wus')
    await expect(page.getByText('1,200 units')).toBeVisible()
    if (width === 390) await page.getByText('Filter', { exact: true }).click()
    const { y } = await boxOf(tabs)
    await follow(page, '/wus?days=20')
    await expect(page.getByText(/\d of 1,200 units/)).toBeVisible()
    expect((await boxOf(tabs)).y, `some, ${width}`).toBeCloseTo(y, 0)
    await follow(page, '/wus?project=1')
    await expect(page.getByText('0 of 1,200 units')).toBeVisible()
    expect((await boxOf(tabs)).y, `none, ${width}`).toBeCloseTo(y, 0)
  }
})
