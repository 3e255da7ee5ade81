import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../protocol/changes.ts'
import { applyChanges } from '../../protocol/changes.ts'
import type { Json } from '../../protocol/json.ts'
import type { Batch, LinkReport } from './hub.types.ts'
import { createOutbox } from './outbox.ts'

const gathering = () => {
  const batches: Batch[] = []
  const moved: number[] = []
  const due: { readonly at: number; readonly run: () => void }[] = []
  let now = 0
  const outbox = createOutbox({
    post: (batch, transfer) => {
      batches.push(batch)
      moved.push(transfer.length)
    },
    later: (ms, run) => due.push({ at: now + ms, run }),
  })
  const pass = (ms: number): void => {
    const end = now + ms
    for (let next = due[0]; next !== undefined && next.at <= end; next = due[0]) {
      now = next.at
      due.shift()
      next.run()
    }
    now = end
  }
  return { outbox, batches, moved, pass, isResting: () => due.length === 0 }
}

const changes = (...list: Change[]): LinkReport => ({ type: 'changes.received', changes: list })
const ping: LinkReport = { type: 'ping.received' }

/** What is posted in the second batch, after these facts were added while the first was on its way. */
const gathered = (...facts: LinkReport[]) => {
  const { outbox, batches } = gathering()
  outbox.watch(1, true)
  outbox.add(9, 0, [ping])
  for (const fact of facts) outbox.add(1, 5, [fact])
  outbox.take()
  return batches[1]?.links.find(link => link.channel === 1)?.facts
}

describe('The outbox', () => {
  it('posts the first facts at once, and later ones when the page is ready', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 100, [ping])
    outbox.add(2, 101, [{ type: 'socket.opened', took: 3 }])
    outbox.add(1, 102, [changes(['a', 1])])
    outbox.addRelay(3, 103, [{ type: 'client.disconnected', id: 'x' }])
    outbox.add(1, 104, [ping])
    expect(batches).toEqual([{ links: [{ channel: 1, at: 100, facts: [ping], isWatched: false }], relays: [] }])
    outbox.take()
    expect(batches.slice(1)).toEqual([
      {
        links: [
          { channel: 2, at: 101, facts: [{ type: 'socket.opened', took: 3 }], isWatched: false },
          { channel: 1, at: 102, facts: [changes(['a', 1]), ping], isWatched: false },
        ],
        relays: [{ channel: 3, at: 103, facts: [{ type: 'client.disconnected', id: 'x' }] }],
      },
    ])
  })

  it('posts nothing without facts, and then the next fact at once', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 0, [ping])
    outbox.take()
    outbox.take()
    expect(batches.length).toBe(1)
    outbox.add(1, 1, [ping])
    expect(batches.length).toBe(2)
  })

  it('delays changes of hidden machines by a second, whatever else is posted meanwhile', () => {
    const { outbox, batches, pass } = gathering()
    outbox.watch(2, true)
    outbox.add(1, 100, [changes(['a', 1])])
    pass(500)
    outbox.add(1, 600, [changes(['b', 2])])
    outbox.add(2, 602, [changes(['c', 3])])
    outbox.take()
    pass(450)
    expect(batches).toEqual([
      { links: [{ channel: 2, at: 602, facts: [changes(['c', 3])], isWatched: true }], relays: [] },
    ])
    pass(50)
    expect(batches.slice(1)).toEqual([
      { links: [{ channel: 1, at: 100, facts: [changes(['a', 1], ['b', 2])], isWatched: false }], relays: [] },
    ])
  })

  it('spreads hidden machines over the second, and stops its timer without changes', () => {
    const { outbox, batches, pass, isResting } = gathering()
    outbox.add(1, 0, [changes(['a', 1])])
    pass(300)
    outbox.add(2, 0, [changes(['a', 1])])
    pass(700)
    outbox.take()
    expect(batches.map(({ links }) => links.map(({ channel }) => channel))).toEqual([[1]])
    pass(300)
    expect(batches.map(({ links }) => links.map(({ channel }) => channel))).toEqual([[1], [2]])
    expect(isResting()).toBe(true)
  })

  it('posts waiting changes at once when their machine becomes visible', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 100, [changes(['a', 1])])
    outbox.watch(1, true)
    expect(batches.length).toBe(1)
  })

  it('discards facts of a closed channel', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 0, [ping])
    outbox.add(1, 1, [ping])
    outbox.add(2, 1, [ping])
    outbox.drop(1)
    outbox.take()
    expect(batches[1]).toEqual({ links: [{ channel: 2, at: 1, facts: [ping], isWatched: false }], relays: [] })
  })

  it('posts that a relay is alive without other facts', () => {
    const { outbox, batches, pass } = gathering()
    outbox.addRelay(1, 7, [])
    pass(50)
    expect(batches).toEqual([{ links: [], relays: [{ channel: 1, at: 7, facts: [] }] }])
  })

  it('transfers the memory of frames and molecules', () => {
    const { outbox, moved } = gathering()
    const topology = {
      names: [],
      elements: new Uint8Array(),
      charges: new Float32Array(),
      radii: new Float32Array(),
      masses: new Float32Array(),
      bonds: new Uint32Array(),
    }
    outbox.add(1, 0, [
      { type: 'frame.received', unit: 'u', index: 0, positions: new Float32Array(3) },
      { type: 'topology.received', unit: 'u', topology },
    ])
    expect(moved).toEqual([6])
  })
})

