import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { incidentsMachine } from '../../../../src/machines/incidents/incidents/incidents.machine.ts'
import type { IncidentsRef } from '../../../../src/machines/incidents/incidents/incidents.machine.ts'
import type { IncidentStoreCommand } from '../../../../src/machines/incidents/incidents/incidents.events.ts'
import type { Attempt, DeliveryInput, Examination } from '../delivery/delivery.events.ts'
import { deliveryMachine } from '../delivery/delivery.machine.ts'
import { alertsMachine } from './alerts.machine.ts'
import { countDeliveries } from './alerts.selectors.ts'

function inputOf(id: string, wait = 1000): DeliveryInput {
  return { id, wait, failures: 0, wasTried: false }
}

function start(
  options: {
    readonly stored?: readonly DeliveryInput[]
    readonly alivePeriod?: number
    readonly attempt?: () => Promise<Attempt>
  } = {},
) {
  const clock = new SimulatedClock()
  const commands: IncidentStoreCommand[] = []
  const faults = { restore: false, alive: false, keep: false, incidents: false }
  const calls = { alive: 0, attempts: [] as string[] }
  const actor = createActor(
    alertsMachine.provide({
      actors: {
        incidents: incidentsMachine.provide({
          actors: {
            incidentStore: fromCallback<IncidentStoreCommand, undefined>(({ receive }) => {
              receive(command => {
                commands.push(command)
                if (faults.incidents) throw new Error('broken')
              })
            }),
            incidentWatch: fromCallback(() => undefined),
            notifier: fromCallback(() => undefined),
          },
        }),
        delivery: deliveryMachine.provide({
          actors: {
            examine: fromPromise<Examination, { readonly id: string }>(() => Promise.resolve({ kind: 'send' })),
            attempt: fromPromise<Attempt, { readonly id: string }>(({ input }) => {
              calls.attempts.push(input.id)
              return options.attempt?.() ?? Promise.resolve({ kind: 'sent' })
            }),
          },
          actions: {
            keep: () => {
              if (faults.keep) throw new Error('broken')
            },
          },
        }),
        restore: fromPromise<readonly DeliveryInput[], undefined>(() =>
          faults.restore ? Promise.reject(new Error('The database is locked')) : Promise.resolve(options.stored ?? []),
        ),
        showAlive: fromPromise<undefined, undefined>(() => {
          calls.alive++
          return faults.alive ? Promise.reject(new Error('down')) : Promise.resolve(undefined)
        }),
      },
    }),
    { clock, input: { alivePeriod: options.alivePeriod } },
  )
  actor.subscribe({ error: () => undefined })
  const settle = async (milliseconds = 0) => {
    clock.increment(milliseconds)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { actor, calls, commands, faults, settle, value: () => actor.getSnapshot().value }
}

test('deliveries that were not over go on, and incidents are loaded', async () => {
  const { actor, calls, commands, settle } = start({ stored: [inputOf('old')] })
  actor.start()
  await settle()
  expect(commands).toEqual([{ type: 'incidentStore.load' }])
  expect(countDeliveries(actor.getSnapshot())).toEqual({ waiting: 1, failing: 0 })
  await settle(1000)
  expect(calls.attempts).toEqual(['old'])
  expect(countDeliveries(actor.getSnapshot()).waiting).toBe(0)
})

test('a planned delivery runs once, however often it is planned, and a failing one is counted', async () => {
  const { actor, calls, settle } = start({ attempt: () => Promise.resolve({ kind: 'failed', reason: 'down' }) })
  actor.start()
  await settle()
  actor.send({ type: 'alerts.planned', deliveries: [inputOf('a'), inputOf('b', 5000)] })
  actor.send({ type: 'alerts.planned', deliveries: [inputOf('a')] })
  await settle(1000)
  expect(calls.attempts).toEqual(['a'])
  expect(countDeliveries(actor.getSnapshot())).toEqual({ waiting: 2, failing: 1 })
})

test('a database that cannot be read is tried again', async () => {
  const { actor, faults, settle, value } = start()
  faults.restore = true
  actor.start()
  await settle()
  expect(value()).toMatchObject({ work: 'restarting' })
  faults.restore = false
  await settle(5000)
  expect(value()).toMatchObject({ work: { running: 'watching' } })
})

test('a delivery that fails by a mistake does not affect others; incidents that fail start everything again', async () => {
  const { actor, faults, settle, value } = start()
  actor.start()
  await settle()
  actor.send({ type: 'alerts.planned', deliveries: [inputOf('a'), inputOf('b', 90_000)] })
  faults.keep = true
  await settle(1000)
  faults.keep = false
  expect(Object.keys(actor.getSnapshot().context.deliveries)).toEqual(['b'])
  expect(value()).toMatchObject({ work: { running: 'watching' } })
  const incidents = actor.system.get('incidents') as IncidentsRef
  incidents.send({ type: 'incidentStore.loaded', incidents: [], preferences: undefined })
  faults.incidents = true
  incidents.send({ type: 'incidents.change', change: { hasSound: true } })
  await settle()
  expect(value()).toEqual({ work: 'restarting', alive: 'idle' })
  expect(actor.getSnapshot().context.deliveries).toEqual({})
  faults.incidents = false
  await settle(5000)
  expect(value()).toMatchObject({ work: { running: 'watching' } })
})

test('the sign of life is repeated, whether it arrives or not', async () => {
  const { actor, calls, faults, settle } = start({ alivePeriod: 60_000 })
  actor.start()
  await settle()
  expect(calls.alive).toBe(1)
  expect(actor.getSnapshot().context.isAliveFailing).toBe(false)
  faults.alive = true
  await settle(60_000)
  expect(calls.alive).toBe(2)
  expect(actor.getSnapshot().context.isAliveFailing).toBe(true)
  faults.alive = false
  await settle(60_000)
  expect(calls.alive).toBe(3)
  expect(actor.getSnapshot().context.isAliveFailing).toBe(false)
})
