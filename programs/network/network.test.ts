import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { startNetwork } from './index.ts'
import type { Network, NetworkOptions } from './index.ts'
import { freePort } from '../../test/free-port.ts'
import { openTestSocket } from '../../test/network/test-socket.ts'
import { openPage, signIn } from '../../test/network/page.ts'
import type { RelayPage, SignedIn } from '../../test/network/page.ts'

const LONGEST_WAIT = { timeout: 15_000 }
const folder = mkdtempSync(join(tmpdir(), 'foldboard-network-'))
const quick: NetworkOptions = {
  port: 0,
  seed: 11,
  accountKeyBits: 2_048,
  keyBits: 1_024,
  commandDelayMs: 0,
  relayPaceMs: 0,
  reconnectMs: 20,
  retryMs: 40,
  client: { host: '127.0.0.1', port: 1 },
}

function isPaused(data: ClientData): boolean {
  return Object.values(data.groups).every(group => group.config?.paused === true)
}

describe('a network of six', () => {
  let network: Network
  let me: SignedIn
  const pages: RelayPage[] = []

  beforeAll(async () => {
    network = await startNetwork({ ...quick, data: folder })
    await network.online()
    me = await signIn(network.apiUrl, network.account)
  })
  afterEach(() => {
    for (const page of pages.splice(0)) page.drop()
  })
  afterAll(() => network.stop())

  const page = async (): Promise<RelayPage> => {
    const opened = await openPage(network.nodeUrl, me.keys)
    pages.push(opened)
    return opened
  }
  const slot = (index: number) => {
    const client = network.clients()[index]
    if (client === undefined) throw new Error(`No client in slot ${index}`)
    return client
  }

  test('the account lists all of its clients, also the offline one', async () => {
    const { machines: clients } = await me.account()

    expect(clients?.map(({ name }) => name)).toEqual(['atlas', 'crucible', 'fossil', 'heron', 'nomad', 'quiet'])
    expect(
      network
        .clients()
        .filter(client => !client.isOnline())
        .map(({ client }) => client.name()),
    ).toEqual(['nomad'])
  })

  test('a command that disconnects a real client makes it log in again with a new key', async () => {
    const reader = await page()
    const { id } = slot(1)
    const client = await reader.client(id)
    const before = await reader.received('connect')
    expect(before.client.payload.account).toBe(me.keys.id)
    await client.send({ cmd: 'dump', unit: 'no such unit' })

    expect((await reader.received('disconnect')).id).toBe(id)
    const again = await reader.client(id)
    expect((await again.until(() => true)).info.id).toBe(id)
  })

  test('a broadcast pauses every client and is sent back to its sender; a forged one disconnects the clients, which log in again', async () => {
    const reader = await page()
    const clients = await Promise.all([0, 1].map(index => reader.client(slot(index).id)))
    await reader.broadcast({ cmd: 'state', state: 'pause', time: new Date(Date.now() + 4_000).toISOString() })
    await Promise.all(clients.map(client => client.until(isPaused)))
    expect((await reader.received('broadcast')).payload).toMatchObject({ cmd: 'state', state: 'pause' })

    network.relay.sendToClients(
      JSON.stringify({
        type: 'broadcast',
        payload: { cmd: 'config', time: new Date(Date.now() - 4 * 3_600_000).toISOString(), config: {} },
        signature: 'AAAA',
      }),
    )
    const { id } = await reader.received('disconnect')
    await (await reader.client(id)).until(() => true)
  })

  test('the seed history of clients is credited to the donor', async () => {
    await network.statistics.settled()
    const rows = slot(0)
      .client.seedHistory()
      .filter(({ result }) => result === 'credited')
    expect(rows.length).toBeGreaterThan(30)
    for (const row of rows.slice(0, 3)) {
      const {
        assignment,
        wu,
        end_time: time,
      } = row as {
        assignment: { project: number; credit: number }
        wu: { run: number; clone: number; gen: number }
        end_time: string
      }
      const credits = await me.api(
        'GET',
        `/project/${assignment.project}/run/${wu.run}/clone/${wu.clone}/gen/${wu.gen}`,
      )
      const ownCredit = (
        credits.body as { user: string; team: number; code: string; credit: number; credit_time: string }[]
      ).find(credit => credit.credit_time === time)
      expect(ownCredit).toMatchObject({ user: 'Demo_Donor', team: 4_242, code: 'Ok' })
      expect(ownCredit?.credit).toBeGreaterThan(assignment.credit)
    }
    const { body } = await me.api('GET', '/user/Demo_Donor')
    expect(body).toMatchObject({ active_7: 6, active_50: 6 })
  })

  test('a unit that ends now is credited too', async () => {
    const { client } = network.local
    const entries: string[] = []
    let look = (): void => undefined
    const port = client.attach(content => {
      entries.push(JSON.stringify(content))
      look()
    })
    const until = (fits: (text: string) => boolean): Promise<string> =>
      new Promise(resolve => {
        look = () => {
          const found = entries.find(fits)
          if (found !== undefined) resolve(found)
        }
        look()
      })
    const { units } = JSON.parse(entries[0] ?? '') as {
      units: { id: string; assignment: { project: number }; wu: { run: number; clone: number; gen: number } }[]
    }
    const unit = units.find(candidate => 'wu' in candidate)
    if (unit === undefined) throw new Error('The local client folds nothing')
    port.receive({ cmd: 'wus', enable: true })
    port.receive({ cmd: 'state', state: 'pause', time: new Date(Date.now() + 6_000).toISOString() })
    port.receive({ cmd: 'dump', unit: unit.id })
    await until(text => text.startsWith('["wus",-2,') && text.includes(unit.id))
    port.detach()
    await network.statistics.settled()

    const { body } = await me.api(
      'GET',
      `/project/${unit.assignment.project}/run/${unit.wu.run}/clone/${unit.wu.clone}/gen/${unit.wu.gen}`,
    )
    expect(body).toContainEqual(expect.objectContaining({ user: 'Anonymous', team: 0, code: 'Dumped', credit: 0 }))
  })

  test('when the relay stops, the page is disconnected; when it starts again, the clients log in again', async () => {
    const before = await page()
    await before.client(slot(3).id)
    await network.relay.stop()
    expect(await before.closed).toBe(1006)
    await network.relay.start()
    const after = await page()

    expect((await (await after.client(slot(3).id)).until(() => true)).info.mach_name).toBe('quiet')
  })

  test('a killed client disconnects, and logs in again when it is revived', async () => {
    const reader = await page()
    const { id } = slot(4)
    await reader.client(id)
    slot(4).kill()
    for (let gone = ''; gone !== id;) gone = (await reader.received('disconnect')).id
    slot(4).revive()

    expect((await (await reader.client(id)).until(() => true)).info.version).toBe('8.1.18')
  })

  test('a restart gives a client its new name from the account', async () => {
    const { id } = slot(3)
    await me.api('PUT', `/account/machines/${id}`, { name: 'silent' })
    const reader = await page()
    const client = await reader.client(id)
    await client.until(() => true)
    await client.send({ cmd: 'restart' })
    for (let gone = ''; gone !== id;) gone = (await reader.received('disconnect')).id

    expect((await (await reader.client(id)).until(() => true)).info.mach_name).toBe('silent')
    await me.api('PUT', `/account/machines/${id}`, { name: 'quiet' })
  })

  test('the local client is reached through the dashboard, links itself with the token, and unlinks', async () => {
    const { host } = new URL(network.dashboardUrl)
    const socket = await openTestSocket(`ws://127.0.0.1:${host.split(':')[1] ?? ''}/api/websocket`, {
      Host: host,
      Origin: network.dashboardUrl,
    })
    const first = JSON.parse(await socket.next()) as ClientData
    expect({ id: first.info.id, account: first.info.account }).toEqual({ id: network.local.id, account: '' })

    const { token } = await me.account()
    socket.send(JSON.stringify({ cmd: 'link', token, name: 'here' }))
    await socket.next(text => text === JSON.stringify(['info', 'account', me.keys.id]))
    const reader = await page()
    expect((await (await reader.client(network.local.id)).until(() => true)).info.mach_name).toBe('here')
    expect((await me.account()).machines).toContainEqual({ id: network.local.id, name: 'here' })

    await me.api('DELETE', `/account/machines/${network.local.id}`)
    socket.send('{"cmd":"restart"}')
    await socket.next(text => text === '["info","account",""]')
    expect((await me.account()).machines).not.toContainEqual({ id: network.local.id, name: 'here' })
    socket.drop()
  })
})

