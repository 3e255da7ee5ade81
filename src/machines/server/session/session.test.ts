import { describe, expect, test } from 'vitest'
import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type ActorRefFrom } from 'xstate'
import { actionBlocker } from '../../../folding/client/actions.ts'
import { directId, directNumber } from '../../../folding/client/client.ts'
import type { SchedulesAnswer, SessionAnswer } from '../../../folding/schedule/server-answers.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { scheduleEditorMachine } from '../schedule-editor/schedule-editor.machine.ts'
import type { ServerAnswer, ServerFact, ServerTask, TaskResult } from './session.events.ts'
import { sessionMachine } from './session.machine.ts'
import {
  isAskedAbout,
  isServerAway,
  selectFaultText,
  selectLimits,
  selectSchedules,
  selectSubjectsOf,
  whyNoControl,
} from './session.selectors.ts'

const ana: SessionAnswer = {
  name: 'ana',
  role: 'operator',
  scopes: null,
  expires: null,
  mayControl: true,
  canSignOut: true,
  shared: '1',
  server: { name: 'home', version: '1' },
  machines: [
    { number: 1, commands: ['state'] },
    { number: 2, commands: [] },
  ],
}
const schedules: SchedulesAnswer = {
  revision: '1',
  schedules: [],
  inputs: [],
  lists: [],
  conditions: {},
  prices: [],
  machines: [],
  subjects: [
    {
      machine: 1,
      name: 'attic',
      group: null,
      condition: 'kept',
      wanted: 'pause',
      schedule: 'night',
      rule: null,
      because: 'Schedule “Night”',
      since: null,
      until: null,
      override: null,
    },
  ],
}
const knownAnswer: ServerAnswer = { kind: 'known', session: ana, schedules }

/** `answers` and `results` are given one after another; the last one again and again. An error is thrown. */
function start(answers: readonly (ServerAnswer | Error)[], results: readonly (TaskResult | Error)[] = []) {
  const clock = new SimulatedClock()
  const asked: number[] = []
  const tasks: ServerTask[] = []
  let report: (fact: ServerFact) => void = () => undefined
  let opened = 0
  const nth = <T>(list: readonly (T | Error)[], index: number): Promise<T> => {
    const item = list[Math.min(index, list.length - 1)]
    if (item instanceof Error) return Promise.reject(item)
    return item === undefined ? Promise.reject(new Error('There is no answer.')) : Promise.resolve(item)
  }
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        askServer: fromPromise<ServerAnswer, undefined>(() => nth(answers, asked.push(0) - 1)),
        doTask: fromPromise<TaskResult, ServerTask>(({ input }) => nth(results, tasks.push(input) - 1)),
        serverEvents: fromCallback(({ sendBack, receive }) => {
          opened++
          report = sendBack
          receive(() => {
            throw new Error('broken')
          })
        }),
      },
    }),
    { clock },
  )
  actor.start()
  actor.send({ type: 'session.begin' })
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve()
  }
  return { actor, clock, asked, tasks, settle, opened: () => opened, report: (fact: ServerFact) => report(fact) }
}
const night: Schedule = {
  id: 'night',
  name: 'Night',
  isEnabled: true,
  targets: [{ kind: 'all', name: '' }],
  timeZone: 'UTC',
  rules: [],
  otherwise: 'pause',
  finishMinutes: 0,
}
const pause: ServerTask = { kind: 'override', machine: 1, group: undefined, state: 'pause', minutes: 120 }

