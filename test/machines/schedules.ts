import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { subjectKey, type Schedule, type Subject } from '../../src/folding/schedule/schedule.ts'
import type { FoldingState } from '../../src/protocol/client/commands.ts'
import type {
  ScheduleMissed,
  StateRequest,
  StateSent,
} from '../../programs/server/machines/schedule/schedule.events.ts'
import { scheduleMachine } from '../../programs/server/machines/schedule/schedule.machine.ts'
import type {
  KeptSchedules,
  ObservedClient,
  ObservedGroup,
  ScheduledClient,
  SchedulesEvent,
  ScheduleStoreCommand,
} from '../../programs/server/machines/schedules/schedules.events.ts'
import { schedulesMachine } from '../../programs/server/machines/schedules/schedules.machine.ts'
import { selectSubjects, type SubjectState } from '../../programs/server/machines/schedules/schedules.selectors.ts'

/** Folds at night, on all clients. */
export const night: Schedule = {
  id: 'night',
  name: 'Night',
  isEnabled: true,
  targets: [{ kind: 'all', name: '' }],
  timeZone: 'UTC',
  rules: [{ kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' }],
  otherwise: 'pause',
  finishMinutes: 0,
}

export function nothingKept(at: number, schedules: readonly Schedule[] = []): KeptSchedules {
  return {
    at,
    schedules,
    inputs: {},
    conditions: {},
    states: {},
  }
}

/** A client that obeys at once while it is connected, unless it was told to ignore commands. */
export type FakeClient = {
  isConnected: boolean
  isOld: boolean
  ignores: boolean
  groups: Record<string, { state: FoldingState } & Partial<ObservedGroup>>
}

type Sent = StateRequest & { readonly at: number; readonly isConfirmed: boolean }

/** The statecharts of schedules with machines, a disk and a clock that a test controls. */
export function createScheduleWorld(clients: readonly ScheduledClient[], begin: number) {
  const fakes = new Map(
    clients.map(({ address }): [string, FakeClient] => [
      address,
      { isConnected: true, isOld: false, ignores: false, groups: { '': { state: 'fold' } } },
    ]),
  )
  const sent: Sent[] = []
  const missed: ScheduleMissed[] = []
  let now = begin
  let disk = JSON.stringify(nothingKept(begin))
  let clock = new SimulatedClock()
  let failing: string | undefined

  const change = (update: (stored: KeptSchedules) => Partial<KeptSchedules>): void => {
    const stored = JSON.parse(disk) as KeptSchedules
    disk = JSON.stringify({ ...stored, ...update(stored) })
  }
  const keep = (command: ScheduleStoreCommand): void => {
    if (failing === 'store') throw new Error('The disk is full')
    switch (command.type) {
      case 'store.saveSubject':
        change(({ states }) => ({
          states: { ...states, [subjectKey(command.subject)]: { subject: command.subject, saved: command.saved } },
        }))
        return
      case 'store.forgetSubject':
        change(({ states }) => ({
          states: Object.fromEntries(Object.entries(states).filter(([key]) => key !== subjectKey(command.subject))),
        }))
        return
      case 'store.saveProgress':
        change(() => ({ at: command.at, conditions: command.conditions }))
        return
      case 'store.reportMissed':
        missed.push(command.missed)
    }
  }

  const sendState = fromPromise<StateSent, StateRequest>(({ input }) => {
    const fake = fakes.get(input.subject.machine)
    const isConfirmed = fake?.isConnected === true && !fake.ignores
    sent.push({ ...input, at: now, isConfirmed })
    if (failing === 'send') return Promise.reject(new Error('The disk is full'))
    if (isConfirmed)
      for (const [name, group] of Object.entries(fake.groups))
        if (input.subject.group === undefined ? !input.otherGroups.includes(name) : name === input.subject.group)
          fake.groups[name] = { ...group, state: input.state }
    return Promise.resolve({ key: input.key, state: input.state, isConfirmed })
  })

  const start = (listed = clients) =>
    createActor(
      schedulesMachine.provide({
        actors: {
          schedule: scheduleMachine.provide({ actors: { sendState } }),
          scheduleClock: fromCallback(() => undefined),
          machineWatch: fromCallback(() => undefined),
          scheduleStore: fromCallback<ScheduleStoreCommand, undefined>(({ receive }) => receive(keep)),
        },
      }),
      { input: { machines: listed, kept: JSON.parse(disk) as KeptSchedules }, clock },
    )
  let actor = start()
  const observedOf = (address: string, { isConnected, isOld, groups }: FakeClient): ObservedClient => ({
    address,
    isConnected,
    isOld,
    groups: Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, { endsAt: undefined, ...group }])),
  })
  const look = (): void => {
    const seen = [...fakes].map(([address, fake]) => observedOf(address, fake))
    actor.send({ type: 'machines.observed', machines: seen })
  }

  /** Lets answers arrive, and what follows from them happen. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 6; turn++) await Promise.resolve()
    look()
    for (let turn = 0; turn < 6; turn++) await Promise.resolve()
    look()
  }

  const begun = (): typeof actor => {
    actor.subscribe({ error: () => undefined })
    actor.start()
    return actor
  }
  begun()

  return {
    sent,
    missed,
    now: () => now,
    disk: () => disk,
    clock: () => clock,
    actor: () => actor,
    machine: (address: string): FakeClient => {
      const fake = fakes.get(address)
      if (fake === undefined) throw new Error(`There is no ${address}.`)
      return fake
    },
    /** Makes the disk, or sending, fail. */
    fail: (what: 'store' | 'send' | undefined) => (failing = what),
    send: async (event: SchedulesEvent) => {
      actor.send(event)
      await settle()
    },
    /** Goes on to an instant. `clockMs`: how far timers run meanwhile. */
    goTo: async (at: number, clockMs = Math.max(0, at - now)) => {
      now = at
      clock.increment(clockMs)
      look()
      actor.send({ type: 'clock.ticked', at })
      await settle()
    },
    settle,
    /** As SIGKILL does: what is not on the disk is lost. */
    stop: () => actor.stop(),
    startAgain: async (from = disk, listed = clients) => {
      actor.stop()
      disk = from
      clock = new SimulatedClock()
      actor = start(listed)
      begun()
      look()
      await settle()
    },
    subject: (subject: Subject): SubjectState | undefined =>
      selectSubjects(actor.getSnapshot()).find(each => subjectKey(each.subject) === subjectKey(subject)),
    saveSchedules: async (schedules: readonly Schedule[]) => {
      change(() => ({ schedules }))
      actor.send({ type: 'schedules.changed', at: now, schedules })
      await settle()
    },
  }
}