describe('Changes that wait', () => {
  it('become one fact, as long as nothing else comes between', () => {
    expect(gathered(changes(['a', 1]), changes(['b', 2]), ping, ping, changes(['c', 3]))).toEqual([
      changes(['a', 1], ['b', 2]),
      ping,
      changes(['c', 3]),
    ])
  })

  it('lose those that a later one of the same place makes needless', () => {
    expect(
      gathered(
        changes(['units', 0, 'eta', '3s']),
        changes(['units', 0, 'ppd', 5]),
        changes(['units', 0, 'eta', '2s']),
        changes(['units', 0, 'eta', '1s']),
      ),
    ).toEqual([changes(['units', 0, 'ppd', 5], ['units', 0, 'eta', '1s'])])
  })

  it.each<[Change]>([
    [['units', 0, null]],
    [['units', 1, { id: 'new' }]],
    [['units', -1, {}]],
    [['units', -2, [{}]]],
    [['other', 3, 1]],
  ])('keep them when a list was changed in between: %j', between => {
    const all: Change[] = [['units', 0, 'eta', '3s'], between, ['units', 0, 'eta', '2s']]
    expect(gathered(changes(...all))).toEqual([changes(...all)])
  })

  it('keep removals', () => {
    const all: Change[] = [
      ['a', 'k', null],
      ['a', 'k', 1],
      ['a', 'k', null],
    ]
    expect(gathered(changes(...all))).toEqual([changes(...all)])
  })

  it('give the same document as all of them would', () => {
    const step = fc.constantFrom<string | number>('units', 'a', 'b', 0, 1, 2, -1, -2)
    const value = fc.constantFrom<Json>(null, 1, 2, 'x', {}, { a: 1 }, [], [1], [{ a: 1 }, {}])
    const change = fc
      .tuple(fc.array(step, { minLength: 1, maxLength: 4 }), value)
      .map(([path, last]): Change => [...path, last])
    const start = { units: [{ a: 1, b: { a: 1 } }, { a: 2 }, {}], a: { b: { a: 1 } }, b: [[1, 2], [3]] }
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), all => {
        const posted = (gathered(changes(...all)) ?? []).flatMap(fact =>
          fact.type === 'changes.received' ? fact.changes : [],
        )
        expect(applyChanges(start, posted)).toEqual(applyChanges(start, all))
      }),
      { numRuns: 3000 },
    )
  })
})

it('posts a long history in two batches, the second when the page has taken the first', () => {
  const { outbox, batches } = gathering()
  const part = (id: string): LinkReport => ({ type: 'history.received', replace: false, units: [{ id }] })
  outbox.add(1, 0, [ping, part('new'), part('old')])
  const posted = () => batches.map(({ links }) => links.map(({ facts, isWatched }) => ({ facts, isWatched })))
  expect(posted()).toEqual([[{ facts: [ping, part('new')], isWatched: true }]])
  outbox.take()
  expect(posted()[1]).toEqual([{ facts: [part('old')], isWatched: true }])
})
