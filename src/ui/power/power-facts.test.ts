import { expect, test } from 'vitest'
import { fromCallback } from 'xstate'
import { startChild } from '../../../test/child.ts'
import type { ClientView } from '../../folding/client/client.ts'
import type { KeepPower } from '../../machines/fleet/power/power.events.ts'
import { powerMachine } from '../../machines/fleet/power/power.machine.ts'
import { powerOf } from './power-facts.ts'

test('the cost of a day is known with a price and at any fraction of a millisecond', () => {
  const { actor: power } = startChild(
    powerMachine.provide({ actors: { powerStore: fromCallback<KeepPower, undefined>(() => undefined) } }),
  )
  power.send({
    type: 'power.restored',
    power: {
      machines: { a: { idle: { watts: 100, origin: 'entered' }, gpus: {} } },
      tariffs: { currency: 'EUR', timeZone: 'Europe/Berlin', price: { kind: 'fixed', price: 0.5 }, co2: null },
    },
  })
  const view: ClientView = {
    id: 'a',
    isConnected: true,
    lastConnected: 0,
    isDirect: true,
    address: 'host:7396',
    data: { info: { id: 'a' }, config: {}, groups: {}, units: [] },
  }
  const facts = powerOf({ power }, view, Date.parse('2026-11-26T11:00:00Z') + 0.3)
  expect(facts.watts).toBe(100)
  expect(facts.costDay).toBe(1.2)
  expect(facts.currency).toBe('EUR')
})
