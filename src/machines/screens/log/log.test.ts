import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { emptyLog, logOf, type LogLines } from '../../../folding/log-lines.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'
import type { LogEvent, SearchCommand, Sight } from './log.events.ts'
import { logMachine } from './log.machine.ts'
import {
  canReset, isFiltered, isFollowing, isLogLoading, isPatternSlow, isSearching, isSearchStopped, selectChosen, selectChosenRank, selectFoundCount,
  selectKeptText, selectNewLines, selectPatternFault, selectPercent, selectPlace, selectShown, showsContext,
} from './log.selectors.ts'

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `line ${index}`)

/** A client that is nothing but its log. */
const startClient = () => {
  const told: unknown[] = []
  const listeners = new Set<() => void>()
  let log: LogLines = emptyLog
  const ref = {
    _send: (event: unknown) => told.push(event),
    getSnapshot: () => ({ context: { record: { log }, heardAt: 7 } }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return { unsubscribe: () => listeners.delete(listener) }
    },
  } as unknown as ClientRef
  return {
    ref,
    told,
    listeners,
    write: (next: LogLines) => {
      log = next
      for (const listener of listeners) listener()
    },
  }
}

const startLog = (text = '') => {
  const clock = new SimulatedClock()
  const client = startClient()
  const asked: SearchCommand[] = []
  const actor = createActor(
    logMachine.provide({
      actors: {
        logSearch: fromCallback<SearchCommand, { readonly readLog: () => LogLines }>(({ receive }) => {
          receive(command => asked.push(command))
        }),
      },
    }),
    { clock },
  ).start()
  actor.send({ type: 'log.open', client: client.ref, text })
  const lastFind = () => asked.findLast(command => command.type === 'search.find' || command.type === 'search.findAnew')
  const id = (): number => lastFind()?.id ?? 0
  return {
    actor,
    clock,
    client,
    asked,
    lastFind,
    snapshot: () => actor.getSnapshot(),
    type: (typed: string) => actor.send({ type: 'log.type', text: typed }),
    /** The search begins, and finds these lines. */
    find: (...numbers: number[]) => {
      actor.send({ type: 'search.begun', id: id() })
      actor.send({ type: 'search.found', id: id(), numbers: Uint32Array.from(numbers), end: 0 })
    },
    begin: () => actor.send({ type: 'search.begun', id: id() }),
    grow: (...numbers: number[]) => actor.send({ type: 'search.grew', id: id(), numbers: Uint32Array.from(numbers), end: 0 }),
    mark: (...numbers: number[]) => actor.send({ type: 'search.marked', id: id(), marks: numbers.map(number => [number, [0, 1]] as const) }),
    shown: () => {
      const shown = selectShown(actor.getSnapshot())
      return Array.from({ length: shown.count }, (_, place) => shown.numberAt(place))
    },
  }
}

const sight = (number: number, to: number, more: Partial<Sight> = {}): Sight =>
  ({ place: { number, offset: 0 }, to, height: 300, share: 0.5, isAtEnd: false, ...more })

describe('A log', () => {
  it('streams as long as it is read, whoever’s it is', () => {
    const log = startLog()
    const other = startClient()
    log.actor.send({ type: 'log.open', client: other.ref, text: '' })
    log.actor.send({ type: 'log.close' })
    const whole = [{ type: 'client.watch' }, { type: 'client.readLog' }, { type: 'client.leaveLog' }, { type: 'client.unwatch' }]
    expect([log.client.told, other.told]).toEqual([whole, whole])
    expect([log.client.listeners.size, other.listeners.size, log.snapshot().context.client]).toEqual([0, 0, undefined])
  })

  it('is loading until the client has said it, even when it is empty', () => {
    const log = startLog()
    expect(isLogLoading(log.snapshot())).toBe(true)
    log.client.write(logOf([]).append(logOf([]).pack(0, 0)))
    expect(isLogLoading(log.snapshot())).toBe(true)
    log.client.write(logOf(['a']))
    expect([isLogLoading(log.snapshot()), log.shown()]).toEqual([false, [0]])
  })
})

