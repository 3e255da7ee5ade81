import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Kysely, Migrator, SqliteDialect, type SqliteDatabase } from 'kysely'
import Libsql from 'libsql'
import { createActor } from 'xstate'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { emptySummary } from '../../../src/folding/client/totals.ts'
import { boundedId } from '../../../src/folding/text/vocabulary.ts'
import { clonesOf, clientKey, traitsOf } from '../../../src/folding/client/client-key.ts'
import { newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import { libsqlDriver, TransactionalDialect } from '../../host/libsql.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { usePostgres } from '../../../test/use-postgres.ts'
import { startProgram } from '../../../test/program.ts'
import { backUp, restore } from './backup.ts'
import { answerBackups, copyDatabase } from './live-backup.ts'
import { endedUnit, recorder, samplesOf } from './recorder.ts'
import { migrations, migrationsFor } from './migrations.ts'
import { databaseOf } from './database.ts'
import { openPostgres, postgresDialect } from './postgres.ts'
import type { Tables } from './schema.ts'
import { DATABASE_FILE, openServerStore } from './sqlite.ts'
import { storeOf, type EndedUnit, type Sample, type ServerStore } from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const stores: ServerStore[] = []
const folders: string[] = []

async function open(folder?: string) {
  const store = await openServerStore(folder)
  stores.push(store)
  return store
}
/** The long tests are with PostgreSQL. */
const kind = process.env['FOLDBOARD_LONG'] === undefined ? 'sqlite' : 'postgres'
const needPostgres = usePostgres(kind === 'postgres')

async function openAt(place: string | undefined) {
  if (kind === 'sqlite' || place === undefined) return open(place)
  const store = storeOf(await openPostgres(place))
  stores.push(store)
  return store
}
async function opened(skip: (reason: string) => void) {
  return openAt(kind === 'sqlite' ? undefined : await needPostgres(skip).newDatabase())
}
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-server-'))
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const client = { id: 'machine', name: 'puppet', owner: undefined, info: { gpus: {} } }
function unitOf(id: string, ended: string, facts: object = {}, of = client): EndedUnit {
  const unit = endedUnit(of, {
    id,
    group: 'night',
    number: 7,
    cpus: 4,
    gpus: [],
    result: 'credited',
    end_time: ended,
    assignment: { project: 18_201, credit: 1000, core: { type: '0xa9' } },
    wu: { run: 1, clone: 2, gen: 3 },
    ...facts,
  })
  if (unit === undefined) throw new Error('It has no end.')
  return unit
}
function sample(at: number, ppd: number, facts: Partial<Sample> = {}): Sample {
  return {
    at,
    span: 60,
    machine: 'machine',
    group_name: '',
    project: 1,
    resource: '4 CPUs',
    ppd,
    ...facts,
  }
}

function incidentOf(key: string, since: number) {
  const condition = { kind: 'failing', gravity: 'grave', subject: '', since, evidence: {} } as const
  return newIncident({ machine: key, name: key, owner: undefined, condition })
}

/** How often messages could be handled since, up to some number. */
function countTurns(): () => number {
  let turns = 0
  const count = (): void => {
    if (++turns < 1000) setImmediate(count)
  }
  setImmediate(count)
  return () => turns
}

function running(group: string) {
  return { id: 'a', group, state: 'RUN', pid: 1, cpus: 4, ppd: 1000 }
}

describe(kind, () => {
  test('a unit is stored once, however often a client reports it, and the newest report wins', async ({ skip }) => {
    const store = await opened(skip)
    const units = [unitOf('a', '2027-01-01T00:00:00Z'), unitOf('b', '2027-01-02T00:00:00Z')]
    expect(await store.addUnits(units)).toHaveLength(2)
    expect(await store.addUnits([...units, unitOf('a', '2027-01-01T00:00:00Z', { result: 'failed' })])).toEqual([])
    const { units: stored } = await store.units({}, 10)
    expect(stored.map(({ unit, result }) => [unit, result])).toEqual([
      ['b', 'credited'],
      ['a', 'failed'],
    ])
    expect(stored[0]).toMatchObject({
      group_name: 'night',
      resource: '4 CPUs',
      project: 18_201,
      core: '0xa9',
      credit: 1000,
    })
    expect(endedUnit(client, { id: 'runs' })).toBeUndefined()
    expect(endedUnit(client, { id: 'early', end_time: '1960-01-01T00:00:00Z' })).toBeUndefined()
  })

  test('a row that the database refuses is left out and reported, and the others are written', async ({ skip }) => {
    const store = await opened(skip)
    const tables: string[] = []
    store.onSetAside(table => tables.push(table))
    const units = Array.from({ length: 450 }, (_, at) => unitOf(`u${at}`, '2027-01-01T00:00:00Z'))
    const samples = Array.from({ length: 5 }, (_, at) => sample(0, 1, { project: at }))
    for (const bad of [units[7], units[300]]) Object.assign(bad ?? {}, { ended: null })
    Object.assign(samples[2] ?? {}, { ppd: null })
    expect(await store.addUnits(units)).toHaveLength(448)
    await store.addSamples(samples)
    const seen = { id: 'a', name: '', address: '', os: '', version: '' }
    const unnamed = { ...seen, id: 'b' }
    Object.assign(unnamed, { name: null })
    await store.saw([seen, unnamed], 1)
    expect((await store.units({}, 1000)).units).toHaveLength(448)
    expect((await store.points({ by: 'project', step: 60 })).map(({ name }) => name)).toEqual(['0', '1', '3', '4'])
    expect((await store.machines()).map(({ id }) => id)).toEqual(['a'])
    expect(await store.imports.addMissing([...units.slice(5, 9), unitOf('new', '2027-01-01T00:00:00Z')])).toHaveLength(
      1,
    )
    expect(tables).toEqual(['units', 'units', 'samples', 'machines', 'units'])
  })

  test('what a person or program asked to keep is kept, or the call fails', async ({ skip }) => {
    const store = await opened(skip)
    const tables: string[] = []
    store.onSetAside(table => tables.push(table))
    const listed = { id: 'a', name: 'attic' }
    Object.assign(listed, { name: null })
    await expect(store.listAccountClients([listed])).rejects.toThrow()
    expect(tables).toEqual([])
  })

  test('a failure that is not that of a row fails the write', async ({ skip }) => {
    const store = await opened(skip)
    const unit = unitOf('a', '2027-01-01T00:00:00Z')
    Object.assign(unit, { no_such_column: 1 })
    await expect(store.addUnits([unit])).rejects.toThrow('no_such_column')
    expect(await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])).toHaveLength(1)
  })

  test('a client that is listed twice, and computers of one id, stop no sample', async ({ skip }) => {
    const store = await opened(skip)
    const errors: unknown[] = []
    const ids = ['twin', 'twin', 'tw\0in', 'other', 'x'.repeat(300), `${'x'.repeat(300)}y`, 'half \ud800']
    const states = ids.map((id, at) => ({
      id: boundedId(id),
      name: `attic ${at}`,
      address: `10.0.0.${at}:7396`,
      isConnected: true,
      problem: 0 as const,
      summary: emptySummary,
      data: { ...dataOf(id, 'attic'), units: [running('a\0'), running('a')] },
      lastMessageAt: 0,
      asOf: undefined,
    }))
    const actor = createActor(
      recorder({
        store,
        machines: () => states,
        sampleSeconds: 60,
        keepSamplesDays: 14,
        keepHoursDays: 400,
        now: () => DAY,
        onUnits: () => undefined,
        onError: error => errors.push(error),
        held: () => undefined,
        rollsUp: () => true,
      }),
    )
    actor.start()
    actor.send({ type: 'recorder.sample' })
    await expect.poll(async () => (await store.points({ by: 'machine', step: 60 })).length).toBe(new Set(ids).size)
    actor.stop()
    expect(errors).toEqual([])
    expect(await store.machines()).toHaveLength(new Set(ids).size)
  })

  test('units of clients that another server holds are left to it, which is asked for once', async ({ skip }) => {
    const store = await opened(skip)
    const held = vi.fn(() => new Set(['a', 'b']))
    const actor = createActor(
      recorder({
        ...{ store, held, machines: () => [], sampleSeconds: 60, keepSamplesDays: 14, keepHoursDays: 400 },
        ...{ now: () => DAY, onUnits: () => undefined, rollsUp: () => true },
        onError: error => expect.fail(String(error)),
      }),
    )
    actor.start()
    for (const id of ['a', 'b', 'c'])
      actor.send({
        type: 'recorder.store',
        machine: { ...client, id },
        units: [{ id: 'u', result: 'credited', end_time: '2027-01-01T00:00:00Z' }],
      })
    await expect
      .poll(async () => (await store.units({}, 10)).units.map(({ machine: id }) => id).sort())
      .toEqual(['a', 'b'])
    actor.stop()
    expect(held).toHaveBeenCalledOnce()
  })

  test('units come in pages, newest first, also when many ended in the same second', async ({ skip }) => {
    const store = await opened(skip)
    const units = Array.from({ length: 450 }, (_, at) => unitOf(`u${at}`, '2027-01-01T00:00:00Z'))
    await store.addUnits([...units, unitOf('x', '2027-02-01T00:00:00Z', { assignment: { project: 5 } })])
    const seen = new Set<string>()
    let after: string | undefined
    do {
      const page = await store.units({}, 100, after)
      for (const { unit } of page.units) seen.add(unit)
      after = page.next
    } while (after !== undefined)
    expect(seen.size).toBe(451)
    await expect(store.units({}, 100, '-315619200000 machine u1')).rejects.toThrow('No page')
    expect((await store.units({ project: 5 }, 10)).units).toHaveLength(1)
    expect((await store.units({ from: Date.parse('2027-01-15') }, 10)).units).toHaveLength(1)
    expect((await store.units({ to: Date.parse('2027-01-15'), machine: 'other' }, 10)).units).toHaveLength(0)
    expect(await store.unitTotals()).toEqual([{ machine: 'machine', result: 'credited', units: 451, credit: 450_000 }])
  })

  test('samples become means of hours, then of days, and the points of each stay the same', async ({ skip }) => {
    const store = await opened(skip)
    // Half an hour of 6,000 points a day: 3,000 over the hour.
    const minutes = Array.from({ length: 30 }, (_, minute) => sample(minute * 60_000, 6000))
    await store.addSamples([...minutes, ...minutes])
    await store.addSamples([sample(25 * HOUR, 4800, { group_name: 'night', project: 2 })])
    const points = (by: 'total' | 'project', step: number) => store.points({ by, step })
    const hours = [
      { at: 0, name: '', ppd: 3000 },
      { at: 25 * HOUR, name: '', ppd: 80 },
    ]
    expect(await points('total', 3600)).toEqual(hours)
    await store.rollUp(2 * HOUR, 0)
    expect(await points('total', 3600)).toEqual(hours)
    // What was rolled up before comes again when a clock goes back: it is added.
    await store.addSamples([sample(40 * 60_000, 6000)])
    await store.rollUp(2 * HOUR, 0)
    expect((await points('total', 3600))[0]?.ppd).toBe(3100)
    await store.rollUp(30 * HOUR, DAY)
    const days = await points('project', 86_400)
    expect(days.map(({ at, name }) => [at, name])).toEqual([
      [0, '1'],
      [DAY, '2'],
    ])
    expect(days[0]?.ppd).toBeCloseTo(3100 / 24, 6)
    expect(days[1]?.ppd).toBeCloseTo(80 / 24, 6)
    // A day cannot be split again: its mean is shown where it begins.
    const [first] = await points('total', 3600)
    expect(first?.at).toBe(0)
    expect(first?.ppd).toBeCloseTo(3100 / 24, 6)
  })

  test('samples that are not rolled up at once are rolled up with the next calls', async ({ skip }) => {
    const store = await opened(skip)
    await store.addSamples([sample(0, 6000), sample(HOUR, 6000, { span: 1200 }), sample(2 * HOUR, 6000, { span: 600 })])
    const points = () => store.points({ by: 'total', step: 3600 })
    const before = await points()
    const ends: boolean[] = []
    while (ends.at(-1) !== true && ends.length < 10) {
      ends.push(await store.rollUp(3 * HOUR, 0, 1))
      expect(await points()).toEqual(before)
    }
    expect(ends).toEqual([false, false, false, true])
  })

  test('what two servers add up at once is counted once', async ({ skip }) => {
    const store = await opened(skip)
    await store.addSamples([sample(0, 6000), sample(10 * MINUTE, 6000)])
    await store.sumUp(8 * MINUTE, 60)
    const before = await store.points({ by: 'total', step: 3600 })
    await Promise.all([store.sumUp(20 * MINUTE, 60), store.sumUp(20 * MINUTE, 60)])
    expect(await store.points({ by: 'total', step: 3600 })).toEqual(before)
  })

  test('charts of all clients are the same from added-up hours and days', async ({ skip }) => {
    const store = await opened(skip)
    const end = 5 * DAY + 7 * HOUR
    const samples: Sample[] = []
    for (let at = 3 * HOUR; at < end; at += 20 * 60_000)
      samples.push(
        sample(at, 1000 + (at % 7919), { span: 1200, machine: `m${(at / 1_200_000) % 3}` }),
        sample(at, 500, { span: 1200, machine: 'm0', group_name: 'night', project: 2, resource: 'GPU' }),
      )
    await store.addSamples(samples)
    // Days of a version that did not add up.
    await store.rollUp(DAY, DAY)
    const dimensions = ['machine', 'group', 'project', 'resource', 'total'] as const
    const charts = async () => {
      const found = []
      for (const by of dimensions)
        for (const [step, from, to] of [
          [3600, 0, undefined],
          [86_400, 0, undefined],
          [3600, 2 * DAY, 3 * DAY],
          [86_400, DAY, 5 * DAY],
          [3600, 5 * DAY + 4 * HOUR, end],
          [60, 5 * DAY, end],
        ] as const)
          found.push(
            (await store.points({ by, step, from, to })).map(row => ({ ...row, ppd: Math.round(row.ppd * 1000) })),
          )
      return found
    }
    const before = await charts()
    expect(before[0]?.length).toBeGreaterThan(200)
    for (const now of [4 * DAY + 5 * HOUR, 4 * DAY + 5 * HOUR + 20 * MINUTE, 4 * DAY + 5 * HOUR + 47 * MINUTE]) {
      await store.sumUp(now, 1200)
      expect(await charts()).toEqual(before)
    }
    // A clock that goes back adds nothing twice.
    await store.sumUp(4 * DAY + 2 * HOUR + 50 * MINUTE, 1200)
    for (let now = 4 * DAY + 3 * HOUR; now < 4 * DAY + 7 * HOUR; now += 13 * MINUTE) await store.sumUp(now, 1200)
    expect(await charts()).toEqual(before)
    await store.sumUp(end)
    await store.sumUp(end)
    expect(await charts()).toEqual(before)
    // What is added to an hour that was added up long ago is not seen: the sums are read.
    await store.addSamples([sample(2 * DAY, 1e9, { span: 1200, machine: 'late' })])
    expect((await store.points({ by: 'total', step: 3600 })).map(({ ppd }) => ppd).some(ppd => ppd > 1e8)).toBe(false)
    // Days stay when their hours go.
    const days = await store.points({ by: 'total', step: 86_400, to: 5 * DAY })
    await store.rollUp(4 * DAY, 4 * DAY)
    expect(await store.points({ by: 'total', step: 86_400, to: 5 * DAY })).toEqual(days)
    expect((await store.points({ by: 'total', step: 3600, from: 2 * DAY, to: 3 * DAY })).map(({ at }) => at)).toEqual([
      2 * DAY,
    ])
  })

  test('a client is kept with its newest name and the time when it was seen first', async ({ skip }) => {
    const store = await opened(skip)
    const seen = { id: 'machine', name: 'attic', address: 'attic:7396', os: 'linux', version: '8.5.6' }
    await store.saw([seen, { ...seen, id: 'other', name: 'cellar' }], 1)
    await store.saw([{ ...seen, version: '8.5.7' }], 2)
    await store.saw([], 3)
    expect(await store.machines()).toEqual([
      { ...seen, version: '8.5.7', first_seen: 1, last_seen: 2 },
      { ...seen, id: 'other', name: 'cellar', first_seen: 1, last_seen: 1 },
    ])
  })

  test('a client that is listed twice is stored once, and so are its samples', async ({ skip }) => {
    const store = await opened(skip)
    const seen = { id: 'machine', name: 'attic', address: 'attic:7396', os: 'linux', version: '8.5.7' }
    await store.saw([seen, { ...seen, address: '10.0.0.7:7396' }], 1)
    await store.addSamples([sample(0, 6000), sample(0, 6000)])
    expect((await store.machines()).map(({ address }) => address)).toEqual(['10.0.0.7:7396'])
    expect(await store.points({ by: 'machine', step: 60 })).toEqual([{ at: 0, name: 'machine', ppd: 6000 }])
  })

  test('computers of one id have histories of their own, also of units that were stored before', async ({ skip }) => {
    const store = await opened(skip)
    const clones = ['attic', 'cellar'].map(hostname => ({
      ...client,
      id: clientKey(client.id, '', traitsOf({ hostname }), 'computer') ?? '',
    }))
    const [attic = client, cellar = client] = clones
    const ended = '2027-01-01T00:00:00Z'
    await store.addUnits([unitOf('a', ended), unitOf('b', ended)])
    expect(await store.addUnits([unitOf('a', ended, {}, attic)])).toEqual([])
    expect(await store.addUnits([unitOf('c', ended, {}, cellar)])).toHaveLength(1)
    const { units } = await store.units({}, 10)
    expect(units.map(({ unit, machine: id }) => [unit, id]).sort()).toEqual([
      ['a', attic.id],
      ['b', client.id],
      ['c', cellar.id],
    ])
    const seen = clones.map(({ id }) => ({ id, name: 'rig', address: '', os: 'linux', version: '8.5.7' }))
    await store.saw(seen, 1)
    expect(clonesOf((await store.machines()).map(({ id }) => id))).toEqual({ machine: 'computer' })
  })

  test('actions are recorded with their outcome, and sessions end', async ({ skip }) => {
    const store = await opened(skip)
    const id = await store.addAction({ at: 1, who: 'ana', machine: 'attic', command: 'pause', reason: 'noise' })
    await store.settleAction(id, 'confirmed')
    expect(await store.actions(10)).toEqual([
      { id, at: 1, who: 'ana', machine: 'attic', command: 'pause', reason: 'noise', outcome: 'confirmed' },
    ])
    await store.sessions.add({ hash: 'h', user: 'ana', expires: 100, made_with: 'p' }, 1)
    expect(await store.sessions.find('h', 99)).toMatchObject({ user: 'ana' })
    expect(await store.sessions.find('h', 100)).toBeUndefined()
    await store.sessions.remove('h')
    expect(await store.sessions.find('h', 1)).toBeUndefined()
  })
  test('prices replace those of their time, and energy is one row a day after some time', async ({ skip }) => {
    const store = await opened(skip)
    const day = Date.parse('2027-01-04T23:00:00Z')
    const list = [0, 1, 2].map(hour => ({ begin: day + hour * HOUR, end: day + (hour + 1) * HOUR, price: hour }))
    await store.power.savePrices('spot', list, day, day + 3 * HOUR)
    const next = [...list.slice(0, 2), { begin: day + 2 * HOUR, end: day + 4 * HOUR, price: -1 }]
    await store.power.savePrices('spot', next, day + 2 * HOUR, day + 4 * HOUR)
    await store.power.savePrices('Not a name', list, day, day + HOUR)
    expect(await store.power.prices()).toEqual({ spot: next })

    const segment = (client: string, at: number, origin: 'measured' | 'entered' | 'guess') => ({
      machine: client,
      from: at,
      until: at + HOUR / 4,
      seconds: 600,
      wattHours: 10,
      points: 5,
      cost: -1,
      pricedWattHours: 8,
      grams: 4,
      gradedWattHours: 10,
      origin,
    })
    await store.power.addEnergy([
      segment('attic', day, 'measured'),
      segment('attic', day + 20 * HOUR, 'guess'),
      segment('cellar', day + HOUR, 'entered'),
      segment('attic', day + DAY, 'measured'),
    ])
    await store.power.addEnergy([{ ...segment('attic', day, 'measured'), wattHours: 12 }])
    const used = await store.power.usedSince(day)
    expect(used.get('attic')).toMatchObject({ seconds: 1800, wattHours: 32, cost: -3, origin: 'guess' })
    expect(await store.power.compactEnergy(day + DAY - 1, 'Europe/Berlin')).toBe(false)
    expect(await store.power.compactEnergy(day + DAY, 'Europe/Berlin')).toBe(true)
    expect(await store.power.compactEnergy(day + DAY, 'Europe/Berlin')).toBe(false)
    expect(await store.power.usedSince(day)).toEqual(used)
    expect(
      (await store.power.energy({ machine: 'attic' }, 10)).map(row => [row.from, row.until, row.wattHours]),
    ).toEqual([
      [day, day + 20.25 * HOUR, 22],
      [day + DAY, day + DAY + HOUR / 4, 10],
    ])
    expect(await store.power.energy({ from: day + HOUR, to: day + 2 * HOUR }, 1)).toMatchObject([{ machine: 'cellar' }])
    // They are read in parts.
    const many = Array.from({ length: 2001 }, (_, index) => ({ machine: `m${index}`, from: 5 * DAY, until: 6 * DAY }))
    const unit = { seconds: 1, wattHours: 1, points: 0, cost: 0, pricedWattHours: 0, grams: 0, gradedWattHours: 0 }
    await store.power.addEnergy(many.map(each => ({ ...each, ...unit, origin: 'measured' as const })))
    const read = await store.power.energy({ from: 5 * DAY, to: 6 * DAY }, 20_000)
    expect(new Set(read.map(({ machine: key }) => key)).size).toBe(2001)
    expect(read).toHaveLength(2001)
  })
  test('energy of many machines is added up in parts, and messages are handled between them', async ({ skip }) => {
    const store = await opened(skip)
    const times = [5 * DAY, 5 * DAY + HOUR / 4] as const
    const used = { seconds: 1, wattHours: 1, points: 0, cost: 1, pricedWattHours: 1, grams: 0, gradedWattHours: 0 }
    const many = Array.from({ length: 5500 }, (_, index) => `m${index}`)
    for (const [nth, from] of times.entries())
      await store.power.addEnergy(
        many.map(key => ({ ...used, machine: key, from, until: from + nth, origin: nth === 1 ? 'guess' : 'measured' })),
      )
    const turns = countTurns()
    const sums = await store.power.usedSince(0)
    expect(turns()).toBeGreaterThan(1)
    expect(sums.size).toBe(many.length)
    expect(sums.get('m7')).toMatchObject({ wattHours: 2, cost: 2, origin: 'guess' })
    expect(await store.power.energySum(5 * DAY, 6 * DAY, 'm7')).toMatchObject([
      { machine: 'm7', from: times[0], until: times[1] + 1, wattHours: 2 },
    ])
    const [whole] = await Promise.all([
      store.power.energySum(5 * DAY, 6 * DAY),
      store.power.compactEnergy(6 * DAY, 'UTC'),
    ])
    expect(whole.reduce((sum, { wattHours }) => sum + wattHours, 0)).toBe(2 * many.length)
    expect(await store.power.usedSince(0)).toEqual(sums)
    expect(await store.power.energy({ machine: 'm7' }, 10)).toHaveLength(1)
  })
  test('messages are handled between days of energy that become one record each', async ({ skip }) => {
    const store = await opened(skip)
    const used = { seconds: 1, wattHours: 1, points: 0, cost: 1, pricedWattHours: 1, grams: 0, gradedWattHours: 0 }
    const days = Array.from({ length: 10 }, (_, day) => ({ from: day * DAY, until: day * DAY + 1 }))
    await store.power.addEnergy(days.map(day => ({ ...used, ...day, machine: 'attic', origin: 'measured' as const })))
    const turns = countTurns()
    while (await store.power.compactEnergy(days.length * DAY, 'UTC'));
    expect(turns()).toBeGreaterThanOrEqual(days.length)
  })
  test('what machines report out of range is stored as the next start believes it', async ({ skip }) => {
    const place = kind === 'sqlite' ? newFolder() : await needPostgres(skip).newDatabase()
    const store = await openAt(place)
    const units = [-1e16, -2e15, -1, 0.5, 2e15, 9e15, 1e300].map((value, at) =>
      unitOf(`u${at}`, '2027-01-01T00:00:00Z', {
        ...{ number: value, ppd: value, run_time: value, tpf_secs: value, wu_progress: value },
        assignment: { project: value, credit: value, time: '1960-01-01T00:00:00Z' },
        wu: { run: value, clone: value, gen: value },
      }),
    )
    await store.addUnits(units)
    const folding = { ...running(''), ppd: 9e15, assignment: { project: 1 } }
    const data = { ...dataOf('machine', 'puppet'), units: [folding, folding] }
    expect(samplesOf({ id: 'machine', data, address: 'attic' }, DAY, 60)).toMatchObject([{ ppd: 1e15 }])
    const past = incidentOf('machine', -5000)
    await store.incidents.save({ put: [past], removed: [], rules: [], at: DAY, newId: () => 'x' })
    await stores.pop()?.close()
    const next = await openAt(place)
    expect((await next.units({}, 10)).units).toHaveLength(units.length)
    expect(await next.incidents.list({ state: 'all' }, 10)).toEqual([past])
  })
  test('while many incidents are stored and read, messages are handled', async ({ skip }) => {
    const store = await opened(skip)
    const put = Array.from({ length: 5000 }, (_, at) => incidentOf(`m${at}`, 1))
    const save = () => store.incidents.save({ put, removed: [], rules: [], at: DAY, newId: () => 'x' })
    await save()
    const turns = countTurns()
    await save()
    expect(turns()).toBeGreaterThan(2)
    const turnsOfReading = countTurns()
    expect(await store.incidents.list({ state: 'all' }, 5000)).toHaveLength(5000)
    expect(turnsOfReading()).toBeGreaterThan(0)
  })
  test('tags, views, power and notes of processors have another revision after each change that changes something', async ({
    skip,
  }) => {
    const place = kind === 'sqlite' ? newFolder() : await needPostgres(skip).newDatabase()
    const store = await openAt(place)
    expect(await store.shared.load()).toEqual({
      revision: '0',
      tags: {},
      views: { views: [], chosen: undefined },
      power: { machines: {}, tariffs: undefined },
      processors: {},
    })
    const add = (tag: string) => store.shared.change({ type: 'tags.add', machines: ['a'], tag })
    expect(await Promise.all(['attic', 'warm', 'WARM'].map(add))).toEqual(['1', '2', '2'])
    const params = { filter: 'state:paused' }
    expect(await store.shared.change({ type: 'views.save', name: 'Paused', params })).toBe('3')
    expect(await store.shared.change({ type: 'views.choose', name: 'paused' })).toBe('4')
    const profile = { idle: { watts: 50, origin: 'entered' }, gpus: {} } as const
    expect(await store.shared.change({ type: 'power.profile', machine: 'a', profile })).toBe('5')
    const notes = [{ group: '', state: 'pause', cpus: 4, at: 1 }] as const
    expect(await store.shared.change({ type: 'processors.note', machine: 'a', notes })).toBe('6')
    expect(await store.shared.revision()).toBe('6')
    const shared = {
      revision: '6',
      tags: { a: ['attic', 'warm'] },
      views: { views: [{ name: 'Paused', params }], chosen: 'Paused' },
      power: { machines: { a: profile }, tariffs: undefined },
      processors: { a: notes },
    }
    expect(await store.shared.load()).toEqual(shared)
    await stores.pop()?.close()
    const next = await openAt(place)
    expect(await next.shared.load()).toEqual(shared)
  })
  test('clients of the account keep their places', async ({ skip }) => {
    const store = await opened(skip)
    await store.listAccountClients([
      { id: 'b', name: 'attic' },
      { id: 'a', name: 'cellar' },
    ])
    await store.listAccountClients([
      { id: 'c', name: 'shed' },
      { id: 'a', name: 'deep cellar' },
    ])
    expect(await store.accountClients()).toEqual([
      { id: 'b', name: 'attic', isListed: false },
      { id: 'a', name: 'deep cellar', isListed: true },
      { id: 'c', name: 'shed', isListed: true },
    ])
  })
})

