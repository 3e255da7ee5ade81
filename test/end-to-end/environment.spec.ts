import { serveAlone } from '../../programs/network/index.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'
import { expectStates, machineCalled, unitsOf } from './machines-view.ts'
import { expect, test } from './fixtures.ts'

test('a page without access to cryptography reports why signing in is impossible, and shows a direct client all the same', async ({
  page,
  startTestNetwork,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false })
    Object.defineProperty(crypto, 'subtle', { value: undefined })
  })
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expect(page.getByRole('main')).toContainText('You cannot log in here')
  await expectStates(page, ['2 running'])
})

test('states and groups of a newer client are shown as they are, and HTML in their texts is text [12.2]', async ({
  page,
  stopAfterTest,
}) => {
  const hostile = '<img src=x onerror="globalThis.harmed = true"><script>globalThis.harmed = true</script>'
  const gpu = 'gpu:01:00:00'
  const card = { type: 'nvidia', supported: true, description: hostile, vendor: 4318, device: 1 }
  const assignment = { ...unitData().assignment, project: hostile }
  const data = clientData({
    info: { mach_name: hostile, version: '9.0.0', gpus: { [gpu]: card } },
    groups: {
      '': { config: groupConfig() },
      [hostile]: { config: groupConfig({ gpus: { [gpu]: { enabled: true } } }), failed: hostile },
    },
    units: [
      unitData({ state: 'TELEPORT', ppd: 7 }),
      unitData({ id: hostile, number: 2, group: hostile, gpus: [gpu], pause_reason: hostile, assignment }),
    ],
  })
  const client = stopAfterTest(await startScriptedClient(data))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  await expect(machineCalled(page, hostile)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(hostile)
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Default', hostile])
  await expect(unitsOf(page, `${hostile}, Default`)).toContainText('TELEPORT')
  await expect(unitsOf(page, `${hostile}, ${hostile}`)).toContainText(`${hostile}.Log`)
  await page.getByRole('button', { name: `Actions for ${hostile}`, exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
  await expect(page.locator('main img, main script')).toHaveCount(0)
})