describe('the session at the server', () => {
  test('is asked for at the start, every minute, and when the server reports that something changed', async () => {
    const { actor, clock, asked, settle, report, opened } = start([knownAnswer])
    expect(actor.getSnapshot().context.session).toBeUndefined()
    await settle()
    expect(actor.getSnapshot().context.session).toBe(ana)
    expect(selectSchedules(actor.getSnapshot())).toBe(schedules)
    expect(selectSubjectsOf(actor.getSnapshot(), 1)).toHaveLength(1)
    expect(selectSubjectsOf(actor.getSnapshot(), 2)).toEqual([])
    clock.increment(60_000)
    await settle()
    report({ type: 'server.changed' })
    await settle()
    actor.send({ type: 'session.check' })
    await settle()
    expect({ asked: asked.length, opened: opened() }).toEqual({ asked: 4, opened: 1 })
    report({ type: 'server.eventsLost' })
    await settle()
    expect({ asked: asked.length, opened: opened() }).toEqual({ asked: 5, opened: 2 })
  })

  test('that is over asks the user to sign in, and is found again after that', async () => {
    const { actor, clock, settle } = start([knownAnswer, { kind: 'signedOut' }, knownAnswer])
    await settle()
    clock.increment(60_000)
    await settle()
    expect(actor.getSnapshot().hasTag('signedOut')).toBe(true)
    expect(whyNoControl(actor.getSnapshot())).toMatch(/^You are not signed in to this server any more/)
    clock.increment(600_000)
    expect(actor.getSnapshot().hasTag('signedOut')).toBe(true)
    actor.send({ type: 'session.check' })
    await settle()
    expect(actor.getSnapshot().hasTag('signedOut')).toBe(false)
    const first = start([{ kind: 'signedOut' }])
    await first.settle()
    expect(first.actor.getSnapshot().hasTag('signedOut')).toBe(true)
  })

  test('at a server that is away is asked for again and again; what was known stays', async () => {
    const { actor, clock, settle, asked } = start([
      knownAnswer,
      { kind: 'unreachable' },
      new Error('broken'),
      knownAnswer,
    ])
    await settle()
    clock.increment(60_000)
    await settle()
    expect(isServerAway(actor.getSnapshot())).toBe(true)
    expect(actor.getSnapshot().context.session).toEqual(ana)
    clock.increment(3000)
    await settle()
    expect(isServerAway(actor.getSnapshot())).toBe(true)
    actor.send({ type: 'session.check' })
    await settle()
    expect(isServerAway(actor.getSnapshot())).toBe(false)
    expect(asked.length).toBe(4)
    const first = start([{ kind: 'unreachable' }])
    await first.settle()
    expect(isServerAway(first.actor.getSnapshot())).toBe(true)
    const failing = start([knownAnswer, new Error('broken')])
    await failing.settle()
    failing.clock.increment(60_000)
    await failing.settle()
    expect(isServerAway(failing.actor.getSnapshot())).toBe(true)
    const broken = start([knownAnswer])
    await broken.settle()
    broken.actor.send({ type: 'xstate.error.actor.0.serverSession.known', error: new Error('broken') } as never)
    expect(isServerAway(broken.actor.getSnapshot())).toBe(true)
  })

  test('may change nothing while the server does not answer, and a task whose answer is lost may not be done', async () => {
    const { actor, settle, report, clock } = start([knownAnswer, { kind: 'unreachable' }], [])
    await settle()
    actor.send({ type: 'session.do', task: pause })
    expect(whyNoControl(actor.getSnapshot())).toBeUndefined()
    report({ type: 'server.eventsLost' })
    expect(isAskedAbout(1, undefined)(actor.getSnapshot())).toBe(false)
    expect(selectFaultText(actor.getSnapshot())).toMatch(/^The server did not answer/)
    await settle()
    clock.increment(1)
    expect(whyNoControl(actor.getSnapshot())).toBe('The server of this page does not answer.')
  })

  test.each<{ result: TaskResult; change: Partial<Schedule>; left: string | undefined }>([
    { result: { kind: 'done' }, change: {}, left: undefined },
    { result: { kind: 'done' }, change: { name: 'Later' }, left: 'Later' },
    { result: { kind: 'refused', reason: 'no' }, change: {}, left: 'Night' },
    { result: { kind: 'conflict' }, change: {}, left: 'Night' },
  ])('a draft is closed when the server has saved it, and stays otherwise: %j', async ({ result, change, left }) => {
    const session = sessionMachine.provide({
      actors: {
        askServer: fromPromise<ServerAnswer, undefined>(() => Promise.resolve(knownAnswer)),
        doTask: fromPromise<TaskResult, ServerTask>(() => Promise.resolve(result)),
        serverEvents: fromCallback(() => undefined),
      },
    })
    const { system } = createActor(
      createMachine({
        invoke: [
          { src: session, systemId: 'serverSession' },
          { src: scheduleEditorMachine, systemId: 'scheduleEditor' },
        ],
      }),
    ).start()
    const [asked, editor] = [
      system.get('serverSession') as ActorRefFrom<typeof sessionMachine>,
      system.get('scheduleEditor') as ActorRefFrom<typeof scheduleEditorMachine>,
    ]
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
    asked.send({ type: 'session.begin' })
    await settle()
    editor.send({ type: 'editor.open', schedule: night, at: undefined })
    asked.send({ type: 'session.do', task: { kind: 'save', revision: '1', schedules: [night] } })
    if (change.name !== undefined) editor.send({ type: 'editor.change', change })
    await settle()
    expect(asked.getSnapshot().hasTag('acting')).toBe(false)
    expect(editor.getSnapshot().context.draft?.name).toBe(left)
  })

  test('does one thing at a time, and reports what went wrong', async () => {
    const results: (TaskResult | Error)[] = [
      { kind: 'done' },
      { kind: 'refused', reason: 'no' },
      { kind: 'conflict' },
      new Error('broken'),
      { kind: 'signedOut' },
    ]
    const { actor, settle, tasks, asked, report } = start([knownAnswer], results)
    await settle()
    actor.send({ type: 'session.do', task: pause })
    expect(actor.getSnapshot().hasTag('acting')).toBe(true)
    report({ type: 'server.changed' })
    actor.send({ type: 'session.check' })
    actor.send({ type: 'session.do', task: pause })
    await settle()
    expect(tasks.length).toBe(1)
    expect(asked.length).toBe(2)
    expect(selectFaultText(actor.getSnapshot())).toBeUndefined()
    actor.send({ type: 'session.do', task: pause })
    await settle()
    expect(selectFaultText(actor.getSnapshot())).toBe('The server refused this: no')
    actor.send({ type: 'session.dismiss' })
    expect(selectFaultText(actor.getSnapshot())).toBeUndefined()
    actor.send({ type: 'session.check' })
    actor.send({ type: 'session.do', task: { kind: 'save', revision: '1', schedules: [] } })
    await settle()
    expect(selectFaultText(actor.getSnapshot())).toMatch(/^The schedules were changed meanwhile/)
    actor.send({ type: 'session.do', task: { kind: 'follow', machine: 1, group: undefined } })
    await settle()
    expect(selectFaultText(actor.getSnapshot())).toMatch(/^The server did not answer/)
    actor.send({ type: 'session.do', task: { kind: 'signOut' } })
    await settle()
    expect(actor.getSnapshot().hasTag('signedOut')).toBe(true)
  })
})

