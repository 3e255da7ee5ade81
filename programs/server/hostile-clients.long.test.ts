import { describe, expect, test, vi } from 'vitest'
import type { Excess } from '../../src/folding/client/client-excess.ts'
import { EXTEND } from '../../src/protocol/client/changes.ts'
import { clientData, groupConfig, unitData } from '../../test/end-to-end/scripted-client.ts'
import { sendFragments, startHostileClient, startRawServer, type Attack } from '../../test/hostile-client.ts'
import { usePostgres } from '../../test/use-postgres.ts'
import { programs, stateOf, TOKENS, useService, type StartedService } from '../../test/server-service.ts'
import { openPostgres } from './store/postgres.ts'
import { endedUnit } from './store/recorder.ts'
import { openServerStore } from './store/sqlite.ts'
import { storeOf } from './store/store.ts'

const { start, client, openPage, stopLater } = useService()

const needPostgres = usePostgres()

type Target = { readonly address: { readonly host: string; readonly port: number } }
function entry({ address: { host, port } }: Target, name: string) {
  return `[[machines]]\naddress = "${host}:${port}"\nname = "${name}"\n`
}

async function hostileClient(attack: Attack) {
  return stopLater(await startHostileClient(attack))
}

async function metricsOf({ origin }: StartedService): Promise<string> {
  return (await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${TOKENS.metrics}` } })).text()
}
async function read<Answer>({ origin }: StartedService, path: string): Promise<Answer> {
  const response = await fetch(`${origin}/api/server/${path}`, { headers: { Authorization: `Bearer ${TOKENS.read}` } })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

type Clients = { readonly machines: readonly { readonly connected: boolean }[] }

/** A server with a good client, `attic`, and hostile ones: `cellar`, or named by their titles. */
async function startWith(
  hostile: Target | Readonly<Record<string, Target>>,
  options: Parameters<typeof start>[1] = {},
) {
  const good = await client(clientData({ info: { id: 'good-id' }, units: [unitData()] }))
  const others = 'address' in hostile ? { cellar: hostile as Target } : hostile
  const entries = Object.entries({ attic: good, ...others }).map(([name, target]) => entry(target, name))
  const service = await start(`${entries.join('')}${programs()}`, options)
  await vi.waitFor(async () => {
    const { machines: clients } = await read<Clients>(service, 'machines')
    expect(clients[0]?.connected).toBe(true)
  }, WAIT)
  const page = await openPage(service, { Authorization: `Bearer ${TOKENS.read}` })
  await stateOf(page)
  let ppd = 0
  return {
    service,
    /** What the good client says reaches its page, and the server answers. */
    servesOthers: async () => {
      good.say(['units', 0, 'ppd', ++ppd])
      expect(await page.next(text => text.startsWith('["units",0,"ppd"'))).toBe(`["units",0,"ppd",${ppd}]`)
      // Requests a minute are limited.
      if (ppd % 10 === 1) expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
    },
  }
}

const WAIT = { timeout: 20_000, interval: 100 }
let snapshots = 0
function snapshot({ info = {}, ...data }: Parameters<typeof clientData>[0] = {}) {
  return clientData({ info: { id: `hostile-${++snapshots}`, ...info }, units: [unitData()], ...data })
}
function groups(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`group ${at}`, { config: groupConfig() }]))
}
async function forever(run: (at: number) => Promise<void>): Promise<void> {
  for (let at = 0; ; at++) await run(at)
}

const attacks: readonly (readonly [title: string, limit: Excess, attack: Attack])[] = [
  [
    'new keys without end',
    'keys',
    async send => {
      await send(snapshot())
      await forever(at => send(['info', `key ${at}`, 'x'.repeat(100)]))
    },
  ],
  [
    'new keys at 40 MB a second',
    'state',
    async send => {
      await send(snapshot())
      await forever(at => send(['info', `key ${at}`, 'x'.repeat(40_000)]))
    },
  ],
  ['20,000 groups', 'state', send => send(snapshot({ groups: groups(20_000) }))],
  ['thousands of groups', 'groups', send => send(snapshot({ groups: groups(3000) }))],
  [
    'groups one by one',
    'groups',
    async send => {
      await send(snapshot())
      await forever(at => send(['groups', `group ${at}`, { config: groupConfig() }]))
    },
  ],
  [
    'units without end',
    'units',
    async send => {
      await send(snapshot())
      await forever(at => send(['units', EXTEND, [unitData({ id: `unit ${at}` }), unitData({ id: `other ${at}` })]]))
    },
  ],
  [
    'groups and units that come and go without end',
    'additions',
    async send => {
      await send(snapshot())
      await forever(async at => {
        const others = Array.from({ length: 100 }, (_, each) => unitData({ id: `unit ${at} ${each}` }))
        await send(['units', others])
        await send(['groups', groups(100)])
      })
    },
  ],
  [
    'another id each time',
    'additions',
    async send => {
      await send(snapshot())
      await forever(at => send(['info', 'id', `id ${at}`]))
    },
  ],
  [
    'a long list in a unit',
    'list',
    async send => {
      await send(snapshot())
      await send(['units', 0, 'gpus', Array.from({ length: 20_000 }, () => 'gpu:01:00:00')])
    },
  ],
  ['a version of 5 MB', 'state', send => send(snapshot({ info: { version: '8'.repeat(5_000_000) } }))],
  ['a name of 1 MB', 'text', send => send(snapshot({ info: { mach_name: 'x'.repeat(1_000_000) } }))],
  [
    'a log of one endless line',
    'text',
    async send => {
      await send(snapshot())
      await send(['log', ['x'.repeat(10_000_000)]])
    },
  ],
  [
    'a log without end',
    'log',
    async send => {
      await send(snapshot())
      const lines = Array.from({ length: 1000 }, () => 'x'.repeat(4000))
      await forever(() => send(['log', EXTEND, lines]))
    },
  ],
  [
    'units that ended, without end',
    'history',
    async send => {
      await send(snapshot())
      await forever(part =>
        send([
          'wus',
          EXTEND,
          Array.from({ length: 2000 }, (_, at) => ({
            id: `ended ${part} ${at}`,
            result: 'credited',
            end_time: '2027-01-01T00:00:00Z',
          })),
        ]),
      )
    },
  ],
  [
    'a flood of tiny messages',
    'messages',
    async (send, socket) => {
      await send(snapshot())
      await forever(async () => {
        for (let at = 0; at < 500; at++) socket.send('"ping"')
        await send('"ping"')
      })
    },
  ],
]

test('clients that send too much are disconnected and named, each for what it did, and the others go on', async () => {
  const clients = await Promise.all(
    attacks.map(async ([title, , attack]) => [title, await hostileClient(attack)] as const),
  )
  const { service, servesOthers } = await startWith(Object.fromEntries(clients))
  while (clients.some(([, hostile]) => hostile.ended() === 0)) await servesOthers()
  await servesOthers()
  const counted = await metricsOf(service)
  for (const [title, limit] of attacks)
    expect(counted).toContain(`foldboard_machine_disconnections_total{machine="${title}",limit="${limit}"} 1\n`)
  const session = await read<{ machines: object[] }>(service, 'session')
  expect(session.machines).toMatchObject([{ name: 'attic' }, ...attacks.map(([name, excess]) => ({ name, excess }))])
  await vi.waitFor(async () => {
    const { incidents } = await read<{ incidents: { name: string }[] }>(service, 'incidents?kind=excessive')
    expect(incidents.map(({ name }) => name).sort()).toEqual(attacks.map(([title]) => title).sort())
  }, WAIT)
  await servesOthers()
  // They are tried again only after a while.
  expect(clients.map(([, hostile]) => hostile.connections())).toEqual(attacks.map(() => 1))
})

const oddities: readonly (readonly [title: string, attack: Attack])[] = [
  [
    'a flood of pings of the protocol',
    async (send, socket) => {
      await send(snapshot())
      await forever(async () => {
        for (let at = 0; at < 500; at++) socket.ping()
        await send('"ping"')
      })
    },
  ],
  [
    'deep nesting',
    async send => {
      await send(snapshot())
      await send(`["config","deep",${'['.repeat(100_000)}${']'.repeat(100_000)}]`)
    },
  ],
  [
    'objects without end',
    async send => {
      await send(snapshot())
      await send(`["log",[${'{},'.repeat(2_000_000)}1]]`)
    },
  ],
  [
    'what is not JSON',
    async send => {
      await send(snapshot())
      await send('{"info":'.repeat(1000))
    },
  ],
  [
    'a message in too many fragments',
    async (send, socket) => {
      await send(snapshot())
      await sendFragments(socket, 40_000)
    },
  ],
  [
    'a message of more than 64 MiB',
    async send => {
      await send(snapshot())
      await send(`["log",["${'x'.repeat(70 * 1_048_576)}"]]`)
    },
  ],
]

test('connections with what no client can send end, and the others go on', async () => {
  const clients = await Promise.all(
    oddities.map(async ([title, attack]) => [title, await hostileClient(attack)] as const),
  )
  const { servesOthers } = await startWith(Object.fromEntries(clients))
  while (clients.some(([, hostile]) => hostile.ended() === 0)) await servesOthers()
  await servesOthers()
})

test('a client that says nothing, or one byte now and then, keeps nobody waiting', async () => {
  const silent = stopLater(await startRawServer(() => undefined))
  const { service, servesOthers } = await startWith(silent)
  await servesOthers()
  const slow = stopLater(
    await startRawServer(socket => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nX: ')
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(timer))
    }),
  )
  const { servesOthers: servesAlso } = await startWith(slow)
  for (let at = 0; at < 20; at++) await servesAlso()
  const { machines: clients } = await read<Clients>(service, 'machines')
  expect(clients.map(({ connected }) => connected)).toEqual([true, false])
})

test('keys of prototypes, numbers out of range, words for numbers and units that come and go harm nothing', async () => {
  const done: true[] = []
  const hostile = await hostileClient(async send => {
    await send(
      JSON.stringify(snapshot({ groups: groups(3) })).replace('"info":{', '"info":{"__proto__":{"polluted":1},'),
    )
    await send('["groups","__proto__",{"polluted":1}]')
    await send('["info","constructor","prototype","polluted",1]')
    await send('["viz","unit-1",{"topology":{},"frames":[[],[],[]]}]')
    for (const field of ['ppd', 'run_time', 'wu_progress', 'number', 'frames', 'cpus'])
      for (const value of ['1e400', '-1e400', '-5', '1e308', '"NaN"', 'null', '[]'])
        await send(`["units",0,"${field}",${value}]`)
    await send('["units",0,"ppd",1e400]')
    await send(
      '["wus",[{"id":"odd","number":1e300,"ppd":1e400,"run_time":-1e400,"result":"credited","end_time":"2027-01-01T00:00:00Z","assignment":{"project":1e400,"credit":1e400,"time":"NaN"},"wu":{"run":1e99,"clone":-1e99,"gen":0.5}}]]',
    )
    for (let at = 0; at < 2000; at++) {
      await send(['units', 1, unitData({ id: `flapping ${at}` })])
      await send(['units', 1, null])
    }
    done.push(true)
  })
  const { service, servesOthers } = await startWith(hostile)
  await vi.waitFor(async () => {
    await servesOthers()
    const { machines: clients } = await read<{ machines: { name: string }[] }>(service, 'machines')
    const units = await read<{ units: { unit: string }[] }>(service, 'history')
    expect(clients).toHaveLength(2)
    expect(units.units).toMatchObject([{ unit: 'odd', number: null, project: null, credit: null }])
  }, WAIT)
  while (done.length === 0) await servesOthers()
  expect({ connections: hostile.connections(), ended: hostile.ended() }).toEqual({ connections: 1, ended: 0 })
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(await metricsOf(service)).not.toMatch(/^foldboard_machine.* (?:NaN|[+-]?Inf)/m)
})

test('a unit with an id of 1,200 characters, and one with odd characters, are in the history with all others', async () => {
  const ended = { result: 'credited', end_time: '2027-01-01T00:00:00Z', state: 'UPLOAD' }
  const ids = ['x'.repeat(1200), `${'x'.repeat(1200)}y`, 'half \ud800', 'with \0 and ~', 'usual']
  const hostile = await hostileClient(async send => {
    await send(snapshot())
    await send(['wus', ids.map(id => ({ ...ended, id, group: 'g'.repeat(30_000) }))])
  })
  const { service } = await startWith(hostile)
  await vi.waitFor(async () => {
    const { units } = await read<{ units: { key: string; unit: string; group: string }[] }>(service, 'history')
    expect(units).toHaveLength(ids.length)
    for (const { key, unit, group } of units)
      expect(Math.max(key.length / 2.5, unit.length, group.length)).toBeLessThanOrEqual(200)
  }, WAIT)
})

test('long texts of a client do not swell metrics, and its id is not in them', async () => {
  const id = 'SecretIdOfTheMachine'
  const hostile = await hostileClient(send =>
    send(
      snapshot({ info: { id, version: '8'.repeat(40_000), os: 'x'.repeat(40_000), mach_name: 'n'.repeat(40_000) } }),
    ),
  )
  const { service } = await startWith(hostile)
  await vi.waitFor(async () => {
    const text = await metricsOf(service)
    expect(text).toContain('foldboard_machine_info{machine="cellar",version="8888')
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThan(300)
    expect(text).not.toContain(id)
  }, WAIT)
})

test('a client that took the id of another one cannot make the other one a clone, or take its units', async () => {
  const ended = { id: 'own', result: 'credited', end_time: '2027-01-01T00:00:00Z' }
  const hostile = await hostileClient(async send => {
    await send(snapshot({ info: { id: 'good-id~c00000000' } }))
    await send(['wus', [ended]])
  })
  const { service } = await startWith(hostile)
  await service.store.addUnits([])
  await vi.waitFor(async () => {
    const { units } = await read<{ units: { machineId: string; machine: string }[] }>(service, 'units')
    expect(units).toHaveLength(1)
    const stored = await service.store.units({}, 10)
    expect(stored.units[0]?.machine).not.toContain('~')
  }, WAIT)
})

test('labels of counters are the same before and after a client is connected, and are neither ids nor its own names', async () => {
  const ended = { id: 'own', result: 'credited', end_time: '2027-01-01T00:00:00Z' }
  const hostile = await hostileClient(async send => {
    await send(snapshot({ info: { id: 'secret-id', mach_name: 'its own name' } }))
    await send(['wus', [{ ...ended, id: 'second' }]])
  })
  const { host, port } = hostile.address
  for (const [name, label] of [
    ['name = "cellar"', 'cellar'],
    ['', `${host}:${port}`],
  ]) {
    const store = await openServerStore(undefined)
    const connectedClient = { id: 'secret-id', name: 'its own name', info: { gpus: {} }, owner: undefined }
    await store.saw(
      [{ id: connectedClient.id, name: connectedClient.name, address: `${host}:${port}`, os: '', version: '' }],
      0,
    )
    await store.saw([{ id: 'gone-id', name: 'gone', address: '10.9.9.9:7396', os: '', version: '' }], 0)
    await store.addUnits(
      [connectedClient, { ...connectedClient, id: 'gone-id' }].flatMap(owner => endedUnit(owner, ended) ?? []),
    )
    const service = await start(`[[machines]]\naddress = "${host}:${port}"\n${name}\n${programs()}`, { store })
    const counters = async () =>
      (await metricsOf(service))
        .split('\n')
        .filter(line => line.startsWith('foldboard_units_ended_total{'))
        .sort()
    await vi.waitFor(
      async () =>
        expect(await counters()).toEqual(
          [
            `foldboard_units_ended_total{machine="${label}",result="credited"} 2`,
            'foldboard_units_ended_total{machine="other",result="credited"} 1',
          ].sort(),
        ),
      WAIT,
    )
    expect(await metricsOf(service)).not.toMatch(/secret-id|gone-id|own name/)
  }
})

describe('PostgreSQL', () => {
  test('a group name of 6,000 characters stops no incident', async ({ skip }) => {
    // Random, since a database compresses repetitions.
    const name = Array.from({ length: 6000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join('')
    const hostile = await hostileClient(send =>
      send(
        snapshot({
          groups: {
            [name]: { config: groupConfig(), failed: 'Paused due too many failed Work Units.', failed_wus: 5 },
          },
          config: { passkey: 'short' },
        }),
      ),
    )
    const store = storeOf(await openPostgres(await needPostgres(skip).newDatabase()))
    const { service } = await startWith(hostile, { store })
    await vi.waitFor(async () => {
      const { incidents } = await read<{ incidents: { kind: string }[] }>(service, 'incidents')
      expect(incidents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['stopped', 'nonsense']))
    }, WAIT)
    expect(await metricsOf(service)).not.toContain('foldboard_rows_set_aside_total{')
  })
})
