import { test } from '@playwright/test'
import { createActor, SimulatedClock, type AnyActorRef } from 'xstate'
import { createReplaySeeker } from '../../src/app/replay/projector.ts'
import { createRecorder } from '../../src/journal/recorder.ts'
import { withoutEffects } from '../../src/journal/replay.ts'
import { completeApp } from '../../src/app/replay/complete-app.ts'
import { defaultPreferences } from '../../src/machines/app/preferences/preferences.machine.ts'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { SECRET_NAMES } from '../../src/protocol/secret-names.ts'
import { quantile, report } from './figures.ts'

const EVENTS = 5000
const SEEKS = 50

for (const machines of [10, 1000, 5000])
  test(`journal: ${machines} machines, ${EVENTS} events`, async ({}, info) => {
    const later: (() => void)[] = []
    const timers = new SimulatedClock()
    const recorder = createRecorder({
      now: Date.now,
      timers: timers as never,
      whenIdle: run => later.push(run),
      secretNames: SECRET_NAMES,
      maxEvents: 1_000_000,
      maxBytes: 1_000_000_000,
    })
    const machine = withoutEffects(completeApp)
    const app = createActor(machine, {
      clock: recorder.clock,
      inspect: recorder.inspect,
      input: {
        at: Date.now(),
        preferences: defaultPreferences,
        fleet: { defaultAddress: '', addresses: [] },
        nodeScheme: 'ws',
        isSecure: true,
        providers: [],
      },
    }).start()
    recorder.begin(app)
    const { fleet } = app.getSnapshot().children as Readonly<Record<'fleet', AnyActorRef>>
    const ids = Array.from({ length: machines }, (_, index) => `machine-${index}`)
    fleet.send({ type: 'fleet.machinesListed', account: 'me', machines: ids.map(id => ({ id, name: id })) })
    const children = () =>
      (fleet.getSnapshot() as { readonly children: Readonly<Record<string, AnyActorRef>> }).children
    // A large fleet is made a part at a time.
    while (ids.some(id => children()[id] === undefined)) timers.increment(100)
    const clients = ids.map(id => children()[id])
    const costs: number[] = []
    const rest = (): void => {
      for (const run of later.splice(0)) {
        const begun = performance.now()
        run()
        costs.push(performance.now() - begun)
      }
    }
    rest()
    for (const [index, client] of clients.entries()) {
      client?.send({ type: 'client.joined' })
      client?.send({
        type: 'link.reported',
        at: index,
        facts: [{ type: 'snapshot.received', data: dataOf(ids[index] ?? '') }],
      })
      rest()
    }
    for (let count = 0; count < EVENTS; count++) {
      clients[count % machines]?.send({
        type: 'link.reported',
        at: count,
        facts: [{ type: 'changes.received', changes: [['units', count % 2, 'wu_progress', (count % 997) / 997]] }],
      })
      rest()
    }
    const recording = recorder.recording()
    const travel = createReplaySeeker({ machine, recording, show: () => undefined, now: Date.now }, () => undefined)
    const times = Array.from({ length: SEEKS }, (_, index) => {
      const target = ((index + 1) * 7919) % recording.entries.length
      const begun = performance.now()
      travel.goTo(target)
      return performance.now() - begun
    })
    await report(info, [
      { name: 'to any moment, median', value: quantile(times, 0.5), unit: 'ms' },
      { name: 'to any moment, slowest', value: Math.max(...times), unit: 'ms', goal: 100 },
      { name: 'a checkpoint, median', value: quantile(costs, 0.5), unit: 'ms' },
    ])
  })

function dataOf(id: string): ClientData {
  return {
    info: {
      version: '8.5.7',
      id,
      mach_name: id,
      hostname: id,
      os: 'linux',
      os_version: '6.18',
      cpus: 16,
      gpus: {},
      account: 'me',
    },
    config: { user: 'Ada', team: 0, passkey: '8c0ffee0badc0de5feedface00112233', cause: 'any' },
    groups: { '': { config: { paused: false, finish: false, cpus: 16, gpus: {} } } },
    units: [0, 1].map(index => ({
      id: `${id}-${index}`,
      group: '',
      number: index,
      state: 'RUN',
      cpus: 8,
      gpus: [],
      progress: 0,
      wu_progress: 0.1,
      eta: '3h 5m',
      ppd: 1000,
      run_time: 600,
      start_time: '2026-11-20T12:00:00Z',
      assignment: {
        project: 18201,
        credit: 1000,
        deadline: 604800,
        timeout: 86400,
        time: '2026-11-20T12:00:00Z',
        core: { type: '0xa9' },
      },
      wu: { run: 1, clone: 2, gen: index },
    })),
  }
}
