import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { folded } from '../log-lines.ts'
import { expect, expectEnd, firstInSight, lineSaying, logOf, scrollTo, search, status, test } from './log-view.ts'
import { chooseFromMenu } from './machines-view.ts'

const ALL = 100_000

test('the log is loading until it is there, follows its end, and is no longer sent when it is closed; a reader whose line is trimmed is at the oldest one [2.41, 2.42, 4.25, 8.9]', async ({
  page,
  read,
}) => {
  const { scriptedClient, sendLog, add } = await read()
  await expect(page.getByText('Loading log...')).toBeVisible()
  sendLog(folded(ALL))
  await expectEnd(page, 'line 99999')
  await expect(status(page)).toContainText('100,000 lines')
  await page.keyboard.press('Home')
  await expect(lineSaying(page, /line 0$/)).toBeInViewport()
  add(folded(1, { from: ALL }))
  await expect(lineSaying(page, /line 33334$/)).toBeInViewport()
  await expect(status(page)).toContainText('0%')
  await page.keyboard.press('End')
  add(folded(30, { from: ALL + 1 }))
  await expectEnd(page, 'line 100030')
  expect(await page.locator('[data-line]').count()).toBeLessThan(100)
  await page.getByRole('link', { name: 'Hardware' }).click()
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'log', enable: false })
})

test('a search shows the lines found, marks what it found, and stands in the address; the reader’s place stays exactly where it is while lines arrive and old ones are trimmed [2.40]', async ({
  page,
  read,
}) => {
  const { sendLog, add } = await read()
  sendLog(folded(ALL - 10))
  await expectEnd(page, 'line 99989')
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('failed.*LINE 9[0-4]\\d\\d$')
  await expect(status(page)).toContainText('5 of 99,990 lines')
  await expect(lineSaying(page, /./)).toHaveCount(5)
  await expect(logOf(page).locator('mark').first()).toHaveText(/^Failed to reach .* line 9\d\d\d$/)
  await expect(page).toHaveURL(/\?q=failed\.\*LINE/)
  add(['12:00:01:E :WU1:Failed, line 9444', '12:00:01:I1:WU1:nothing'])
  await expect(status(page)).toContainText('6 of')
  await page.getByRole('button', { name: 'Reset search' }).click()
  await expectEnd(page, 'nothing')
  await expect(page).toHaveURL(/\/log$/)

  await scrollTo(page, 0.6)
  await expect(lineSaying(page, /line 6\d{4}$/).first()).toBeInViewport()
  const before = await firstInSight(page)
  add(folded(7, { from: ALL - 10 }))
  await expect(page.getByRole('button', { name: '7 new lines' })).toBeVisible()
  expect(await firstInSight(page)).toEqual(before)
  add(folded(20, { from: ALL - 3 }))
  await expect(status(page)).toContainText('66,667 lines')
  expect(await firstInSight(page)).toEqual(before)
  await page.getByRole('button', { name: '27 new lines' }).click()
  await expectEnd(page, 'line 100016')
})

/** Enters texts one after another within one frame, with a layout after each: typing on a busy computer. */
function enterWithinFrame(page: Page, texts: readonly string[]): Promise<void> {
  return search(page).evaluate(async (field, values) => {
    for (const value of values) {
      // React overrides the property of the element itself.
      Reflect.set(HTMLInputElement.prototype, 'value', value, field)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      await Promise.resolve()
      document.body.getBoundingClientRect()
    }
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, texts)
}

test('keys go through the log: pages, the start, the end; neither messages about a pattern nor a search without a result move the reader', async ({
  page,
  read,
}) => {
  const { sendLog, add } = await read()
  sendLog(folded(1000))
  await expectEnd(page, 'line 999')
  await page.keyboard.press('Home')
  expect((await firstInSight(page)).number).toBe(0)
  await page.keyboard.press('PageDown')
  await expect.poll(async () => (await firstInSight(page)).number).toBeGreaterThan(10)
  await page.keyboard.press('PageUp')
  await expect.poll(async () => (await firstInSight(page)).number).toBe(0)
  await page.keyboard.press('End')
  await expectEnd(page, 'line 999')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Search the log')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await search(page).fill('a[')
  await expect(page.getByText(/^Not a valid regular expression \(.+\); no filter is applied\.$/)).toBeVisible()
  // The message makes the view lower, and is gone and back before the browser reports that the view scrolled.
  await enterWithinFrame(page, ['a', 'a['])
  await page.getByRole('button', { name: 'Reset search' }).click()
  add(folded(1, { from: 1000 }))
  await expectEnd(page, 'line 1000')

  await scrollTo(page, 0.5)
  const before = await firstInSight(page)
  await search(page).fill('nothing is like this')
  await expect(page.getByText('No matching log lines.')).toBeVisible()
  await page.getByRole('button', { name: 'Reset search' }).click()
  await expect(status(page)).toContainText('1,001 lines')
  expect(await firstInSight(page)).toEqual(before)
})

test('a connection that is lost and comes back leaves neither a gap nor a repetition, and the reader where they were', async ({
  page,
  read,
}) => {
  const { scriptedClient, sendLog } = await read()
  sendLog(folded(500))
  await expectEnd(page, 'line 499')
  await scrollTo(page, 0.5)
  const before = await firstInSight(page)
  scriptedClient.drop()
  await expect(status(page)).toContainText('Disconnected')
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'log', enable: true })
  sendLog(folded(520, { endsAt: 12 * 3600 + 20 }))
  await expect(status(page)).toContainText('520 lines')
  expect(await firstInSight(page)).toEqual(before)
  await page.keyboard.press('End')
  await expectEnd(page, 'line 519')
})

