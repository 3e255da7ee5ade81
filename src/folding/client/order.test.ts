import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MachineOrder, Orderable } from './order.ts'
import { orderMachines, replaceMachine } from './order.ts'

const machine = (name: string, more: Partial<Orderable> = {}): Orderable => ({
  id: name,
  name,
  isDirect: false,
  isConnected: true,
  problem: 0,
  ppd: 0,
  ...more,
})
const names = (machines: readonly Orderable[]) => machines.map(({ name }) => name)

const fleet = [
  machine('node10', { ppd: 5 }),
  machine('offline', { isConnected: false, problem: 2 }),
  machine('node9', { problem: 1 }),
  machine('zz direct', { isDirect: true }),
  machine('aa direct', { isDirect: true, isConnected: false }),
  machine('Node1', { ppd: 70, problem: 3 }),
]

describe('the order of machines', () => {
  it('puts direct ones first, then connected ones, then goes by name as people sort', () => {
    expect(names(orderMachines(fleet, 'usual'))).toEqual([
      'zz direct',
      'aa direct',
      'Node1',
      'node9',
      'node10',
      'offline',
    ])
  })

  it('puts problems first', () => {
    expect(names(orderMachines(fleet, 'problems'))).toEqual([
      'Node1',
      'offline',
      'node9',
      'zz direct',
      'aa direct',
      'node10',
    ])
  })

  it('goes by points a day, or by name alone', () => {
    expect(names(orderMachines(fleet, 'ppd'))).toEqual([
      'Node1',
      'node10',
      'zz direct',
      'aa direct',
      'node9',
      'offline',
    ])
    expect(names(orderMachines(fleet, 'name'))).toEqual([
      'aa direct',
      'Node1',
      'node9',
      'node10',
      'offline',
      'zz direct',
    ])
  })

  it('tells machines of one name apart by id', () => {
    const twins = [machine('x', { id: 'b' }), machine('x', { id: 'a' })]
    expect(orderMachines(twins, 'usual').map(({ id }) => id)).toEqual(['a', 'b'])
  })

  const some = fc.record({
    id: fc.uuid(),
    name: fc.constantFrom('a', 'A', 'b2', 'b10', ''),
    isDirect: fc.boolean(),
    isConnected: fc.boolean(),
    problem: fc.nat(3),
    ppd: fc.nat(2),
  })
  const orders = fc.constantFrom<MachineOrder>('usual', 'problems', 'ppd', 'name')

  it('is a strict order that does not depend on how the machines came', () => {
    fc.assert(
      fc.property(fc.uniqueArray(some, { selector: ({ id }) => id }), orders, (machines, order) => {
        const sorted = orderMachines(machines, order)
        expect(orderMachines(machines.toReversed(), order)).toEqual(sorted)
        expect(orderMachines(sorted, order)).toBe(sorted)
      }),
    )
  })

  it('is kept when one machine changes or comes', () => {
    const three = fc.uniqueArray(some, { selector: ({ id }) => id, minLength: 2 })
    fc.assert(
      fc.property(three, some, orders, fc.boolean(), ([after, before, ...others], more, order, isNew) => {
        if (after === undefined || before === undefined) return
        const now = isNew ? after : { ...more, id: before.id }
        const known = orderMachines(isNew ? others : [...others, before], order)
        expect(replaceMachine(known, order, isNew ? undefined : before, now)).toEqual(
          orderMachines([...others, now], order),
        )
      }),
    )
  })

  it('is kept without comparing all machines', () => {
    const thousand = orderMachines(
      Array.from({ length: 1000 }, (_, at) => machine(`node${at}`)),
      'usual',
    )
    let looks = 0
    const after = {
      ...machine('node500', { id: 'x' }),
      get name() {
        looks += 1
        return 'node500'
      },
    }
    replaceMachine(thousand, 'usual', thousand[7], after)
    expect(looks).toBeLessThan(12)
  })
})
