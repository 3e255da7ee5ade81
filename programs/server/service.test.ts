import { mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createLoopbackCertificate } from '../network/certificate.ts'
import { startNetwork } from '../network/index.ts'
import { applyChanges, type Change } from '../../src/protocol/client/changes.ts'
import { clientData } from '../../test/end-to-end/scripted-client.ts'
import { clientOf, PASSWORD, stateOf, untilConnected, useService } from '../../test/server-service.ts'
import { routes } from './http/routes.ts'

const { client, openPage, people, start, stopLater } = useService()

describe('pages', () => {
  test('any number of pages see a client through one connection, and get what the client sends', async () => {
    const attic = await client()
    const service = await start(clientOf(attic))
    await untilConnected(service)
    const pages = await Promise.all([openPage(service), openPage(service)])
    for (const page of pages) expect((await stateOf(page)).info.mach_name).toBe('puppet')
    expect(attic.readers()).toBe(1)
    attic.say(['units', 0, 'wu_progress', 0.5], ['config', 'user', 'ana'])
    for (const page of pages) {
      expect(JSON.parse(await page.next())).toEqual(['units', 0, 'wu_progress', 0.5])
      expect(JSON.parse(await page.next())).toEqual(['config', 'user', 'ana'])
    }
    pages[0].send('{"cmd":"log","enable":true}')
    await attic.nextCommand()
    expect(await attic.nextCommand()).toEqual({ cmd: 'log', enable: true })
    attic.say(['log', ['12:00:00:I1:hello']])
    expect(JSON.parse(await pages[0].next())).toEqual(['log', ['12:00:00:I1:hello']])
    attic.drop()
    for (const page of pages) await page.closed
  })

  test('two clients are two paths of one origin; unknown paths and disconnected clients are refused', async () => {
    const [attic, cellar] = [
      await client(),
      await client(clientData({ info: { id: 'cellar-id', mach_name: 'cellar' } })),
    ]
    const service = await start(
      `${clientOf(attic)}\n${clientOf(cellar).replace('attic', 'cellar')}\n[[machines]]\naddress = "127.0.0.1:9"`,
    )
    await vi.waitFor(async () => {
      const { machines: clients } = (await (await fetch(`${service.origin}/api/server/machines`)).json()) as {
        machines: { connected: boolean }[]
      }
      expect(clients.filter(each => each.connected)).toHaveLength(2)
    }, 20_000)
    expect((await stateOf(await openPage(service, {}, '/clients/2/api/websocket'))).info.mach_name).toBe('cellar')
    await expect(openPage(service, {}, '/clients/3/api/websocket')).rejects.toThrow('502')
    await expect(openPage(service, {}, '/clients/4/api/websocket')).rejects.toThrow('404')
    const index = await (await fetch(service.origin, { headers: { Accept: 'text/html' } })).text()
    expect(index).toContain('<meta name="foldboard:direct-address" content="self, self/2, self/3">')
  })

  test('a command of a page reaches the client with the time of the server, if the settings allow it', async () => {
    const attic = await client()
    const service = await start(clientOf(attic, ['state']))
    await untilConnected(service)
    const page = await openPage(service)
    await stateOf(page)
    page.send('{"cmd":"config","config":{"user":"x"},"time":"2020-01-01T00:00:00Z"}')
    page.send('{"cmd":"state","state":"pause","time":"2020-01-01T00:00:00Z"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    const { time, ...command } = await attic.nextCommand()
    expect(command).toEqual({ cmd: 'state', state: 'pause' })
    expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(60_000)
    attic.say(['groups', '', 'config', 'paused', true])
    await page.next(text => text.includes('paused'))
    const { actions } = (await (await fetch(`${service.origin}/api/server/actions`)).json()) as { actions: object[] }
    expect(actions).toMatchObject([
      { who: 'local', machine: 'attic', command: 'pause', reason: 'page', outcome: 'confirmed' },
    ])
    // What would close the client's connection closes the page's.
    page.send('{"cmd":"dump","unit":"none"}')
    await page.closed
    expect(attic.readers()).toBe(1)
  })

  test('a real protocol: the simulated client of the network, paused and its units recorded through the server', async () => {
    const network = stopLater(
      await startNetwork({
        port: 0,
        data: undefined,
        machines: 0,
        seed: 7,
        keyBits: 1024,
        accountKeyBits: 1024,
        client: { host: '127.0.0.1', port: 9 },
      }),
    )
    const service = await start(`[[machines]]\naddress = "${network.directAddress}"\ncommands = ["state"]`)
    await untilConnected(service)
    const page = await openPage(service)
    let data: object = await stateOf(page)
    page.send('{"cmd":"state","state":"pause"}')
    const isPaused = () =>
      Object.values((data as { groups: Record<string, { config: { paused: boolean } }> }).groups).every(
        ({ config }) => config.paused,
      )
    while (!isPaused())
      data = applyChanges(data, [JSON.parse(await page.next(text => text.startsWith('['))) as unknown as Change])
    const response = await fetch(`${service.origin}/api/server/machines/1/commands`, {
      method: 'POST',
      headers: { Origin: service.origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ command: { cmd: 'state', state: 'fold' }, reason: 'The night begins' }),
    })
    expect(await response.json()).toEqual({ outcome: 'confirmed' })
    expect(await service.store.actions(1)).toMatchObject([
      { command: 'fold', reason: 'The night begins', outcome: 'confirmed' },
    ])
  }, 60_000)
})

