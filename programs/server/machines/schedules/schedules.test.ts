import { describe, expect, test } from 'vitest'
import { createScheduleWorld, night } from '../../../../test/machines/schedules.ts'
import type { Schedule } from '../../../../src/folding/schedule/schedule.ts'
import type { ScheduledClient } from './schedules.events.ts'
import { isTooMuch, SLICE } from './schedules.machine.ts'
import { selectPausedGroups, selectPending } from './schedules.selectors.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
function at(text: string): number {
  return Date.parse(`2027-01-${text}Z`)
}
const attic: ScheduledClient = { address: 'attic', tags: ['warm'], mayAct: true }

async function atNoon(schedules: readonly Schedule[] = [night], clients = [attic]) {
  const world = createScheduleWorld(clients, at('04T12:00'))
  await world.goTo(at('04T12:00'))
  await world.saveSchedules(schedules)
  const condition = () => world.subject({ machine: 'attic' })?.condition
  const states = () => world.sent.map(({ state }) => state)
  return { world, condition, states }
}
function override(world: Awaited<ReturnType<typeof atNoon>>['world'], until: number | undefined, isImplicit = false) {
  return world.send({
    type: 'schedules.override',
    at: world.now(),
    subject: { machine: 'attic' },
    state: 'fold',
    until,
    by: 'ana',
    isImplicit,
  })
}

