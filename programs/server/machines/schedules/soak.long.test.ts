import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createScheduleWorld } from '../../../../test/machines/schedules.ts'
import { preview } from '../../../../src/folding/schedule/decide.ts'
import { schedulesOf, type Schedule } from '../../../../src/folding/schedule/schedule.ts'
import type { ScheduledClient } from './schedules.events.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BEGIN = Date.parse('2027-01-01T00:00Z')
const END = BEGIN + 365 * DAY
const STEP = HOUR

/** Numbers from 0 to 1 that are the same in each run. */
function randomFrom(seed: number) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
function scheduleOf(id: string, timeZone: string, rules: Schedule['rules']): Schedule {
  return {
    id,
    name: id,
    isEnabled: true,
    targets: [{ kind: 'tag', name: id }],
    timeZone,
    rules,
    otherwise: 'pause',
    finishMinutes: 0,
  }
}

/** Boundaries in the hours that are skipped and repeated, in three zones, and exceptions. */
const schedules: readonly Schedule[] = [
  scheduleOf('berlin', 'Europe/Berlin', [
    { kind: 'dates', first: '2027-12-24', last: '2027-12-26', from: '00:00', until: '24:00', state: 'pause' },
    { kind: 'week', days: EVERY_DAY, from: '22:00', until: '02:30', state: 'fold' },
  ]),
  scheduleOf('york', 'America/New_York', [
    { kind: 'week', days: [1, 2, 3, 4, 5], from: '01:30', until: '06:15', state: 'fold' },
    { kind: 'week', days: [6, 7], from: '00:00', until: '24:00', state: 'fold' },
  ]),
  scheduleOf('howe', 'Australia/Lord_Howe', [
    { kind: 'week', days: EVERY_DAY, from: '02:00', until: '14:00', state: 'fold' },
  ]),
  scheduleOf('sun', 'UTC', [
    {
      kind: 'input',
      input: 'solar',
      compare: 'above',
      threshold: 500,
      hysteresis: 100,
      holdMinutes: 30,
      validMinutes: 120,
      state: 'fold',
    },
  ]),
]
const clients: readonly ScheduledClient[] = schedules.map(({ id }) => ({ address: id, tags: [id], mayAct: true }))
const timed = clients.filter(({ address }) => address !== 'sun')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** MiB that are in use after a collection. */
function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1_048_576
}

/** Every decision of the year for a client, computed without the statecharts. */
function decisionsOf(client: ScheduledClient) {
  return preview(schedulesOf(schedules, { machine: client.address }, client), {}, BEGIN, END).slice(1)
}