test('with a certificate everything is encrypted, and the cookie is only for encrypted connections', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-certificate-'))
  const { cert, key } = createLoopbackCertificate()
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const { port } = await start(
    `${people()}\n[listen]\nport = 0\ncertificate = "${join(folder, 'cert.pem')}"\nprivate-key = "${join(folder, 'key.pem')}"\n`,
  )
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Origin: `https://127.0.0.1:${port}`, 'Content-Type': 'application/x-www-form-urlencoded' }
    requestSecurely(`https://127.0.0.1:${port}/api/server/login`, { method: 'POST', ca: cert, headers }, resolve)
      .on('error', reject)
      .end(new URLSearchParams({ name: 'viewer', password: PASSWORD }).toString())
  })
  answer.resume()
  expect(answer.statusCode).toBe(303)
  expect(answer.headers['set-cookie']?.[0]).toEqual(expect.stringMatching(/; Secure$/))
})

test('two computers of one id are two clients, also in the history and by name', async () => {
  const attic = await client(clientData({ info: { hostname: 'attic' } }))
  const cellar = await client(clientData({ info: { hostname: 'cellar', cpus: 16 } }))
  const service = await start(`${clientOf(attic)}\n${clientOf(cellar)}`)
  await untilConnected(service)
  for (const each of [attic, cellar]) {
    await each.nextCommand()
    each.say(['wus', [{ id: 'unit', result: 'credited', end_time: '2027-01-01T00:00:00Z' }]])
  }
  const get = async (path: string) => (await fetch(`${service.origin}${path}`)).json() as Promise<unknown>
  await vi.waitFor(async () => expect((await service.store.units({}, 10)).units).toHaveLength(2), 20_000)
  const { machines: clients } = (await get('/api/server/machines')) as { machines: { id: string; name: string }[] }
  expect(clients.map(({ name }) => name)).toEqual(['attic (attic)', 'attic (cellar)'])
  const { units } = await service.store.units({}, 10)
  expect(units.map(({ machine: owner }) => owner).sort()).toEqual(clients.map(({ id }) => id).sort())
  const seen = clients.map(({ id }) => ({ id, name: 'rig', address: id.slice(-4), os: 'linux', version: '8.5.7' }))
  await service.store.saw(seen, 1)
  const answer = (await get('/api/server/units')) as { units: { machine: string }[] }
  expect(answer.units.map(({ machine: owner }) => owner).sort()).toEqual(
    seen.map(({ address }) => `rig (${address})`).sort(),
  )
})

test('history: units that ended are stored once, told to readers at once, counted, and exported', async () => {
  const attic = await client()
  const service = await start(clientOf(attic))
  await untilConnected(service)
  const events = await fetch(`${service.origin}/api/server/events`)
  const reader = events.body?.getReader()
  const ended = {
    id: '=1+1',
    group: 'night',
    result: 'credited',
    end_time: '2027-01-01T00:00:00Z',
    cpus: 4,
    gpus: [],
    assignment: { project: 18_201, credit: 1000 },
  }
  expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus', enable: true })
  attic.say(['wus', [ended]])
  let text = ''
  while (!text.includes('event: units')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  await reader?.cancel()
  attic.say(['wus', [ended]])
  const get = async (path: string) => (await fetch(`${service.origin}${path}`)).text()
  expect(JSON.parse(await get('/api/server/units'))).toMatchObject({
    units: [{ group: 'night', project: 18_201, credit: 1000, ended: '2027-01-01T00:00:00.000Z' }],
    next: null,
  })
  expect(await get('/api/server/units?format=csv')).toContain(`'=1+1`)
  expect(await get('/metrics')).toContain('foldboard_units_ended_total{machine="attic",result="credited"} 1')
  expect(await get('/metrics')).toContain('foldboard_machine_up{machine="attic"} 1')
  for (const query of ['from=soon', 'after=-1%20x', 'after=x'])
    expect((await fetch(`${service.origin}/api/server/units?${query}`)).status, query).toBe(400)
  const description = JSON.parse(await get('/api/server/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>
  }
  expect(Object.keys(description.paths).sort()).toEqual(
    [...new Set(Object.values(routes).map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')))].sort(),
  )
})
