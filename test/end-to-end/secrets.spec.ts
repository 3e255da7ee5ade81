import { pbkdf2Sync, createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'
import { deriveSecrets, unwrapSecret } from '../../src/protocol/crypto/key-derivation.ts'
import { linkFor } from '../new-account.ts'
import { expectState } from './machines-view.ts'
import { readBrowserStorage } from './browser-storage.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './fixtures.ts'
import { placesOf, watch } from './leak-detector.ts'

const email = 'kept.secret@foldboard.example'
const passphrase = 'four §ecret Wörter, please'
const passkey = '0123456789abcdef0123456789abcdef'

/** The calls whose address or body the API itself demands to hold what opens an account (docs/product.md §7). */
const wherePasswordGoes = ['GET /account/secret, address', 'GET /login, address', 'PUT /register, body']
const wherePasskeyGoes = [
  'GET /user/Ada, address',
  'GET /user/Grace, address',
  'PUT /account, body',
  'PUT /register, body',
]

async function register(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.getByRole('dialog', { name: 'Login' }).getByRole('button', { name: 'Register' }).click()
  const form = page.getByRole('dialog', { name: 'Register' })
  await form.getByRole('textbox', { name: 'Email' }).fill(email)
  for (const label of ['Passphrase', 'Repeat passphrase'])
    await form.getByLabel(label, { exact: true }).fill(passphrase)
  await form.getByRole('textbox', { name: 'User name' }).fill('Ada')
  await form.getByLabel('Passkey', { exact: true }).fill(passkey)
  await form.getByRole('button', { name: 'Show passphrase', exact: true }).click()
  await form.getByRole('button', { name: 'Register' }).last().click()
  await page.getByRole('dialog', { name: 'Account registered' }).getByRole('button', { name: 'OK' }).click()
}

/** Changes something on each tab of the settings, with one save that fails. Gives the tokens, old and new. */
async function changeSettings(page: Page, { apiUrl }: Network): Promise<readonly string[]> {
  const save = page.getByRole('main').getByRole('button', { name: 'Save' })
  await page.getByRole('banner').getByRole('link', { name: 'Account of Ada' }).click()
  await page.getByRole('button', { name: 'Show passkey' }).click()
  await expect(page.getByLabel('Passkey', { exact: true })).toHaveValue(passkey)
  await page.getByRole('button', { name: 'Show account token' }).click()
  const token = page.getByLabel('Account token', { exact: true })
  const before = await token.inputValue()
  await page.getByRole('button', { name: 'Generate a new token' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Generate' }).click()
  await expect(token).not.toHaveValue(before)
  await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
  await page.route(`${apiUrl}/account`, route => route.abort())
  await save.click()
  await page.getByRole('dialog', { name: 'Save Failed' }).getByRole('button', { name: 'OK' }).click()
  await page.unroute(`${apiUrl}/account`)
  await save.click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Grace' })).toBeVisible()
  await page.getByRole('tab', { name: 'Teams' }).click()
  await page.getByRole('button', { name: 'New Team' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Keepers')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table')).toContainText('Keepers')
  await page.getByRole('tab', { name: 'Settings' }).click()
  return [before, await token.inputValue()]
}

/** What only the user and this page may have. */
async function innermost(
  page: Page,
): Promise<{ readonly derived: Buffer; readonly pkcs8: Uint8Array; readonly password: string }> {
  const salt = createHash('sha256').update(email).digest()
  const derived = pbkdf2Sync(Buffer.from(passphrase, 'latin1'), salt, 100_000, 32, 'sha256')
  const secrets = await deriveSecrets(email, passphrase)
  // The browser drops bodies of earlier answers, so this one is read before it reaches the page.
  const answer = await new Promise<string>(resolve => {
    void page.route(/\/account\/secret\?/, async route => {
      const response = await route.fetch()
      resolve(await response.text())
      await route.fulfill({ response })
    })
  })
  const { secret } = JSON.parse(answer) as { readonly secret: string }
  const pkcs8 = await unwrapSecret(secrets, secret)
  if (!pkcs8.ok) throw new Error('The account’s key cannot be unwrapped.')
  return { derived, pkcs8: pkcs8.value, password: secrets.password }
}

/** How the page fetches addresses that hold one of these texts: with which cache, and telling whom where it was. */
async function listenToFetches(page: Page, parts: readonly string[]) {
  const received: object[] = []
  await page.exposeFunction('noteFetch', (manners: object) => received.push(manners))
  await page.addInitScript(texts => {
    const fetchReally = fetch
    const { noteFetch } = globalThis as unknown as { readonly noteFetch: (manners: object) => void }
    globalThis.fetch = (resource, options) => {
      const { cache, referrerPolicy } = options ?? {}
      if (typeof resource === 'string' && texts.some(text => resource.includes(text)))
        noteFetch({ cache, referrerPolicy })
      return fetchReally(resource, options)
    }
  }, parts)
  return (): readonly object[] => received
}

test('a whole session leaves no secret in the browser, on the console or in the network’s log, during it or after logging out [7.29]', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  pageErrors.expect(/net::ERR_FAILED/)
  const network = await startTestNetwork({ machines: 0 })
  const { sightings, look, record } = watch(page)
  const demanding = await listenToFetches(page, ['password=', 'passkey='])
  await page.goto(network.dashboardUrl)
  await register(page)
  await record()
  await page.goto(await linkFor(network, email))
  await expect(page.getByRole('main')).toContainText('Email verified.')
  await page.goto(`${network.dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  const [{ derived, pkcs8, password }] = await Promise.all([innermost(page), signIn(page, { email, passphrase })])
  await expect.poll(() => network.relay.clientCount()).toBe(1)
  const tokens = await changeSettings(page, network)
  const duringSettings = await readBrowserStorage(page)
  await record()
  const [restoring] = await Promise.all([page.waitForRequest(`${network.apiUrl}/account`), page.reload()])
  const { authorization: session = '' } = restoring.headers()
  expect(session.length).toBeGreaterThan(10)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Grace' })).toBeVisible()
  await page.goto(`${network.dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  // The donor’s points are asked for once this browser’s store was read, which may be after the state is shown.
  await expect.poll(() => placesOf(sightings(), passkey)).toContain('GET /user/Grace, address')
  await look()

  const seen = sightings()
  const seenBefore = seen.length
  expect(seen.map(({ where }) => where)).toEqual(
    expect.arrayContaining([
      'browser',
      'screen',
      'recording',
      'PUT /account, body',
      '/api/websocket, message',
      '/ws/account, message',
    ]),
  )
  for (const secret of [passphrase, derived, pkcs8]) expect(placesOf(seen, secret)).toEqual([])
  expect(placesOf(seen, password)).toEqual(wherePasswordGoes)
  expect(placesOf(seen, passkey)).toEqual(wherePasskeyGoes)
  // A client is linked with the token that was good then, and with no other.
  expect(tokens.map(token => placesOf(seen, token))).toEqual([['/api/websocket, message'], []])
  expect(demanding().length).toBeGreaterThanOrEqual(4)
  for (const manners of demanding()) expect(manners).toEqual({ cache: 'no-store', referrerPolicy: 'no-referrer' })
  for (const storage of [duringSettings, await readBrowserStorage(page)]) {
    expect(storage.keys.filter(({ type, extractable }) => type !== 'public' && extractable)).toEqual([])
    for (const secret of [passphrase, password, passkey, session, ...tokens]) expect(storage.text).not.toContain(secret)
  }

  await page.getByRole('banner').getByRole('link', { name: 'Account of Grace' }).click()
  const leaving = page.waitForResponse(`${network.apiUrl}/logout`)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.locator('#main:focus, #main h1:focus')).toHaveCount(1)
  await leaving
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  expect((await fetch(`${network.apiUrl}/account`, { headers: { authorization: session } })).status).toBe(401)
  await expect.poll(async () => (await readBrowserStorage(page)).keys).toEqual([])
  await look()
  const after = sightings().slice(seenBefore)
  for (const secret of [passphrase, derived, pkcs8, password, ...tokens, email])
    expect(placesOf(after, secret)).toEqual([])
  // The client on this computer has it in its own settings, and its statistics are asked for.
  expect(placesOf(after, passkey).filter(place => place !== 'GET /user/Grace, address')).toEqual([])
})