test('a year of schedules: every boundary is kept or reported, nothing is sent twice, and nothing grows', async () => {
  const random = randomFrom(7)
  const world = createScheduleWorld(clients, BEGIN)
  await world.goTo(BEGIN)
  await world.saveSchedules(schedules)
  const boundaries = [...new Set(timed.flatMap(client => decisionsOf(client).map(({ begin }) => begin)))].sort(
    (one, other) => one - other,
  )
  let next = 0
  let backup = world.disk()
  let downUntil = 0
  /** A command may be repeated after the database or the clock went back. */
  let era = 0
  const eras: number[] = []
  /** When commands were sent, whatever the clock of the server said. */
  const times: number[] = []
  const foldedByPerson: number[] = []
  const sizes: number[] = []
  const heaps: number[] = []
  const noteSent = (now: number): void => {
    while (eras.length < world.sent.length) {
      eras.push(era)
      times.push(now)
    }
  }
  let faults = 0
  let days = 0

  for (let now = BEGIN + STEP; now < END;) {
    if (downUntil > now) world.stop()
    else if (downUntil > 0) {
      downUntil = 0
      const isLost = random() < 0.2
      if (isLost) {
        era++
        // A pause that the backup does not know is taken for a person's, who folds again.
        for (const { address } of timed) world.machine(address).groups = { '': { state: 'fold' } }
        foldedByPerson.push(now)
      }
      await world.startAgain(isLost ? backup : undefined)
    }
    if (downUntil === 0) {
      await world.goTo(now)
      const dice = random()
      const address = timed[Math.floor(random() * timed.length)]?.address ?? ''
      if (dice < 0.01) world.machine(address).isConnected = !world.machine(address).isConnected
      else if (dice < 0.015) world.machine(address).ignores = !world.machine(address).ignores
      else if (dice < 0.018) downUntil = now + Math.floor(random() * 30) * HOUR
      else if (dice < 0.02) {
        // A clock that is wrong for a moment, by minutes or by days, in both directions.
        const jump = [-5 * MINUTE, 5 * MINUTE, -2 * DAY, 2 * DAY][Math.floor(random() * 4)] ?? 0
        era++
        await world.goTo(now + jump, 0)
        await world.goTo(now + 1, 0)
        noteSent(now)
        era++
      } else if (dice < 0.03) {
        const value = Math.round(random() * 1000)
        await world.send({ type: 'input.received', at: now, name: 'solar', value })
      } else faults--
      faults++
    }
    noteSent(now)
    if (now >= BEGIN + days * DAY) {
      days++
      if (days % 3 === 0) backup = world.disk()
      sizes.push(world.disk().length)
      if (days % 91 === 0) heaps.push(heap())
      // What was left off or ignored is mended, so that each client takes part all year.
      for (const client of timed)
        if (random() < 0.5) Object.assign(world.machine(client.address), { isConnected: true, ignores: false })
    }
    while ((boundaries[next] ?? END) <= now) next++
    now = Math.min(now + STEP, boundaries[next] ?? END)
  }

  const lost: string[] = []
  let keptCount = 0
  let reported = 0
  for (const client of timed) {
    const subject = client.address
    const sent = [
      ...foldedByPerson.map(at => ({ state: 'fold', at })),
      ...world.sent.flatMap((each, index) =>
        each.subject.machine === subject && each.isConfirmed ? [{ state: each.state, at: times[index] ?? 0 }] : [],
      ),
    ].sort((one, other) => one.at - other.at)
    const missed = world.missed.filter(each => each.subject.machine === subject)
    for (const { begin, end, state } of decisionsOf(client)) {
      if (end >= END) continue
      const wasSent = sent.some(each => each.state === state && each.at >= begin && each.at < end)
      const wasMissed = missed.some(({ segment }) => segment.begin === begin && segment.state === state)
      // It may have the state already: all fold at first, and after faults nothing may have been sent in between.
      const wasThere = (sent.findLast(each => each.at < begin)?.state ?? 'fold') === state
      if (wasSent || wasThere) keptCount++
      else if (wasMissed) reported++
      else lost.push(`${subject} ${String(state)} ${new Date(begin).toISOString()}`)
    }
  }
  const twice = world.sent.filter(
    (each, index) =>
      each.isConfirmed &&
      world.sent.some(
        (other, before) =>
          before < index &&
          other.isConfirmed &&
          eras[before] === eras[index] &&
          other.key === each.key &&
          other.subject.machine === each.subject.machine,
      ),
  )
  expect(lost).toEqual([])
  expect(twice).toEqual([])
  expect(faults).toBeGreaterThan(150)
  expect(keptCount > 1200).toBe(true)
  expect(reported > 20).toBe(true)
  // What is on the disk at the end of the year is what was there in its first month.
  expect(Math.max(...sizes.slice(-30))).toBeLessThan(1.2 * Math.max(...sizes.slice(0, 30)))
  // Of the year only the lists of this test grow.
  expect(heaps).toHaveLength(4)
  expect(Math.max(...heaps.slice(1)) - (heaps[0] ?? 0)).toBeLessThan(10)
  expect(Object.keys(world.actor().getSnapshot().context.members)).toHaveLength(clients.length)
}, 120_000)