test('a database of the version before is migrated with all that it has, by one of several servers at a time', async ({
  skip,
}) => {
  const names = Object.keys(migrations)
  const former = names.at(-2) ?? ''
  const folder = newFolder()
  const url = kind === 'sqlite' ? '' : await needPostgres(skip).newDatabase()
  const dialect =
    kind === 'sqlite'
      ? new SqliteDialect({ database: libsqlDriver(join(folder, DATABASE_FILE)) })
      : postgresDialect(url, 1)
  const db = new Kysely<Tables>({ dialect })
  const provider = { getMigrations: () => Promise.resolve(migrationsFor(kind)) }
  const { results } = await new Migrator({ db, provider }).migrateTo(former)
  expect(results?.map(({ migrationName }) => migrationName)).toEqual(names.slice(0, -1))
  const row = unitOf('a', '2027-01-01T00:00:00Z')
  await db.insertInto('units').values(row).execute()
  await db.insertInto('samples').values(sample(0, 5)).execute()
  await db.destroy()

  const openBoth = async () => {
    const [store, other] = await Promise.all([openPostgres(url), openPostgres(url)])
    await other.close()
    stores.push(storeOf(store))
  }
  await (kind === 'sqlite' ? open(folder) : openBoth())
  const store = stores.at(-1) ?? expect.fail('Nothing is open.')
  expect((await store.units({}, 10)).units).toMatchObject([row])
  expect(await store.points({ by: 'total', step: 60 })).toEqual([{ at: 0, name: '', ppd: 5 }])
  expect(await store.shared.change({ type: 'tags.add', machines: ['m'], tag: 'attic' })).toBe('1')
  expect(await store.listAccountClients([{ id: 'm', name: 'attic' }])).toEqual([
    { id: 'm', name: 'attic', isListed: true },
  ])
})

