import { createMachine, fromCallback, fromPromise, SimulatedClock, type ActorRefFrom, createActor } from 'xstate'
import { describe, expect, it } from 'vitest'
import type { ProcessorNote, ProcessorNotes } from '../../../folding/client/processor-notes.ts'
import type { ClientData, Unit } from '../../../protocol/client/client-data.ts'
import { completeCommand, type GroupPatch } from '../../../protocol/client/commands.ts'
import { after } from '../../../../test/folding/bulk.ts'
import { settled } from '../../../../test/child.ts'
import { clientMachine } from '../../connection/client/client.machine.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import type { KeepProcessors } from './processors.events.ts'
import { processorsMachine } from './processors.machine.ts'
import { selectNotes } from './processors.selectors.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const NOTE: ProcessorNote = { group: '', gpu: 'a', state: 'pause', cpus: 1, at: START }
const FINISHING: ProcessorNote = { ...NOTE, state: 'finish', cpus: 0 }

function unit(number: number, cpus: number, gpus: readonly string[], more: Partial<Unit> = {}): Unit {
  return {
    id: `u${number}`,
    number,
    group: '',
    state: 'RUN',
    pid: 1,
    cpus,
    gpus,
    wu_progress: 0.5,
    start_time: '2026-11-20T10:00:00Z',
    eta: '1 hour 00 mins',
    assignment: { min_cpus: cpus, max_cpus: cpus },
    ...more,
  }
}

function folding(more: Partial<Unit> = {}): ClientData {
  return {
    info: { id: 'm', version: '8.5.7', cpus: 16, gpus: { a: { supported: true }, b: { supported: true } } },
    config: {},
    groups: {
      '': { config: { paused: false, finish: false, cpus: 12, gpus: { a: { enabled: true }, b: { enabled: true } } } },
    },
    units: [unit(1, 1, ['a'], more), unit(2, 11, [])],
  }
}

/** The machine beside a fleet of one client, whose data are given; what that client is told is carried out. */
function start(data: ClientData, isClockBroken = false) {
  const clock = new SimulatedClock()
  const kept: ProcessorNotes[] = []
  const changed: unknown[] = []
  const patches: GroupPatch[] = []
  let now = data
  const client = clientMachine.provide({ actors: { clientLink: fromCallback(() => undefined) } })
  const parent = createActor(
    createMachine({
      on: { 'processors.*': { actions: ({ event }) => changed.push(event) } },
      invoke: [
        {
          src: fleetMachine.provide({ actors: { client }, actions: { keepAddresses: () => undefined } }),
          id: 'fleet',
          systemId: 'fleet',
          input: { defaultAddress: '127.0.0.1:7396', addresses: [] },
        },
        {
          src: processorsMachine.provide({
            actors: {
              readClock: fromPromise(() =>
                isClockBroken ? Promise.reject(new Error('away')) : Promise.resolve(START + clock.now()),
              ),
              processorStore: fromCallback<KeepProcessors, undefined>(({ receive }) =>
                receive(({ value }) => kept.push(value)),
              ),
            },
          }),
          id: 'processors',
          systemId: 'processors',
        },
      ],
    }),
    { clock },
  ).start()
  const { children } = parent.getSnapshot()
  const fleet = children['fleet'] as unknown as ActorRefFrom<typeof fleetMachine>
  const actor = children['processors'] as unknown as ActorRefFrom<typeof processorsMachine>
  const [member] = Object.values(fleet.getSnapshot().context.members)
  const report = (next: ClientData): void => {
    now = next
    member?.ref.send({ type: 'link.reported', at: START, facts: [{ type: 'snapshot.received', data: next }] })
  }
  report(data)
  member?.ref.subscribe(({ context }) => {
    for (const { command } of context.queue.entries.slice(patches.length))
      if (command.cmd === 'config') patches.push(command.config.groups?.[''] ?? {})
  })
  return {
    actor,
    kept,
    changed,
    /** As a client of the server of this page. */
    reachByServer: () =>
      member?.ref.send({ type: 'client.limited', limit: { commands: ['state', 'config'], because: 'settings' } }),
    patches,
    report,
    /** Carries out the last thing that the client was told. */
    obey: (more: Partial<Unit> = {}) => {
      const patch = patches.at(-1) ?? {}
      const command = completeCommand({ cmd: 'config', config: { groups: { '': patch } }, keepsOtherGpus: true }, now)
      const next = after(now, [command])
      report({ ...next, units: next.units.map(found => (found.number === 1 ? { ...found, ...more } : found)) })
    },
    note: (...notes: readonly ProcessorNote[]) => actor.send({ type: 'processors.note', machine: 'm', notes }),
    notes: () => selectNotes('m')(actor.getSnapshot()),
    wait: async (milliseconds: number) => {
      clock.increment(milliseconds)
      await settled()
    },
  }
}

