import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { serveAlone } from '../../network/index.ts'
import { violations } from './axe.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { chooseFromHeader, chooseFromMenu, expectTotals } from './machines-view.ts'
import { expect, test } from './fixtures.ts'

const machineData = (name: string) =>
  clientData({ info: { id: `${name}-id`, mach_name: name, hostname: name }, units: [unitData({ id: `${name}-unit` })] })

const machines = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 })

const openList = async (page: Page) => {
  await chooseFromHeader(page, 'Connect to a client')
  await page.getByRole('button', { name: 'All direct clients' }).click()
  return page.getByRole('dialog', { name: 'Direct clients' })
}

test('several --client are several machines on one origin, and one client under two of them is one', async ({
  page,
  stopAfterTest,
}) => {
  const [attic, cellar] = [
    stopAfterTest(await startScriptedClient(machineData('attic'))),
    stopAfterTest(await startScriptedClient(machineData('cellar'))),
  ]
  const { dashboardUrl } = stopAfterTest(
    await serveAlone({
      port: 0,
      client: attic.address,
      otherClients: [cellar.address, { ...attic.address, host: 'localhost' }],
    }),
  )
  await page.goto(`${dashboardUrl}/machines`)
  await expect(machines(page)).toHaveText(['attic', 'cellar'])
  await expectTotals(page, ['2', '8', '0', '246,912'])
  await chooseFromMenu(page, 'Actions for attic', 'Details')
  await expect(page.getByRole('region', { name: 'Connections' }).getByRole('definition')).toHaveText([
    /^localhost:\d+(?:\/clients\/3)?, connected$/,
    /^localhost:\d+(?:\/clients\/3)?, connected$/,
  ])
})

test('direct clients are added with names, moved by keyboard, removed, exported and kept', async ({
  page,
  stopAfterTest,
}) => {
  const clients = await Promise.all(['attic', 'cellar'].map(name => startScriptedClient(machineData(name))))
  for (const client of clients) stopAfterTest(client)
  const [attic = '', cellar = ''] = clients.map(({ address: { host, port } }) => `${host}:${port}`)
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: { host: '127.0.0.1', port: 9 } }))
  // As an earlier version stored it.
  await page.addInitScript(
    address =>
      localStorage.getItem('foldboard.addresses') ??
      localStorage.setItem('foldboard.addresses', JSON.stringify([address])),
    attic,
  )
  await page.goto(`${dashboardUrl}/machines`)
  const list = await openList(page)
  const names = list.getByRole('textbox', { name: /^Name of/ })
  await expect(names).toHaveCount(1)
  await list.getByRole('textbox', { name: 'Address' }).fill('http://cellar/')
  await page.keyboard.press('Enter')
  await expect(list).toContainText('Enter a host name or IP address')
  await list.getByRole('textbox', { name: 'Address' }).fill(attic)
  await page.keyboard.press('Enter')
  await expect(list).toContainText('The list has a client at this address.')
  await list.getByRole('textbox', { name: 'Address' }).fill(cellar)
  await list.getByRole('textbox', { name: 'Name (optional)' }).fill('Downstairs')
  await page.keyboard.press('Enter')
  await expect(names).toHaveCount(2)
  await names.first().fill('Upstairs')
  await page.keyboard.press('Enter')
  await expect(list.getByText('Connected', { exact: true })).toHaveCount(2)
  expect(await violations(page)).toEqual([])

  await list.getByRole('button', { name: 'Move Downstairs up' }).focus()
  await page.keyboard.press('Enter')
  await expect(names.first()).toHaveValue('Downstairs')
  await expect(list.getByRole('status')).toHaveText('Downstairs is now 1 of 2.')
  await expect(list.getByRole('button', { name: 'Move Downstairs up' })).toBeFocused()

  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toBe(`address,name\r\n${cellar},Downstairs\r\n${attic},Upstairs\r\n`)
  await list.getByRole('button', { name: 'Done' }).click()
  await expect(machines(page).filter({ hasText: 'stairs' })).toHaveText(['Downstairs', 'Upstairs'])

  await page.reload()
  await expect(machines(page).filter({ hasText: 'stairs' })).toHaveText(['Downstairs', 'Upstairs'])
  const again = await openList(page)
  await again.getByRole('button', { name: 'Remove Downstairs' }).click()
  await expect(again.getByRole('button', { name: 'Remove Upstairs' })).toBeFocused()
  await again.getByRole('button', { name: 'Done' }).click()
  await expect(machines(page).filter({ hasText: 'stairs' })).toHaveText(['Upstairs'])
  expect(clients[1]?.readers()).toBe(0)
})

test('a list is shown line by line before anything of it connects', async ({ page, stopAfterTest }) => {
  const attic = stopAfterTest(await startScriptedClient(machineData('attic')))
  const { port } = attic.address
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: { host: '127.0.0.1', port: 9 } }))
  await page.goto(`${dashboardUrl}/machines`)
  await (await openList(page)).getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import direct clients' })
  await dialog
    .getByRole('textbox', { name: 'List' })
    .fill(`# at home\n127.0.0.1:${port} Attic\nhttp://nas/\n127.0.0.1:${port}\n`)
  await expect(dialog.getByRole('list', { name: 'Preview' }).getByRole('listitem')).toHaveText([
    /^Line 2.*Attic.*New$/,
    /^Line 3.*http:\/\/nas\/.*Not a host name/,
    /^Line 4.*The same address as line 2$/,
  ])
  expect(attic.readers()).toBe(0)
  expect(await violations(page)).toEqual([])
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Open a file' }).click()
  await (
    await chooser
  ).setFiles({
    name: 'clients.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([{ host: '127.0.0.1', port, name: 'From a file' }])),
  })
  await expect(dialog.getByRole('listitem')).toHaveText([/From a file.*New$/])
  await dialog.getByRole('button', { name: 'Take over 1 client' }).click()
  const list = page.getByRole('dialog', { name: 'Direct clients' })
  await expect(list.getByRole('textbox', { name: `Name of 127.0.0.1:${port}` })).toHaveValue('From a file')
  await expect.poll(() => attic.readers()).toBe(1)
})