describe('schedules', () => {
  test('send a state once at each boundary, with the rule as its reason [11.5]', async () => {
    const { world, condition, states } = await atNoon()
    expect(world.sent).toMatchObject([
      { state: 'pause', who: 'schedules', reason: 'Schedule “Night”: no rule applies', isConfirmed: true },
    ])
    expect(condition()).toBe('kept')
    for (let hour = 13; hour < 22; hour++) await world.goTo(at(`04T${hour}:00`))
    expect(states()).toEqual(['pause'])
    await world.goTo(at('04T22:00'))
    await world.goTo(at('04T22:00') + 1000)
    expect(world.sent[1]).toMatchObject({
      state: 'fold',
      reason: 'Schedule “Night”: Every day 10:00 PM–6:00 AM',
    })
    await world.goTo(at('05T06:00'))
    expect(states()).toEqual(['pause', 'fold', 'pause'])
    expect(world.missed).toEqual([])
  })

  test('many machines are started and checked in parts, and other events come between', async () => {
    const many = Array.from({ length: 2 * SLICE + 1 }, (_, index) => ({ ...attic, address: `attic${index}` }))
    const { world } = await atNoon([], many)
    world.actor().send({ type: 'schedules.changed', at: world.now(), schedules: [night] })
    const decided = () => Object.keys(world.actor().getSnapshot().context.members).length
    expect(decided()).toBe(SLICE)
    // A check that comes meanwhile goes on where the first one was.
    world.actor().send({ type: 'power.observed', at: world.now(), power: {} })
    expect(decided()).toBe(2 * SLICE)
    world.clock().increment(0)
    world.clock().increment(0)
    expect(decided()).toBe(many.length)
    await world.settle()
    expect(new Set(world.sent.map(({ subject }) => subject.machine)).size).toBe(many.length)
  })

  test('of groups only those are decided that a machine has, and those that it had while it is away', async () => {
    const named = { ...night, targets: ['', 'gpu', 'none'].map(group => ({ kind: 'all' as const, name: '', group })) }
    const { world } = await atNoon([named])
    const groups = () => Object.values(world.actor().getSnapshot().context.members).map(({ subject }) => subject.group)
    expect(groups()).toEqual([''])
    world.machine('attic').groups['gpu'] = { state: 'fold' }
    await world.settle()
    expect(groups()).toEqual(['', 'gpu'])
    world.machine('attic').isConnected = false
    world.machine('attic').groups = {}
    await world.settle()
    await world.goTo(world.now() + HOUR)
    expect(groups()).toEqual(['', 'gpu'])
    await world.startAgain()
    await world.goTo(world.now() + HOUR)
    expect(groups()).toEqual(['', 'gpu'])
    expect(isTooMuch(world.actor().getSnapshot(), [named])).toBe(false)
  })

  test('a value that no rule uses is kept and decides nothing, and one that is removed is gone', async () => {
    const { world } = await atNoon()
    const checkedAt = () => world.actor().getSnapshot().context.at
    const before = checkedAt()
    await world.send({ type: 'input.received', at: before + 1000, name: 'solar', value: 7 })
    expect(checkedAt()).toEqual(before)
    expect(world.actor().getSnapshot().context.inputs['solar']?.value).toBe(7)
    await world.send({ type: 'input.removed', at: before + 1000, name: 'solar' })
    expect(world.actor().getSnapshot().context.inputs).toEqual({})
  })

  test('what decides the same is not sent to thousands of machines, but to each once a minute', async () => {
    const { world } = await atNoon()
    const [attic] = Object.values(world.actor().getSnapshot().context.members)
    const checkedAt = () => attic?.ref.getSnapshot().context.at ?? 0
    const before = checkedAt()
    await world.send({ type: 'power.observed', at: before + MINUTE - 1, power: {} })
    expect(checkedAt()).toBe(before)
    await world.send({ type: 'power.observed', at: before + MINUTE, power: {} })
    expect(checkedAt()).toBe(before + MINUTE)
  })

  test('a client that has the state already gets no command, and one without a decision is left as it is', async () => {
    const { world, condition, states } = await atNoon([{ ...night, otherwise: 'fold' }])
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'kept', states: [] })
    await world.saveSchedules([{ ...night, otherwise: null }])
    expect(condition()).toBe('unset')
    await world.saveSchedules([])
    await world.goTo(at('04T12:01'))
    expect(condition()).toBeUndefined()
    expect(JSON.parse(world.disk())).toMatchObject({ states: {} })
  })

  test('of clients that become known later begin where they were left, also after a restart', async () => {
    const { world, states } = await atNoon()
    await override(world, at('04T20:00'))
    expect(states()).toEqual(['pause', 'fold'])
    world.stop()
    await world.startAgain(world.disk(), [])
    await world.goTo(at('04T19:00'))
    expect(world.subject({ machine: 'attic' })).toBeUndefined()
    await world.send({ type: 'machines.listed', at: world.now(), machines: [attic] })
    expect(world.subject({ machine: 'attic' })).toMatchObject({ condition: 'kept', override: { by: 'ana' } })
    expect(states()).toEqual(['pause', 'fold'])
    await world.goTo(at('04T20:00'))
    expect(states()).toEqual(['pause', 'fold', 'pause'])
    await world.send({ type: 'machines.listed', at: world.now(), machines: [] })
    await world.goTo(at('04T20:01'))
    expect(world.subject({ machine: 'attic' })).toBeUndefined()
  })

  test('a decision that waits for a disconnected client is reported once', async () => {
    const { world } = await atNoon()
    const pending = () => selectPending(world.actor().getSnapshot())
    expect(pending()).toEqual([])
    world.machine('attic').isConnected = false
    await world.goTo(at('04T22:00'))
    const [evening] = pending()
    expect(evening).toMatchObject({ machine: 'attic', isSending: false })
    await world.goTo(at('05T01:00'))
    expect(pending()).toEqual([evening])
    await world.goTo(at('05T06:00'))
    expect(pending()[0]?.key).not.toBe(evening?.key)
    world.machine('attic').isConnected = true
    await world.goTo(at('05T06:01'))
    expect(pending()).toEqual([])
  })

  test('only where acting is allowed', async () => {
    const { world, condition, states } = await atNoon([night], [{ ...attic, mayAct: false }])
    await world.goTo(at('05T12:00'))
    expect(condition()).toBe('observing')
    expect(states()).toEqual([])
    expect(world.missed).toEqual([])
  })

  test('a client that is away gets the state when it is back; what was over by then is reported', async () => {
    const { world, condition, states } = await atNoon()
    world.machine('attic').isConnected = false
    await world.goTo(at('04T22:00'))
    expect(condition()).toBe('away')
    await world.goTo(at('05T05:59'))
    await world.goTo(at('05T06:00'))
    expect(world.missed).toMatchObject([
      { segment: { state: 'fold', rule: 0, begin: at('04T22:00') }, because: 'disconnected' },
    ])
    await world.goTo(at('05T22:00'))
    world.machine('attic').isConnected = true
    await world.goTo(at('05T23:00'))
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'kept', states: ['pause', 'fold'] })
  })

  test('a state that is too old is acted on when it is newer; a command of a person does not wait', async () => {
    const { world, condition, states } = await atNoon()
    const pending = () => selectPending(world.actor().getSnapshot()).length
    world.machine('attic').isOld = true
    await world.goTo(at('04T21:00'))
    expect({ condition: condition(), pending: pending() }).toEqual({ condition: 'outdated', pending: 0 })
    await world.goTo(at('04T22:00'))
    expect(condition()).toBe('outdated')
    expect(states()).toEqual(['pause'])
    expect(pending()).toBe(1)
    await world.goTo(at('05T05:59'))
    await world.goTo(at('05T06:00'))
    expect(world.missed).toMatchObject([{ segment: { state: 'fold' }, because: 'outdated' }])
    // Whatever it was last seen to do.
    world.machine('attic').groups = { '': { state: 'fold' } }
    await override(world, at('05T08:00'))
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'outdated', states: ['pause', 'fold'] })
    world.machine('attic').isOld = false
    await world.goTo(at('05T08:00'))
    expect(condition()).toBe('kept')
    expect(states()).toEqual(['pause', 'fold', 'pause'])
  })

  test('what happened while the server did not run is reported, and what is due now is sent', async () => {
    const { world, states } = await atNoon()
    await world.goTo(at('04T21:00'))
    world.stop()
    await world.startAgain()
    expect(states()).toEqual(['pause'])
    await world.goTo(at('06T23:00'))
    expect(world.missed.map(({ segment: { state, begin }, because }) => [state, begin, because])).toEqual([
      ['fold', at('04T22:00'), 'server'],
      ['pause', at('05T06:00'), 'server'],
      ['fold', at('05T22:00'), 'server'],
      ['pause', at('06T06:00'), 'server'],
    ])
    expect(states()).toEqual(['pause', 'fold'])
  })

  test('a command that has no effect is tried again, and reported when its time is over', async () => {
    const { world, condition, states } = await atNoon()
    world.machine('attic').ignores = true
    await world.goTo(at('04T22:00'))
    expect(condition()).toBe('retrying')
    await world.goTo(at('04T22:00') + 10_000)
    await world.goTo(at('04T22:01'), 0)
    expect(states()).toEqual(['pause', 'fold'])
    await world.goTo(at('04T22:05'))
    expect(states()).toEqual(['pause', 'fold', 'fold'])
    await world.goTo(at('04T22:06'))
    await world.goTo(at('05T06:00'), 0)
    expect(world.missed).toMatchObject([{ because: 'server', segment: { state: 'fold' } }])
    world.fail('send')
    world.machine('attic').ignores = false
    await world.goTo(at('05T22:00'))
    expect(condition()).toBe('retrying')
    world.fail(undefined)
    await world.goTo(at('05T22:10'))
    expect(condition()).toBe('kept')
  })

  test('a change of the state at the client wins until the next boundary', async () => {
    const { world, condition, states } = await atNoon()
    world.machine('attic').groups = { '': { state: 'fold' } }
    await world.goTo(at('04T13:00'))
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'changed', states: ['pause'] })
    await world.goTo(at('04T22:00'))
    await world.goTo(at('05T06:00'))
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'kept', states: ['pause', 'pause'] })
  })

  test('a change of the state at the client is changed back when its schedules are to be followed again', async () => {
    const { world, condition, states } = await atNoon()
    world.machine('attic').groups = { '': { state: 'fold' } }
    await world.goTo(at('04T13:00'))
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'changed', states: ['pause'] })
    await world.send({ type: 'schedules.follow', at: world.now(), subject: { machine: 'attic' } })
    expect({ condition: condition(), states: states() }).toEqual({ condition: 'kept', states: ['pause', 'pause'] })
  })

  test('a unit that ends soon is finished first, and the client paused when it did not end in time', async () => {
    const { world, condition, states } = await atNoon([{ ...night, finishMinutes: 30 }])
    await world.goTo(at('04T22:00'))
    world.machine('attic').groups = { '': { state: 'fold', endsAt: at('05T06:20') } }
    await world.goTo(at('05T06:00'))
    expect(states()).toEqual(['pause', 'fold', 'finish'])
    expect(world.sent.at(-1)?.reason).toBe('Schedule “Night”: no rule applies; a unit ends soon')
    await world.goTo(at('05T06:29'))
    expect(condition()).toBe('kept')
    await world.goTo(at('05T06:30'))
    expect(states()).toEqual(['pause', 'fold', 'finish', 'pause'])
    // The unit ends in time: the client pauses itself.
    await world.goTo(at('05T22:00'))
    world.machine('attic').groups = { '': { state: 'fold', endsAt: at('06T06:20') } }
    await world.goTo(at('06T06:00'))
    world.machine('attic').groups = { '': { state: 'pause' } }
    await world.goTo(at('06T06:21'))
    await world.goTo(at('06T06:31'))
    expect(states().slice(4)).toEqual(['fold', 'finish'])
    expect(condition()).toBe('kept')
  })
})

