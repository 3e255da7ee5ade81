import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { schedulingModel } from '../../../models/scheduling.model.ts'
import type { Schedule } from '../../../src/folding/schedule/schedule.ts'
import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../../test/journey.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { night } from '../../../test/machines/schedules.ts'
import type { WeekRule } from '../../../src/folding/schedule/shift-rule.ts'
import { archivedClient } from '../../../src/folding/unit/archived-client.ts'
import { endedUnit } from '../store/recorder.ts'
import { openServerStore } from '../store/sqlite.ts'
import { createScheduling, type Scheduling } from './scheduling.ts'

const HOUR = 3_600_000
/** Two hours and a half before the evening: each hour that passes costs a second. */
const AFTERNOON = Date.parse('2027-01-04T19:30:00Z')
const ATTIC = { machine: 'attic' }

/** A night of one hour. */
const warmNight: Schedule = {
  ...night,
  targets: [{ kind: 'tag', name: 'warm' }],
  rules: [{ kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '23:00', state: 'fold' }],
}

/** A server with one client that obeys at once; the clock is the test's. */
async function startDriver() {
  const store = await openServerStore(undefined)
  let state: FoldingState = 'fold'
  let isConnected = true
  let asOf: number | undefined
  const sent: string[] = []
  const data = () => ({
    ...dataOf('attic-id', 'attic'),
    units: [],
    groups: { '': { config: { paused: state === 'pause', finish: state === 'finish' } } },
  })
  let seen = data()
  const change = (next: FoldingState): void => {
    state = next
    seen = data()
  }
  const start = async (): Promise<Scheduling> =>
    createScheduling({
      store,
      kept: await store.schedules.load(Date.now()),
      power: { news: () => ({}), follow: () => Promise.resolve() },
      machines: [{ address: 'attic', tags: ['warm'], mayAct: true }],
      watched: () => [{ address: 'attic', id: 'attic-id', label: 'attic', isConnected, data: seen, asOf }],
      send: (_, wanted, who, reason) => {
        sent.push(`${wanted} by ${who}: ${reason}`)
        change(wanted)
        return Promise.resolve('confirmed')
      },
      notes: () => [],
      now: Date.now,
      onChange: () => undefined,
      onError: error => {
        throw error
      },
    })
  let scheduling = await start()
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  await pass(3000)
  const save = async (schedule: Schedule): Promise<void> => {
    expect(await scheduling.replace(scheduling.overview().revision, [schedule])).toBe('saved')
    await pass(3000)
  }
  const subject = () => scheduling.overview().subjects[0]
  const missed = async () => (await store.actions(10)).map(({ outcome }) => outcome)
  const BY_RULE = 'fold by schedules: Schedule “Night”: Every day 10:00 PM–11:00 PM'
  const BY_DEFAULT = 'pause by schedules: Schedule “Night”: no rule applies'
  const untilEvening = Date.parse('2027-01-04T22:00:00Z')

  const driver: Driver<typeof schedulingModel> = {
    does: {
      'save the schedule': () => save(warmNight),
      'the evening comes': () => pass(untilEvening - Date.now() + 3000),
      'the morning comes': () => pass(untilEvening + HOUR - Date.now() + 3000),
      'fold for two hours': async () => {
        await scheduling.override(ATTIC, 'fold', Date.now() + 2 * HOUR, 'ana')
        await pass(3000)
      },
      'two hours pass': () => pass(2 * HOUR),
      'follow the schedule again': async () => {
        await scheduling.follow(ATTIC)
        await pass(3000)
      },
      'fold at the machine itself': async () => {
        change('fold')
        await pass(3000)
      },
      'the machine goes away': async () => {
        isConnected = false
        await pass(3000)
      },
      'the machine comes back': async () => {
        isConnected = true
        await pass(3000)
      },
      'stop the server': () => scheduling.stop(),
      'start it a day later': async () => {
        vi.setSystemTime(Date.now() + 24 * HOUR)
        scheduling = await start()
        await pass(3000)
      },
      'turn the schedule off': () => save({ ...warmNight, isEnabled: false }),
    },
    sees: {
      free: () => expect({ state, sent, subject: subject() }).toEqual({ state: 'fold', sent: [], subject: undefined }),
      day: () => {
        expect({ state, sent }).toEqual({ state: 'pause', sent: [BY_DEFAULT] })
        expect(subject()).toMatchObject({ condition: 'kept', decision: { schedule: 'night', until: untilEvening } })
      },
      night: () => {
        expect({ state, sent }).toEqual({ state: 'fold', sent: [BY_DEFAULT, BY_RULE] })
        expect(subject()).toMatchObject({ decision: { rule: 0, until: untilEvening + HOUR } })
      },
      nextDay: async () =>
        expect({ state, sent: sent.length, missed: await missed() }).toEqual({ state: 'pause', sent: 3, missed: [] }),
      overridden: () => {
        expect({ state, sent: sent.slice(1) }).toEqual({ state: 'fold', sent: ['fold by ana: A command of a person'] })
        expect(subject()).toMatchObject({ override: { by: 'ana' }, wanted: 'fold' })
      },
      over: () => {
        expect({ state, sent: sent.slice(2) }).toEqual({ state: 'pause', sent: [BY_DEFAULT] })
        expect(subject()).toMatchObject({ override: undefined, decision: { until: untilEvening } })
      },
      changed: () =>
        expect({ state, sent: sent.length, condition: subject()?.condition }).toEqual({
          state: 'fold',
          sent: 1,
          condition: 'changed',
        }),
      joined: () =>
        expect({ state, sent: sent.length, condition: subject()?.condition }).toEqual({
          state: 'fold',
          sent: 1,
          condition: 'kept',
        }),
      pausedAgain: () => expect({ state, sent: sent.slice(1) }).toEqual({ state: 'pause', sent: [BY_DEFAULT] }),
      away: () => expect({ sent: sent.length, pending: scheduling.pending() }).toEqual({ sent: 1, pending: [] }),
      back: () =>
        expect({ state, sent: sent.length, condition: subject()?.condition }).toEqual({
          state: 'pause',
          sent: 1,
          condition: 'kept',
        }),
      waiting: () => {
        expect({ sent: sent.length, condition: subject()?.condition }).toEqual({ sent: 1, condition: 'away' })
        expect(scheduling.pending()).toMatchObject([{ machine: 'attic', isSending: false }])
      },
      late: async () =>
        expect({ state, sent: sent.slice(1), missed: await missed() }).toEqual({
          state: 'fold',
          sent: [BY_RULE],
          missed: [],
        }),
      missed: async () => expect(await missed()).toEqual(['missed: the machine was not connected']),
      stopped: () => expect({ state, sent: sent.length }).toEqual({ state: 'pause', sent: 1 }),
      caughtUp: async () => {
        expect({ state, sent: sent.length }).toEqual({ state: 'pause', sent: 1 })
        expect((await missed()).filter(outcome => outcome === 'missed: the server did not run').length).toBeGreaterThan(
          0,
        )
      },
      released: () => expect({ state, sent: sent.length }).toEqual({ state: 'pause', sent: 1 }),
    },
  }
  return {
    driver,
    store,
    sent,
    scheduling,
    stop: async () => scheduling.stop().then(() => store.close()),
    save,
    pass,
    condition: () => subject()?.condition,
    stopHearing: () => (asOf = Date.now()),
  }
}

