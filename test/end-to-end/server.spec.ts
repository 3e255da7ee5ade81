import { execFile } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { startPostgres } from '../postgres.ts'
import { startProgram, type Program } from '../program.ts'
import { violations } from './axe.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'
import { expectState, machineCalled, press } from './machines-view.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, test as base } from './fixtures.ts'

const run = promisify(execFile)
const SERVER = join(import.meta.dirname, '../../build/server.js')
const PASSWORD = 'a long enough password'

type Client = Awaited<ReturnType<typeof startScriptedClient>>
/** `later`: by so many milliseconds its clock is fast. */
type StartServer = (settings?: string, later?: number) => Promise<{ readonly program: Program; readonly url: string }>

const fastClock = (ms: number): readonly string[] => [
  '--import',
  `data:text/javascript,const rightTime = Date.now; Date.now = () => rightTime() + ${ms}`,
]

const test = base.extend<{ readonly passkey: string; readonly client: Client; readonly startServer: StartServer }>({
  passkey: ['', { option: true }],
  client: async ({ stopAfterTest, passkey }, use) => {
    const data = clientData({ config: { passkey }, units: [unitData()], groups: { '': { config: groupConfig() } } })
    await use(stopAfterTest(await startScriptedClient(data)))
  },
  /** The built server with its settings in a file, in a folder that it keeps over starts. */
  startServer: async ({ client, stopAfterTest }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-server-'))
    const hashing = run(process.execPath, [SERVER, 'hash-password'])
    hashing.child.stdin?.end(`${PASSWORD}\n`)
    const hash = (await hashing).stdout.trim()
    const user = (role: string) => `[[users]]\nname = "${role}"\nrole = "${role}"\npassword = "${hash}"\n`
    const { host, port } = client.address
    await use(async (settings = '', later = 0) => {
      writeFileSync(
        join(folder, 'foldboard-server.toml'),
        `${['viewer', 'operator', 'administrator'].map(user).join('')}[[machines]]\naddress = "${host}:${port}"\ncommands = ["state"]\n${settings}`,
      )
      const words = [...fastClock(later), SERVER, '--port', '0']
      const program = stopAfterTest(startProgram(process.execPath, words, { cwd: folder }))
      const [, bound = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
      await program.says(/"msg":"machine connected"/)
      return { program, url: `http://localhost:${bound}` }
    })
    rmSync(folder, { recursive: true, force: true })
  },
})

const signIn = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const commandsOf = (client: Client) => client.untakenCommands().filter(({ cmd }) => cmd === 'state')

test('an operator sees and controls a machine through the server, and a viewer only sees it', async ({
  page,
  client,
  startServer,
}) => {
  const { url, program } = await startServer()
  await page.goto(`${url}/machines`)
  await expect(page).toHaveTitle('Sign in to Foldboard')
  expect(await violations(page)).toEqual([])
  await signIn(page, 'viewer')
  await expect(machineCalled(page, 'puppet')).toContainText('v8.5.7')
  await expectState(page, 'puppet', 'Folding')
  client.say(['units', 0, 'wu_progress', 0.5])
  await expect(machineCalled(page, 'puppet')).toContainText('50.0%')
  // Controls that a viewer may not use show the reason.
  const pause = page.getByRole('button', { name: 'Pause puppet' })
  await expect(pause).toHaveAttribute('aria-disabled', 'true')
  await pause.focus()
  await expect(page.getByRole('tooltip')).toContainText('viewers send no commands')
  expect(commandsOf(client)).toEqual([])
  await page.getByRole('button', { name: /signed in as viewer/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out of the server' }).click()
  await expect(page.getByText('You are not signed in to this server any more')).toBeVisible()
  // The pointer rests where the menu was, which may be on a button with a tooltip.
  await page.mouse.move(5, 600)
  await expect(page.locator('[data-overlay-container]')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await signIn(page, 'operator')
  await press(page, 'Pause', 'puppet')
  await expect.poll(() => commandsOf(client)).toMatchObject([{ cmd: 'state', state: 'pause' }])
  client.say(['groups', '', 'config', 'paused', true], ['units', 0, 'pause_reason', 'Paused'])
  await expectState(page, 'puppet', 'Paused')
  await program.says(/"who":"operator".*"outcome":"confirmed"/)
  // Three pages later the machine still has one connection.
  expect(client.readers()).toBe(1)
  expect(await program.interrupt()).toBe(0)
})

test('pages have tags and views in common: an operator changes them, a viewer sees them at once', async ({
  page,
  browser,
  startServer,
}) => {
  const { url } = await startServer()
  // What this browser kept before is given to the server.
  await page.goto(url)
  await page.evaluate(() =>
    localStorage.setItem('foldboard.views', '{"views":[{"name":"Mine","params":{"sort":"-ppd"}}]}'),
  )
  await signIn(page, 'operator')
  await expect(machineCalled(page, 'puppet')).toBeVisible()
  const viewers = await browser.newContext()
  const other = await viewers.newPage()
  await other.goto(url)
  await signIn(other, 'viewer')
  await expect(machineCalled(other, 'puppet')).toBeVisible()

  await page.getByRole('button', { name: 'Actions for puppet' }).click()
  await page.getByRole('menuitem', { name: 'Tags…' }).click()
  await page.getByLabel('New tag').fill('attic')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Tags of puppet' })).toContainText('attic')
  expect(await violations(page)).toEqual([])
  await expect(other.getByRole('link', { name: 'attic' })).toBeVisible()

  await other.getByRole('button', { name: 'Actions for puppet' }).click()
  await other.getByRole('menuitem', { name: 'Tags…' }).click()
  await expect(other.getByText('viewers do not change its tags and views')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Remove attic' })).toHaveAttribute('aria-disabled', 'true')
  expect(await violations(other)).toEqual([])
  const kept = await page.request.get(`${url}/api/server/shared`)
  expect(await kept.json()).toMatchObject({ views: { views: [{ name: 'Mine', params: { sort: '-ppd' } }] } })
  // Neither page shows a tag that the other one removed.
  await page.getByRole('button', { name: 'Remove attic' }).click()
  await expect(other.getByText('No tags yet.')).toBeVisible()
  await viewers.close()

  // The header of such a page has one button more.
  const phones = await browser.newContext({ viewport: { width: 360, height: 800 }, hasTouch: true })
  const phone = await phones.newPage()
  await phone.goto(url)
  await signIn(phone, 'viewer')
  await expect(machineCalled(phone, 'puppet')).toBeVisible()
  await expect(phone.getByRole('button', { name: /^Server .+, signed in as viewer$/ })).toBeVisible()
  expect(await layoutFaults(phone)).toEqual([])
  await phones.close()
})

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
    await second.program.says(/"channel":"chat",.*"msg":"alert given up"/)
    await second.program.says(/"channel":"hook","msg":"alert delivered"/)
    await second.program.says(/"channel":"later","msg":"alert delivered"/)
    expect(calls.map(({ path }) => path).sort()).toEqual(['/chat', '/hook', '/hook', '/later'])
    const hooks = calls.filter(({ path }) => path === '/hook').map(({ id }) => id)
    expect([hooks[0] === hooks[1], hooks[0]?.length]).toEqual([true, 36])
    expect(await second.program.interrupt()).toBe(0)
  })
})

test('an administrator makes a schedule, overrides it for two hours, reads why, and tries a channel', async ({
  page,
  client,
  startServer,
}) => {
  const { url } = await startServer(
    '[[channels]]\nname = "hook"\nkind = "webhook"\nurl = "http://127.0.0.1:9/"\n[[alerts]]\nname = "ana"\nchannels = ["hook"]\n',
  )
  await page.goto(`${url}/schedules`)
  await signIn(page, 'administrator')
  await expect(page.getByText('If it stops, machines keep the state that they have.')).toBeVisible()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Quiet')
  await page.getByRole('button', { name: 'Add weekly times' }).click()
  await page.getByRole('button', { name: 'Remove rule 1' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect.poll(() => commandsOf(client)).toMatchObject([{ cmd: 'state', state: 'pause' }])
  client.say(['groups', '', 'config', 'paused', true], ['units', 0, 'pause_reason', 'Paused'])
  const now = page.getByRole('region', { name: 'Machines now' })
  await expect(now).toContainText('Pause')
  await expect(now).toContainText('Schedule “Quiet”: no rule applies')
  await page.getByText('Next seven days').first().click()
  await expect(page.getByRole('img', { name: /^Monday: Pause/ }).first()).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: /^Pause, fold or finish .* for a time$/ }).click()
  await page.getByRole('menuitem', { name: 'Fold for 2 hours' }).click()
  await expect.poll(() => commandsOf(client)).toMatchObject([{ state: 'pause' }, { state: 'fold' }])
  client.say(['groups', '', 'config', 'paused', false])
  await expect(now).toContainText(/Fold until .*, by administrator/)
  await page.getByRole('button', { name: 'Follow schedules again' }).click()
  await expect.poll(() => commandsOf(client)).toMatchObject([{ state: 'pause' }, { state: 'fold' }, { state: 'pause' }])
  // The details of the machine say the same.
  await page.goto(`${url}/machines`)
  await expect(machineCalled(page, 'puppet')).toContainText('Schedule “Quiet”: no rule applies')

  await page.goto(`${url}/attention?tab=alerts`)
  await expect(page.getByRole('heading', { name: 'Who is told of what' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a trial by hook' }).click()
  await expect(page.getByText('The trial could not be sent: hook cannot be reached')).toBeVisible()
  await expect(page.getByText('Trial failed')).toBeVisible()
  // The settings have no channel for browsers.
  await expect(page.getByRole('switch', { name: 'Show alerts of the server in this browser' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
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