test('after a restart the same clients continue', async () => {
  const first = await startNetwork({ ...quick, data: folder, machines: 2 })
  await first.online()
  const ids = first.clients().map(({ id }) => id)
  const me = await signIn(first.apiUrl, first.account)
  const page = await openPage(first.nodeUrl, me.keys)
  const client = await page.client(ids[0] ?? '')
  await client.until(() => true)
  await client.send({
    cmd: 'config',
    config: { groups: { '': {}, attic: { cpus: 2 } } },
    time: new Date(Date.now() + 60_000).toISOString(),
  })
  await client.until(data => data.groups['attic']?.config?.cpus === 2)
  page.drop()
  await first.stop()

  const second = await startNetwork({ ...quick, data: folder, machines: 2 })
  await second.online()
  expect(second.clients().map(({ id }) => id)).toEqual(ids)
  const again = await signIn(second.apiUrl, second.account)
  const reader = await openPage(second.nodeUrl, again.keys)
  const data = await (await reader.client(ids[0] ?? '')).until(() => true)
  expect(Object.keys(data.groups)).toEqual(['', 'attic'])
  expect(again.keys.id).toBe(me.keys.id)
  reader.drop()
  await second.stop()
  rmSync(folder, { recursive: true })
})

test('a fleet logs in over TLS', async () => {
  const network = await startNetwork({ ...quick, data: undefined, machines: 3, uniform: true, tls: true })
  await network.online()

  expect(network.nodeUrl).toMatch(/^wss:\/\/127\.0\.0\.1:\d+$/)
  expect(network.certificatePin).toMatch(/^[A-Za-z0-9+/]{43}=$/)
  expect(network.relay.clientCount()).toBe(3)
  await network.stop()
})