test('what is asked for of one machine, of one kind, of a time and after a page is found by an index', async () => {
  const folder = newFolder()
  await (await openServerStore(folder)).close()
  const driver = libsqlDriver(join(folder, DATABASE_FILE))
  const asked: [string, readonly unknown[]][] = []
  const database: SqliteDatabase = {
    ...driver,
    prepare: text => {
      const statement = driver.prepare(text)
      return {
        ...statement,
        all: parameters => {
          asked.push([text, parameters])
          return statement.all(parameters)
        },
      }
    },
  }
  const store = storeOf(databaseOf('sqlite', new TransactionalDialect({ database })))
  await store.units({ machine: 'a' }, 10)
  await store.units({}, 10, '5 a')
  await store.incidents.list({ state: 'all', machine: 'a' }, 10)
  await store.incidents.list({ state: 'all', kind: 'failing' }, 10)
  await store.power.energySum(0, DAY)
  await store.power.energySum(0, DAY, 'a')
  await store.close()
  const other = new Libsql(join(folder, DATABASE_FILE))
  const plans = asked.map(([text, parameters]) =>
    other
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all([...parameters])
      .map(row => (row as { detail: string }).detail)
      .filter(detail => !detail.startsWith('USE TEMP B-TREE')),
  )
  other.close()
  expect(plans).toHaveLength(12)
  expect(plans.filter(([search, ...others]) => search?.startsWith('SEARCH ') !== true || others.length > 0)).toEqual([])
})

