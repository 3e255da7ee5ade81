import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../postgres.ts'
import { startProgram } from '../program.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { machineCalled } from './machines-view.ts'
import { commandsOf, expect, SERVER, signIn, test } from './server-program.ts'

test('a server that is killed has lost neither history nor sessions', async ({ page, client, startServer }) => {
  const first = await startServer()
  const ended = {
    id: 'old',
    group: '',
    result: 'credited',
    end_time: '2026-01-01T00:00:00Z',
    assignment: { project: 1, credit: 5 },
  }
  client.say(['wus', [ended]])
  await page.goto(first.url)
  await signIn(page, 'viewer')
  await expect(machineCalled(page, 'puppet')).toBeVisible()
  const unitsAt = async (url: string) =>
    ((await (await page.request.get(`${url}/api/server/units`)).json()) as { units: unknown[] }).units
  await expect.poll(() => unitsAt(first.url)).toHaveLength(1)
  await first.program.stop()

  const second = await startServer()
  await page.goto(second.url)
  await expect(machineCalled(page, 'puppet')).toBeVisible()
  client.say(['wus', [ended]])
  expect(await unitsAt(second.url)).toHaveLength(1)
})

test.describe('alerts', () => {
  test.use({ passkey: 'short' })
  test('a server that is killed while it alerts sends no alert twice, unless the receiver can tell, and loses none', async ({
    startServer,
    stopAfterTest,
  }) => {
    const open: ServerResponse[] = []
    const calls: { readonly path: string; readonly id: string | undefined }[] = []
    let answers = false
    const receiver = createServer((request, response) => {
      request.resume()
      const id = request.headers['webhook-id']
      calls.push({ path: request.url ?? '', id: typeof id === 'string' ? id : undefined })
      if (answers) response.end()
      else open.push(response)
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    stopAfterTest({
      stop: () => {
        receiver.closeAllConnections()
        receiver.close()
      },
    })
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const settings = `
[[channels]]
name = "hook"
kind = "webhook"
url = "${url}/hook"
[[channels]]
name = "chat"
kind = "slack"
url = "${url}/chat"
[[channels]]
name = "later"
kind = "webhook"
url = "${url}/later"
[[alerts]]
name = "ana"
channels = ["hook", "chat"]
together = true
kinds = ["nonsense"]
digest-minutes = 0
[[alerts]]
name = "bo"
channels = ["later"]
kinds = ["nonsense"]
digest-minutes = 1
`
    const first = await startServer(settings)
    await expect.poll(() => calls.map(({ path }) => path).sort(), { timeout: 30_000 }).toEqual(['/chat', '/hook'])
    // Both have the message, and neither has answered.
    await first.program.stop()
    answers = true
    const second = await startServer(settings, 60_000)
    await second.program.says(/"channel":"chat",.*"msg":"it is unknown whether an alert arrived"/)
    await second.program.says(/"channel":"hook","msg":"alert delivered"/)
    await second.program.says(/"channel":"later","msg":"alert delivered"/)
    expect(calls.map(({ path }) => path).sort()).toEqual(['/chat', '/hook', '/hook', '/later'])
    const hooks = calls.filter(({ path }) => path === '/hook').map(({ id }) => id)
    expect(hooks[0] === hooks[1]).toBe(true)
    expect(hooks[0]?.length).toBe(36)
    expect(await second.program.interrupt()).toBe(0)
  })
})

test('of three servers on one database one is killed: the others take over, and nothing is doubled or missed', async ({
  stopAfterTest,
}) => {
  const postgres = await startPostgres()
  if (typeof postgres === 'string') {
    test.skip(true, postgres)
    return
  }
  stopAfterTest(postgres)
  const calls: { readonly path: string; readonly id: string }[] = []
  let answers = false
  const receiver = createServer((request, response) => {
    request.resume()
    calls.push({ path: request.url ?? '', id: String(request.headers['webhook-id']) })
    if (answers) response.end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  stopAfterTest({
    stop: () => {
      receiver.closeAllConnections()
      receiver.close()
    },
  })
  const clients = await Promise.all(
    ['attic', 'cellar', 'shed'].map(async name =>
      stopAfterTest(
        await startScriptedClient(
          clientData({
            info: { id: `${name}-id`, mach_name: name },
            config: { passkey: name === 'attic' ? 'short' : '' },
            units: [unitData()],
          }),
        ),
      ),
    ),
  )
  const database = await postgres.newDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-servers-'))
  stopAfterTest({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  const channel = (name: string, kind: string) =>
    `[[channels]]\nname = "${name}"\nkind = "${kind}"\nurl = "http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}"\n`
  writeFileSync(
    join(folder, 'foldboard-server.toml'),
    `[store]\nurl = "${database}"\n[cluster]\nsecret = "${'s'.repeat(32)}"\nport = 0\nlease-seconds = 3\n
${clients.map(({ address: { host, port } }) => `[[machines]]\naddress = "${host}:${port}"\ncommands = ["state"]\ntags = ["all"]\n`).join('')}
${channel('hook', 'webhook')}${channel('chat', 'slack')}
[[alerts]]\nname = "ana"\nchannels = ["hook", "chat"]\ntogether = true\nkinds = ["nonsense"]\ndigest-minutes = 0\n`,
  )
  const start = async () => {
    const program = stopAfterTest(startProgram(process.execPath, [SERVER, '--port', '0'], { cwd: folder }))
    const [, port = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
    return { program, url: `http://127.0.0.1:${port}` }
  }
  type Started = Awaited<ReturnType<typeof start>>
  const call = ({ url }: Started, path: string, body?: object) =>
    fetch(`${url}/api/server/${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: url },
    })
  const connectedAt = async (server: Started) => {
    const { machines } = (await (await call(server, 'machines')).json()) as { machines: { connected: boolean }[] }
    return machines.filter(({ connected }) => connected).length
  }
  const shares = async () => {
    const rows = await postgres.run(database, 'SELECT count(*)::int AS held FROM holdings GROUP BY server')
    return rows.map(({ held }) => Number(held)).sort()
  }
  // The first one coordinates, beside its share of the machines.
  const first = await start()
  const others = [await start(), await start()] as const
  await expect.poll(shares, { timeout: 15_000 }).toEqual([1, 1, 2])
  for (const server of others) await expect.poll(() => connectedAt(server), { timeout: 15_000 }).toBe(3)
  const ended = { id: 'old', group: '', result: 'credited', end_time: new Date().toISOString() }
  for (const client of clients) client.say(['wus', [ended]])
  // Both channels have the message, and neither has answered.
  await expect.poll(() => calls.map(({ path }) => path).sort(), { timeout: 30_000 }).toEqual(['/chat', '/hook'])

  const { revision } = (await (await call(others[0], 'schedules')).json()) as { revision: string }
  const schedule = {
    id: 'quiet',
    name: 'Quiet',
    isEnabled: true,
    targets: [{ kind: 'tag', name: 'all' }],
    timeZone: 'UTC',
    rules: [],
    otherwise: 'pause',
    finishMinutes: 0,
  }
  expect((await call(others[1], 'schedules', { revision, schedules: [schedule] })).status).toBe(200)
  await first.program.stop()
  const killed = Date.now()
  answers = true

  await expect.poll(shares, { timeout: 30_000 }).toEqual([1, 3])
  for (const server of others) await expect.poll(() => connectedAt(server), { timeout: 30_000 }).toBe(3)
  await expect.poll(() => clients.every(client => commandsOf(client).length > 0), { timeout: 30_000 }).toBe(true)
  await expect.poll(() => calls.filter(({ path }) => path === '/hook').length, { timeout: 30_000 }).toBe(2)
  expect(Date.now() - killed).toBeLessThan(30_000)
  // The receiver of a webhook can tell a repetition; the other one is not told again.
  const hooks = calls.filter(({ path }) => path === '/hook').map(({ id }) => id)
  expect(hooks[0]).toBe(hooks[1])
  expect(calls.filter(({ path }) => path === '/chat')).toHaveLength(1)
  for (const client of clients) {
    expect(client.readers()).toBe(1)
    expect(new Set(commandsOf(client).map(({ state }) => state))).toEqual(new Set(['pause']))
    client.say(['wus', [ended]])
  }
  await expect.poll(() => postgres.run(database, 'SELECT machine FROM units')).toHaveLength(3)
  // One that ends by itself is replaced at once, and comes back.
  expect(await others[0].program.interrupt()).toBe(0)
  await expect.poll(shares, { timeout: 3000 }).toEqual([4])
})
