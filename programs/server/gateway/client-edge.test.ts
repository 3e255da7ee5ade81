import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXCESSES, type Excess } from '../../../src/folding/client/client-excess.ts'
import { APPEND, applyChanges, EXTEND, type Change } from '../../../src/protocol/client/changes.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { clientData, groupConfig, unitData } from '../../../test/end-to-end/scripted-client.ts'
import { areRecordingsHere, readRecording, recordingNames } from '../../../test/recording.ts'
import { createExchange } from './exchange.ts'
import { createClientEdge } from './client-edge.ts'
import { FIRST_WAIT_MS, FORGIVEN_MS, LONGEST_WAIT_MS, CLIENT_LIMITS } from './client-limits.ts'

/** An edge with a clock that the test moves, and what it ended. */
function start() {
  let now = 0
  const excesses: { limit: Excess; wait: number }[] = []
  const ended: Excess[] = []
  const edge = createClientEdge({ elapsed: () => now, onExcess: each => excesses.push(each) })
  const begin = () => edge.begin(limit => ended.push(limit))
  begin()
  return {
    edge,
    excesses,
    ended,
    begin,
    wait: (ms: number) => {
      now += ms
    },
  }
}

function times(count: number, run: (at: number) => void): void {
  for (let at = 0; at < count; at++) run(at)
}

const small = clientData({ units: [unitData()] }) as ClientData

/** What exceeds each limit, and what is just below it. */
const cases: Readonly<Record<Excess, (edge: ReturnType<typeof start>, share: number) => void>> = {
  bytes: ({ edge }, share) => edge.takeMessage(CLIENT_LIMITS.bytes.most * share),
  messages: ({ edge }, share) => times(CLIENT_LIMITS.messages.most * share, () => edge.takeMessage(6)),
  state: ({ edge }, share) =>
    edge.takeState({ info: { notes: Array.from({ length: 100 * share }, () => 'x'.repeat(20_900)) } }),
  values: ({ edge }, share) =>
    edge.takeState({ units: Array.from({ length: 600 * share }, () => ({ cs: Array.from({ length: 80 }, () => 1) })) }),
  keys: ({ edge }, share) =>
    edge.takeState({
      info: Object.fromEntries(Array.from({ length: CLIENT_LIMITS.keys.most * share }, (_, at) => [`k${at}`, 1])),
    }),
  list: ({ edge }, share) =>
    edge.takeChange(small, ['units', 0, 'gpus', Array.from({ length: CLIENT_LIMITS.list.most * share }, () => 'g')]),
  groups: ({ edge }, share) =>
    edge.takeState({
      info: {},
      groups: Object.fromEntries(Array.from({ length: CLIENT_LIMITS.groups.most * share }, (_, at) => [`g${at}`, {}])),
    }),
  units: ({ edge }, share) =>
    edge.takeState({ info: {}, units: Array.from({ length: CLIENT_LIMITS.units.most * share }, () => ({})) }),
  additions: ({ edge }, share) =>
    times(CLIENT_LIMITS.additions.most * share, at => edge.takeChange(small, ['units', 0, { id: `unit ${at}` }])),
  text: ({ edge }, share) => edge.takeState({ info: { version: 'x'.repeat(CLIENT_LIMITS.text.most * share) } }),
  log: ({ edge }, share) =>
    times(1000, () => edge.takeLog(Array.from({ length: 6 }, () => 'x'.repeat(11_180 * share)))),
  history: ({ edge }, share) =>
    edge.takeHistory(Array.from({ length: CLIENT_LIMITS.history.most * share }, (_, at) => ({ id: `u${at}` }))),
  processor: ({ edge, wait }, share) => times(10, () => edge.timed(() => wait(1.2 * 500 * share))),
}

test.each(EXCESSES)('%s: below the limit nothing happens, above it the client is disconnected', limit => {
  const within = start()
  cases[limit](within, 0.9)
  expect(within.ended).toEqual([])
  expect(within.edge.excess()).toBeUndefined()
  const above = start()
  cases[limit](above, 1.2)
  expect(above.ended).toEqual([limit])
  expect(above.excesses).toEqual([{ limit, wait: FIRST_WAIT_MS }])
  expect(above.edge.excess()).toBe(limit)
})

test('a state that grows change by change is counted as one that is sent at once', () => {
  const grow = (changeOf: (at: number) => Change): Excess | undefined => {
    const client = start()
    client.edge.takeState(small as Json)
    let data = small
    for (let at = 0; at < 60_000 && client.edge.isOpen(); at++) {
      const change = changeOf(at)
      client.edge.takeChange(data, change)
      if (client.edge.isOpen()) data = applyChanges(data, [change])
    }
    return client.ended[0]
  }
  expect(grow(at => ['info', `k${at}`, 'x'])).toBe('keys')
  expect(grow(at => ['groups', `g${at}`, {}])).toBe('groups')
  expect(grow(at => ['groups', '', 'config', `k${at}`, true])).toBe('keys')
  expect(grow(() => ['units', APPEND, {}])).toBe('units')
  expect(grow(() => ['units', EXTEND, [{}, {}, {}]])).toBe('units')
  expect(grow(() => ['units', 0, 'gpus', APPEND, 'g'])).toBe('list')
  expect(grow(at => ['groups', `g${at % 150}`, { [`k${at % 300}`]: 'x'.repeat(39_000), more: at }])).toBe('state')
  expect(grow(() => ['x'.repeat(50_000), 1])).toBe('text')
})