describe('what this page may do', () => {
  const blockedAs = async (change: Partial<SessionAnswer>, number: number) => {
    const { actor, settle } = start([{ kind: 'known', schedules, session: { ...ana, ...change } }])
    await settle()
    const limit = selectLimits(actor.getSnapshot()).get(number)
    const client = { id: directId(number - 1), isDirect: true, isConnected: true, data: undefined, limit }
    return [actionBlocker('pause', client), whyNoControl(actor.getSnapshot())]
  }

  test('follows from the role and from the settings of each client', async () => {
    const viewer = 'You are signed in to this server as a viewer, and viewers send no commands.'
    expect(await blockedAs({}, 1)).toEqual([undefined, undefined])
    expect(await blockedAs({}, 2)).toEqual(['This server only observes this machine.', undefined])
    expect(await blockedAs({ machines: [{ number: 2, commands: ['dump'] }] }, 2)).toEqual([
      'The settings of this server do not allow this for this machine.',
      undefined,
    ])
    expect(await blockedAs({ mayControl: false, role: 'viewer' }, 1)).toEqual([viewer, viewer])
  })

  test('comes with the name of the client in the settings, which the page shows too', async () => {
    const named = { machines: [{ number: 1, name: 'attic', commands: [] }] }
    for (const mayControl of [true, false]) {
      const { actor, settle } = start([{ kind: 'known', schedules, session: { ...ana, ...named, mayControl } }])
      await settle()
      expect(selectLimits(actor.getSnapshot()).get(1)).toMatchObject({ name: 'attic' })
    }
  })

  test('is told to the connection at the position of the client', () => {
    expect([1, 2, 17].map(number => directNumber(directId(number - 1)))).toEqual([1, 2, 17])
    expect(directNumber('@attic:7396')).toBeUndefined()
  })
})
