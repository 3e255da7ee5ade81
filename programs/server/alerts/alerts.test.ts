import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { clientData, groupConfig, unitData } from '../../../test/end-to-end/scripted-client.ts'
import { useService } from '../../../test/server-service.ts'
import { newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import { readConfig } from '../config/read-config.ts'
import { openServerStore } from '../store/sqlite.ts'
import { createEarlierUnits } from './earlier-units.ts'

const { start, client, stopLater } = useService()

/** Receives webhooks. `next` resolves with the next one that was not taken. */
async function hook() {
  const bodies: { title: string; incidents: { state: string; name: string; kind: string }[] }[] = []
  const paths: string[] = []
  let wake = (): void => undefined
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      paths.push(request.url ?? '')
      if (body !== '') bodies.push(JSON.parse(body) as (typeof bodies)[number])
      response.end()
      wake()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stopLater({
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  let readCount = 0
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    paths,
    next: async () => {
      while (bodies.length <= readCount) await new Promise<void>(resolve => (wake = resolve))
      return bodies[readCount++]
    },
  }
}

test('an incident is found, stored, told, acknowledged and told to be over', async () => {
  const target = await hook()
  const data = { units: [unitData()], groups: { '': { config: groupConfig() } }, config: { passkey: 'short' } }
  const attic = await client(clientData(data))
  const { host, port } = attic.address
  let ahead = 0
  const { origin } = await start(
    `
[listen]
port = 0
[[machines]]
address = "${host}:${port}"
name = "attic"
[[channels]]
name = "hook"
kind = "webhook"
url = "${target.url}"
[[alerts]]
name = "ana"
channels = ["hook"]
kinds = ["nonsense"]
digest-minutes = 0
[alive]
url = "${target.url}/alive"
`,
    { now: () => Date.now() + ahead },
  )
  const get = async (path: string) => (await fetch(`${origin}${path}`)).text()
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { Origin: origin }, body: JSON.stringify(body) })
  const openAlert = await target.next()
  expect(openAlert).toMatchObject({
    title: 'attic: Impossible setting',
    incidents: [{ state: 'open', name: 'attic', kind: 'nonsense' }],
  })
  expect(target.paths).toContain('/alive')
  const { incidents } = JSON.parse(await get('/api/server/incidents')) as { incidents: { key: string; kind: string }[] }
  const nonsense = incidents.find(({ kind }) => kind === 'nonsense')
  expect(nonsense).toMatchObject({ name: 'attic', state: 'open', title: 'Impossible setting' })
  const keys = [nonsense?.key ?? '']
  const stateNow = async () => {
    const { incidents: list } = JSON.parse(await get('/api/server/incidents?kind=nonsense&state=all')) as {
      incidents: { state: string }[]
    }
    return list[0]?.state
  }
  const events = await fetch(`${origin}/api/server/events`)
  expect(await (await post('/api/server/incidents/acknowledge', { keys: [...keys, 'none'] })).json()).toEqual({
    changed: 1,
  })
  const reader = events.body?.getReader()
  let streamed = ''
  while (!streamed.includes('event: incidents')) streamed += Buffer.from((await reader?.read())?.value ?? []).toString()
  await reader?.cancel()
  await expect.poll(stateNow).toBe('acknowledged')
  expect(await (await post('/api/server/incidents/snooze', { keys, minutes: 5, reason: 'later' })).json()).toEqual({
    changed: 1,
  })
  await expect.poll(stateNow).toBe('snoozed')
  expect(await (await post('/api/server/incidents/reopen', { keys })).json()).toEqual({ changed: 1 })
  await expect.poll(stateNow).toBe('open')
  expect(JSON.parse(await get('/api/server/actions'))).toMatchObject({
    actions: [
      { command: 'open incidents again', machine: 'attic', outcome: 'confirmed' },
      { command: 'snooze incidents for 5 minutes', reason: 'later' },
      { command: 'acknowledge incidents' },
    ],
  })
  expect(await get('/metrics')).toContain('foldboard_incidents{kind="nonsense",gravity="warning",state="open"} 1')
  expect(await get('/metrics')).toContain('foldboard_machine_incidents{machine="attic",gravity="warning"} 1')
  expect(await get('/metrics')).toContain('foldboard_alert_messages_total{channel="hook",outcome="delivered"} 1')
  expect(JSON.parse(await get('/api/server/alerts'))).toMatchObject({
    channels: [{ name: 'hook', kind: 'webhook' }],
    messages: [{ person: 'ana', channel: 'hook', state: 'delivered', alerts: 1, failures: 0, error: null }],
  })
  expect(await get('/api/server/alerts')).not.toContain(target.url)

  // A test by each channel, and none by an unknown one.
  expect(await (await post('/api/server/alerts/test', { channel: 'hook' })).json()).toEqual({
    outcome: 'sent',
    reason: null,
  })
  expect(await target.next()).toMatchObject({ title: 'Foldboard can reach you', incidents: [] })
  expect((await post('/api/server/alerts/test', { channel: 'x' })).status).toBe(404)

  // It is taken for over half a minute after it was last found.
  attic.say(['config', 'passkey', '0123456789abcdef0123456789abcdef'])
  const later = (): Promise<string | undefined> => {
    ahead += 31_000
    return stateNow()
  }
  await expect.poll(later, { timeout: 20_000 }).toBe('resolved')
  expect(await target.next()).toMatchObject({ incidents: [{ state: 'ended', kind: 'nonsense' }] })
  expect(target.bodies).toHaveLength(3)
})