describe('a person', () => {
  test('wins for the chosen time, also over a restart; then the schedule is followed again [11.5]', async () => {
    const { world, states } = await atNoon()
    await override(world, at('04T14:00'))
    expect(states()).toEqual(['pause', 'fold'])
    expect(world.sent[1]).toMatchObject({ who: 'ana', reason: 'A command of a person' })
    await world.startAgain()
    await world.goTo(at('04T13:00'))
    expect(world.subject({ machine: 'attic' })).toMatchObject({
      condition: 'kept',
      override: { by: 'ana', until: at('04T14:00') },
    })
    await world.goTo(at('04T14:00'))
    expect(states()).toEqual(['pause', 'fold', 'pause'])
  })

  test('wins until the next boundary without a time, and until the schedules are followed again', async () => {
    const { world, states } = await atNoon()
    await override(world, undefined)
    expect(world.subject({ machine: 'attic' })?.override?.until).toBe(at('04T22:00'))
    await world.send({ type: 'schedules.follow', at: world.now(), subject: { machine: 'attic' } })
    expect(states()).toEqual(['pause', 'fold', 'pause'])
    expect(world.subject({ machine: 'attic' })?.override).toBeUndefined()
  })

  test('gets the former state back where no schedule decides', async () => {
    const { world, states, condition } = await atNoon([])
    world.machine('attic').groups = { '': { state: 'pause' } }
    await world.goTo(at('04T12:30'))
    await override(world, at('04T14:00'), true)
    expect(world.sent).toEqual([])
    await override(world, at('04T14:00'))
    await world.goTo(at('04T13:00'))
    await override(world, at('04T15:00'))
    await world.startAgain()
    await world.goTo(at('04T14:30'))
    expect(states()).toEqual(['fold'])
    await world.goTo(at('04T15:00'))
    expect(states().at(-1)).toBe('pause')
    expect(world.sent.at(-1)?.reason).toBe('A command of a person has ended')
    expect(condition()).toBe('kept')
  })

  test('may report while a command is on its way', async () => {
    const { world, states } = await atNoon()
    const actor = world.actor()
    actor.send({ type: 'clock.ticked', at: at('04T22:00') })
    const subject = { machine: 'attic' }
    // The command of the boundary is sent, and not answered yet.
    const member = actor.getSnapshot().context.members['attic']?.ref
    expect(member?.getSnapshot().value).toBe('sending')
    actor.send({
      type: 'schedules.override',
      at: at('04T22:00'),
      subject,
      state: 'pause',
      until: undefined,
      by: 'ana',
      isImplicit: false,
    })
    actor.send({ type: 'schedules.follow', at: at('04T22:00'), subject })
    await world.settle()
    expect(states()).toEqual(['pause', 'fold'])
    expect(world.subject(subject)).toMatchObject({ condition: 'kept', override: undefined })

    // What is followed again is sent, though the watch has not seen yet what the command before it changed.
    const override = { subject, state: 'pause', until: undefined, by: 'ana', isImplicit: false } as const
    actor.send({ type: 'schedules.override', at: at('04T22:01'), ...override })
    actor.send({ type: 'schedules.follow', at: at('04T22:01'), subject })
    for (let turn = 0; turn < 6; turn++) await Promise.resolve()
    expect(states()).toEqual(['pause', 'fold', 'pause', 'fold'])
  })
})

