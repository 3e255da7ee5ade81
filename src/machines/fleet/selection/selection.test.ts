import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { SelectionEvent } from './selection.events.ts'
import { selectionMachine } from './selection.machine.ts'
import { isSelected } from './selection.selectors.ts'

const order = ['a', 'b', 'c', 'd', 'e']

function start(...events: readonly SelectionEvent[]) {
  const { actor } = startChild(selectionMachine)
  const send = (...more: readonly SelectionEvent[]) => more.forEach(event => actor.send(event))
  send(...events)
  return { send, snapshot: () => actor.getSnapshot(), ids: () => actor.getSnapshot().context.ids }
}

function toggle(id: string): SelectionEvent {
  return { type: 'selection.toggle', id }
}
function extend(id: string, shown = order): SelectionEvent {
  return { type: 'selection.extend', id, order: shown }
}

describe('a selection', () => {
  it('gets and loses single clients, and tells its size', () => {
    const { send, snapshot, ids } = start(toggle('a'), toggle('c'))
    expect(ids()).toEqual(['a', 'c'])
    expect(snapshot().context.ids.length).toBe(2)
    expect(isSelected('c')(snapshot())).toBe(true)
    expect(isSelected('b')(snapshot())).toBe(false)
    send(toggle('a'), toggle('c'))
    expect(ids()).toEqual([])
    expect(snapshot().hasTag('selecting')).toBe(true)
  })

  it('is only the client that was clicked', () => {
    const { ids } = start(toggle('a'), toggle('b'), { type: 'selection.select', id: 'd' })
    expect(ids()).toEqual(['d'])
  })

  it('is extended from the client that was selected last, grows and shrinks, and keeps the others', () => {
    const { send, ids } = start(toggle('a'), toggle('c'), extend('e'))
    expect(ids()).toEqual(['a', 'c', 'd', 'e'])
    send(extend('b'))
    expect(ids()).toEqual(['a', 'c', 'b'])
    send(extend('d'))
    expect(ids()).toEqual(['a', 'c', 'd'])
  })

  it('starts a range where none can be: without a client selected before, or when that one is no longer shown', () => {
    const { send, ids } = start(extend('b'), extend('d'))
    expect(ids()).toEqual(['b', 'c', 'd'])
    send(extend('e', ['c', 'd', 'e']))
    expect(ids()).toEqual(['b', 'c', 'd', 'e'])
    send(extend('a'))
    expect(ids()).toEqual(['b', 'c', 'd', 'e', 'a'])
  })

  it('of all that match is exactly those: what joins later is not selected', () => {
    const matching = ['a', 'b']
    const { snapshot, ids } = start(toggle('e'), { type: 'selection.selectAll', ids: matching })
    matching.push('c')
    expect(ids().includes('e')).toBe(false)
    expect(isSelected('a')(snapshot())).toBe(true)
    expect(isSelected('c')(snapshot())).toBe(false)
  })

  it('loses clients that leave, and names them until something else is selected', () => {
    const { send, snapshot, ids } = start({ type: 'selection.selectAll', ids: ['a', 'b', 'c'] })
    send({
      type: 'selection.machinesGone',
      machines: [
        { id: 'b', name: 'Attic' },
        { id: 'e', name: 'Not selected' },
      ],
    })
    expect(ids()).toEqual(['a', 'c'])
    expect(snapshot().context.left).toEqual([{ id: 'b', name: 'Attic' }])
    send({ type: 'selection.select', id: 'd' })
    expect(snapshot().context.left).toEqual([])
  })

  it('keeps a client that is shown over another connection', () => {
    const { send, snapshot, ids } = start(toggle('a'), toggle('b'), {
      type: 'selection.machinesGone',
      machines: [{ id: 'b', name: 'Attic', shownAs: '__direct__' }],
    })
    expect(ids()).toEqual(['a', '__direct__'])
    expect(snapshot().context.left).toEqual([])
    send(extend('c', ['__direct__', 'c']))
    expect(ids()).toEqual(['a', '__direct__', 'c'])
  })

  it('is empty and hidden when it is cleared', () => {
    const { snapshot, ids } = start({ type: 'selection.begin' }, toggle('a'), { type: 'selection.clear' })
    expect(ids()).toEqual([])
    expect(snapshot().hasTag('selecting')).toBe(false)
    expect(snapshot().context.left).toEqual([])
  })

  it('never holds a client twice, whatever is clicked', () => {
    const id = fc.constantFrom(...order)
    const event: fc.Arbitrary<SelectionEvent> = fc.oneof(
      id.map(toggle),
      id.map(each => extend(each)),
      id.map(each => ({ type: 'selection.select' as const, id: each })),
      fc.subarray(order).map(ids => ({ type: 'selection.selectAll' as const, ids })),
      fc.record({ id, shownAs: fc.option(id, { nil: undefined }) }).map(({ id: gone, shownAs }) => ({
        type: 'selection.machinesGone' as const,
        machines: [{ id: gone, name: gone, ...(shownAs === undefined || shownAs === gone ? {} : { shownAs }) }],
      })),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), events => {
        const ids = start(...events).ids()
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(selectionMachine, {
      events: [{ type: 'selection.begin' }, toggle('a'), { type: 'selection.clear' }],
      context: ({ ids }) => ids.length,
    })
    expect(unreached).toEqual([])
  })
})
