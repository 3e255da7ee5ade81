import { readFile } from 'node:fs/promises'
import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { clientData, startScriptedClient } from './scripted-client.ts'
import { chooseFromHeader, machineCalled } from './machines-view.ts'
import { CLOSED_ADDRESS, expect, test } from './fixtures.ts'

test('a direct client is added by the keyboard in all tabs, named, exported and kept [11.8]', async ({
  page,
  context,
  pageErrors,
  stopAfterTest,
}) => {
  const client = stopAfterTest(await startScriptedClient(clientData()))
  const address = `${client.address.host}:${client.address.port}`
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: CLOSED_ADDRESS }))
  const other = await context.newPage()
  await pageErrors.watch(other)
  await other.goto(`${dashboardUrl}/machines`)
  await page.goto(`${dashboardUrl}/machines`)
  await chooseFromHeader(page, 'Connect to a client')
  await page.getByRole('button', { name: 'All direct clients' }).click()
  const list = page.getByRole('dialog', { name: 'Direct clients' })
  await list.getByRole('textbox', { name: 'Address' }).fill(address)
  await page.keyboard.press('Enter')
  await list.getByRole('textbox', { name: `Name of ${address}` }).fill('Upstairs')
  await page.keyboard.press('Enter')
  await expect(list.getByText('Connected', { exact: true })).toHaveCount(1)
  await expect(machineCalled(other, 'Upstairs')).toContainText('Folding')
  expect(await violations(page)).toEqual([])
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Export CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe(`address,name\r\n${address},Upstairs\r\n`)
  await page.reload()
  await expect(machineCalled(page, 'Upstairs')).toContainText('Folding')
})