describe('groups', () => {
  test('that a schedule names are decided by themselves, and the client without them', async () => {
    const gpu: Schedule = {
      ...night,
      id: 'gpu',
      name: 'GPU',
      targets: [{ kind: 'tag', name: 'warm', group: 'gpu' }],
      rules: [],
      otherwise: 'finish',
    }
    const world = createScheduleWorld([attic], at('04T12:00'))
    world.machine('attic').groups = { '': { state: 'fold' }, gpu: { state: 'fold' } }
    await world.goTo(at('04T12:00'))
    await world.saveSchedules([gpu, night])
    expect(world.machine('attic').groups).toMatchObject({ '': { state: 'pause' }, gpu: { state: 'finish' } })
    expect(world.sent.find(({ subject }) => subject.group === undefined)?.otherGroups).toEqual(['gpu'])
    world.machine('attic').groups = { '': { state: 'pause' }, gpu: { state: 'fold' }, more: { state: 'fold' } }
    await world.goTo(at('04T13:00'))
    expect(world.subject({ machine: 'attic' })?.condition).toBe('changed')
  })
})

describe('what a person paused', () => {
  const night22 = at('04T22:00')
  const stateOf = (world: Awaited<ReturnType<typeof atNoon>>['world']) =>
    Object.fromEntries(Object.entries(world.machine('attic').groups).map(([name, { state }]) => [name, state]))
  const begin = async (gpu: 'fold' | 'pause', schedule: Schedule = night) => {
    const world = createScheduleWorld([attic], at('04T12:00'))
    world.machine('attic').groups = { '': { state: 'fold' }, gpu: { state: gpu } }
    await world.goTo(at('04T12:00'))
    await world.saveSchedules([schedule])
    expect(stateOf(world)).toEqual({ '': 'pause', gpu: 'pause' })
    await world.startAgain()
    return world
  }

  test('stays paused when a schedule folds, also where the schedule paused the rest before [2.17]', async () => {
    const world = await begin('pause')
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'pause' })
    expect(world.subject({ machine: 'attic' })?.condition).toBe('kept')
    const { length } = world.sent
    await world.send({ type: 'schedules.follow', at: world.now(), subject: { machine: 'attic' } })
    expect(world.sent.length).toBe(length)
  })

  test('folds where the rule of the schedule says so [2.17]', async () => {
    const rules = night.rules.map(rule => ({ ...rule, resumesPaused: true }))
    const world = await begin('pause', { ...night, rules })
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'fold' })
  })

  test('is not what the schedule paused itself, nor what the client did', async () => {
    const world = await begin('fold')
    world.machine('attic').groups['more'] = { state: 'pause', isFailed: true }
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'fold', more: 'fold' })
    world.machine('attic').groups['gpu'] = { state: 'pause' }
    await world.goTo(at('05T06:00'))
    await world.goTo(at('05T22:00'))
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'pause', more: 'fold' })
  })

  test('is left alone in a group that is decided by itself, too', async () => {
    const gpuSchedule = { ...night, targets: [{ kind: 'all' as const, name: '', group: 'gpu' }] }
    const world = createScheduleWorld([attic], at('04T12:00'))
    world.machine('attic').groups = { '': { state: 'fold' }, gpu: { state: 'fold' } }
    await world.goTo(at('04T12:00'))
    await world.saveSchedules([gpuSchedule])
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'pause' })
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'fold' })
    world.machine('attic').groups['gpu'] = { state: 'pause' }
    await world.goTo(at('05T06:00'))
    await world.goTo(at('05T22:00'))
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'pause' })
    expect(world.subject({ machine: 'attic', group: 'gpu' })?.condition).toBe('changed')
  })

  const noon = at('05T12:00')
  const resuming = { ...night, rules: night.rules.map(rule => ({ ...rule, resumesPaused: true })) }
  type World = ReturnType<typeof createScheduleWorld>
  const command = (state: 'fold' | 'pause' | 'finish', isImplicit: boolean) => (world: World) => {
    if (isImplicit) for (const group of Object.values(world.machine('attic').groups)) group.state = state
    const subject = { machine: 'attic' }
    const until = undefined
    return world.send({ type: 'schedules.override', at: world.now(), subject, state, until, by: 'ana', isImplicit })
  }
  const atTheClient = (state: 'fold' | 'pause') => async (world: World) => {
    for (const group of Object.values(world.machine('attic').groups)) group.state = state
    await world.settle()
  }
  const follow = (world: World) =>
    world.send({ type: 'schedules.follow', at: world.now(), subject: { machine: 'attic' } })
  const restart = (world: World) => world.startAgain()

  /** What happens to a machine that folds, at which hour of that day, and what it does an hour after the schedule folds. */
  const table: readonly {
    what: string
    steps: readonly (readonly [hour: number, ...happenings: ((world: World) => Promise<void>)[]])[]
    folds: boolean
    schedule?: Schedule
  }[] = [
    { what: 'nothing', steps: [], folds: true },
    { what: 'the server is restarted', steps: [[12, restart]], folds: true },
    { what: 'it was paused before the schedule paused it', steps: [[5, atTheClient('pause')]], folds: false },
    {
      what: 'its client is told to fold and to pause',
      steps: [
        [8, atTheClient('fold')],
        [9, atTheClient('pause')],
      ],
      folds: false,
    },
    {
      what: 'that, and the server is restarted',
      steps: [
        [8, atTheClient('fold')],
        [9, atTheClient('pause'), restart],
      ],
      folds: false,
    },
    {
      what: 'that is known to the server only in part',
      steps: [[8, atTheClient('fold'), restart, atTheClient('pause'), restart]],
      folds: false,
    },
    {
      what: 'the rule resumes what was paused',
      steps: [
        [8, atTheClient('fold')],
        [9, atTheClient('pause')],
      ],
      folds: true,
      schedule: resuming,
    },
    { what: 'a person pauses it through the server', steps: [[8, command('pause', true)]], folds: false },
    { what: 'that, and the server is restarted', steps: [[8, command('pause', true), restart]], folds: false },
    {
      what: 'a person lets it finish through the server',
      steps: [
        [8, atTheClient('fold'), command('finish', true)],
        [9, atTheClient('pause')],
      ],
      folds: false,
    },
    {
      what: 'a person folds and the schedule pauses it',
      steps: [
        [5, atTheClient('pause')],
        [5.5, atTheClient('fold')],
      ],
      folds: true,
    },
    {
      what: 'a person pauses it until the next boundary',
      steps: [[8, atTheClient('fold'), command('pause', false)]],
      folds: true,
    },
    {
      what: 'a person folds it until the next boundary',
      steps: [[5, atTheClient('pause'), command('fold', false)]],
      folds: true,
    },
    { what: 'it is paused in the night', steps: [[23, atTheClient('pause')]], folds: false },
    { what: 'that, and the schedules are followed again', steps: [[23, atTheClient('pause'), follow]], folds: true },
    { what: 'it is paused in the night through the server', steps: [[23, command('pause', true)]], folds: false },
  ]
  const stories = table.flatMap(row => [1, 2].map(groups => ({ ...row, groups })))
  test.each(stories)(
    'a machine with $groups groups: $what [2.17]',
    async ({ steps, folds, groups, schedule = night }) => {
      const world = createScheduleWorld([attic], at('05T04:00'))
      for (const name of ['', 'gpu'].slice(0, groups)) world.machine('attic').groups[name] = { state: 'fold' }
      await world.goTo(at('05T04:00'))
      await world.saveSchedules([schedule])
      const day = at('05T00:00')
      const boundaries = [6, 22, 23.5].map(hour => [hour] as const)
      for (const [hour, ...happenings] of [...steps, ...boundaries].sort(([a], [b]) => a - b)) {
        await world.goTo(day + hour * HOUR)
        for (const happen of happenings) await happen(world)
      }
      expect(Object.values(stateOf(world))).toEqual(Array.from({ length: groups }, () => (folds ? 'fold' : 'pause')))
      if (!folds && schedule === night)
        expect(['changed', 'kept']).toContain(world.subject({ machine: 'attic' })?.condition)
    },
  )

  test('is told from what a schedule paused that was switched off since, also after a restart', async () => {
    const world = await begin('pause')
    await world.goTo(noon)
    await world.saveSchedules([{ ...night, isEnabled: false }])
    expect(world.subject({ machine: 'attic' })).toBeUndefined()
    expect(selectPausedGroups(world.actor().getSnapshot())).toEqual(new Map([['attic', ['']]]))
    await world.startAgain()
    await world.goTo(at('05T13:00'))
    await world.saveSchedules([night])
    await world.goTo(at('05T22:00'))
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'pause' })
    await world.saveSchedules([])
    await world.goTo(at('05T23:00'))
    expect(JSON.parse(world.disk())).toMatchObject({ states: {} })
  })

  test('of an earlier version, which did not keep it, a machine that is paused as a whole is resumed', async () => {
    const world = await begin('fold')
    world.stop()
    await world.startAgain(world.disk().replaceAll('"paused":["","gpu"]', '"was":[]'))
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold', gpu: 'fold' })
  })

  test('is not what was paused by a command that the server did not live to see obeyed', async () => {
    const world = createScheduleWorld([attic], at('04T12:00'))
    world.machine('attic').ignores = true
    await world.goTo(at('04T12:00'))
    await world.saveSchedules([night])
    world.machine('attic').groups = { '': { state: 'pause' } }
    world.machine('attic').ignores = false
    await world.startAgain()
    await world.goTo(night22)
    expect(stateOf(world)).toEqual({ '': 'fold' })
  })
})

