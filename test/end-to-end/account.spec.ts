import type { Page } from '@playwright/test'
import { encodeBase64 } from '../../src/protocol/crypto/base64.ts'
import { randomBytes } from '../../src/protocol/crypto/bytes.ts'
import { createBroadcast } from '../../src/protocol/crypto/envelope.ts'
import { encryptTo } from '../client-envelope.ts'
import { badgesOf, controlsOf, expectState, expectTotals, machineCalled, press, unitsOf } from './machines-view.ts'
import { openAccountSocket } from './account-socket.ts'
import { expect, test } from './signed-in.ts'

// High enough for all machines: the list shows those that are in sight.
test.use({ viewport: { width: 1280, height: 4000 } })

/** The machines that accept commands. */
const OBEDIENT = ['atlas', 'heron', 'crucible', 'quiet'] as const

const names = (page: Page) => page.getByRole('heading', { level: 2 })
const summary = (page: Page) => page.getByRole('list', { name: 'Work units by state' })

test('six machines arrive, each with the badges that it has earned', async ({ page, enter }) => {
  const network = await enter()
  const badges = {
    atlas: [],
    heron: [],
    crucible: ['Failed'],
    quiet: ['No work'],
    fossil: ['Outdated'],
    nomad: ['Disconnected'],
  }
  for (const [name, words] of Object.entries(badges)) await expect(badgesOf(page, name)).toHaveText(words)
  await expect(names(page)).toHaveText(['atlas', 'crucible', 'fossil', 'heron', 'quiet', 'nomad'])
  await expect(machineCalled(page, 'atlas')).toContainText(`FAH ID ${network.clients()[0]?.id ?? ''}`)
  const download = machineCalled(page, 'fossil').getByRole('link', { name: 'Download' })
  await expect(download).toHaveAttribute('href', 'https://foldingathome.org/start-folding/')
  await expect(controlsOf(page, 'fossil')).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText('Foldboard Friends')
  await expectTotals(page, ['6', /^\d+$/, /^\d+$/, /^[\d,]+$/])
  await expect(summary(page)).toContainText('1 disconnected')
  await expect(unitsOf(page, 'atlas, second card')).toHaveCount(1)
  await expect(unitsOf(page, 'heron, travel')).toContainText('The computer runs on battery')
})

test('the filter narrows what is shown and which machines receive commands', async ({ page, enter }) => {
  await enter()
  await expectState(page, 'atlas', 'Folding')
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Find machines' })).toBeFocused()
  await page.keyboard.insertText('ATLAS')
  await expect(names(page)).toHaveText(['atlas'])
  await page.getByRole('button', { name: 'Pause 1 Shown' }).click()
  await expectState(page, 'atlas', 'Paused')
  await page.reload()
  await expect(names(page)).toHaveText(['atlas'])
  await page.getByRole('combobox', { name: 'Find machines' }).fill('nobody is called so')
  await page.getByRole('button', { name: 'Show all machines' }).click()
  await expectState(page, 'atlas', 'Paused')
  await expectState(page, 'quiet', 'Folding')
})

test('a relay that dies takes all machines out of reach, and all come back with it', async ({ page, enter }) => {
  const { relay } = await enter()
  await expectState(page, 'atlas', 'Folding')
  const notice = page.getByText('The relay to your account’s machines cannot be reached.')
  await relay.stop()
  await expect(notice).toBeVisible()
  for (const name of OBEDIENT) await expect(badgesOf(page, name)).toContainText(['Disconnected'])
  await expect(summary(page)).toHaveText('6 disconnected')
  await expect(page.getByRole('button', { name: 'Pause All' })).toBeDisabled()
  await relay.start()
  await expect(notice).toHaveCount(0)
  await expect(summary(page)).toContainText('1 disconnected')
  await expect(badgesOf(page, 'crucible')).toHaveText(['Failed'])
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
})

test('forged logins, messages and broadcasts are ignored, and the rest goes on', async ({
  page,
  enter,
  stopAfterTest,
}) => {
  const network = await enter()
  const { accountSocket, keys, departures } = stopAfterTest(await openAccountSocket(network))
  let refreshes = 0
  page.on('request', request => {
    if (request.url() === `${network.apiUrl}/account` && request.method() === 'GET') refreshes += 1
  })
  await expectState(page, 'atlas', 'Folding')
  const id = network.clients()[0]?.id ?? ''
  const genuine = JSON.parse(await accountSocket.next(text => text.includes('"connect"'))) as {
    client: { payload: object; signature: string }
  }
  // Who took this for the machine would send to it with a key that it does not have, upon which it leaves.
  const key = encodeBase64(await encryptTo(keys.publicKey, randomBytes(32)))
  const forgeries = [
    { ...genuine, client: { ...genuine.client, payload: { ...genuine.client.payload, key } } },
    { ...genuine, client: { ...genuine.client, payload: { ...genuine.client.payload, account: 'somebody else' } } },
    {
      type: 'message',
      client: id,
      session: 'of another page',
      iv: 'AAAAAAAAAAAAAAAAAAAAAA',
      payload: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
    { type: 'message', client: 'nobody', session: 'none', iv: 'AA', payload: 'AA' },
    {
      type: 'broadcast',
      payload: { cmd: 'config', time: new Date().toISOString() },
      signature: genuine.client.signature,
    },
    { type: 'broadcast', payload: { cmd: 'restart', time: new Date().toISOString() }, signature: '' },
    { type: 'something new' },
  ]
  for (const forgery of forgeries) network.relay.sendToPages(JSON.stringify(forgery))
  for (const text of ['', 'no json', '[]', '{"type":"connect"}', '{"type":"disconnect","id":5}'])
    network.relay.sendToPages(text)
  accountSocket.send(await createBroadcast(keys, { cmd: 'config', time: new Date().toISOString(), config: {} }))
  await expect.poll(() => refreshes).toBe(1)
  await expect(summary(page)).toContainText('1 disconnected')
  await expect(badgesOf(page, 'atlas')).toHaveCount(0)
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
  expect(refreshes).toBe(1)
  expect(departures()).toEqual([])
})

test('a machine that sends what cannot be read is alone in that', async ({ page, enter }) => {
  const network = await enter()
  const [atlas, heron] = network.clients()
  await expectState(page, 'atlas', 'Folding')
  const inAnothersName = JSON.stringify({ type: 'message', client: heron?.id, session: 'x', iv: 'AA', payload: 'AA' })
  for (const text of ['no json', '{"type":"message"}', inAnothersName]) atlas?.sendRaw(text)
  await press(page, 'Pause', 'heron')
  await expectState(page, 'heron', 'Paused')
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
})
