import { deriveSecrets } from '../../src/protocol/crypto/key-derivation.ts'
import { makeAccount } from '../new-account.ts'
import { readBrowserStorage } from './browser-storage.ts'
import { holdersOf } from './heap.ts'
import { expectState } from './machines-view.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './signed-in.ts'

test('after logging out nothing in the page’s memory holds the passphrase, the passkey, a token or the session', async ({
  page,
  startTestNetwork,
}) => {
  const network = await startTestNetwork({ machines: 0 })
  // The passphrase of the demo account is no secret: the page is given it.
  const credentials = await makeAccount(network)
  const received: string[] = []
  await page.route(/\/(?:login|account)(?:\?|$)/, async route => {
    const response = await route.fetch()
    received.push(await response.text())
    await route.fulfill({ response })
  })
  await page.goto(`${network.dashboardUrl}/machines`)
  await signIn(page, credentials)
  await expect(page.getByRole('banner').getByRole('link', { name: /^Account of/ })).toBeVisible()
  // The search finds what is there.
  expect(await holdersOf(page, [credentials.email])).not.toEqual([])
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Account of/ })
    .click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  const { password } = await deriveSecrets(credentials.email, credentials.passphrase)
  const said = [...received.join('\n').matchAll(/"(?:token|id)":"([^"]{20,})"/g)].map(([, text = '']) => text)
  const account = /"id":"([\w-]{43})"/.exec(received.join('\n'))?.[1]
  const secrets = [
    credentials.passphrase,
    password,
    ...said.filter(text => !/^[\w-]{43}$/.test(text) || text === account),
  ]
  expect(secrets.length).toBeGreaterThan(2)
  await expect.poll(() => holdersOf(page, secrets), { timeout: 60_000 }).toEqual([])
})

test('logging out leaves nothing of the account’s machines in the browser', async ({ page, enter }) => {
  await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  // What is known of machines is stored every few seconds.
  await expect.poll(async () => (await readBrowserStorage(page)).text, { timeout: 30_000 }).toContain('\natlas\n')
  await page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No machines found' })).toBeVisible()
  const { keys, text } = await readBrowserStorage(page)
  expect(keys).toEqual([])
  expect(text.includes('atlas')).toBe(false)
})