describe('inputs', () => {
  const solar: Schedule = {
    ...night,
    rules: [
      {
        kind: 'input',
        input: 'solar',
        compare: 'above',
        threshold: 500,
        hysteresis: 50,
        holdMinutes: 10,
        validMinutes: 60,
        state: 'fold',
      },
    ],
  }
  test('switch at their thresholds, and no more often than their rule allows', async () => {
    const { world, states } = await atNoon([solar])
    const receive = (value: number) => world.send({ type: 'input.received', at: world.now(), name: 'solar', value })
    await receive(900)
    expect(states()).toEqual(['pause', 'fold'])
    await world.goTo(at('04T12:05'))
    await receive(0)
    expect(states()).toEqual(['pause', 'fold'])
    await world.goTo(at('04T12:10'))
    expect(states()).toEqual(['pause', 'fold', 'pause'])
    await world.goTo(at('04T12:30'))
    await receive(900)
    await world.goTo(at('04T14:00'))
    expect(states()).toEqual(['pause', 'fold', 'pause', 'fold', 'pause'])
  })
})

test('a surplus gives each machine its own state, and nothing changes while a restarted server knows no watts yet', async () => {
  const cellar: ScheduledClient = { address: 'cellar', tags: ['warm'], mayAct: true }
  const roof: Schedule = {
    ...night,
    rules: [
      {
        kind: 'surplus',
        input: 'roof',
        isLeft: false,
        hysteresis: 0,
        holdMinutes: 0,
        validMinutes: 600,
        state: 'fold',
      },
    ],
  }
  const { world } = await atNoon([roof], [attic, cellar])
  const clients = ['attic', 'cellar'].map((address, index) => ({
    address,
    tags: [],
    watts: 200,
    drawn: 0,
    ppd: 2 - index,
  }))
  const wanted = () => ['attic', 'cellar'].map(machine => world.subject({ machine })?.wanted)
  await world.send({ type: 'input.received', at: world.now(), name: 'roof', value: 250 })
  await world.send({ type: 'power.observed', at: world.now(), power: { clients } })
  expect(wanted()).toEqual(['fold', 'pause'])
  const count = world.sent.length
  await world.startAgain()
  await world.goTo(world.now() + MINUTE)
  expect(wanted()).toEqual(['fold', 'pause'])
  expect(world.sent).toHaveLength(count)
  await world.send({ type: 'power.observed', at: world.now(), power: { clients: clients.slice(1) } })
  await world.send({ type: 'input.received', at: world.now(), name: 'roof', value: 0 })
  expect(wanted()).toEqual(['fold', 'pause'])
})

