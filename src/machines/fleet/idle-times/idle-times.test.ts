import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type ActorRefFrom } from 'xstate'
import { describe, expect, it } from 'vitest'
import type { IdleTime, IdleTimes } from '../../../folding/fleet/idle-time.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import { dataOf } from '../../../../test/folding/bulk.ts'
import { settled } from '../../../../test/child.ts'
import { clientMachine } from '../../connection/client/client.machine.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import type { KeepIdleTimes } from './idle-times.events.ts'
import { idleTimesMachine } from './idle-times.machine.ts'
import { selectIdleTime } from './idle-times.selectors.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const TIME: IdleTime = { until: START + 15_000, pauses: true, lengths: { cpus: 7200 }, asked: {} }

function folding(paused: boolean): ClientData {
  return dataOf({ '': { paused, finish: false, cpus: 4 } })
}

/** The machine beside a fleet of one client. */
function start(isClockBroken = false) {
  const clock = new SimulatedClock()
  const kept: IdleTimes[] = []
  const client = clientMachine.provide({ actors: { clientLink: fromCallback(() => undefined) } })
  const parent = createActor(
    createMachine({
      invoke: [
        {
          src: fleetMachine.provide({ actors: { client }, actions: { keepAddresses: () => undefined } }),
          id: 'fleet',
          systemId: 'fleet',
          input: { defaultAddress: '127.0.0.1:7396', addresses: [] },
        },
        {
          src: idleTimesMachine.provide({
            actors: {
              readClock: fromPromise(() =>
                isClockBroken ? Promise.reject(new Error('away')) : Promise.resolve(START + clock.now()),
              ),
              idleTimeStore: fromCallback<KeepIdleTimes, undefined>(({ receive }) =>
                receive(({ value }) => kept.push(value)),
              ),
            },
          }),
          id: 'idleTimes',
          systemId: 'idleTimes',
        },
      ],
    }),
    { clock },
  ).start()
  const { children } = parent.getSnapshot()
  const fleet = children['fleet'] as unknown as ActorRefFrom<typeof fleetMachine>
  const actor = children['idleTimes'] as unknown as ActorRefFrom<typeof idleTimesMachine>
  const [member] = Object.values(fleet.getSnapshot().context.members)
  const report = (data: ClientData): void => {
    member?.ref.send({ type: 'link.reported', at: START, facts: [{ type: 'snapshot.received', data }] })
  }
  report(folding(false))
  return {
    actor,
    kept,
    report,
    asked: () =>
      member?.ref
        .getSnapshot()
        .context.queue.entries.map(({ command }) => (command.cmd === 'state' ? command.state : command.cmd)),
    time: () => selectIdleTime('m')(actor.getSnapshot()),
    wait: async (milliseconds: number) => {
      await settled()
      clock.increment(milliseconds)
      await settled()
    },
  }
}

describe('times by which machines shall be idle', () => {
  it('are restored without being kept again, and kept when one is set or taken back', async () => {
    const { actor, kept, time, wait } = start(true)
    actor.send({ type: 'idleTimes.restored', times: { m: TIME } })
    expect(time()).toEqual(TIME)
    expect(kept).toEqual([])
    actor.send({ type: 'idleTimes.set', client: 'm', time: undefined })
    expect(kept).toEqual([{}])
    await wait(0)
    expect(actor.getSnapshot().matches('idle')).toBe(true)
  })

  it('have a machine asked to finish, then paused, and are forgotten when it is [11.14]', async () => {
    const { actor, asked, kept, report, time, wait } = start()
    actor.send({ type: 'idleTimes.set', client: 'm', time: TIME })
    await wait(0)
    expect(asked()).toEqual(['finish'])
    expect(time()?.asked).toEqual({ '': START })
    report(dataOf({ '': { paused: false, finish: true, cpus: 4 } }))
    await wait(15_000)
    expect(asked()?.at(-1)).toBe('pause')
    report(folding(true))
    await wait(15_000)
    expect(time()).toBeUndefined()
    expect(kept.at(-1)).toEqual({})
    expect(actor.getSnapshot().matches('idle')).toBe(true)
  })

  it('of machines that are not there wait for them', async () => {
    const { actor, asked, kept, wait } = start()
    actor.send({ type: 'idleTimes.set', client: 'other', time: TIME })
    await wait(HOUR)
    expect(asked()).toEqual([])
    expect(kept.length).toBe(1)
  })

  it('wait when the time cannot be read', async () => {
    const { actor, asked, wait } = start(true)
    actor.send({ type: 'idleTimes.set', client: 'm', time: TIME })
    await wait(0)
    expect(asked()).toEqual([])
    expect(actor.getSnapshot().matches('watching')).toBe(true)
  })
})
