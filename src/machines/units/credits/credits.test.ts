import { createActor, createMachine, fromCallback, fromPromise, SimulatedClock, type ActorRefFrom } from 'xstate'
import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { selectRows } from '../history/history.selectors.ts'
import { clientMachine } from '../../connection/client/client.machine.ts'
import { fleetMachine } from '../../connection/fleet/fleet.machine.ts'
import { donorMachine } from '../../account/donor/donor.machine.ts'
import { historyMachine } from '../history/history.machine.ts'
import { creditsMachine, type CreditFound, type CreditTask } from './credits.machine.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const DONOR = { user: 'Ada', team: 0, secrets: { passkey: '' } }

/** The machine beside a history of some credited units. */
function start(count: number, answer: () => Promise<CreditFound | undefined>, isClockBroken = false) {
  const clock = new SimulatedClock()
  const asked: CreditTask[] = []
  const client = clientMachine.provide({ actors: { clientLink: fromCallback(() => undefined) } })
  const parent = createActor(
    createMachine({
      invoke: [
        { src: donorMachine, id: 'donor', systemId: 'donor' },
        {
          src: fleetMachine.provide({ actors: { client }, actions: { keepAddresses: () => undefined } }),
          id: 'fleet',
          systemId: 'fleet',
          input: { defaultAddress: '127.0.0.1:7396', addresses: [] },
        },
        {
          src: historyMachine.provide({ actors: { historyStore: fromCallback(() => undefined) } }),
          id: 'history',
          systemId: 'history',
        },
        {
          src: creditsMachine.provide({
            actors: {
              readClock: fromPromise(() =>
                isClockBroken ? Promise.reject(new Error('away')) : Promise.resolve(START + clock.now()),
              ),
              askCredit: fromPromise<CreditFound | undefined, CreditTask>(({ input }) => {
                asked.push(input)
                return answer()
              }),
            },
          }),
          id: 'credits',
          systemId: 'credits',
        },
      ],
      on: { '*': {} },
    }),
    { clock },
  ).start()
  const { children } = parent.getSnapshot()
  const donor = children['donor'] as unknown as ActorRefFrom<typeof donorMachine>
  const history = children['history'] as unknown as ActorRefFrom<typeof historyMachine>
  const actor = children['credits'] as unknown as ActorRefFrom<typeof creditsMachine>
  donor.send({ type: 'donor.localChanged', donor: DONOR })
  history.send({ type: 'history.open' })
  history.send({ type: 'store.loaded', excerpt: { machines: [], units: [] }, cutOffs: {} })
  const report = (units: number): void =>
    history.send({
      type: 'history.reported',
      connection: 'attic',
      machine: { id: 'attic', name: 'Attic', owner: undefined, info: {} },
      units: Array.from({ length: units }, (_, index) => ({
        id: `u${index}`,
        result: 'credited',
        end_time: new Date(START - index * 60_000).toISOString(),
        assignment: { project: 18_400, time: new Date(START - index * 60_000 - 3_600_000).toISOString() },
        wu: { run: index, clone: 0, gen: 0 },
      })),
    })
  report(count)
  return {
    actor,
    report,
    asked: () => asked.map(({ name: { run } }) => run),
    donors: () => asked.at(-1)?.donors,
    send: donor.send,
    credited: () => selectRows(history.getSnapshot()).map(({ credited }) => credited),
    wait: async (milliseconds: number) => {
      await settled()
      clock.increment(milliseconds)
      await settled()
    },
  }
}

function found(points: number | undefined): () => Promise<CreditFound> {
  return () => Promise.resolve({ at: START, points })
}

describe('credits of units', () => {
  it('are asked for one every two seconds, newest unit first, while a screen shows them [11.13]', async () => {
    const { actor, asked, donors, wait, credited } = start(12, found(9))
    await wait(60_000)
    expect(asked()).toEqual([])
    actor.send({ type: 'credits.open' })
    await wait(0)
    expect(asked()).toEqual([0])
    expect(donors()).toEqual(['Ada'])
    await wait(1999)
    expect(asked()).toEqual([0])
    await wait(1)
    expect(asked()).toEqual([0, 1])
    actor.send({ type: 'credits.close' })
    await wait(60_000)
    expect(asked().length).toBe(2)
    expect(credited().slice(0, 3)).toEqual([9, 9, undefined])
  })

  it('reach the history five at a time, and the rest when all are answered', async () => {
    const { actor, asked, credited, wait } = start(6, found(9))
    const known = () => credited().filter(points => points === 9).length
    actor.send({ type: 'credits.open' })
    for (let count = 0; count < 4; count++) await wait(2000)
    expect(asked().length).toBe(5)
    expect(known()).toBe(5)
    await wait(2000)
    await wait(2000)
    expect(asked().length).toBe(6)
    expect(known()).toBe(6)
    await wait(60_000)
    expect(asked().length).toBe(6)
    expect(actor.getSnapshot().matches({ open: 'resting' })).toBe(true)
  })

  it('are asked for soon after the history is there', async () => {
    const { actor, asked, report, wait } = start(0, found(9))
    actor.send({ type: 'credits.open' })
    await wait(0)
    report(1)
    await wait(5000)
    expect(asked()).toEqual([0])
  })

  it('that are not known yet are asked for again after an hour', async () => {
    const { actor, asked, wait } = start(1, found(undefined))
    actor.send({ type: 'credits.open' })
    await wait(2000)
    await wait(3_590_000 - 60_000)
    expect(asked()).toEqual([0])
    await wait(60_000)
    await wait(60_000)
    expect(asked()).toEqual([0, 0])
  })

  it.each([
    ['does not answer', () => Promise.resolve(undefined)],
    ['cannot be asked', () => Promise.reject(new Error('no code'))],
  ])('wait for five minutes when the API %s', async (_, answer) => {
    const { actor, asked, wait } = start(3, answer)
    actor.send({ type: 'credits.open' })
    await wait(299_999)
    expect(asked()).toEqual([0])
    await wait(1)
    expect(asked()).toEqual([0, 0])
  })

  it('are those of every name that machines and the account use; one without a name is Anonymous', async () => {
    const { actor, donors, send, wait } = start(1, found(9))
    send({ type: 'donor.signedIn', donor: { ...DONOR, user: '' } })
    actor.send({ type: 'credits.open' })
    await wait(0)
    expect(donors()).toEqual(['Anonymous', 'Ada'])
  })

  it('wait when the time cannot be read', async () => {
    const { actor, asked, wait } = start(1, found(9), true)
    actor.send({ type: 'credits.open' })
    await wait(0)
    expect(asked()).toEqual([])
    expect(actor.getSnapshot().matches({ open: 'resting' })).toBe(true)
  })
})