describe('what fails', () => {
  test('a clock that is set back a little stands still, and one that is set back far is followed', async () => {
    const { world, states } = await atNoon()
    await world.goTo(at('04T22:00'))
    await world.goTo(at('04T21:58'), 0)
    await world.goTo(at('04T22:01'))
    expect(states()).toEqual(['pause', 'fold'])
    await world.goTo(at('04T15:00'), 0)
    expect(states()).toEqual(['pause', 'fold', 'pause'])
    await world.goTo(at('04T22:00'), 7 * HOUR)
    expect(states()).toEqual(['pause', 'fold', 'pause', 'fold'])
  })

  test('a store that fails is started again', async () => {
    const { world, states } = await atNoon()
    world.fail('store')
    await world.goTo(at('04T13:00'))
    expect(world.actor().getSnapshot().value).toBe('restarting')
    world.fail(undefined)
    await world.goTo(at('04T13:00') + 2 * MINUTE)
    await world.goTo(at('04T22:00'))
    expect(world.actor().getSnapshot().value).toBe('running')
    expect(states()).toEqual(['pause', 'fold'])
  })

  test('a watch, a clock or a single client that fails is started again', async () => {
    const { world, condition } = await atNoon()
    const actor = world.actor()
    for (const actorId of ['machineWatch', 'scheduleClock']) {
      actor.send({ type: `xstate.error.actor.${actorId}`, error: new Error('broken'), actorId } as never)
      expect(actor.getSnapshot().value).toBe('restarting')
      await world.goTo(world.now() + 2 * MINUTE)
      expect(actor.getSnapshot().value).toBe('running')
    }
    const member = actor.getSnapshot().context.members['attic']?.ref
    member?.send({ type: 'schedule.checked' } as never)
    expect(member?.getSnapshot().status).toBe('error')
    await world.goTo(world.now() + 2 * MINUTE)
    expect(condition()).toBe('kept')
    await world.goTo(at('04T22:00'))
    expect(world.sent.map(({ state }) => state)).toEqual(['pause', 'fold'])
  })
})

