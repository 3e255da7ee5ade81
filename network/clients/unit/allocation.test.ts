import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocateGroup, groupPauseReason } from './allocation.ts'
import type { ResourceClaim, Environment } from './allocation.ts'
import { newGroupConfig } from '../document.ts'
import { rtx3060 } from '../profiles/hardware.ts'
import type { GroupConfig } from '../types.ts'

const around: Environment = {
  cpus: 8,
  gpus: { g1: rtx3060(0), g2: rtx3060(1) },
  inUse: false,
  onBattery: false,
  now: 1000,
}
function running(config: Partial<GroupConfig>): GroupConfig {
  return { ...newGroupConfig(), paused: false, ...config }
}
function allocate(config: Partial<GroupConfig>, claims: readonly ResourceClaim[] = [], waitUntil = 0) {
  return allocateGroup({ name: '', config: running(config), waitUntil }, claims, around, new Set(['g1', 'g2']))
}
function claim(more: Partial<ResourceClaim> = {}): ResourceClaim {
  return {
    group: '',
    state: 'RUN',
    cpus: 1,
    gpus: [],
    maxCpus: 64,
    paused: false,
    ...more,
  }
}

describe('new units', () => {
  it('take one CPU for each GPU and the rest together', () => {
    expect(allocate({ cpus: 8, gpus: { g1: { enabled: true }, g2: { enabled: true } } }).newUnits).toEqual([
      { group: '', cpus: 1, gpus: ['g1'] },
      { group: '', cpus: 1, gpus: ['g2'] },
      { group: '', cpus: 6, gpus: [] },
    ])
  })
  it('get no CPU if there is only a GPU', () => {
    expect(allocate({ cpus: 0, gpus: { g1: { enabled: true } } }).newUnits).toEqual([
      { group: '', cpus: 0, gpus: ['g1'] },
    ])
  })
  it('ignore GPUs that are not enabled or do not exist', () => {
    expect(allocate({ cpus: 0, gpus: { g1: { enabled: false }, g9: { enabled: true } } }).newUnits).toEqual([])
  })
  it('get no more CPUs than the client has', () => {
    expect(allocate({ cpus: 9999 }).newUnits).toEqual([{ group: '', cpus: 8, gpus: [] }])
  })
  it.each([
    ['finishing', { finish: true }, 0],
    ['waiting after a failure', {}, 5000],
    ['given a negative number', { cpus: -1 }, 0],
  ])('are not created in a group that is %s', (_, config, waitUntil) => {
    expect(allocate({ cpus: 8, ...config }, [], waitUntil).newUnits).toEqual([])
  })
})

describe('existing units', () => {
  it('keep their resources before paused units', () => {
    const { shares, newUnits } = allocate({ cpus: 1 }, [claim({ state: 'CORE', paused: true }), claim()])
    expect(shares.map(({ allowed }) => allowed)).toEqual([false, true])
    expect(newUnits).toEqual([])
  })
  it('get spare CPUs, up to their maximum', () => {
    expect(allocate({ cpus: 8 }, [claim({ maxCpus: 6 }), claim()]).shares.map(({ cpus }) => cpus)).toEqual([6, 2])
  })
  it('leave CPUs to a unit that is being downloaded', () => {
    expect(
      allocate({ cpus: 8 }, [claim(), claim({ state: 'DOWNLOAD', cpus: 4 })]).shares.map(({ cpus }) => cpus),
    ).toEqual([4, 4])
  })
  it('stop when their GPU is disabled', () => {
    expect(allocate({ cpus: 8 }, [claim({ gpus: ['g1'] })]).shares).toEqual([{ unit: 0, allowed: false, cpus: 1 }])
  })
  it('need nothing to send results', () => {
    const { shares, newUnits } = allocate({ cpus: 1 }, [claim({ state: 'UPLOAD' })])
    expect(shares).toEqual([{ unit: 0, allowed: true, cpus: 1 }])
    expect(newUnits).toEqual([{ group: '', cpus: 1, gpus: [] }])
  })
  it('never get more CPUs than the group has', () => {
    const claims = fc.array(
      fc.record({
        group: fc.constant(''),
        state: fc.constantFrom('RUN' as const, 'CORE' as const),
        cpus: fc.integer({ min: 0, max: 12 }),
        gpus: fc.subarray(['g1', 'g2'], { maxLength: 1 }),
        maxCpus: fc.integer({ min: 1, max: 64 }),
        paused: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), claims, (cpus, units) => {
        const { shares, newUnits } = allocate({ cpus, gpus: { g1: { enabled: true } } }, units)
        const used = shares.filter(({ allowed }) => allowed)
        const total = [...used, ...newUnits].reduce((sum, share) => sum + share.cpus, 0)
        const gpus = [...used.flatMap(({ unit }) => units[unit]?.gpus ?? []), ...newUnits.flatMap(unit => unit.gpus)]
        expect(total).toBeLessThanOrEqual(Math.min(cpus, 8))
        expect(new Set(gpus).size).toBe(gpus.length)
      }),
    )
  })
})

it.each([
  [{ paused: true }, {}, 'Paused'],
  [{ on_idle: true }, { inUse: true }, 'Waiting for idle system'],
  [{ on_battery: false }, { onBattery: true }, 'Pausing on battery'],
  [{ on_idle: true, on_battery: false }, {}, undefined],
])('a group with %j in %j has the pause reason %s', (config, surroundings, reason) => {
  expect(groupPauseReason(running(config), { ...around, ...surroundings })).toBe(reason)
})