test.each<[string, string, string]>([
  [
    'a channel that does not exist',
    '[[alerts]]\nname = "ana"\nchannels = ["x"]',
    't.toml:3: alerts[1].channels names x, which is no channel of [[channels]].',
  ],
  [
    'an unknown kind',
    '[[channels]]\nname = "x"\nkind = "fax"',
    't.toml:3: channels[1].kind must be one of email, webhook, ntfy, discord, slack, mqtt, push.',
  ],
  [
    'an address with a password',
    '[[channels]]\nname = "x"\nkind = "webhook"\nurl = "https://a:b@example.org"',
    't.toml:4: channels[1].url must be an address such as "https://example.org/path", without a user name.',
  ],
  [
    'a missing address',
    '[[channels]]\nname = "x"\nkind = "slack"',
    't.toml:1: The setting channels[1].url is missing.',
  ],
  [
    'MQTT without a broker',
    '[[channels]]\nname = "x"\nkind = "mqtt"',
    't.toml:3: channels[1] needs mqtt.url, the broker.',
  ],
  [
    'a time zone that does not exist',
    '[[channels]]\nname = "x"\nkind = "ntfy"\ntopic = "t"\n[[alerts]]\nname = "ana"\nchannels = ["x"]\nquiet = { from = "22:00", until = "7:00", zone = "Mars" }',
    't.toml:8: alerts[1].quiet.until must be a time such as "22:00".',
  ],
  [
    'two channels of one name',
    '[[channels]]\nname = "x"\nkind = "ntfy"\ntopic = "t"\n[[channels]]\nname = "x"\nkind = "ntfy"\ntopic = "t"',
    't.toml:5: channels[2] repeats x of channels[1].',
  ],
  [
    'a repeated channel',
    '[[channels]]\nname = "x"\nkind = "ntfy"\ntopic = "t"\n[[alerts]]\nname = "ana"\nchannels = ["x", "x"]',
    't.toml:7: alerts[1].channels repeats x.',
  ],
  [
    'a user without a password',
    '[[channels]]\nname = "x"\nkind = "email"\nhost = "h"\nfrom = "a"\nto = ["b"]\nuser = "ana"',
    't.toml:7: channels[1].user needs channels[1].password.',
  ],
])('settings: %s', (_, text, mistake) => {
  const result = readConfig({ file: { path: 't.toml', text } })
  const found = result.ok ? [] : result.mistakes.map(({ where, message }) => `${where}: ${message}`)
  expect(found).toContain(mistake)
})