test('units with long keys of earlier versions get the keys under which they are reported now', async () => {
  const folder = newFolder()
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: libsqlDriver(join(folder, DATABASE_FILE)) }),
  })
  const provider = { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) }
  await new Migrator({ db, provider }).migrateTo('008-shared')
  const id = 'x'.repeat(1200)
  const [usual, long] = [unitOf('usual', '2027-01-01T00:00:00Z'), unitOf(id, '2027-01-02T00:00:00Z')]
  const stored = { ...long, key: `machine ${id}`, group_name: 'g'.repeat(3000), result: 'r'.repeat(300) }
  await db.insertInto('units').values([usual, stored]).execute()
  await db.destroy()
  const store = await open(folder)
  const { units } = await store.units({}, 10)
  expect(units.map(({ key }) => key)).toEqual([long.key, usual.key])
  expect(units[0]?.group_name).toHaveLength(200)
  expect(await store.addUnits([long])).toEqual([])
  expect(units[1]).toMatchObject(usual)
})

test('a sample has a row for each group, project and resource that folds now', () => {
  const now = Date.parse('2027-01-01T00:00:30Z')
  const running = { state: 'RUN', cpus: 4, gpus: [], ppd: 1000, assignment: { project: 5 }, group: '' }
  const data = {
    ...dataOf('machine', 'puppet'),
    units: [running, { ...running, ppd: 500 }, { ...running, group: 'night' }, { ...running, pause_reason: 'Paused' }],
  }
  const rows = samplesOf({ id: 'machine', data, address: 'attic' }, now, 60)
  expect(rows.map(({ group_name, project, ppd, at }) => [group_name, project, ppd, at])).toEqual([
    ['', 5, 1500, now - 30_000],
    ['night', 5, 1000, now - 30_000],
  ])
})

