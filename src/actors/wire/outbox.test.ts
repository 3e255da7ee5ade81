import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../protocol/client/changes.ts'
import { applyChanges } from '../../protocol/client/changes.ts'
import type { Json } from '../../protocol/json.ts'
import type { Batch, LinkReport } from './hub.types.ts'
import { createOutbox } from './outbox.ts'

function gathering({ ahead = 0 } = {}) {
  const batches: Batch[] = []
  const moved: number[] = []
  const due: { readonly at: number; readonly run: () => void }[] = []
  let now = 10_000
  const outbox = createOutbox({
    post: (batch, transfer) => {
      batches.push(batch)
      moved.push(transfer.length)
    },
    later: (ms, run) => {
      due.push({ at: now + ms, run })
      return () => undefined
    },
    now: () => now,
    ahead,
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

function changes(...list: Change[]): LinkReport {
  return { type: 'changes.received', changes: list }
}
const ping: LinkReport = { type: 'ping.received' }
const opened: LinkReport = { type: 'session.opened' }
function progress(share: number): LinkReport {
  return changes(['units', 0, 'wu_progress', share])
}
const paused = changes(['groups', '', 'config', 'paused', true])

/** What is posted in the second batch, after these facts were added while the first was on its way. */
function gathered(...facts: LinkReport[]) {
  const { outbox, batches } = gathering()
  outbox.add(9, 0, [opened])
  for (const fact of facts) outbox.add(1, 5, [fact])
  outbox.take()
  return batches[1]?.links.find(link => link.channel === 1)?.facts
}

describe('The outbox', () => {
  it('posts the first facts at once, and later ones when the page is ready', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 100, [opened])
    outbox.add(2, 101, [{ type: 'socket.opened', took: 3 }])
    outbox.add(1, 102, [changes(['a', 1])])
    outbox.addRelay(3, 103, [{ type: 'client.disconnected', id: 'x' }])
    outbox.add(1, 104, [paused])
    expect(batches).toEqual([
      { links: [{ channel: 1, at: 100, facts: [opened], isWatched: false }], relays: [], hasFigures: false },
    ])
    outbox.take()
    expect(batches.slice(1)).toEqual([
      {
        links: [
          { channel: 2, at: 101, facts: [{ type: 'socket.opened', took: 3 }], isWatched: false },
          {
            channel: 1,
            at: 102,
            facts: [changes(['a', 1], ['groups', '', 'config', 'paused', true])],
            isWatched: false,
          },
        ],
        relays: [{ channel: 3, at: 103, facts: [{ type: 'client.disconnected', id: 'x' }] }],
        hasFigures: false,
      },
    ])
  })

  it('posts nothing without facts, and then the next fact at once', () => {
    const { outbox, batches } = gathering()
    outbox.add(1, 0, [opened])
    outbox.take()
    outbox.take()
    expect(batches.length).toBe(1)
    outbox.add(1, 1, [paused])
    expect(batches.length).toBe(2)
  })

  it('posts the figures of all clients in one batch, when the second ends', () => {
    const { outbox, batches, pass, isResting } = gathering()
    pass(300)
    outbox.watch(2, true)
    outbox.add(1, 100, [progress(0.1)])
    outbox.add(2, 110, [progress(0.2)])
    pass(600)
    outbox.add(1, 120, [progress(0.3), ping])
    pass(99)
    expect(batches).toEqual([])
    pass(1)
    expect(batches).toEqual([
      {
        links: [
          { channel: 1, at: 100, facts: [progress(0.3), ping], isWatched: false },
          { channel: 2, at: 110, facts: [progress(0.2)], isWatched: true },
        ],
        relays: [],
        hasFigures: true,
      },
    ])
    expect(isResting()).toBe(true)
  })

  it('posts a fact at once, and figures that came before it when the second ends [13.6]', () => {
    const { outbox, batches, pass } = gathering()
    outbox.add(1, 100, [progress(0.1)])
    outbox.add(1, 101, [paused])
    outbox.take()
    expect(batches.map(({ links }) => links.map(({ facts }) => facts))).toEqual([[[paused]]])
    pass(1000)
    expect(batches[1]?.links.map(({ facts }) => facts)).toEqual([[progress(0.1)]])
  })

  it.each<readonly [string, LinkReport]>([
    ['a unit goes', changes(['units', 0, null])],
    ['a unit comes', changes(['units', -1, {}])],
    ['the connection ends', { type: 'session.closed' }],
  ])('posts figures before the fact that they depend on: %s', (_, fact) => {
    const { outbox, batches } = gathering()
    outbox.add(1, 100, [progress(0.1)])
    outbox.add(1, 101, [fact])
    const posted = batches.flatMap(({ links }) => links.flatMap(({ facts }) => facts))
    const split = (facts: readonly LinkReport[]) =>
      facts.flatMap(each => (each.type === 'changes.received' ? each.changes.map(change => changes(change)) : [each]))
    expect(split(posted)).toEqual(split([progress(0.1), fact]))
  })

  it('keeps figures for a page that is busy when the second ends', () => {
    const { outbox, batches, pass } = gathering()
    outbox.add(1, 0, [opened])
    outbox.add(1, 0, [progress(0.1)])
    pass(1000)
    expect(batches.length).toBe(1)
    outbox.take()
    expect(batches[1]).toEqual({
      links: [{ channel: 1, at: 0, facts: [progress(0.1)], isWatched: false }],
      relays: [],
      hasFigures: true,
    })
  })

  it('discards what is waiting of a closed channel', () => {
    const { outbox, batches, pass } = gathering()
    outbox.add(1, 0, [opened])
    for (const channel of [1, 2]) outbox.add(channel, 1, [progress(0.1), paused])
    outbox.drop(1)
    pass(1000)
    outbox.take()
    expect(batches[1]?.links.map(({ channel }) => channel)).toEqual([2, 2])
  })

  it('posts that a relay is alive without other facts when the second ends', () => {
    const { outbox, batches, pass } = gathering()
    outbox.addRelay(1, 7, [])
    expect(batches).toEqual([])
    pass(1000)
    expect(batches).toEqual([{ links: [], relays: [{ channel: 1, at: 7, facts: [] }], hasFigures: true }])
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

/** Clients change nothing in units that they have not listed. */
function isOfKnownUnit(units: unknown, [list, unit]: Change): boolean {
  return list !== 'units' || !(Number(unit) >= 0) || (Array.isArray(units) && Number(unit) < units.length)
}

describe('Changes that wait', () => {
  it('become one fact, as long as nothing else comes between', () => {
    expect(gathered(changes(['a', 1]), changes(['b', 2]), opened, changes(['c', 3]))).toEqual([
      changes(['a', 1], ['b', 2]),
      opened,
      changes(['c', 3]),
    ])
  })

  it('lose those that a later one of the same place makes needless', () => {
    expect(
      gathered(
        changes(['units', 0, 'state', 'RUN']),
        changes(['units', 0, 'pid', 5]),
        changes(['units', 0, 'state', 'UPLOAD']),
        changes(['units', 0, 'state', 'CLEAN']),
      ),
    ).toEqual([changes(['units', 0, 'state', 'CLEAN'], ['units', 0, 'pid', 5])])
  })

  it.each<[Change]>([
    [['units', 0, null]],
    [['units', 1, { id: 'new' }]],
    [['units', -1, {}]],
    [['units', -2, [{}]]],
    [['other', 3, 1]],
  ])('keep them when a list was changed in between: %j', between => {
    const all: Change[] = [['units', 0, 'state', 'RUN'], between, ['units', 0, 'state', 'CLEAN']]
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

  it('give the same document as all of them would, whenever the page is ready and the second ends', () => {
    const step = fc.constantFrom<string | number>('units', 'a', 'b', 'eta', 'ppd', 0, 1, 2, -1, -2)
    const value = fc.constantFrom<Json>(null, 1, 2, 'x', {}, { a: 1 }, [], [1], [{ a: 1 }, {}])
    const figure = fc
      .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom('eta', 'ppd'), value)
      .map((path): Change => ['units', ...path])
    const change = fc
      .tuple(fc.array(step, { minLength: 1, maxLength: 4 }), value)
      .map(([path, last]): Change => [...path, last])
    const event = fc.oneof(figure, change, fc.constant('take' as const), fc.constant('second' as const))
    const start = { units: [{ a: 1, b: { a: 1 } }, { a: 2, eta: 1 }, {}], a: { b: { a: 1 } }, b: [[1, 2], [3]] }
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), events => {
        const { outbox, batches, pass } = gathering()
        let expected: { readonly units?: unknown } = start
        for (const each of events) {
          if (each === 'take') outbox.take()
          else if (each === 'second') pass(1000)
          else if (isOfKnownUnit(expected.units, each)) {
            expected = applyChanges(expected, [each])
            outbox.add(1, 5, [changes(each)])
          }
        }
        outbox.take()
        pass(1000)
        outbox.take()
        const posted = batches
          .flatMap(({ links }) => links.flatMap(({ facts }) => facts))
          .flatMap(fact => (fact.type === 'changes.received' ? fact.changes : []))
        expect(applyChanges(start, posted)).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })
})

it('posts a long history in two batches, the second when the page has taken the first', () => {
  const { outbox, batches } = gathering()
  const part = (id: string): LinkReport => ({ type: 'history.received', replace: false, units: [{ id }] })
  outbox.add(1, 0, [opened, part('new'), part('old')])
  const posted = () => batches.map(({ links }) => links.map(({ facts, isWatched }) => ({ facts, isWatched })))
  expect(posted()).toEqual([[{ facts: [opened, part('new')], isWatched: true }]])
  outbox.take()
  expect(posted()[1]).toEqual([{ facts: [part('old')], isWatched: true }])
})

it('posts so many batches ahead while a page starts, and then only what was taken', () => {
  const { outbox, batches } = gathering({ ahead: 1 })
  const add = (): void => outbox.add(1, 0, [opened])
  add()
  add()
  add()
  expect(batches.length).toBe(2)
  outbox.take()
  outbox.take()
  add()
  add()
  expect(batches.length).toBe(4)
  expect(batches.map(({ links }) => links[0]?.facts.length)).toEqual([1, 1, 1, 1])
})