test('a port in use is reported with the option that changes it, and nothing is left running', async () => {
  const first = await startNetwork({ ...quick, data: undefined, machines: 0 })
  const port = Number(new URL(first.dashboardUrl).port)

  await expect(
    startNetwork({ ...quick, data: undefined, machines: 0, port, apiPort: 0, nodePort: 0, directPort: 0 }),
  ).rejects.toThrow(
    `Port ${port}, wanted for the dashboard, is already taken. Stop the other program or choose another port with --port.`,
  )
  await first.stop()
})

test.each([false, true])('the local client is there before all others, where nothing is stored: %s', async isNew => {
  const directPort = await freePort()
  let beginOthers = (): void => undefined
  const others = new Promise<void>(resolve => {
    beginOthers = resolve
  })
  const starting = startNetwork({ ...quick, machines: 1, directPort, others, isNew })
  const socket = await vi.waitFor(() => openTestSocket(`ws://127.0.0.1:${directPort}/api/websocket`), LONGEST_WAIT)
  const units = JSON.parse(await socket.next()) as Pick<ClientData, 'units'>
  expect(units.units).toHaveLength(2)
  socket.drop()
  beginOthers()
  const network = await starting
  await network.online()
  expect(network.clients().map(({ client }) => client.name())).toEqual(['atlas'])
  await network.stop()
})