test('a backup of a database in use is restored, and the former database is kept', async () => {
  const folder = newFolder()
  const store = await open(folder)
  await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])
  const file = join(newFolder(), 'copy.db')
  await backUp(folder, file)
  await expect(backUp(folder, file)).rejects.toThrow('exists already')
  await store.addUnits([unitOf('b', '2027-01-02T00:00:00Z')])
  await stores.pop()?.close()

  const { former } = await restore(folder, file)
  expect(former !== undefined && existsSync(former)).toBe(true)
  const after = await open(folder)
  expect((await after.units({}, 10)).units.map(({ unit }) => unit)).toEqual(['a'])
})

test('a damaged file is not restored, and a damaged database can be replaced', async () => {
  const folder = newFolder()
  const store = await openServerStore(folder)
  const file = join(newFolder(), 'copy.db')
  await backUp(folder, file)
  await store.close()
  const broken = join(folder, 'broken.db')
  writeFileSync(broken, 'This is no database, whatever its name says.'.repeat(200))
  await expect(restore(folder, broken)).rejects.toThrow('cannot be restored')
  await expect(restore(folder, join(folder, 'none.db'))).rejects.toThrow('There is no file')
  cpSync(broken, join(folder, DATABASE_FILE))
  expect((await restore(folder, file)).former).toBe(join(folder, `${DATABASE_FILE}.before-restore`))
})