describe('scheduling, in process', () => {
  beforeEach(() => {
    // Not setImmediate: the server lets messages be handled between its parts.
    vi.useFakeTimers({ now: AFTERNOON, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  for (const journey of simpleJourneysOf(schedulingModel))
    it(journey.title, async () => {
      const { driver, stop } = await startDriver()
      await walkJourney(driver, journey)
      await stop()
    })

  it('a machine that shall be idle by a time takes no new work that would usually be done later', async () => {
    const { store, save, pass, sent, scheduling, stop } = await startDriver()
    const client = archivedClient('attic-id', 'attic', dataOf('attic-id', 'attic'))
    const ended = (id: string) =>
      endedUnit(
        { ...client, owner: undefined },
        { id, result: 'credited', run_time: 7000, end_time: '2027-01-03T00:00:00Z', assignment: { project: 1 } },
      ) ?? []
    await store.addUnits(['a', 'b'].flatMap(ended))
    const rules = [{ ...(warmNight.rules[0] as WeekRule), state: 'pause' as const, inTime: true }]
    await save({ ...warmNight, rules, otherwise: null })
    await pass(20 * 60_000)
    const untilEvening = Date.parse('2027-01-04T22:00:00Z')
    expect(scheduling.overview()).toMatchObject({ subjects: [{ idle: { at: untilEvening } }] })
    expect(scheduling.overview().lengths.get('attic')?.usual).toEqual({ cpus: 7300 })
    expect(sent).toEqual([])
    await pass(20 * 60_000)
    expect(sent).toEqual(['finish by schedules: Schedule “Night”: Every day 10:00 PM–11:00 PM; idle by then'])
    await stop()
  })

  it('a state that does not become newer is too old after three minutes', async () => {
    const { save, pass, condition, stopHearing, stop } = await startDriver()
    await save(warmNight)
    stopHearing()
    await pass(170_000)
    expect(condition()).toBe('kept')
    await pass(12_000)
    expect(condition()).toBe('outdated')
    await stop()
  })
})