test.describe('on a clock one hour ahead of UTC all year', () => {
  test.use({ timezoneId: 'Africa/Lagos' })

  test('escape codes are colors, HTML is text, errors and warnings are distinguished from lines that only mention them, and times are as they are written, or on this computer’s clock [2.40, 2.41, 5.19, 11.7]', async ({
    page,
    read,
  }) => {
    const { sendLog } = await read()
    const hostile = '<img src=x onerror="globalThis.harmed = true"><b>bold</b>'
    sendLog([
      `12:00:00:I1:${hostile}`,
      '12:00:00:I1:group ":E :" folds',
      '\u001b[91m12:00:01:E :WU1:bad\u001b[0m',
      '\u001b[93m12:00:02:W :WU2:odd\u001b[0m',
      '12:00:03:I1:plain',
    ])
    await expect(lineSaying(page, 'bold')).toHaveText(`12:00:00:I1:${hostile}`)
    expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
    const colorOf = (text: string) =>
      lineSaying(page, text)
        .locator('span')
        .last()
        .evaluate(span => getComputedStyle(span).color)
    expect(await colorOf('bad')).not.toBe(await colorOf('plain'))

    await expect(lineSaying(page, 'plain')).toHaveText('12:00:03:I1:plain')
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Local time instead of UTC' }).click()
    await expect(lineSaying(page, 'plain')).toHaveText('13:00:03:I1:plain')
    await page.getByRole('menuitemcheckbox', { name: 'Local time instead of UTC' }).click()
    await page.keyboard.press('Escape')

    await page.getByRole('checkbox', { name: 'Errors' }).click({ force: true })
    await expect(lineSaying(page, /./)).toHaveText(['12:00:01:E :WU1:bad'])
    await page.getByRole('checkbox', { name: 'Warnings' }).click({ force: true })
    await expect(lineSaying(page, /./)).toHaveText(['12:00:01:E :WU1:bad', '12:00:02:W :WU2:odd'])
    await search(page).fill('wu2')
    await expect(lineSaying(page, /./)).toHaveText(['12:00:02:W :WU2:odd'])
  })
})

test('a selection is copied whole, however far it reaches beyond what is drawn; what was found can be copied and downloaded as a whole', async ({
  page,
  read,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { sendLog } = await read()
  const lines = folded(2000)
  sendLog(lines)
  await expectEnd(page, 'line 1999')
  await page.keyboard.press('Home')
  await expect(lineSaying(page, /line 3$/)).toBeInViewport()
  await logOf(page).evaluate(box =>
    getSelection()?.setBaseAndExtent(
      box.querySelector('[data-line="3"]') ?? box,
      0,
      box.querySelector('[data-line="3"]') ?? box,
      1,
    ),
  )
  await scrollTo(page, 0.5)
  await expect.poll(async () => (await firstInSight(page)).number).toBeGreaterThan(900)
  const last = (await firstInSight(page)).number
  await logOf(page).evaluate((box, number) => {
    const end = box.querySelector(`[data-line="${number}"]`)
    if (end !== null) getSelection()?.extend(end, end.childNodes.length)
  }, last)
  await page.keyboard.press('ControlOrMeta+c')
  const expected = lines.slice(3, last + 1).map(line => line.replaceAll(/\u001b\[\d+m/g, ''))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected.join('\n'))

  await search(page).fill('Failed|Retrying')
  await expect(status(page)).toContainText('of 2,000 lines')
  const found = lines.filter(line => /Failed|Retrying/.test(line)).map(line => line.replaceAll(/\u001b\[\d+m/g, ''))
  await chooseFromMenu(page, 'Copy or download', `Copy ${found.length} lines`)
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${found.join('\n')}\n`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseFromMenu(page, 'Copy or download', `Download ${found.length} lines`),
  ])
  expect(download.suggestedFilename()).toMatch(/^log-puppet-.*\.txt$/)
  expect(await readFile(await download.path(), 'utf8')).toBe(`${found.join('\n')}\n`)
})