/** Another process that opens a database: it says 'opened', or the code of the error, and holds it until it is stopped. */
function otherProcess(name: string) {
  const script = `
    try { new (require('libsql'))(process.argv[1]).exec('PRAGMA journal_mode = WAL'); console.log('opened') }
    catch (error) { console.log(error.code) }
    setInterval(() => {}, 1000)`
  const program = startProgram(process.execPath, ['-e', script, name], { cwd: join(import.meta.dirname, '../../..') })
  return { said: async () => (await program.says(/\w+/))[0], stop: program.stop }
}

test.skipIf(process.platform === 'win32')(
  'no other process can use the database of a server, whatever its name and its other files',
  async () => {
    const folder = newFolder()
    const path = join(folder, DATABASE_FILE)
    const store = await open(folder)
    await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])
    for (const name of readdirSync(folder)) if (name !== DATABASE_FILE) rmSync(join(folder, name))
    const link = join(newFolder(), 'other.db')
    linkSync(path, link)
    for (const name of [path, link]) {
      const other = otherProcess(name)
      expect(await other.said()).toBe('SQLITE_BUSY')
      await other.stop()
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'a database in use is neither opened, restored nor copied by another process',
  async () => {
    const folder = newFolder()
    const path = join(folder, DATABASE_FILE)
    const file = join(newFolder(), 'copy.db')
    const store = await openServerStore(folder)
    await backUp(folder, file)
    await store.close()
    const held = newFolder()
    cpSync(path, join(held, DATABASE_FILE))
    const other = otherProcess(`${pathToFileURL(join(held, DATABASE_FILE)).href}?vfs=unix-excl`)
    expect(await other.said()).toBe('opened')
    await expect(openServerStore(held)).rejects.toThrow('Another server uses the database')
    await expect(restore(held, file)).rejects.toThrow('Another server uses the database')
    await expect(copyDatabase(held, `${file}-2`)).rejects.toThrow('Another server uses the database')
    expect(existsSync(`${file}-2`)).toBe(false)
    await other.stop()
    await (await openServerStore(held)).close()
  },
)

