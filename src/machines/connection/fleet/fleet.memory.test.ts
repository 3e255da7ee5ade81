import { describe, expect, it } from 'vitest'
import { dataOf, startFleet } from '../../../../test/machines/fleet.ts'
import { selectToRemember } from './fleet.memory.ts'
import { selectTotals } from './fleet.selectors.ts'

describe('the clients of the last visit', () => {
  const remembered = (id: string, kind: 'direct' | 'relay') => ({
    id,
    kind,
    name: kind === 'relay' ? id.toUpperCase() : undefined,
    at: 5000,
    data: dataOf(id, id),
  })

  it('are there at once, out of reach and as old as they are, and count for nothing', () => {
    const fleet = startFleet()
    fleet.actor.send({
      type: 'fleet.restored',
      machines: [remembered('__direct__', 'direct'), remembered('b', 'relay')],
    })
    expect(fleet.shown()).toEqual(['__direct__', 'b'])
    const { context } = fleet.member('b').getSnapshot()
    expect(context.record.data).toEqual(dataOf('b', 'b'))
    expect(context.heardAt).toBe(5000)
    expect(context.lostAt).toBe(5000)
    expect(context.connectedAt).toBeUndefined()
    const { clients, connected, active, ppd } = selectTotals(fleet.actor.getSnapshot())
    expect({ clients, connected, active, ppd }).toEqual({ clients: 2, connected: 0, active: 0, ppd: 0 })
  })

  it('become what they are when they are reached', () => {
    const fleet = startFleet()
    fleet.actor.send({ type: 'fleet.restored', machines: [remembered('__direct__', 'direct')] })
    fleet.says('__direct__', dataOf('x', 'renamed'))
    const { context } = fleet.member('__direct__').getSnapshot()
    expect(context.record.data?.info.mach_name).toBe('renamed')
    expect(context.lostAt).toBeUndefined()
    expect(context.connectedAt).toBe(10)
  })

  it('do not take the place of what a client has said already', () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('x', 'new'))
    fleet.actor.send({ type: 'fleet.restored', machines: [remembered('__direct__', 'direct')] })
    expect(fleet.member('__direct__').getSnapshot().context.record.data?.info.mach_name).toBe('new')
  })

  it('stay if the account lists them, and go if it does not', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.actor.send({ type: 'fleet.restored', machines: [remembered('b', 'relay'), remembered('c', 'relay')] })
    fleet.list('c', 'd')
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['c', 'd'])
    expect(fleet.member('c').getSnapshot().context.record.data).toEqual(dataOf('c', 'c'))
  })

  it('are removed when there is no session, and are not restored later', () => {
    const fleet = startFleet()
    fleet.actor.send({ type: 'fleet.restored', machines: [remembered('b', 'relay')] })
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    fleet.actor.send({
      type: 'fleet.restored',
      machines: [remembered('__direct__', 'direct'), remembered('b', 'relay')],
    })
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__'])
    expect(fleet.member('__direct__').getSnapshot().context.heardAt).toBe(5000)
  })

  it('are remembered without logs and molecules', () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('x', 'desk'))
    const [toRemember] = selectToRemember(fleet.actor.getSnapshot())
    expect(toRemember).toEqual({
      id: '__direct__',
      kind: 'direct',
      name: undefined,
      at: 10,
      data: dataOf('x', 'desk'),
    })
    expect(selectToRemember(fleet.actor.getSnapshot())[0]?.data).toBe(toRemember?.data)
  })
})
