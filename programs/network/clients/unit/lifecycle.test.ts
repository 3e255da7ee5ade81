import { describe, expect, it } from 'vitest'
import { isJsonList } from '../../../../src/protocol/json.ts'
import type { Json } from '../../../../src/protocol/json.ts'
import { createTestClient, part, withoutNumbers } from '../../../../test/network/test-client.ts'
import type { ClientProfile } from '../types.ts'
import { textOf } from '../wire-value.ts'

const folding: Partial<ClientProfile> = { groups: { '': { paused: false, cpus: 1 } } }
const runningUnit: Partial<ClientProfile> = {
  ...folding,
  units: [{ state: 'RUN', cpus: 1, progress: 0.5, project: 18_420 }],
}
const finishing: Partial<ClientProfile> = { groups: { '': { paused: false, finish: true, cpus: 1 } } }
const fast = { speed: 600 }

function group(context: ReturnType<typeof createTestClient>): Json | undefined {
  return part(context.document(), 'groups', '')
}

function statesOf(messages: readonly Json[]): readonly Json[] {
  return messages
    .filter(isJsonList)
    .filter(change => change[2] === 'state')
    .map(change => change[3] ?? null)
}

describe('a unit', () => {
  it('goes through every state until it is credited, and the next one starts when its CPUs are free', () => {
    const { read, clock } = createTestClient(folding, fast)
    const reader = read()
    reader.connection.receive({ cmd: 'wus', enable: true })
    clock.advance(40_000)
    const messages = reader.take()
    expect(statesOf(messages).slice(0, 5)).toEqual(['DOWNLOAD', 'CORE', 'RUN', 'UPLOAD', 'DOWNLOAD'])
    const row = messages.filter(isJsonList).find(([key, sign]) => key === 'wus' && sign === -2)
    expect(part(row, 2, 0)).toMatchObject({
      number: 1,
      state: 'UPLOAD',
      result: 'credited',
      wu_progress: 1,
      cpus: 1,
      gpus: [],
    })
  })

  it('shows its project only when its core first starts', () => {
    const { clock, units } = createTestClient(folding)
    const seen: string[] = []
    for (let step = 0; step < 150; step++) {
      clock.advance(200)
      const [unit] = units()
      if (unit !== undefined) seen.push(`${textOf(unit['state'])} ${'assignment' in unit}`)
    }
    expect(new Set(seen)).toEqual(new Set(['ASSIGN false', 'DOWNLOAD false', 'RUN true']))
  })

  it('counts its time in whole seconds at the end of each run', () => {
    const { read, clock, units } = createTestClient(runningUnit)
    const before = Number(units()[0]?.['run_time'])
    const reader = read()
    clock.advance(7600)
    reader.take()
    reader.connection.receive({ cmd: 'state', state: 'pause' })
    clock.advance(1000)
    expect(withoutNumbers(reader.take())).toEqual([
      ['groups', '', 'config', 'paused', true],
      ['units', 0, 'pause_reason', 'Paused'],
      ['units', 0, 'run_time', before + 7],
      ['units', 0, 'start_time', null],
      ['units', 0, 'pid', null],
    ])
  })

  it('is dumped: the core stops, the dump is reported, a lost unit is counted, and the finishing group pauses', () => {
    const { read, clock, units } = createTestClient({ ...runningUnit, ...finishing })
    const reader = read()
    clock.advance(2000)
    const [unit] = units()
    reader.take()
    reader.connection.receive({ cmd: 'dump', unit: unit?.['id'] ?? '' })
    clock.advance(8000)
    expect(
      withoutNumbers(reader.take()).map(change =>
        change.slice(2).map(part => (typeof part === 'string' && part.startsWith('2026') ? 'time' : part)),
      ),
    ).toEqual([
      ['state', 'DUMP'],
      ['run_time', Number(unit?.['run_time']) + 2],
      ['start_time', null],
      ['pid', null],
      ['end_time', 'time'],
      ['result', 'dumped'],
      ['state', 'DONE'],
      ['lost_wus', 1],
      [null],
      ['config', 'paused', true],
      ['config', 'finish', false],
    ])
  })

  it('that ends in an old client is called CLEAN', () => {
    const { read, clock, units } = createTestClient({ ...runningUnit, ...finishing, version: '8.3.18' })
    const reader = read()
    reader.connection.receive({ cmd: 'dump', unit: units()[0]?.['id'] ?? '' })
    clock.advance(8000)
    expect(statesOf(reader.take())).toEqual(['DUMP', 'CLEAN'])
  })

  it('expires at its deadline, even when paused', () => {
    const context = createTestClient({ ...runningUnit, groups: { '': { cpus: 1 } } })
    const reader = context.read()
    reader.connection.receive({ cmd: 'wus', enable: true })
    context.clock.advance(3 * 86_400_000)
    const rows = reader
      .take()
      .filter(isJsonList)
      .filter(([key]) => key === 'wus')
    expect(part(rows, -1, 2, 0)).toMatchObject({ state: 'CORE', result: 'expired', pause_reason: 'Paused' })
    expect(group(context)).toMatchObject({ failed_wus: 1, lost_wus: 1 })
  })

  it('waits out failed downloads, twice as long each time', () => {
    const { client, read, clock } = createTestClient(folding)
    client.faults.failNextDownloads(3)
    const reader = read()
    clock.advance(60_000)
    const delays = reader
      .take()
      .filter(isJsonList)
      .filter(change => change[2] === 'delay')
      .map(change => change[3])
    expect(delays).toEqual([2, 4, 8])
  })

  it('ends its wait when it is paused', () => {
    const { client, read, clock } = createTestClient(folding)
    client.faults.failNextDownloads(9)
    const reader = read()
    clock.advance(10_000)
    reader.take()
    reader.connection.receive({ cmd: 'state', state: 'pause' })
    expect(withoutNumbers(reader.take())).toEqual([
      ['groups', '', 'config', 'paused', true],
      ['units', 0, 'pause_reason', 'Paused'],
      ['units', 0, 'delay', 0],
      ['units', 0, 'wait', '2026-11-20T12:00:10Z'],
    ])
  })

  it('whose results are rejected is lost', () => {
    const { client, read, clock } = createTestClient({ ...folding, units: [{ state: 'UPLOAD', cpus: 1 }] })
    client.faults.rejectNextResults()
    const reader = read()
    reader.connection.receive({ cmd: 'wus', enable: true })
    clock.advance(30_000)
    expect(
      part(
        reader
          .take()
          .filter(isJsonList)
          .filter(([key]) => key === 'wus'),
        -1,
        2,
        0,
      ),
    ).toMatchObject({ state: 'UPLOAD', result: 'rejected' })
  })
})

