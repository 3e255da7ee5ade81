import { attention, incident, open, openIncidents, troubled } from './attention-view.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('incidents are acknowledged in all tabs, and lead to cause, log and remedy by keyboard [13.6]', async ({
  page,
  context,
  stopAfterTest,
  pageErrors,
}) => {
  const client = await open(page, stopAfterTest, troubled())
  await attention(page).press('Enter')
  await expect(openIncidents(page)).toHaveCount(3)
  const other = await context.newPage()
  await pageErrors.watch(other)
  await other.goto(page.url())
  await expect(openIncidents(other)).toHaveCount(3)
  await page.bringToFront()
  await incident(page, 'Impossible setting').getByRole('button', { name: 'Acknowledge' }).click()
  // The button is gone: a screen reader continues at the heading.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(other.getByRole('list', { name: 'Acknowledged and snoozed' })).toContainText('Impossible setting')
  await expect(attention(other)).toHaveAccessibleName('Attention: 2 incidents')
  await other.close()

  await page.getByRole('tab', { name: 'Incidents' }).press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'History' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('radio', { name: 'All', exact: true }).press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Critical' })).toBeChecked()
  await expect(openIncidents(page)).toHaveCount(1)
  await expect(page).toHaveURL(/show=grave/)
  await expect(incident(page, 'Stopped').getByRole('link', { name: 'Log' })).toHaveAttribute('href', /\/log\?q=.*&at=/)
  await incident(page, 'Stopped').getByRole('link', { name: 'Log' }).press('Enter')
  const time = (ago: number): string => new Date(Date.now() - ago * 60_000).toISOString().slice(11, 19)
  client.say([
    'log',
    [
      ...Array.from({ length: 400 }, (_, line) => `${time(30)}:I1:WU1:Completed ${line} out of 500 steps`),
      `${time(20)}:W :WU7:Core returned BAD_WORK_UNIT (114)`,
      ...Array.from({ length: 100 }, (_, line) => `${time(10)}:I1:WU1:Completed ${400 + line} out of 500 steps`),
    ],
  ])
  const marked = page.getByRole('log').locator('[aria-current]')
  await expect(marked).toContainText('WU7:Core returned BAD_WORK_UNIT')
  await expect(marked).toBeInViewport()
  await expect(page.getByRole('log')).toContainText('Completed 399 out of 500 steps')
  await expect(page.getByText(/^The computation failed: .*\(Core returned BAD_WORK_UNIT \(114\)\)$/)).toHaveAttribute(
    'role',
    'status',
  )
  expect(await violations(page)).toEqual([])
})
