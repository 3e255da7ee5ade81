import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import Papa from 'papaparse'
import { endedUnit } from '../bench/ended-units.ts'
import { expect } from './fixtures.ts'
import { chooseFromMenu } from './machines-view.ts'
import { choose, column, count, filter, grid, open, START, test } from './work-units-view.ts'

async function textsOf(cells: Locator): Promise<readonly string[]> {
  return cells.allTextContents()
}

test('entering the view asks the machine for its history, once, and lists it newest first [2.31, 2.32]', async ({
  page,
  home,
}) => {
  await open(page)
  const rows = grid(page).getByRole('row')
  await expect(rows.nth(1).getByRole('cell')).toHaveText([
    'puppet',
    '18400',
    '0xa9',
    'Linux',
    'Credited',
    '100.0%',
    '30s',
    '100,000',
    /^Nov 20, 2026, \d+:10/,
    '~3,472',
    '',
  ])
  await expect(grid(page).getByRole('columnheader', { name: 'Assign Time' })).toHaveAttribute('aria-sort', 'descending')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '41')
  expect(home.commands()).toMatchObject([{ cmd: 'wus', enable: true }])
  await page.goBack()
  await open(page)
  expect(home.commands()).toHaveLength(1)
  const newest = {
    ...endedUnit(0, START + 3_600_000),
    id: 'just-now',
    assignment: { ...endedUnit(0, START + 3_600_000).assignment, project: 12_345 },
  }
  home.say(['wus', -2, [newest]])
  await expect(count(page)).toHaveText('41 units')
  await expect(rows.nth(1)).toContainText('12345')
})

test('a benchmark leads to its units, and the way back to the benchmarks; what is shown stands in the address: it survives a reload and the way back', async ({
  page,
  home: _,
}) => {
  await open(page)
  await page.getByRole('tab', { name: 'Benchmarks' }).click()
  const benchmarks = page.getByRole('table', { name: 'Benchmarks' })
  const first = benchmarks.getByRole('row').nth(1)
  await expect(first).toContainText('18400')
  await page.getByRole('button', { name: 'Sort by Average PPD' }).click()
  const cells = await first.getByRole('cell').allTextContents()
  const [project = '', resources = '', core = '', units = ''] = cells
  await first.getByRole('link').click()
  await expect(count(page)).toHaveText(new RegExp(`^${units} of 40 units`))
  expect(new Set(await textsOf(column(page, 'project')))).toEqual(new Set([project]))
  await expect(filter(page).getByRole('button', { name: 'Resources' })).toContainText(resources)
  await expect(filter(page).getByRole('button', { name: 'Core' })).toContainText(core)
  await page.goBack()
  await expect(benchmarks.getByRole('row').nth(1).getByRole('cell')).toHaveText(cells)

  await open(page)
  await choose(page, 'Core', '0x26')
  await page.getByRole('button', { name: 'Sort by PPD' }).click()
  await expect(grid(page).getByRole('columnheader', { name: 'PPD' })).toHaveAttribute('aria-sort', 'descending')
  const shown = await textsOf(column(page, 'ppd'))
  expect(new URL(page.url()).search).toBe('?core=0x26&sort=-ppd')
  await page.reload()
  await expect(column(page, 'ppd')).toHaveText([...shown])
  await grid(page).getByRole('link', { name: 'View Work Unit details' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Work Unit Details')
  await page.goBack()
  await expect(column(page, 'ppd')).toHaveText([...shown])
  await expect(filter(page).getByRole('button', { name: 'Core' })).toContainText('0x26')
})

test('what is shown is exported, can be read by other programs, and imported again [11.6]', async ({
  page,
  home: _,
}) => {
  await open(page)
  await choose(page, 'Project', '18407')
  await expect(count(page)).toHaveText('2 of 40 units')
  await page.getByRole('button', { name: 'Sort by Project' }).click()
  const projects = await textsOf(column(page, 'project'))
  const saved = async (format: string, holdsIds: boolean): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      format === 'CSV'
        ? page.getByRole('button', { name: 'Export CSV' }).click()
        : chooseFromMenu(page, 'More', 'Export JSON'),
    ])
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^work-units-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
    )
    await expect(page.getByRole('alert')).toContainText(`${projects.length} work units exported.`)
    await expect(page.getByText('The file contains machine IDs.')).toHaveCount(holdsIds ? 1 : 0)
    return readFile(await download.path(), 'utf8')
  }
  const shared = await saved('CSV', false)
  expect(shared).toContain('puppet')
  expect(shared).not.toContain('Machine ID')
  await chooseFromMenu(page, 'More', 'Machine IDs in CSV')
  const csv = Papa.parse<Record<string, string>>((await saved('CSV', true)).replace(/^\uFEFF/, ''), { header: true })
  expect(csv.data.every(line => line['Machine ID'] !== '')).toBe(true)
  expect(csv.errors).toEqual([])
  expect(csv.data.map(line => line['Project'])).toEqual(projects)
  expect(csv.data.every(line => line['Status'] === 'Credited' && line['Machine'] === 'puppet')).toBe(true)
  const json = JSON.parse(await saved('JSON', true)) as { units: readonly { id: string }[] }
  expect(json.units).toHaveLength(projects.length)

  await filter(page).getByRole('button', { name: 'Reset stats filter' }).click()
  await chooseFromMenu(page, 'More', 'Clear')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
  const give = async (name: string, content: string): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import' }).click(),
    ])
    await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
  }
  await give('units.json', JSON.stringify(json))
  await expect(page.getByRole('alert')).toHaveText(/^2 new work units imported\./)
  await expect(count(page)).toHaveText('2 units')
  await give('units.csv', Papa.unparse(csv.data))
  await expect(page.getByRole('alert')).toContainText(
    '0 new work units imported. 2 work units were already in the history.',
  )
  await page.getByRole('alert').getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
