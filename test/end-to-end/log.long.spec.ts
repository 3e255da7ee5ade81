import { folded } from '../log-lines.ts'
import { expect, expectEnd, firstInSight, lineSaying, logOf, scrollTo, search, status, test } from './log-view.ts'

test('every place of a log of wrapped lines can be scrolled to, from the first line to the last', async ({
  page,
  read,
}) => {
  const { sendLog } = await read()
  await page.setViewportSize({ width: 400, height: 700 })
  sendLog(folded(5000))
  await expectEnd(page, 'line 4999')
  for (const share of [0, 0.25, 0.5, 0.75]) {
    await scrollTo(page, share)
    await expect.poll(async () => Math.abs((await firstInSight(page)).number / 5000 - share)).toBeLessThan(0.02)
  }
  await page.mouse.move(200, 450)
  await scrollTo(page, 0.002)
  for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, -400)
  await expect(lineSaying(page, /line 0$/)).toBeInViewport()
})

test('a pattern that takes too long is stopped and reported, and changes nothing, and the page goes on', async ({
  page,
  read,
}) => {
  const { sendLog, add } = await read('?q=line')
  sendLog([...folded(100), `12:00:00:I1:${'a'.repeat(40)}!`])
  await expect(status(page)).toContainText('100 of 101 lines')
  await search(page).fill('(a+)+$')
  await expect(
    page.getByText('The search took longer than one second and was stopped; no filter is applied.'),
  ).toBeVisible()
  await expect(status(page)).toContainText('100 of 101 lines')
  add(['12:00:01:I1:another line'])
  await expect(status(page)).toContainText('101 of 102 lines')
  await search(page).fill('another')
  await expect(status(page)).toContainText('1 of 102 lines')
  await expect(page.getByText('took longer than one second')).toHaveCount(0)
})

test('from a line found into its context, on to the next one, and back [11.7]', async ({ page, read }) => {
  const { sendLog } = await read('?q=Failed')
  sendLog(folded(1000))
  await expect(status(page)).toContainText('11 of 1,000 lines')
  await page.keyboard.press('Home')
  await page.keyboard.press('n')
  await page.keyboard.press('n')
  await expect(status(page)).toContainText('Match 2 of 11')
  await page.getByRole('button', { name: 'Show in context' }).click()
  await expect(logOf(page).locator('[aria-current]')).toContainText('line 97')
  await expect(lineSaying(page, /line 98$/)).toBeInViewport()
  await page.keyboard.press('n')
  await expect(logOf(page).locator('[aria-current]')).toContainText('line 194')
  await expect(lineSaying(page, /line 195$/)).toBeInViewport()
  await page.keyboard.press('N')
  await expect(status(page)).toContainText('Match 2 of 11')
  await page.getByRole('button', { name: 'Show matches only' }).click()
  await expect(lineSaying(page, /line 98$/)).toHaveCount(0)
  await lineSaying(page, /line 291$/).click()
  await page.keyboard.press('c')
  await expect(lineSaying(page, /line 292$/)).toBeInViewport()
})
