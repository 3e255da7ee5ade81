import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient } from './scripted-client.ts'
import { machineSettingsOf } from './machine-settings-view.ts'
import { expect, test } from './signed-in.ts'

test('settings do not move when they are saved, and each way out of them asks while something is unsaved', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  // Chromium asks once a navigation, and writes down when it did not ask again.
  pageErrors.expect(/'beforeunload' confirmation panel/)
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  const view = machineSettingsOf(page)
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  const stay = () => question.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${dashboardUrl}/machines`)
  await page.getByRole('button', { name: 'Actions for this-computer' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('main').getByText('Keep Awake', { exact: true }).click()
  const place = () =>
    page.getByRole('region', { name: 'Account' }).evaluate(node => {
      const { left, top, width, height } = node.getBoundingClientRect()
      return { left, top: top + scrollY, width, height }
    })
  const before = await place()
  await view.save()
  await view.expectSaved()
  expect(await place()).toEqual(before)

  await view.setCpus(2)
  for (const leave of [
    () => page.getByRole('navigation', { name: 'this-computer' }).getByRole('link', { name: 'Log' }).click(),
    () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stats' }).click(),
    () => page.getByRole('main').getByRole('button', { name: 'Cancel' }).click(),
    () =>
      page.evaluate(() => {
        history.back()
      }),
  ]) {
    await leave()
    await stay()
    await expect(page).toHaveURL(/\/settings$/)
    await view.expectCpus(2)
  }
  for (const leave of [() => page.goto(`${dashboardUrl}/news`), () => page.close({ runBeforeUnload: true })]) {
    const asked = page.waitForEvent('dialog')
    // What was refused may never say that it is over.
    void leave().catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await view.expectCpus(2)
  }
})

test('details are copied for a bug report, without a passkey', async ({ page, context, stopAfterTest }) => {
  const gpus = { 'gpu:01:00:00': { description: 'AD102', vendor: 4318, device: 9860 } }
  const passkey = '0123456789abcdef0123456789abcdef'
  const data = clientData({ info: { gpus }, config: { user: 'Ada', passkey } })
  const client = stopAfterTest(await startScriptedClient(data))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${dashboardUrl}/__direct__/details`)
  await page.getByRole('button', { name: 'Copy all' }).click()
  await expect(page.getByText('Details copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('PCI Device ID: 0x2684')
  expect(copied).toContain('Hostname: puppet')
  expect(copied).not.toContain(passkey)
})
