import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientOrder, Orderable } from './order.ts'
import { orderClients, replaceClient } from './order.ts'

function client(name: string, more: Partial<Orderable> = {}): Orderable {
  return {
    id: name,
    name,
    isDirect: false,
    isConnected: true,
    problem: 0,
    ppd: 0,
    ...more,
  }
}
function names(clients: readonly Orderable[]) {
  return clients.map(({ name }) => name)
}

const fleet = [
  client('node10', { ppd: 5 }),
  client('offline', { isConnected: false, problem: 2 }),
  client('node9', { problem: 1 }),
  client('zz direct', { isDirect: true }),
  client('aa direct', { isDirect: true, isConnected: false }),
  client('Node1', { ppd: 70, problem: 3 }),
]

describe('the order of clients', () => {
  it('puts direct ones first, then connected ones, then goes by name as people sort [2.12]', () => {
    expect(names(orderClients(fleet, 'usual'))).toEqual([
      'zz direct',
      'aa direct',
      'Node1',
      'node9',
      'node10',
      'offline',
    ])
  })

  it('leaves one that was connected a short time ago where it was [4.6]', () => {
    const gone = [client('a', { isConnected: false, isRecent: true }), client('b'), client('c', { isConnected: false })]
    expect(names(orderClients(gone, 'usual'))).toEqual(['a', 'b', 'c'])
  })

  it('puts problems first', () => {
    expect(names(orderClients(fleet, 'problems'))).toEqual([
      'Node1',
      'offline',
      'node9',
      'zz direct',
      'aa direct',
      'node10',
    ])
  })

  it('takes one that the relay may still list for no problem', () => {
    expect(names(orderClients(fleet, 'listing'))).toEqual([
      'Node1',
      'node9',
      'zz direct',
      'aa direct',
      'node10',
      'offline',
    ])
  })

  it('goes by points a day, or by name alone', () => {
    expect(names(orderClients(fleet, 'ppd'))).toEqual(['Node1', 'node10', 'zz direct', 'aa direct', 'node9', 'offline'])
    expect(names(orderClients(fleet, 'name'))).toEqual([
      'aa direct',
      'Node1',
      'node9',
      'node10',
      'offline',
      'zz direct',
    ])
  })

  it('tells clients of one name apart by id', () => {
    const twins = [client('x', { id: 'b' }), client('x', { id: 'a' })]
    expect(orderClients(twins, 'usual').map(({ id }) => id)).toEqual(['a', 'b'])
  })

  const some = fc.record({
    id: fc.uuid(),
    name: fc.constantFrom('a', 'A', 'b2', 'b10', ''),
    isDirect: fc.boolean(),
    isConnected: fc.boolean(),
    problem: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    ppd: fc.nat(2),
  })
  const orders = fc.constantFrom<ClientOrder>('usual', 'problems', 'ppd', 'name')

  it('is a strict order that does not depend on how the clients came', () => {
    fc.assert(
      fc.property(fc.uniqueArray(some, { selector: ({ id }) => id }), orders, (clients, order) => {
        const sorted = orderClients(clients, order)
        expect(orderClients(clients.toReversed(), order)).toEqual(sorted)
        expect(orderClients(sorted, order)).toBe(sorted)
      }),
    )
  })

  it('is kept when one client changes or comes', () => {
    const three = fc.uniqueArray(some, { selector: ({ id }) => id, minLength: 2 })
    fc.assert(
      fc.property(three, some, orders, fc.boolean(), ([after, before, ...others], more, order, isNew) => {
        if (after === undefined || before === undefined) return
        const now = isNew ? after : { ...more, id: before.id }
        const ordered = orderClients(isNew ? others : [...others, before], order)
        expect(replaceClient(ordered, order, isNew ? undefined : before, now)).toEqual(
          orderClients([...others, now], order),
        )
      }),
    )
  })

  it('is kept without comparing all clients', () => {
    const thousand = orderClients(
      Array.from({ length: 1000 }, (_, at) => client(`node${at}`)),
      'usual',
    )
    let looks = 0
    const after = {
      ...client('node500', { id: 'x' }),
      get name() {
        looks += 1
        return 'node500'
      },
    }
    replaceClient(thousand, 'usual', thousand[7], after)
    expect(looks).toBeLessThan(12)
  })
})
