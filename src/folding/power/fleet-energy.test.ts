import { describe, expect, it } from 'vitest'
import type { Unit } from '../../protocol/client/client-data.ts'
import type { ClientView } from '../client/client.ts'
import { NOTHING_USED, pointsPerKwh } from './energy.ts'
import {
  energyDays,
  fleetEnergy,
  machineEnergy,
  partsOf,
  savings,
  tagSums,
  type PoweredMachine,
} from './fleet-energy.ts'
import { houseEnergy } from './house.ts'
import { writePowerCsv } from './power-csv.ts'
import type { PowerProfile, Tariffs } from './power.ts'
import { NO_REPORT } from './report.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-11-26T11:00:00Z')
function iso(hoursAgo: number): string {
  return new Date(now - hoursAgo * HOUR).toISOString()
}
function entered(watts: number) {
  return { watts, origin: 'entered' } as const
}
const profile: PowerProfile = {
  idle: entered(100),
  cpu: entered(160),
  gpus: { 'gpu:01:00:00': { watts: 300, origin: 'guess' } },
}
const tariffs: Tariffs = {
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  price: { kind: 'fixed', price: 0.5 },
  co2: { kind: 'fixed', price: 400 },
}
const info = { cpus: 16, gpus: { 'gpu:01:00:00': { description: 'AD102 [GeForce RTX 4090]' } } }
function ended(change: Unit): Unit {
  return {
    state: 'CLEAN',
    result: 'credited',
    group: '',
    cpus: 1,
    gpus: ['gpu:01:00:00'],
    run_time: 7200,
    end_time: iso(1),
    ppd: 12_000_000,
    assignment: { project: 18_000, time: iso(4) },
    ...change,
  }
}
function machineOf(units: readonly Unit[], history: readonly Unit[], isConnected = true): PoweredMachine {
  const view: ClientView = {
    id: 'a',
    isConnected,
    lastConnected: now,
    isDirect: true,
    address: 'host:7396',
    data: { info, config: {}, groups: {}, units: [...units] },
  }
  return { id: 'a', key: 'a', name: 'attic', view, profile, ended: history }
}
const days = energyDays(now, tariffs, tariffs.timeZone, NO_REPORT)
const cpuUnit: Unit = {
  state: 'RUN',
  cpus: 8,
  gpus: [],
  ppd: 240_000,
  pid: 1,
  start_time: iso(1),
  run_time: 0,
  assignment: { project: 19_000, time: iso(2) },
}