describe('a time to be idle by', () => {
  const idle: Schedule = {
    ...night,
    rules: [{ kind: 'week', days: [1], from: '18:00', until: '20:00', state: 'pause', inTime: true }],
    otherwise: 'fold',
  }
  const begin = at('04T18:00')
  /** Its next unit on the GPU would be done in time, the one on CPUs too late. */
  const groups = () => ({
    '': { state: 'fold' as const, fetches: [{ at: at('04T13:00'), lasts: 5 * HOUR + 1 }] },
    gpu: { state: 'fold' as const, fetches: [{ at: at('04T12:30'), lasts: HOUR }] },
  })

  test.each(['fold', null] as const)('ends new work of the groups that would be late; else %s', async otherwise => {
    const { world, states } = await atNoon([{ ...idle, otherwise }])
    world.machine('attic').groups = groups()
    await world.goTo(at('04T12:59'))
    expect(states()).toEqual([])
    expect(world.subject({ machine: 'attic' })?.idle).toMatchObject({ at: begin, pauses: true })
    await world.goTo(at('04T13:00'))
    expect(world.sent).toMatchObject(
      [{ state: 'finish', otherGroups: ['gpu'], who: 'schedules', reason: /idle by then$/ }].map(
        ({ reason: _, ...rest }) => rest,
      ),
    )
    expect(world.sent[0]?.reason).toMatch(/idle by then$/)
    await world.startAgain()
    await world.goTo(at('04T14:00'))
    expect(states()).toEqual(['finish'])
    expect(world.subject({ machine: 'attic' })?.condition).toBe('kept')
    // The unit of the GPU takes longer than was thought.
    world.machine('attic').groups['gpu'] = { state: 'fold', fetches: [{ at: at('04T15:00'), lasts: 3 * HOUR + 1 }] }
    await world.goTo(at('04T15:00'))
    expect(world.sent[1]).toMatchObject({ state: 'finish', otherGroups: [] })
    await world.goTo(begin)
    expect(states()).toEqual(['finish', 'finish', 'pause'])
    await world.goTo(at('04T20:00'))
    expect(states()).toEqual(['finish', 'finish', 'pause', ...(otherwise === null ? [] : ['fold'])])
    expect(world.missed).toEqual([])
  })

  test('leaves alone what a person folds again, and what may not be changed', async () => {
    const { world, states } = await atNoon([idle])
    world.machine('attic').groups = { '': groups()[''] }
    await world.goTo(at('04T13:00'))
    world.machine('attic').groups = { '': groups()[''] }
    await world.goTo(at('04T14:00'))
    expect(states()).toEqual(['finish'])
    expect(world.subject({ machine: 'attic' })?.condition).toBe('changed')
    // A command that comes with the time itself, before the next check.
    world.machine('attic').groups = { '': { ...groups()[''], state: 'fold' } }
    await world.send({ type: 'schedules.follow', at: begin, subject: { machine: 'attic' } })
    await world.goTo(begin)
    expect(world.machine('attic').groups['']?.state).toBe('pause')
    const watched = await atNoon([idle], [{ ...attic, mayAct: false }])
    watched.world.machine('attic').groups = groups()
    await watched.world.goTo(at('04T13:00'))
    expect(watched.states()).toEqual([])
  })
})

test('a number of CPUs waits for the unit that would start again, no longer than was chosen', async () => {
  const few: Schedule = {
    ...night,
    targets: [{ kind: 'all', name: '', group: '*cpus:4-12' }],
    finishMinutes: 60,
  }
  const part = '*cpus:4-12'
  const { world, states } = await atNoon([few])
  const seen = (state: 'fold' | 'pause', endsAt: number) =>
    (world.machine('attic').groups = { [part]: { state, endsAt, isFailed: true } })
  seen('pause', at('04T22:40'))
  await world.goTo(at('04T13:00'))
  await world.goTo(at('04T22:00'))
  expect(states()).toEqual([])
  expect(world.subject({ machine: 'attic', group: part })?.condition).toBe('kept')
  // The next unit has begun.
  seen('pause', at('05T03:00'))
  await world.goTo(at('04T22:41'))
  expect(states()).toEqual(['fold'])
  seen('fold', at('05T07:01'))
  await world.goTo(at('05T06:00'))
  expect(states()).toEqual(['fold', 'pause'])
})
