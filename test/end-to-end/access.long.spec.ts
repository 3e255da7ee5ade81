import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { clientData, groupConfig, startScriptedClient } from './scripted-client.ts'
import { follow } from './screens.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 1280, height: 2600 } })

test('axe finds no violation in details and settings of a machine, with a conflict and while it is disconnected', async ({
  page,
  stopAfterTest,
}) => {
  const gpus = {
    'gpu:01:00:00': { description: 'New', supported: true },
    'gpu:02:00:00': { description: 'Old', supported: false },
  }
  const groups = {
    '': { config: groupConfig({ gpus: { 'gpu:65:00:00': { enabled: true } } }) },
    '<b>night</b>': { config: groupConfig({ key: 7 }) },
  }
  const client = stopAfterTest(await startScriptedClient(clientData({ info: { gpus }, groups })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/__direct__/details`)
  await expect(page.getByRole('heading', { name: 'GPU 01:00:00' })).toBeVisible()
  expect(await violations(page), 'details').toEqual([])
  await follow(page, '/__direct__/settings')
  await page.getByRole('textbox', { name: 'User name' }).fill('A')
  await page.getByRole('slider', { name: 'CPUs' }).press('Home')
  client.say(['groups', '', 'config', 'cpus', 3], ['groups', 'made elsewhere', { config: groupConfig() }])
  await expect(page.getByRole('alert')).toContainText('CPUs of Default was changed here and on the machine.')
  expect(await violations(page), 'a conflict').toEqual([])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('__proto__')
  expect(await violations(page, { within: '[role=dialog]' }), 'the dialog for a new group').toEqual([])
  await page.keyboard.press('Escape')
  client.stop()
  await expect(page.getByRole('main')).toContainText('The machine is not connected.')
  expect(await violations(page), 'disconnected').toEqual([])
})