test('secrets of channels come from the environment, and their mistakes are named by the variable', () => {
  const text =
    '[[channels]]\nname = "my.hook"\nkind = "webhook"\nurl = "https://example.org"\n[mqtt]\nurl = "mqtt://broker"\n'
  const file = { path: 't.toml', text }
  const result = readConfig({
    file,
    environment: {
      FOLDBOARD_CHANNEL_MY_HOOK_SECRET: 'a secret of some length',
      FOLDBOARD_MQTT_PASSWORD: 'other',
      FOLDBOARD_ALIVE_URL: 'https://example.org/alive',
    },
  })
  expect(result).toMatchObject({
    ok: true,
    config: {
      channels: [{ secret: 'a secret of some length' }],
      mqtt: { password: 'other' },
      alive: { url: 'https://example.org/alive' },
    },
  })
  expect(readConfig({ file, environment: { FOLDBOARD_CHANNEL_MY_HOOK_SECRET: 'short' } })).toMatchObject({
    mistakes: [{ where: 'FOLDBOARD_CHANNEL_MY_HOOK_SECRET' }],
  })
})

test('earlier speeds are those of credited units of the same project and hardware, the newest eight', () => {
  const speeds = createEarlierUnits()
  const unit = (seconds: number, result = 'credited', project = 1) =>
    ({ machine: 'm', group_name: '', ended: 0, project, resource: '4 CPUs', result, run_time: seconds }) as Parameters<
      typeof speeds.add
    >[0][number]
  speeds.add([unit(100), unit(100, 'failed'), unit(300, 'credited', 2)])
  expect(speeds.tpfsOf('m', '1 4 CPUs')).toEqual([1])
  expect(speeds.tpfsOf('m', '2 4 CPUs')).toEqual([3])
  expect(speeds.tpfsOf('x', '1 4 CPUs')).toEqual([])
  speeds.add(Array.from({ length: 8 }, () => unit(200)))
  expect(speeds.tpfsOf('m', '1 4 CPUs')).toEqual(Array<number>(8).fill(2))
})

test('how the units of a group ended is known back to one that was credited, in whichever order they were told', () => {
  const earlier = createEarlierUnits()
  const endings = [
    ['expired', 4],
    ['failed', 1],
    ['credited', 2],
    ['aborted', 5],
    ['dumped', 3],
  ] as const
  earlier.add(
    endings.map(
      ([result, ended]) =>
        ({ machine: 'm', group_name: 'gpu', result, ended }) as Parameters<typeof earlier.add>[0][number],
    ),
  )
  expect(earlier.endsOf('m', 'gpu').map(({ result }) => result)).toEqual(['expired', 'dumped'])
  expect(earlier.endsOf('m', '')).toEqual([])
  expect(earlier.endsOf('x', 'gpu')).toEqual([])
})

test('after a restart, incidents of a machine that is not connected yet go on, and those of one that is gone end', async () => {
  const store = await openServerStore(undefined)
  const at = Date.now()
  const incidentOf = (id: string) =>
    newIncident({
      machine: id,
      name: id,
      owner: undefined,
      condition: { kind: 'nonsense', gravity: 'notice', subject: '', since: at, evidence: {} },
    })
  await store.saw([{ id: 'attic-id', name: 'attic', address: '127.0.0.1:1', os: '', version: '' }], at)
  const put = [incidentOf('attic-id'), incidentOf('sold-id')]
  await store.incidents.save({ put, removed: [], rules: [], at, newId: () => '' })
  let ahead = 0
  await start('[[machines]]\naddress = "127.0.0.1:1"\n', { store, now: () => Date.now() + ahead })
  ahead = 180_000

  const active = () => store.incidents.list({ state: 'active' }, 10)
  await vi.waitFor(async () => expect((await active()).map(({ machine: id }) => id)).not.toContain('sold-id'), 8000)
  expect((await active()).map(({ machine: id }) => id)).toEqual(['attic-id'])
})