describe('A reader', () => {
  it('follows the end until they scroll away, and again when they are back', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    expect([isFollowing(log.snapshot()), selectPercent(log.snapshot()), selectPlace(log.snapshot())]).toEqual([true, 100, undefined])
    log.actor.send({ type: 'log.scroll', sight: sight(40, 60) })
    expect([isFollowing(log.snapshot()), selectPercent(log.snapshot()), selectPlace(log.snapshot())]).toEqual([false, 50, { number: 40, offset: 0 }])
    log.client.write(logOf(numbered(130)))
    expect([selectNewLines(log.snapshot()), selectPlace(log.snapshot())]).toEqual([30, { number: 40, offset: 0 }])
    log.actor.send({ type: 'log.scroll', sight: sight(110, 130, { isAtEnd: true }) })
    expect([isFollowing(log.snapshot()), selectNewLines(log.snapshot())]).toEqual([true, 0])
  })

  it('is not taken to the end because what is shown fits the view', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    log.actor.send({ type: 'log.scroll', sight: sight(40, 60) })
    log.actor.send({ type: 'log.see', sight: sight(40, 60, { isAtEnd: true }) })
    expect(isFollowing(log.snapshot())).toBe(false)
  })

  it('keeps their place while older lines are trimmed, and gets the oldest one when theirs is', () => {
    const log = startLog()
    const lines = logOf(numbered(90), 90)
    log.client.write(lines)
    log.actor.send({ type: 'log.scroll', sight: sight(40, 60) })
    const trimmed = lines.append(logOf(numbered(5)).pack(0, 5), 90)
    log.client.write(trimmed)
    expect([trimmed.first, selectPlace(log.snapshot())]).toEqual([35, { number: 40, offset: 0 }])
    log.client.write(trimmed.append(logOf(numbered(60)).pack(0, 60), 90))
    expect(selectPlace(log.snapshot())).toEqual({ number: log.snapshot().context.first, offset: 0 })
  })

  it('goes to the start and to the end', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    log.actor.send({ type: 'log.goToStart' })
    expect(selectPlace(log.snapshot())).toEqual({ number: 0, offset: 0 })
    log.actor.send({ type: 'log.goToEnd' })
    expect(isFollowing(log.snapshot())).toBe(true)
  })
})

