import type { Page } from '@playwright/test'
import { expect, test } from './signed-in.ts'

function donorOf(page: Page) {
  return page.getByRole('region', { name: 'Donor' })
}
function chartOf(page: Page) {
  return page.getByRole('region', { name: 'Over time' })
}

test('the machines view leads to the statistics by what was credited; points over time are drawn, can be chosen, and read by keyboard and as a table; a team’s owner edits it there [2.20, 6.3, 10.9]', async ({
  page,
  enter,
}) => {
  await enter({ machines: 1 })
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Credited, 24 h [\d,]{7,} points/ })
    .click()
  await expect(donorOf(page)).toContainText('Demo_Donor')
  const chart = chartOf(page)
  const line = chart.getByRole('slider', { name: 'PPD of the donor' })
  await expect(line.locator('canvas')).toBeVisible()
  const newest = await line.getAttribute('aria-valuetext')
  expect(newest).toMatch(/^[\d,]{7,}, .+ UTC\)$/)
  await line.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(line).not.toHaveAttribute('aria-valuetext', newest ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(line).toHaveAttribute('aria-valuetext', newest ?? '')
  await line.hover({ position: { x: 200, y: 60 } })
  await expect(line).not.toHaveAttribute('aria-valuetext', newest ?? '')

  await chart.getByRole('radiogroup', { name: 'Donor or team' }).getByText('Team', { exact: true }).click()
  await chart.getByRole('radiogroup', { name: 'Measure' }).getByText('Points').click()
  await chart.getByRole('radiogroup', { name: 'Time range' }).getByText('Week').click()
  await expect(page).toHaveURL(/\?chart=team&measure=score&range=week$/)
  await expect(chart.getByRole('slider', { name: 'Points of the team' }).locator('canvas')).toBeVisible()
  await chart.getByText('Show as table').click()
  const rows = chart.getByRole('table').getByRole('row')
  await expect(rows.first()).toHaveText('DayPPDPointsWork units')
  expect(await rows.count()).toBeGreaterThanOrEqual(7)
  await expect(rows.nth(1)).toHaveText(/^\w+ \d+, \d{4}[\d,]{6,}[\d,]{9,}[\d,]+$/)
  await page.reload()
  await expect(chart.getByRole('slider', { name: 'Points of the team' }).locator('canvas')).toBeVisible()

  const team = page.getByRole('region', { name: 'Team' })
  await team.getByRole('button', { name: 'Edit team 4242' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Team 4242' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Foldboard Fellows')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(team.getByRole('heading', { level: 2 })).toContainText('Foldboard Fellows')
})