describe('a group', () => {
  it('waits longer after each failure and gives up after five lost units', () => {
    const context = createTestClient(folding, fast)
    for (let lost = 1; lost <= 5; lost++) {
      while (context.units()[0]?.['state'] !== 'RUN') context.clock.advance(500)
      context.client.faults.failNextUnit()
      context.clock.advance(5000)
    }
    expect(group(context)).toMatchObject({
      failed_wus: 5,
      lost_wus: 5,
      failed: 'Paused due too many failed Work Units.',
      config: { paused: true },
    })
    context.client.attach(() => {}).receive({ cmd: 'state', state: 'fold' })
    expect(group(context)).toMatchObject({ failed_wus: 0, lost_wus: 0, failed: '', config: { paused: false } })
  })

  it('starts nothing before its wait is over', () => {
    const context = createTestClient(runningUnit)
    context.client.faults.failNextUnit()
    context.clock.advance(5500)
    const wait = Date.parse(textOf(part(group(context), 'wait')))
    context.client.faults.failNextAssignments(9)
    const started = context.units().map(unit => unit['number'])
    expect(wait).toBeGreaterThan(Date.parse('2026-11-20T12:00:00Z'))
    expect(started).toEqual([2])
  })

  it('waits for the idle system, and for mains power, with the reason on its units', () => {
    const { client, units, clock } = createTestClient({
      ...runningUnit,
      groups: { '': { paused: false, cpus: 1, on_idle: true, on_battery: false } },
    })
    const reason = () => [units()[0]?.['pause_reason'], 'pid' in (units()[0] ?? {})]
    const seen = [reason()]
    client.faults.setInUse(true)
    clock.advance(1000)
    seen.push(reason())
    client.faults.setInUse(false)
    client.faults.setOnBattery(true)
    clock.advance(1000)
    seen.push(reason())
    client.faults.setOnBattery(false)
    clock.advance(1000)
    seen.push(reason())
    expect(seen).toEqual([
      [undefined, true],
      ['Waiting for idle system', false],
      ['Pausing on battery', false],
      [undefined, true],
    ])
  })

  it('restarts a core for other CPUs', () => {
    const { read, clock } = createTestClient({
      ...runningUnit,
      groups: { '': { paused: false, cpus: 2 } },
      units: [{ state: 'RUN', cpus: 2, progress: 0.5 }],
    })
    const reader = read()
    clock.advance(3000)
    reader.take()
    reader.connection.receive({ cmd: 'config', config: { groups: { '': { cpus: 1 } } } })
    clock.advance(1000)
    expect(withoutNumbers(reader.take()).map(change => change[2])).toEqual([
      'config',
      'cpus',
      'run_time',
      'start_time',
      'pid',
      'start_time',
      'pid',
    ])
  })
})