test.skipIf(process.platform === 'win32')(
  'the server that uses a database copies it for the command, which has the copy alone, and goes on where the copy cannot be removed',
  async () => {
    const folder = newFolder()
    const store = await open(folder)
    await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])
    const [left, file] = [join(folder, 'live-backup-of-a-killed-server.db'), join(newFolder(), 'backups', 'copy.db')]
    writeFileSync(left, 'x')
    await answerBackups(folder)
    expect(existsSync(left)).toBe(false)
    await copyDatabase(folder, file)
    await expect(copyDatabase(folder, file)).rejects.toThrow('exists already')
    expect(isPrivate(file)).toBe(true)
    expect(isPrivate(dirname(file))).toBe(true)
    await vi.waitFor(
      () => expect(readdirSync(folder).filter(name => name.startsWith('live-backup'))).toEqual([]),
      20_000,
    )
    const rejected = vi.fn()
    process.once('unhandledRejection', rejected)
    const socket = connect({ path: join(folder, 'backup.sock'), allowHalfOpen: true })
    const [answer] = (await once(socket, 'data')) as [Buffer]
    const { copy } = JSON.parse(answer.toString()) as { copy: string }
    rmSync(copy)
    mkdirSync(copy)
    socket.destroy()
    await vi.waitFor(() => copyDatabase(folder, `${file}-2`), 20_000)
    process.off('unhandledRejection', rejected)
    expect(rejected).not.toHaveBeenCalled()
    const restored = newFolder()
    await restore(restored, file)
    expect((await (await open(restored)).units({}, 10)).units.map(({ unit }) => unit)).toEqual(['a'])
  },
)