describe('A search', () => {
  it('shows what it found, and tests new lines alone', () => {
    const log = startLog('line')
    log.client.write(logOf(numbered(10)))
    expect([log.lastFind(), isFiltered(log.snapshot())]).toMatchObject([{ type: 'search.find', query: { pattern: 'line', errors: false, warnings: false } }, false])
    log.find(3, 5)
    expect([isFiltered(log.snapshot()), log.shown(), selectFoundCount(log.snapshot())]).toEqual([true, [3, 5], 2])
    log.mark(3, 5)
    log.client.write(logOf(numbered(12)))
    expect(log.asked.at(-1)).toEqual({ type: 'search.grow' })
    log.grow(11)
    expect(log.shown()).toEqual([3, 5, 11])
  })

  it('hears only the answer to the last question', () => {
    const log = startLog('a')
    log.client.write(logOf(numbered(10)))
    const first = log.lastFind()?.id ?? 0
    log.type('ab')
    log.actor.send({ type: 'search.begun', id: first })
    log.actor.send({ type: 'search.found', id: first, numbers: Uint32Array.of(1), end: 0 })
    expect([isSearching(log.snapshot()), selectFoundCount(log.snapshot())]).toEqual([true, undefined])
    log.find(2)
    expect(log.shown()).toEqual([2])
  })

  it('that does not finish within a second says so and changes nothing', () => {
    const log = startLog('good')
    log.client.write(logOf(numbered(10)))
    log.find(3, 5)
    log.type('(a+)+$')
    log.begin()
    log.clock.increment(999)
    expect(isPatternSlow(log.snapshot())).toBe(false)
    log.clock.increment(1)
    expect([isPatternSlow(log.snapshot()), log.shown()]).toEqual([true, [3, 5]])
    // What was found before goes on being searched for, by another thread.
    expect(log.lastFind()).toMatchObject({ type: 'search.findAnew', query: { pattern: 'good' } })
    log.find(3, 5, 9)
    expect([isPatternSlow(log.snapshot()), isSearchStopped(log.snapshot()), log.shown()]).toEqual([true, false, [3, 5, 9]])
    log.type('better')
    expect(isPatternSlow(log.snapshot())).toBe(false)
  })

  it('that was the first one and is slow leaves all lines, and ends its thread', () => {
    const log = startLog('(a+)+$')
    log.client.write(logOf(numbered(3)))
    log.begin()
    log.clock.increment(1000)
    expect([isPatternSlow(log.snapshot()), isSearchStopped(log.snapshot()), log.shown()]).toEqual([true, true, [0, 1, 2]])
    expect(log.asked.at(-1)).toEqual({ type: 'search.stop' })
  })

  it('does not wait for a thread that is held up by an earlier pattern', () => {
    const log = startLog('(a+)+$')
    log.client.write(logOf(numbered(3)))
    log.begin()
    log.type('b')
    log.clock.increment(400)
    expect(log.lastFind()).toMatchObject({ type: 'search.findAnew', query: { pattern: 'b' } })
    log.find(1)
    expect([log.shown(), isPatternSlow(log.snapshot())]).toEqual([[1], false])
  })

  it('that becomes slow by a new line stops, and what is shown stays', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.mark(1)
    log.client.write(logOf(numbered(4)))
    log.clock.increment(600)
    log.client.write(logOf(numbered(5)))
    log.clock.increment(400)
    expect([isPatternSlow(log.snapshot()), isSearchStopped(log.snapshot()), log.shown()]).toEqual([true, true, [1]])
  })

  it('that owes nothing is never taken for slow', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.mark(1)
    log.client.write(logOf(numbered(4)))
    log.client.write(logOf(numbered(5)))
    log.clock.increment(600)
    log.grow()
    log.clock.increment(600)
    log.grow()
    log.clock.increment(10_000)
    expect(isSearchStopped(log.snapshot())).toBe(false)
  })

  it('for an invalid pattern filters nothing and says why', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.type('(x')
    expect([selectPatternFault(log.snapshot()), isFiltered(log.snapshot()), log.shown()]).toEqual(['Unterminated group', false, [0, 1, 2]])
    log.actor.send({ type: 'log.filter', errors: true })
    expect(log.lastFind()).toMatchObject({ query: { pattern: '', errors: true, warnings: false } })
  })

  it('is reset as a whole', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.actor.send({ type: 'log.filter', warnings: true })
    log.find(1)
    expect(canReset(log.snapshot())).toBe(true)
    log.actor.send({ type: 'log.reset' })
    expect([canReset(log.snapshot()), isFiltered(log.snapshot()), log.shown()]).toEqual([false, false, [0, 1, 2]])
  })

  it('begins anew when the client has told more of its past', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.mark(1)
    log.client.write(logOf(numbered(4)))
    log.find(0, 1, 3)
    log.mark(0, 1, 3)
    log.clock.increment(10_000)
    expect([log.shown(), isSearchStopped(log.snapshot())]).toEqual([[0, 1, 3], false])
  })

  it('keeps the text for the address when typing has come to rest', () => {
    const log = startLog('a')
    log.type('ab')
    log.clock.increment(299)
    log.type('abc')
    log.clock.increment(299)
    expect(selectKeptText(log.snapshot())).toBe('a')
    log.clock.increment(1)
    expect(selectKeptText(log.snapshot())).toBe('abc')
  })

  it('asks where it found something only for lines about those in sight, once', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(1000)))
    log.actor.send({ type: 'log.scroll', sight: sight(500, 520) })
    log.find(...Array.from({ length: 1000 }, (_, number) => number))
    const asked = log.asked.filter(command => command.type === 'search.mark')
    expect(asked.map(({ numbers }) => [numbers[0], numbers.at(-1)])).toEqual([[440, 580]])
    log.mark(...(asked[0]?.numbers ?? []))
    log.actor.send({ type: 'log.scroll', sight: sight(500, 520) })
    expect(log.asked.filter(command => command.type === 'search.mark')).toHaveLength(1)
    log.actor.send({ type: 'log.scroll', sight: sight(510, 530) })
    expect(log.asked.filter(command => command.type === 'search.mark').map(({ numbers }) => [numbers[0], numbers.at(-1)])).toEqual([[440, 580], [581, 590]])
  })
})