it('the numbers of a running unit come each second, and none when the client rests', () => {
  const { read, clock } = createTestClient(runningUnit, { speed: 60 })
  const reader = read()
  clock.advance(10_000)
  const counts = new Map<Json, number>()
  for (const change of reader.take().filter(isJsonList))
    counts.set(change[2] ?? null, (counts.get(change[2] ?? null) ?? 0) + 1)
  expect(counts.get('eta')).toBe(10)
  expect(counts.get('wu_progress')).toEqual(expect.any(Number))
  expect(counts.get('ppd')).toEqual(expect.any(Number))
  reader.connection.receive({ cmd: 'state', state: 'pause' })
  clock.advance(1000)
  reader.take()
  clock.advance(60_000)
  expect(reader.take()).toEqual([])
})

it('gives a bench exactly the rate that it asks for', () => {
  const { read, clock } = createTestClient(
    {
      cpus: 4,
      groups: { '': { paused: false, cpus: 2 }, b: { paused: false, cpus: 2 } },
      units: [
        { state: 'RUN', cpus: 2, progress: 0.1 },
        { state: 'RUN', cpus: 2, progress: 0.2, group: 'b' },
      ],
    },
    { changesEvery: 667 },
  )
  const reader = read()
  clock.advance(10_000)
  reader.take()
  clock.advance(100_000)
  expect(reader.take().length).toBeGreaterThan(295)
  clock.advance(100_000)
  expect(reader.take().length).toBeLessThan(305)
})

it('sends the topology from frame 0 only, and new frames after their count', () => {
  const { read, clock, units } = createTestClient(
    { ...folding, units: [{ state: 'RUN', cpus: 1, progress: 0.1, project: 18_495 }] },
    { speed: 600 },
  )
  const reader = read()
  clock.advance(500)
  reader.take()
  const id = textOf(units()[0]?.['id'])
  const frames = Number(units()[0]?.['frames'])
  reader.connection.receive({ cmd: 'viz', unit: id, frame: frames - 1 })
  reader.connection.receive({ cmd: 'viz', unit: id, frame: 0 })
  const sent = reader
    .take()
    .filter(isJsonList)
    .map(change => change.slice(0, 4).map(part => (typeof part === 'object' ? 'data' : part)))
  const all = Array.from({ length: frames }, (_, index) => ['viz', id, 'frames', index])
  expect(sent).toEqual([['viz', id, 'frames', frames - 1], ['viz', id, 'topology', 'data'], ...all])
  clock.advance(1500)
  const later = reader
    .take()
    .filter(isJsonList)
    .filter(change => change[2] === 'frames')
    .map(change => [change[0], change[3]])
  const [[, count] = []] = later
  expect(later.slice(0, 2)).toEqual([
    ['units', count],
    ['viz', frames],
  ])
})

it('sends large frames one after another, without a gap, and stops when another unit is viewed', () => {
  const { read, clock, units } = createTestClient({
    ...folding,
    units: [{ state: 'RUN', cpus: 1, progress: 0.5, project: 18_630 }],
  })
  const reader = read()
  clock.advance(500)
  reader.take()
  const id = textOf(units()[0]?.['id'])
  const frames = Number(units()[0]?.['frames'])
  const sentFrames = () =>
    reader
      .take()
      .filter(isJsonList)
      .flatMap(change => (change[0] === 'viz' && change[2] === 'frames' ? [change[3]] : []))
  reader.connection.receive({ cmd: 'viz', unit: id, frame: 0 })
  expect({ frames, sentFrames: sentFrames() }).toEqual({ frames: 4, sentFrames: [0] })
  clock.advance(5)
  expect(sentFrames()).toEqual([1])
  clock.advance(100)
  expect(sentFrames()).toEqual([2, 3])
  reader.connection.receive({ cmd: 'viz', unit: id, frame: 0 })
  reader.connection.receive({ cmd: 'viz', unit: '', frame: 0 })
  clock.advance(100)
  expect(sentFrames()).toEqual([0])
})