test('another id of the client counts as many units, however it is told', () => {
  for (const send of [
    ({ edge }: ReturnType<typeof start>, id: string) => edge.takeChange(small, ['info', 'id', id]),
    ({ edge }: ReturnType<typeof start>, id: string) => edge.takeChange(small, ['info', { id }]),
    (client: ReturnType<typeof start>, id: string) => {
      client.begin()
      client.edge.takeState({ info: { id } })
    },
  ]) {
    const client = start()
    times(1000, () => send(client, 'same'))
    expect(client.ended).toEqual([])
    times(250, at => send(client, `id ${at}`))
    expect(client.ended).toContain('additions')
  }
})

test('values that are replaced for years count once', () => {
  const client = start()
  client.edge.takeState(small as Json)
  let data = small
  times(200_000, at => {
    const change: Change = ['units', 0, 'eta', `${at} seconds, which is a text of some length`]
    client.edge.takeChange(data, change)
    data = applyChanges(data, [change])
  })
  expect(client.ended).toEqual([])
})

test('the largest possible client, with its whole log, history and molecules, is below all limits', () => {
  const client = start()
  const { edge } = client
  const state = clientData({
    groups: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`group ${at}`, { config: groupConfig() }])),
    units: Array.from({ length: 300 }, (_, at) => unitData({ id: `unit ${at}`, number: at })),
  }) as Json
  const log = Array.from({ length: 100_000 }, () => 'x'.repeat(90))
  const history = Array.from({ length: 10_000 }, (_, at) => unitData({ id: `unit ${at}`, state: 'UPLOAD' }) as Json)
  times(20, () => {
    client.begin()
    edge.takeState(state)
    edge.takeMessage(10_000_000)
    edge.takeLog(log)
    edge.takeHistory(history)
    times(100, () => edge.takeMessage(250_000))
    client.wait(5 * 60_000)
  })
  expect(client.ended).toEqual([])
})

test.skipIf(!areRecordingsHere)('everything that real clients were recorded to send is let in', () => {
  const names = recordingNames().filter(name => name.startsWith('direct-'))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const excesses: unknown[] = []
    const exchange = createExchange({
      now: () => 0,
      later: () => () => undefined,
      onExcess: each => excesses.push(each),
    })
    exchange.open(
      () => undefined,
      () => undefined,
    )
    for (const { raw, dir, type } of readRecording(name))
      if (dir === 'in' && type === 'text') exchange.receiveText(raw, raw.length)
    expect(exchange.data()?.info).toBeDefined()
    expect(excesses).toEqual([])
  }
})

test('what is long and neither log, history nor molecule is not even parsed', () => {
  const { edge, ended } = start()
  const long = 'x'.repeat(3_000_000)
  for (const text of [`["log",["${long}"]]`, ` [ "wus", -2, ["${long}"]]`, `[\n "viz","${long}"]`])
    expect(edge.mayParse(text)).toBe(true)
  expect(ended).toEqual([])
  expect(edge.mayParse(`{"info":"${long}"}`)).toBe(false)
  expect(ended).toEqual(['state'])
})

test('a client is left alone longer each time, an hour at most, and a minute again after a good while', () => {
  const client = start()
  const exceed = () => {
    client.begin()
    client.edge.takeState({ info: { version: 'x'.repeat(50_000) } })
    return client.excesses.at(-1)?.wait
  }
  expect({ exceed: exceed(), excess: client.edge.excess() }).toEqual({ exceed: FIRST_WAIT_MS, excess: 'text' })
  client.wait(FIRST_WAIT_MS - 1)
  expect(client.edge.excess()).toBe('text')
  client.wait(1)
  expect(client.edge.excess()).toBeUndefined()
  const waits = Array.from({ length: 8 }, () => {
    const wait = exceed() ?? 0
    client.wait(wait)
    return wait / FIRST_WAIT_MS
  })
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60])
  client.wait(LONGEST_WAIT_MS + FORGIVEN_MS)
  expect(exceed()).toBe(FIRST_WAIT_MS)
})

test('time for which the process was stopped counts against no client', () => {
  const { edge, ended, wait } = start()
  edge.timed(() => wait(3_600_000))
  expect(ended).toEqual([])
})

test('docs/server.md has all limits', () => {
  const [, section = ''] = readFileSync('docs/server.md', 'utf8').split('## Limits of a machine')
  const rows = [...section.matchAll(/^\| `(\w+)` +\|[^|]*\| +([\d,]+) +\| +([\d,]*) +\|/gm)].map(
    ([, name, most, rate]) => [
      name,
      Number(most?.replaceAll(',', '')),
      rate === '' ? undefined : Number(rate?.replaceAll(',', '')),
    ],
  )
  expect(rows).toEqual(
    EXCESSES.map(name => {
      const limit: { readonly most: number; readonly perSecond?: number } = CLIENT_LIMITS[name]
      return [name, limit.most, limit.perSecond]
    }),
  )
})
