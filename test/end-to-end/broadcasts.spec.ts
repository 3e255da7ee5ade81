import type { Page } from '@playwright/test'
import { signIn as signInAtApi } from '../network/page.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { createBroadcast } from '../../src/protocol/crypto/envelope.ts'
import { makeAccount } from '../new-account.ts'
import { openAccountSocket } from './account-socket.ts'
import { expectState, machineCalled, press } from './machines-view.ts'
import { expect, test } from './signed-in.ts'
import { submitLogin } from './sign-in.ts'
import { test as baseTest } from './fixtures.ts'

const MINUTE = 60_000

const countRefreshes = (page: Page, apiUrl: string): (() => number) => {
  let refreshes = 0
  page.on('request', request => {
    if (request.url() === `${apiUrl}/account` && request.method() === 'GET') refreshes += 1
  })
  return () => refreshes
}

const broadcastIn = (text: string): JsonObject => (JSON.parse(text) as { readonly payload: JsonObject }).payload
const isBroadcast =
  (cmd: string) =>
  (text: string): boolean =>
    text.startsWith('{"type":"broadcast"') && text.includes(`"cmd":"${cmd}"`)

test('commands to all machines, and saved settings, are broadcasts that other pages of the account receive', async ({
  page,
  enter,
  stopAfterTest,
  pageErrors,
}) => {
  pageErrors.expect(/nowhere\.foldboard\.example/)
  const network = await enter({ machines: 2, uniform: true })
  const { accountSocket } = stopAfterTest(await openAccountSocket(network))
  const states = page.getByRole('group', { name: /^Fold, pause or finish (?!.* on ).+$/ }).getByRole('status')
  await expect(states).toHaveText(['Folding', 'Folding'])
  await page.getByRole('button', { name: 'Pause All' }).click()
  expect(broadcastIn(await accountSocket.next(isBroadcast('state')))).toMatchObject({ cmd: 'state', state: 'pause' })
  await expect(states).toHaveText(['Paused', 'Paused'])

  await page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' }).click()
  const save = page.getByRole('main').getByRole('button', { name: 'Save' })
  await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
  await save.click()
  const broadcast = broadcastIn(await accountSocket.next(isBroadcast('config')))
  expect(broadcast).toEqual({ cmd: 'config', time: broadcast['time'], config: { user: 'Grace' } })

  // Nothing answers at the new node: the machines hear of it through the old one, and this page then tries the new one.
  const moved = page.waitForEvent('websocket', socket => socket.url() === 'ws://nowhere.foldboard.example/ws/account')
  await page.getByRole('textbox', { name: 'Node' }).fill('nowhere.foldboard.example')
  await save.click()
  expect(broadcastIn(await accountSocket.next(isBroadcast('restart')))).toMatchObject({ cmd: 'restart' })
  await moved
  await expect(page.getByText('The relay to your account’s machines cannot be reached.')).toBeVisible()
})

test('a machine that is removed elsewhere disappears, and one that joins appears; only news is obeyed', async ({
  page,
  enter,
  stopAfterTest,
}) => {
  const network = await enter({ machines: 2 })
  const { accountSocket, keys } = stopAfterTest(await openAccountSocket(network))
  const { api, account } = await signInAtApi(network.apiUrl, network.account)
  const refreshes = countRefreshes(page, network.apiUrl)
  await expectState(page, 'atlas', 'Folding')
  const [atlas] = network.clients()
  accountSocket.send(await createBroadcast(keys, { cmd: 'restart', time: new Date(Date.now() - MINUTE).toISOString() }))
  expect((await api('DELETE', `/account/machines/${atlas?.id ?? ''}`)).status).toBe(200)
  accountSocket.send(await createBroadcast(keys, { cmd: 'restart', time: new Date().toISOString() }))
  await expect(machineCalled(page, 'atlas')).toHaveCount(0)
  await expectState(page, 'heron', 'Groups in different states')
  expect(refreshes()).toBe(1)

  const { token = '' } = await account()
  network.local.client.attach(() => undefined).receive({ cmd: 'link', token, name: 'newcomer' })
  await expectState(page, 'newcomer', 'Folding')
})

test('an account that moves to another node takes its pages along', async ({ page, enter, stopAfterTest }) => {
  const network = await enter({ machines: 1 })
  const { accountSocket, keys } = stopAfterTest(await openAccountSocket(network))
  const { api } = await signInAtApi(network.apiUrl, network.account)
  await expectState(page, 'atlas', 'Folding')
  const other = network.nodeUrl.replace('ws://127.0.0.1', 'ws://localhost')
  expect(other).not.toBe(network.nodeUrl)
  const moved = page.waitForEvent('websocket', socket => socket.url() === `${other}/ws/account`)
  expect((await api('PUT', '/account', { node: new URL(other).host })).status).toBe(200)
  accountSocket.send(await createBroadcast(keys, { cmd: 'config', time: new Date().toISOString(), config: {} }))
  await moved
  await expectState(page, 'atlas', 'Folding')
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
})

baseTest(
  'a client on this computer that belongs to another account is linked only when the user agrees',
  async ({ page, startTestNetwork }) => {
    const network = await startTestNetwork({ machines: 0 })
    const { dashboardUrl, apiUrl, account, local, relay } = network
    const other = await makeAccount(network)
    const { token = '' } = await (await signInAtApi(apiUrl, other)).account()
    local.client.attach(() => undefined).receive({ cmd: 'link', token, name: 'theirs' })
    await expect.poll(() => relay.clientCount()).toBe(1)
    const sent: string[] = []
    page.on('websocket', socket => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
    await page.goto(`${dashboardUrl}/machines`)
    await expectState(page, 'theirs', 'Folding')
    await submitLogin(page, account)
    const question = page.getByRole('alertdialog', { name: 'Link this computer’s machine?' })
    await expect(question).toContainText('The machine theirs on this computer is linked to another account.')
    await question.getByRole('button', { name: 'No' }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
    await expect(machineCalled(page, 'theirs')).toContainText('Unlinked')
    expect(sent.filter(text => text.includes('"link"'))).toEqual([])
  },
)
