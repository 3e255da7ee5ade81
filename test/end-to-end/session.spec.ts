import type { Page } from '@playwright/test'
import { signIn as signInAtApi } from '../network/page.ts'
import { readBrowserStorage } from './browser-storage.ts'
import { badgesOf, expectState, machineCalled } from './machines-view.ts'
import { hideLocalClient } from './page-state.ts'
import { expect, test } from './signed-in.ts'
import { signIn, submitLogin } from './sign-in.ts'
import { test as baseTest } from './fixtures.ts'

const nobodyHome = (page: Page) => page.getByRole('heading', { name: 'No machines found' })

test('a reload keeps signed in, and asks for no passphrase', async ({ page, enter }) => {
  await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  await page.reload()
  await expectState(page, 'atlas', 'Folding')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
})

test('what this browser keeps holds no passphrase, no key that can be read and no session in the clear', async ({
  page,
  enter,
}) => {
  const { apiUrl, account } = await enter({ machines: 1 })
  const session = page.waitForRequest(request => request.url() === `${apiUrl}/account`)
  await page.reload()
  const token = (await session).headers()['authorization'] ?? ''
  await expectState(page, 'atlas', 'Folding')
  expect(token.length).toBeGreaterThan(10)
  const kept = await readBrowserStorage(page)
  expect(kept.keys.length).toBeGreaterThan(0)
  expect(kept.keys.filter(key => key.type !== 'public' && key.extractable)).toEqual([])
  for (const secret of [account.passphrase, token, 'PRIVATE KEY', 'passphrase']) expect(kept.text).not.toContain(secret)
})

test('logging out leaves no machines, nothing kept, and no session at the server', async ({ page, enter }) => {
  const { apiUrl, account } = await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  await page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' }).click()
  const asked = page.waitForResponse(`${apiUrl}/logout`)
  await page.getByRole('button', { name: 'Logout' }).click()
  const response = await asked
  expect(response.status()).toBe(200)
  await expect(nobodyHome(page)).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page.getByRole('banner')).not.toContainText('Foldboard Friends')
  expect(
    (
      await fetch(`${apiUrl}/account`, {
        headers: { authorization: response.request().headers()['authorization'] ?? '' },
      })
    ).status,
  ).toBe(401)
  await page.reload()
  await expect(nobodyHome(page)).toBeVisible()
  expect((await readBrowserStorage(page)).keys.map(({ type }) => type)).not.toContain('private')
  await signIn(page, account)
  await expectState(page, 'atlas', 'Folding')
})

test('logging out works even when the account server cannot be reached', async ({ page, enter }) => {
  const { apiUrl } = await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  await page.route(`${apiUrl}/**`, route => route.abort())
  await page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(nobodyHome(page)).toBeVisible()
  await page.reload()
  await expect(nobodyHome(page)).toBeVisible()
  expect((await readBrowserStorage(page)).keys.map(({ type }) => type)).not.toContain('private')
})

test('the end of a session by the server is shown, and its machines are removed', async ({
  page,
  enter,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401/)
  const { apiUrl } = await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  const headers = {
    'access-control-allow-origin': new URL(page.url()).origin,
    'access-control-allow-credentials': 'true',
  }
  await page.route(`${apiUrl}/account`, route =>
    route.fulfill({ status: 401, json: { error: 'Not logged in' }, headers }),
  )
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Logged out' })).toContainText(
    'Your session has ended. Log in again to see your machines.',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
  await expect(nobodyHome(page)).toBeVisible()
})

baseTest(
  'the login dialog says what is missing, what is wrong, and keeps the address',
  async ({ page, startTestNetwork, pageErrors }) => {
    pageErrors.expect(/status of 40[14]/)
    const { dashboardUrl, account } = await startTestNetwork({ machines: 0 })
    await hideLocalClient(page)
    await page.goto(dashboardUrl)
    const dialog = page.getByRole('dialog', { name: 'Login' })
    await submitLogin(page, { email: '', passphrase: '' })
    await expect(dialog).toContainText('A valid email address is required')
    await dialog.getByRole('textbox', { name: /^e-?mail/i }).fill('not an address')
    await dialog.getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toContainText('Invalid email address')
    await dialog.getByRole('textbox', { name: /^e-?mail/i }).fill(account.email)
    await dialog.getByLabel('Passphrase', { exact: true }).fill('too short')
    await dialog.getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toContainText('Your passphrase must be at least 10 characters long')
    await dialog.getByLabel('Passphrase', { exact: true }).fill('long enough but wrong')
    await dialog.getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toContainText('The email address or passphrase is wrong.')
    await expect(dialog.getByRole('textbox', { name: /^e-?mail/i })).toHaveValue(account.email)
    await dialog.getByLabel('Passphrase', { exact: true }).fill(account.passphrase)
    await dialog.getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(nobodyHome(page)).toBeVisible()
    await expect(page.getByRole('main')).toContainText('No machine is linked to this account.')
  },
)

baseTest(
  'a linked client on this computer is shown once: directly while it can be reached so, else through the relay',
  async ({ page, startTestNetwork }) => {
    const { dashboardUrl, apiUrl, account, local, direct, relay } = await startTestNetwork({ machines: 0 })
    const { token = '' } = await (await signInAtApi(apiUrl, account)).account()
    local.client.attach(() => undefined).receive({ cmd: 'link', token, name: 'both-ways' })
    await expect.poll(() => relay.clientCount()).toBe(1)
    await page.goto(dashboardUrl)
    await signIn(page, account)
    const panel = machineCalled(page, 'both-ways')
    await expect(panel).toContainText('Direct client at')
    await expect(badgesOf(page, 'both-ways')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['both-ways'])
    await direct.stop()
    const relayed = panel.filter({ hasText: 'FAH ID' })
    await relayed.getByRole('button', { name: 'Pause both-ways', exact: true }).click()
    await expect(
      relayed.getByRole('group', { name: 'Fold, pause or finish both-ways' }).getByRole('status'),
    ).toHaveText('Paused')
    await direct.start()
    await expect(relayed).toHaveCount(0)
    await expectState(page, 'both-ways', 'Paused')
  },
)