describe('the energy of machines', () => {
  it('has 31 days with today as the last one', () => {
    expect(days.length).toBe(31)
    expect(days[0]?.date).toBe('2026-10-27')
    expect(days.at(-1)?.date).toBe('2026-11-26')
  })

  it('is that of the units that ran, with what the machine draws idle once', () => {
    // From three hours ago to one a GPU unit at 400 W; from two to one beside it half of the CPUs, 80 W; one of them failed.
    const history = [
      ended({}),
      ended({ result: 'failed', gpus: [], cpus: 8, run_time: 3600, assignment: { project: 19_000, time: iso(2) } }),
    ]
    const found = machineEnergy(machineOf([], history), days, NO_REPORT, now)
    expect(found.used).toMatchObject({ wattHours: 880, points: 1_000_000, origin: 'guess' })
    expect(found.used.seconds).toBe(7200)
    expect(found.used.cost).toBeCloseTo(0.44)
    expect(found.used.grams).toBeCloseTo(352)
    expect(found.now).toEqual({ watts: 100, origin: 'entered' })
    expect(found.since).toEqual(now - 3 * HOUR)
  })

  it('is what a server noted, where it noted something', () => {
    const record = [
      {
        from: now - 2 * HOUR,
        until: now - HOUR,
        seconds: 3600,
        wattHours: 350,
        points: 500_000,
        cost: 0.1,
        pricedWattHours: 350,
        grams: 0,
        gradedWattHours: 0,
        origin: 'measured' as const,
      },
    ]
    const report = { ...NO_REPORT, records: { a: record }, meters: { a: { watts: 222, at: now } } }
    const found = machineEnergy(machineOf([], [ended({})]), days, report, now)
    expect(found.used).toMatchObject({ wattHours: 750, points: 1_000_000, gradedWattHours: 400 })
    expect(found.used.cost).toBeCloseTo(0.3)
    expect(found.now).toEqual({ watts: 222, origin: 'measured' })
  })

  it('of a day and a month has only their parts, and a year at this pace says what it is based on', () => {
    const history = [ended({}), ended({ end_time: iso(36), run_time: 3600 }), ended({ end_time: iso(24 * 29) })]
    const machine = machineEnergy(machineOf([cpuUnit], history), days, NO_REPORT, now)
    const fleet = fleetEnergy([machine], new Set(['a']), days, now)
    expect(fleet.today.wattHours).toBeCloseTo(800 + 180)
    expect(fleet.month.wattHours).toBeCloseTo(800 + 180 + 400)
    expect(fleet.all.wattHours).toBeCloseTo(800 + 180 + 400 + 800)
    expect(fleet.year?.days).toBeCloseTo(29 + 2 / 24)
    expect(fleet.year?.used.wattHours).toBeCloseTo((2180 / (29 + 2 / 24)) * 365.25)
    expect(fleet.now).toEqual({ watts: 180, origin: 'entered' })
    expect(fleet.ppd).toBe(240_000)
    expect(fleet.unknown).toBe(0)
  })

  it('does not know the watts of a machine that lacks a figure, which is in no sum', () => {
    const lacking = { ...machineOf([cpuUnit], [ended({})]), profile: { gpus: {} } }
    const machine = machineEnergy(lacking, days, NO_REPORT, now)
    expect(machine.now.watts).toBeUndefined()
    expect(machine.used.wattHours).toBe(0)
    expect(machine.since).toBeUndefined()
    expect(fleetEnergy([machine], new Set(['a']), days, now)).toMatchObject({ unknown: 1, ppd: 0, year: undefined })
  })

  it('by GPU, project and group is that of their units alone', () => {
    const machines = [machineOf([cpuUnit], [ended({})])]
    const found = (kind: 'group' | 'gpu' | 'project') =>
      partsOf(kind, machines, days, now).map(({ name, now: { watts }, used }) => [
        name,
        watts,
        used.wattHours,
        Math.round(pointsPerKwh(used) ?? 0),
      ])
    expect(found('gpu')).toEqual([['GeForce RTX 4090', 0, 600, 1_666_667]])
    expect(found('project')).toEqual([
      ['18000', 0, 600, 1_666_667],
      ['19000', 80, 80, 125_000],
    ])
    expect(found('group')).toEqual([['attic: Default', 80, 680, 1_485_294]])
    const [gpu] = partsOf('gpu', [machineOf([], [ended({}), ended({ end_time: iso(36) })])], days, now)
    expect(gpu?.byDay.slice(-3).map(({ wattHours }) => Math.round(wattHours))).toEqual([600, 0, 600])
  })

  it('by tag is that of its machines, of which those that are away draw nothing that is known', () => {
    const of = (id: string, isConnected: boolean) => ({
      ...machineOf(isConnected ? [cpuUnit] : [], [ended({})], isConnected),
      id,
      key: id,
    })
    const machines = [of('a', true), of('b', true), of('c', false), of('d', false)]
    const energies = machines.map(machine => machineEnergy(machine, days, NO_REPORT, now))
    const tags = { a: ['Attic', 'fast'], b: ['attic'], c: ['attic'] }
    expect(
      tagSums(machines, energies, tags).map(({ id, name, now: { watts }, used }) => [id, name, watts, used.wattHours]),
    ).toEqual([
      ['attic', 'Attic', 360, 980 + 980 + 800],
      ['fast', 'fast', 180, 980],
      ['', 'Without tags', undefined, 800],
    ])
  })

  it('as CSV has plain numbers, and leaves out what is not known', () => {
    const named = { ...machineOf([cpuUnit], [ended({})]), name: '=1+1' }
    const lacking = { ...machineOf([], []), name: 'new', profile: { gpus: {} } }
    const users = [named, lacking].map(machine => machineEnergy(machine, days, NO_REPORT, now))
    expect(writePowerCsv('machine', users, tariffs).split('\r\n')).toEqual([
      'Machine,Watts now,Origin of watts,kWh,Origin of kWh,Points,Points/kWh,Cost,Currency,Points/Currency',
      `'=1+1,180,entered,0.98,guess,1010000,1030612.245,0.49,EUR,2061224.49`,
      'new,,,,,,,,EUR,',
    ])
    expect(writePowerCsv('gpu', users, undefined)).not.toContain('Cost')
  })

  it('says what pausing the least efficient half would save, beside what stays on', () => {
    const of = (id: string, ppd: number, gpu: number) => {
      const unit = { ...cpuUnit, gpus: ['gpu:01:00:00'], ppd }
      const machine = { ...machineOf([unit], []), id, profile: { ...profile, gpus: { 'gpu:01:00:00': entered(gpu) } } }
      return machineEnergy(machine, days, NO_REPORT, now)
    }
    const all = [of('a', 10_000_000, 400), of('b', 1_000_000, 300), of('c', 2_000_000, 100), of('d', 900_000, 10)]
    expect(savings(all).map(({ machines, watts, ppd }) => [machines.map(({ id }) => id), watts, ppd])).toEqual([
      [['b'], 300, 1_000_000],
      [['b', 'c'], 400, 3_000_000],
    ])
    expect(savings(all.slice(0, 1))).toEqual([])
    expect(savings([{ ...of('a', 1, 1), now: { watts: 1, origin: 'guess' } }, ...all])).toEqual([])
  })

  it('is compared with the meter of the house, whose gaps are gaps and whose old value is unknown', () => {
    const machine = machineEnergy(machineOf([cpuUnit], [ended({})]), days, NO_REPORT, now)
    const fleet = fleetEnergy([machine], new Set(['a']), days, now)
    const today = days.at(-1)?.begin ?? 0
    const measured = (from: number, until: number) => ({
      ...NOTHING_USED,
      from,
      until,
      seconds: (until - from) / 1000,
      wattHours: (500 * (until - from)) / HOUR,
      origin: 'measured' as const,
    })
    const of = (at: number, from: number) =>
      houseEnergy(
        { house: [{ name: 'house', watts: 720, at }], houseRecord: [measured(from, now - 60_000)] },
        fleet,
        days,
        now,
      )
    const whole = of(now - 60_000, today)
    expect(whole).toMatchObject({ watts: 720, at: now - 60_000, share: 0.25 })
    expect(whole?.today.share).toBeCloseTo(980 / (12 * 500), 2)
    expect(whole?.month.share).toBe(whole?.today.share)
    expect(whole?.month.knownShare).toBeLessThan(0.1)
    const half = of(now - 6 * 60_000, today + 6 * HOUR)
    expect(half).toMatchObject({ watts: undefined, share: undefined, today: { share: undefined } })
    expect(half?.today.knownShare).toBeCloseTo(0.5, 2)
    expect(houseEnergy(NO_REPORT, fleet, days, now)).toBeUndefined()
    const fedIn = { house: [{ name: 'house', watts: -300, at: now }], houseRecord: [] }
    expect(houseEnergy(fedIn, fleet, days, now)).toMatchObject({ watts: -300, share: undefined })
    expect(houseEnergy(fedIn, { ...fleet, unknown: 1 }, days, now)?.share).toBeUndefined()
  })
})
