import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { badgesOf, chooseFromHeader, controlsOf, expectState, machineCalled, press } from './machines-view.ts'
import { expect, test } from './signed-in.ts'
import { test as baseTest } from './fixtures.ts'

function bar(page: Page): Locator {
  return page.getByRole('region', { name: 'Recording', exact: true })
}

async function save(page: Page, usesPseudonyms: boolean): Promise<string> {
  await chooseFromHeader(page, 'Recordings', 'Save a recording…')
  const dialog = page.getByRole('dialog', { name: 'Save a recording' })
  const names = dialog.getByRole('checkbox', { name: 'Replace names and addresses' })
  await expect(names).toBeChecked()
  if (!usesPseudonyms) await names.uncheck({ force: true })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  return (await download).path()
}

async function open(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await chooseFromHeader(page, 'Recordings', 'Open a recording…')
  await (await chooser).setFiles(path)
}

test('looking back plays what was seen, step by step, and reaches no machine; a recording is saved without secrets, opened in another browser, and shows the same', async ({
  page,
  enter,
  browser,
  pageErrors,
}) => {
  const { account, dashboardUrl, relay } = await enter({ machines: 2 })
  await expectState(page, 'atlas', 'Folding')
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
  await expect(bar(page)).toHaveCount(0)

  await chooseFromHeader(page, 'Recordings', 'Replay this session')
  await expect(bar(page)).toBeVisible()
  await expectState(page, 'atlas', 'Paused')
  await expect(bar(page).getByText('Nothing is sent to your machines.')).toBeVisible()
  const back = bar(page).getByRole('button', { name: 'Step back' })
  await expect(bar(page).getByRole('button', { name: 'Step forward' })).toHaveAttribute('aria-disabled', 'true')
  await expect(async () => {
    await back.click()
    await expect(controlsOf(page, 'atlas').getByRole('status')).toHaveText('Folding', { timeout: 100 })
  }).toPass({ intervals: [0] })
  await controlsOf(page, 'atlas').getByRole('button', { name: 'Finish atlas' }).click()
  await expect(bar(page).getByText('Not sent: this is a recording.')).toBeVisible()
  await expectState(page, 'atlas', 'Folding')
  await bar(page)
    .getByRole('button', { name: /^Speed/ })
    .click()
  await page.getByRole('menuitemradio', { name: '60 ×' }).click()
  await bar(page).getByRole('button', { name: 'Play' }).click()
  await expectState(page, 'atlas', 'Paused')
  await expect(bar(page).getByRole('button', { name: 'Play' })).toBeVisible()
  await bar(page).getByRole('button', { name: 'Leave' }).click()
  await expectState(page, 'atlas', 'Paused')

  await relay.stop()
  await expect(badgesOf(page, 'atlas')).toHaveText(['Disconnected'])
  const path = await save(page, false)
  const text = gunzipSync(await readFile(path)).toString()
  expect(text).toContain('atlas')
  for (const secret of [account.passphrase, 'PRIVATE KEY']) expect(text).not.toContain(secret)

  const other = await (await browser.newContext()).newPage()
  await pageErrors.watch(other)
  await other.goto(`${dashboardUrl}/machines`)
  await open(other, path)
  await expect(bar(other)).toContainText('Nothing is sent to your machines.')
  const slider = bar(other).getByRole('slider')
  await slider.press('End')
  await expect(badgesOf(other, 'atlas')).toHaveText(['Disconnected'])
  await expect(other.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
  await slider.press('Home')
  await expect(machineCalled(other, 'atlas')).toHaveCount(0)
  await bar(other)
    .getByRole('button', { name: /^Next error/ })
    .click()
  await expect(bar(other).getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await violations(other)).toEqual([])
  await bar(other).getByRole('button', { name: 'Leave' }).click()
  await expect(bar(other)).toHaveCount(0)
  await expect(other.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  await other.context().close()
})

baseTest(
  'names are replaced, and a recorded question does not block leaving the page',
  async ({ page, startTestNetwork }) => {
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    await page.goto(`${dashboardUrl}/machines`)
    await expectState(page, 'this-computer', 'Folding')
    await chooseFromHeader(page, 'Connect to a client')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const path = await save(page, true)
    expect(gunzipSync(await readFile(path)).toString()).not.toContain('this-computer')
    await open(page, path)
    await expect(bar(page)).toBeVisible()
    await bar(page).getByRole('slider').press('End')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^machine-\d+$/])
    const asked = page.getByRole('dialog', { name: /^Connect/ })
    await expect(async () => {
      await bar(page).getByRole('button', { name: 'Step back' }).click()
      await expect(asked).toBeVisible({ timeout: 100 })
    }).toPass({ intervals: [0] })
    await bar(page).getByRole('button', { name: 'Leave' }).click()
    await expect(asked).toHaveCount(0)
    await expectState(page, 'this-computer', 'Folding')
  },
)
