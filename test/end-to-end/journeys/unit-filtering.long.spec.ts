import { unitFilteringModel } from '../../../models/unit-filtering.model.ts'
import { fourUnits } from '../../unit-histories.ts'
import { expect, walkOnOnePage } from './walk.ts'

walkOnOnePage('unit filtering [2.29]', unitFilteringModel, { machines: 0 }, async (page, { dashboardUrl }) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Units' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import' }).click(),
  ])
  await chooser.setFiles({
    name: 'units.json',
    mimeType: 'application/json',
    buffer: Buffer.from(fourUnits(Date.now())),
  })
  await page.getByRole('alert').getByRole('button', { name: 'OK' }).click()
  const filter = page.getByRole('search', { name: 'Work units' })
  const days = filter.getByRole('textbox', { name: 'Within' })
  const projects = page
    .getByRole('table', { name: 'Recent Work Unit History' })
    .locator('[role=cell][data-column=project]')
  const choose = async (label: string, value: string): Promise<void> => {
    await filter.getByRole('button', { name: label }).click()
    await page.getByRole('option', { name: value, exact: true }).click()
  }
  const shows =
    (...list: readonly string[]) =>
    (): Promise<void> =>
      expect(projects).toHaveText([...list])
  const showsAll = shows('1001', '1003', '1004', '1002')
  return {
    again: async () => {
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      await page.goto(`${dashboardUrl}/wus`)
      await showsAll()
    },
    does: {
      'choose a core': () => choose('Core', '0x26'),
      'only completed ones': () => filter.getByRole('checkbox', { name: 'Complete' }).click({ force: true }),
      'choose failed ones': () => choose('State', 'Failed'),
      'reset the filter': () => filter.getByRole('button', { name: 'Reset stats filter' }).click(),
      'type days that are none': () => days.fill('soon'),
      'within a day': () => days.fill('1'),
      'sort by points': () => page.getByRole('button', { name: 'Sort by PPD' }).click(),
      reload: () => page.reload(),
    },
    sees: {
      everything: showsAll,
      ofCore: shows('1003', '1002'),
      completedOfCore: shows('1002'),
      stillCompletedOfCore: shows('1002'),
      nothing: async () => {
        await expect(projects).toHaveCount(0)
        await expect(page.getByRole('heading', { name: 'No matching work units.' })).toBeVisible()
      },
      lifted: showsAll,
      badDays: async () => {
        await expect(days).toHaveAttribute('aria-invalid', 'true')
        await showsAll()
      },
      recent: shows('1001', '1003'),
      sorted: shows('1002', '1004', '1001', '1003'),
      stillSorted: shows('1002', '1004', '1001', '1003'),
    },
  }
})