describe('A line that was found', () => {
  const startFound = () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(1000)))
    log.actor.send({ type: 'log.scroll', sight: sight(500, 520) })
    log.find(100, 505, 510, 900)
    return log
  }

  it('is stepped to from what is in sight, and comes into sight when it is not', () => {
    const log = startFound()
    log.actor.send({ type: 'log.next' })
    expect([selectChosen(log.snapshot()), selectChosenRank(log.snapshot()), selectPlace(log.snapshot())]).toEqual([505, 2, { number: 500, offset: 0 }])
    log.actor.send({ type: 'log.next' })
    log.actor.send({ type: 'log.next' })
    expect([selectChosen(log.snapshot()), selectPlace(log.snapshot())]).toEqual([900, { number: 900, offset: -100 }])
    log.actor.send({ type: 'log.next' })
    expect(selectChosen(log.snapshot())).toBe(100)
    log.actor.send({ type: 'log.previous' })
    expect(selectChosen(log.snapshot())).toBe(900)
  })

  it('is stepped to backwards', () => {
    const log = startFound()
    log.actor.send({ type: 'log.previous' })
    expect(selectChosen(log.snapshot())).toBe(510)
  })

  it('is shown among all lines, and the steps go on among those found', () => {
    const log = startFound()
    log.actor.send({ type: 'log.showContext' })
    expect(showsContext(log.snapshot())).toBe(false)
    log.actor.send({ type: 'log.choose', number: 510 })
    log.actor.send({ type: 'log.showContext' })
    expect([showsContext(log.snapshot()), log.shown().length, selectPlace(log.snapshot())]).toEqual([true, 1000, { number: 510, offset: -100 }])
    log.actor.send({ type: 'log.next' })
    expect([selectChosen(log.snapshot()), log.shown().length]).toEqual([900, 1000])
    log.actor.send({ type: 'log.showFound' })
    expect([log.shown(), selectPlace(log.snapshot())]).toEqual([[100, 505, 510, 900], { number: 900, offset: -100 }])
  })

  it('is not chosen any more when another search does not find it', () => {
    const log = startFound()
    log.actor.send({ type: 'log.choose', number: 510 })
    log.type('y')
    log.find(505, 510)
    expect(selectChosen(log.snapshot())).toBe(510)
    log.type('z')
    log.find(505)
    expect(selectChosen(log.snapshot())).toBeUndefined()
  })
})

describe('The paths of a log', () => {
  it('lead through all states, and nothing is shown that is not kept any more', () => {
    const { ref } = startClient()
    const found = (id: number) => ({ type: 'search.found', id, numbers: Uint32Array.of(1, 3), end: 5 }) as const
    const events: readonly LogEvent[] = [
      { type: 'log.open', client: ref, text: '' },
      { type: 'log.close' },
      { type: 'log.type', text: 'x' },
      { type: 'log.type', text: 'y' },
      { type: 'log.type', text: '(' },
      { type: 'log.reset' },
      { type: 'log.changed', first: 0, end: 5, isKnown: true, at: 1 },
      { type: 'log.changed', first: 2, end: 6, isKnown: true, at: 1 },
      { type: 'log.scroll', sight: sight(1, 3) },
      { type: 'log.scroll', sight: sight(2, 5, { isAtEnd: true }) },
      { type: 'log.next' },
      { type: 'log.showContext' },
      ...[1, 2].flatMap((id): readonly LogEvent[] => [{ type: 'search.begun', id }, found(id), { type: 'search.marked', id, marks: [[1, []], [3, []]] }]),
    ]
    const { ends, unreached } = walkShortestPaths(logMachine, {
      events,
      silence: ['beginReading', 'endReading', 'tellSearch'],
      context: ({ asked, found: numbers, wanted, answered, isSlow, showsContext: inContext }) => [Math.min(asked, 3), numbers?.length, wanted.pattern, answered.pattern, isSlow, inContext],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) {
      const { first } = snapshot.context
      const shown = selectShown(snapshot)
      expect(shown.numberAt(0) ?? first, path).toBeGreaterThanOrEqual(first)
      expect(shown.numberAt(shown.count), path).toBeUndefined()
      expect(isFiltered(snapshot) && isLogLoading(snapshot) && selectFoundCount(snapshot) === undefined, path).toBe(false)
    }
  })
})