describe('notes of processors', () => {
  it('are restored without being kept again, and kept when something is noted, of which the app is told', () => {
    const { actor, kept, changed, note, notes } = start(folding())
    actor.send({ type: 'processors.restored', notes: { m: [NOTE] } })
    expect(notes()).toEqual([NOTE])
    expect(kept).toEqual([])
    note()
    expect(kept).toEqual([{}])
    expect(changed).toEqual([
      { type: 'processors.started' },
      { type: 'processors.changed', change: { type: 'processors.note', machine: 'm', notes: [] } },
    ])
    expect(actor.getSnapshot().matches('idle')).toBe(true)
  })

  it('are dropped when the client still uses the processor after three minutes', async () => {
    const { note, notes, wait } = start(folding())
    const old = { ...NOTE, group: '', gpu: 'b', at: START - 180_000 }
    note(NOTE, old)
    await wait(5000)
    expect(notes()).toEqual([NOTE])
  })
})

describe('a server that keeps the notes', () => {
  it('watches its own clients itself', async () => {
    const { actor, kept, patches, reachByServer, notes, wait } = start(folding({ eta: '2 mins' }))
    actor.send({ type: 'processors.served', notes: { m: [FINISHING] }, isCopied: false })
    expect(kept).toEqual([])
    expect(notes()).toEqual([FINISHING])
    actor.send({ type: 'processors.served', notes: { m: [FINISHING] }, isCopied: true })
    expect(kept).toEqual([{ m: [FINISHING] }])
    reachByServer()
    await wait(5000)
    expect(patches).toEqual([])
    expect(notes()).toEqual([FINISHING])
  })

  it('is told of each step for others', async () => {
    const { actor, changed, patches, notes, wait } = start(folding({ eta: '2 mins' }))
    actor.send({ type: 'processors.served', notes: { m: [FINISHING] }, isCopied: true })
    await wait(5000)
    expect(patches).toEqual([{ finish: true }])
    expect(changed.at(-1)).toEqual({
      type: 'processors.changed',
      change: { type: 'processors.note', machine: 'm', notes: notes() },
    })
  })
})

describe('a GPU that finishes', () => {
  it('waits when the time cannot be read', async () => {
    const { actor, note, notes, patches, wait } = start(folding({ eta: '2 mins' }), true)
    note(FINISHING)
    await wait(5000)
    expect(patches).toEqual([])
    expect(notes()).toEqual([FINISHING])
    expect(actor.getSnapshot().matches('watching')).toBe(true)
  })

  it('takes its CPU out of the group for each of two that end at once', async () => {
    const both = folding({ state: 'UPLOAD' })
    const { note, notes, patches, wait } = start(both)
    note(FINISHING, { ...FINISHING, gpu: 'b' })
    await wait(5000)
    expect(patches.at(-1)).toEqual({ gpus: { b: { enabled: false } } })
    expect(notes()).toMatchObject([
      { gpu: 'a', state: 'pause', cpus: 1 },
      { gpu: 'b', state: 'pause', cpus: 0 },
    ])
  })

  it('goes on while its unit has long to go', async () => {
    const { note, notes, patches, wait } = start(folding())
    note(FINISHING)
    await wait(5000)
    expect(patches).toEqual([])
    expect(notes()).toEqual([FINISHING])
  })

  it('is paused when its unit has left the core, while its group goes on', async () => {
    const { note, notes, patches, obey, wait, kept } = start(folding({ eta: '2 mins' }))
    note(FINISHING)
    await wait(5000)
    expect(patches).toEqual([{ finish: true }])
    expect(notes()).toEqual([{ ...FINISHING, isHolding: true }])
    obey({ state: 'UPLOAD' })
    await wait(5000)
    expect(patches.at(-1)).toEqual({ cpus: 11, gpus: { a: { enabled: false } }, paused: false, finish: false })
    expect(notes()).toMatchObject([{ gpu: 'a', state: 'pause', cpus: 1 }])
    expect(kept.at(-1)).toEqual({ m: notes() })
  })

  it('is forgotten when its group is paused', async () => {
    const { note, notes, report, wait } = start(folding())
    note(FINISHING)
    report(after(folding(), [{ cmd: 'state', state: 'pause' }]))
    await wait(5000)
    expect(notes()).toEqual([])
  })
})

describe('CPUs that finish', () => {
  it('leave the group one unit after the other', async () => {
    const data = folding({ gpus: [], cpus: 1, state: 'UPLOAD' })
    const { note, notes, patches, wait, report } = start(after(data, [{ cmd: 'state', state: 'finish' }]))
    report(after(data, [{ cmd: 'state', state: 'finish' }]))
    note({ group: '', state: 'finish', cpus: 0, at: START, isHolding: true })
    await wait(5000)
    expect(patches).toEqual([{ paused: false, finish: false, cpus: 11 }])
    expect(notes()).toEqual([{ group: '', state: 'finish', cpus: 1, at: START }])
  })
})
