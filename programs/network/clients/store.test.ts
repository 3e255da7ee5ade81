import { describe, expect, it, vi } from 'vitest'
import { isJsonList } from '../../../src/protocol/json.ts'
import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import { NOON, createTestClient, part } from '../../../test/network/test-client.ts'
import type { ClientProfile } from './types.ts'

const busy: Partial<ClientProfile> = {
  cpus: 8,
  hasBattery: true,
  groups: { '': { paused: false, cpus: 2 }, lab: { cpus: 1, key: 7 }, slow: { paused: false, finish: true, cpus: 1 } },
  failures: { '': { failed_wus: 2, lost_wus: 3, failed: '' } },
  units: [
    { state: 'RUN', cpus: 2, progress: 0.4, project: 18_420 },
    { state: 'CORE', cpus: 1, group: 'lab', progress: 0.1, project: 18_421 },
    { state: 'DOWNLOAD', cpus: 1, group: 'slow', retries: 5 },
  ],
  history: ['credited', 'failed'],
}

/** The client after a restart of its process, `later` ms later. */
function restart(context: ReturnType<typeof createTestClient>, profile: Partial<ClientProfile>, later = 0) {
  const stored = context.client.snapshotForStore()
  const at = context.clock.now() + later
  context.client.stop()
  return createTestClient(profile, { restored: stored }, at)
}

function fieldsOf(units: readonly JsonObject[], keys: readonly string[]) {
  return units.map(unit => keys.map(key => unit[key] ?? null))
}

describe('a client that starts again', () => {
  it('has its config, groups, counts, history and units', () => {
    const context = createTestClient(busy)
    context.client
      .attach(() => {})
      .receive({
        cmd: 'config',
        config: { user: 'Ada', passkey: 'p', groups: { '': {}, lab: {}, slow: {}, new: { cpus: 3 } } },
      })
    context.client.rename('Rig')
    context.client.setAccount('account')
    context.clock.advance(10_000)
    const before = context.document()
    const keys = ['number', 'id', 'group', 'cpus', 'gpus', 'assignment', 'wu', 'retries', 'wait', 'delay']
    const unitsBefore = fieldsOf(context.units(), keys)
    const again = restart(context, busy)
    const after = again.document()
    expect(after['config']).toEqual(before['config'])
    expect(after['groups']).toEqual(before['groups'])
    expect(after['info']).toMatchObject({ mach_name: 'Rig', account: 'account', hostname: 'vm' })
    expect(fieldsOf(again.units(), keys)).toEqual(unitsBefore)
  })

  it('continues the work, and keeps the time so far', () => {
    const context = createTestClient(busy, { speed: 60 })
    context.clock.advance(20_000)
    const numbers = (unit: JsonObject | undefined) => [unit?.['wu_progress'], unit?.['state']]
    const before = numbers(context.units()[0])
    const again = restart(context, busy, 3_600_000)
    expect(numbers(again.units()[0])).toEqual(before)
    expect(before).toEqual([expect.any(Number), 'RUN'])
    expect(Number(again.units()[0]?.['run_time'])).toBeGreaterThan(20)
  })

  it('has the same seed history, whether or not it was read before', () => {
    const pastOf = (context: ReturnType<typeof createTestClient>): Json => {
      const reader = context.read()
      reader.connection.receive({ cmd: 'wus', enable: true })
      return reader.take().filter(isJsonList).at(-1)?.[1] ?? null
    }
    const asked = createTestClient(busy)
    const history = pastOf(asked)
    expect(isJsonList(history) && history.length).toBe(2)
    expect(pastOf(restart(asked, busy, 5000))).toEqual(history)
    expect(pastOf(restart(createTestClient(busy), busy, 5000))).toEqual(history)
  })

  it('keeps the times of commands', () => {
    const context = createTestClient(busy)
    context.client.attach(() => {}).receive({ cmd: 'config', config: { user: 'Ada' }, time: '2026-11-20T12:30:00Z' })
    const again = restart(context, busy)
    again.client.attach(() => {}).receive({ cmd: 'config', config: { user: 'Eve' }, time: '2026-11-20T12:30:00Z' })
    expect(part(again.document(), 'config', 'user')).toBe('Ada')
  })

  it('continues the numbers of units', () => {
    const context = createTestClient({ groups: { '': { paused: false, cpus: 1 } }, noWork: true })
    const again = restart(context, { groups: { '': { cpus: 1 } }, noWork: true })
    again.client.attach(() => {}).receive({ cmd: 'state', state: 'pause' })
    again.clock.advance(2000)
    again.client.attach(() => {}).receive({ cmd: 'state', state: 'fold' })
    expect(again.units().map(unit => unit['number'])).toEqual([2])
  })
})

it('must be stored after changes, and once a minute while a core runs', () => {
  const onChange = vi.fn<() => void>()
  const { clock, client } = createTestClient(
    { groups: { '': { paused: false, cpus: 1 } }, units: [{ state: 'RUN', cpus: 1, progress: 0.1 }] },
    { hooks: { onChange } },
  )
  clock.advance(1000)
  onChange.mockClear()
  clock.advance(600_000)
  expect([9, 10]).toContain(onChange.mock.calls.length)
  client.attach(() => {}).receive({ cmd: 'state', state: 'pause' })
  clock.advance(1000)
  onChange.mockClear()
  clock.advance(600_000)
  expect(onChange).not.toHaveBeenCalled()
})

it.each([[null], [{}], [{ format: 2 }], ['text'], [{ format: 1, units: 'none' }]])(
  'begins its story again when it finds %j in the store',
  stored => {
    const { document } = createTestClient(busy, { restored: stored })
    expect(document()).toEqual(createTestClient(busy).document())
  },
)

it('gives the same messages for the same seed', () => {
  const live = (seed: number): string => {
    const { read, clock } = createTestClient(
      { ...busy, transferFailureRate: 0.3, unitFailureRate: 0.3 },
      { speed: 600, seed },
      NOON,
    )
    const reader = read()
    clock.advance(120_000)
    return JSON.stringify(reader.messages)
  }
  const first = live(1)
  expect(first.length).toBeGreaterThan(10_000)
  expect(live(1)).toBe(first)
  expect(live(2)).not.toBe(first)
})