function isPrivate(path: string): boolean {
  return process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
}

test('a backup only reads the database, also one of an earlier version, and only its owner can read it', async () => {
  const folder = newFolder()
  const path = join(folder, DATABASE_FILE)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: libsqlDriver(path) }) })
  const [first = ''] = Object.keys(migrations)
  await new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrationsFor('sqlite')) } }).migrateTo(
    first,
  )
  await db.destroy()
  const before = readFileSync(path)
  const file = join(newFolder(), 'backups', 'copy.db')
  await backUp(folder, file)
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(isPrivate(file)).toBe(true)
  expect(isPrivate(dirname(file))).toBe(true)
})

test('a backup that cannot be complete leaves no file', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, DATABASE_FILE), '')
  const file = join(newFolder(), 'copy.db')
  await expect(backUp(folder, file)).rejects.toThrow('cannot be copied')
  await expect(backUp(newFolder(), file)).rejects.toThrow('There is no database')
  expect(existsSync(file)).toBe(false)
})

test('an empty database, and one that is missing beside its other files, are reported instead of being replaced by a new one', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, DATABASE_FILE), '')
  await expect(openServerStore(folder)).rejects.toThrow('is empty')
  rmSync(join(folder, DATABASE_FILE))
  for (const left of ['-wal', '.incoming', '.before-restore']) {
    writeFileSync(join(folder, `${DATABASE_FILE}${left}`), 'x')
    await expect(openServerStore(folder)).rejects.toThrow(`is missing, but ${folder} has ${DATABASE_FILE}${left}`)
    rmSync(join(folder, `${DATABASE_FILE}${left}`))
  }
  const fresh = join(newFolder(), 'server')
  await open(fresh)
  expect([isPrivate(fresh), ...readdirSync(fresh).map(name => isPrivate(join(fresh, name)))]).toEqual(
    expect.not.arrayContaining([false]) as boolean[],
  )
})

test('what a killed start left of a new database does not keep the next one from creating it', async () => {
  const folder = newFolder()
  for (const suffix of ['', '-wal', '-shm']) writeFileSync(join(folder, `new-server.db${suffix}`), 'x')
  const store = await open(folder)
  await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])
  expect(readdirSync(folder).filter(name => !name.startsWith(DATABASE_FILE))).toEqual([])
})

test('a restore that was killed between its steps starts nothing, and is completed by the next one', async () => {
  const folder = newFolder()
  const path = join(folder, DATABASE_FILE)
  const file = join(newFolder(), 'copy.db')
  const store = await open(folder)
  await store.addUnits([unitOf('a', '2027-01-01T00:00:00Z')])
  await backUp(folder, file)
  await store.addUnits([unitOf('b', '2027-01-02T00:00:00Z')])
  // As after a crash: the last write is in the write-ahead log only.
  const crashed = newFolder()
  for (const name of readdirSync(folder)) cpSync(join(folder, name), join(crashed, name))
  await stores.pop()?.close()
  const unitsIn = async (place: string) => (await (await open(place)).units({}, 10)).units.map(({ unit }) => unit)
  for (const moved of [['', '-wal'], ['']]) {
    const place = newFolder()
    const lost = join(place, DATABASE_FILE)
    for (const name of readdirSync(crashed)) cpSync(join(crashed, name), join(place, name))
    cpSync(file, `${lost}.incoming`)
    for (const suffix of moved) renameSync(`${lost}${suffix}`, `${lost}.before-restore${suffix}`)
    await expect(openServerStore(place)).rejects.toThrow('is missing')
    expect((await restore(place, file)).former).toBe(`${lost}.before-restore`)
    expect(await unitsIn(place)).toEqual(['a'])
    await stores.pop()?.close()
    const before = newFolder()
    for (const suffix of ['', '-wal'])
      if (existsSync(`${lost}.before-restore${suffix}`))
        cpSync(`${lost}.before-restore${suffix}`, join(before, `${DATABASE_FILE}${suffix}`))
    expect(await unitsIn(before)).toEqual(['b', 'a'])
  }
  // No former database is overwritten by a later one.
  expect((await restore(folder, file)).former).toBe(`${path}.before-restore`)
  expect((await restore(folder, file)).former).toBe(`${path}.before-restore-2`)
})
