import { describe, expect, it } from 'vitest'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { numbered, startClient, startLog, viewport } from '../../../../test/machines/log.ts'
import { emptyLog, logFrom } from '../../../folding/log/log-lines.ts'
import { logOf } from '../../../../test/folding/log.ts'
import type { LogEvent } from './log.events.ts'
import { logMachine } from './log.machine.ts'
import {
  isFiltered,
  selectFoundCount,
  selectSelectedLine,
  selectNewLines,
  selectPercent,
  selectScrollPosition,
  selectShown,
} from './log.selectors.ts'

describe('A log', () => {
  it('streams while it is open, for any client', () => {
    const log = startLog()
    const other = startClient()
    log.actor.send({ type: 'log.open', client: other.ref, text: '' })
    log.actor.send({ type: 'log.close' })
    const whole = [
      { type: 'client.watch' },
      { type: 'client.subscribeLog' },
      { type: 'client.unsubscribeLog' },
      { type: 'client.unwatch' },
    ]
    expect(log.client.sent).toEqual(whole)
    expect(other.sent).toEqual(whole)
    expect(log.client.listeners.size).toBe(0)
    expect(other.listeners.size).toBe(0)
    expect(log.snapshot().context.client).toBeUndefined()
  })

  it('sends nothing to a client that was removed in the meantime', () => {
    const log = startLog()
    const before = log.client.sent.length
    log.client.stop()
    log.actor.send({ type: 'log.close' })
    expect(log.client.sent.length).toBe(before)
  })

  it('is loading until the client has said it, even when it is empty', () => {
    const log = startLog()
    expect(log.snapshot().hasTag('loading')).toBe(true)
    log.client.write(logOf([]).append(logOf([]).pack(0, 0)))
    expect(log.snapshot().hasTag('loading')).toBe(true)
    log.client.write(logOf(['a']))
    expect({ loading: log.snapshot().hasTag('loading'), shown: log.shown() }).toEqual({ loading: false, shown: [0] })
  })
})

describe('A log of which only the end is there', () => {
  const TEN = Date.parse('2026-11-21T10:00:00Z')
  const whole = logOf(['09:00:00:I1:a', '10:00:00:E :b', '11:00:00:I1:c'])
  const open = (at?: number) => {
    const log = startLog('', at)
    const end = whole.pack(2, 3)
    log.client.write(logFrom(2, end), Date.parse('2026-11-21T12:00:00Z'), false)
    return log
  }

  it('is shown while the rest is loading, and searched only when it is whole', () => {
    const log = open()
    expect(log.shown()).toEqual([2])
    expect(log.snapshot().hasTag('loading')).toBe(true)
    expect(log.searched()).toEqual(emptyLog)
    log.client.write(whole)
    expect(log.shown()).toEqual([0, 1, 2])
    expect(log.snapshot().hasTag('loading')).toBe(false)
    expect(log.searched()).toEqual(whole)
  })

  it('whose first line was gone to leaves the reader at the first line of all', () => {
    const log = open()
    log.actor.send({ type: 'log.goToStart' })
    log.actor.send({ type: 'log.scroll', viewport: viewport(2, 2) })
    log.client.write(whole)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 0, offset: 0 })
  })

  it('keeps the place of a reader elsewhere', () => {
    const log = open()
    const twoLines = logFrom(1, whole.pack(1, 3))
    log.client.write(twoLines, 7, false)
    log.actor.send({ type: 'log.scroll', viewport: viewport(2, 2) })
    const before = selectScrollPosition(log.snapshot())
    log.client.write(whole)
    expect(before?.number).toBe(2)
    expect(selectScrollPosition(log.snapshot())).toEqual(before)
  })

  it('is not searched for the line of an address before the rest is there', () => {
    const log = open(TEN)
    expect(log.snapshot().context.located).toBeUndefined()
    expect(log.snapshot().hasTag('following')).toBe(true)
    log.client.write(whole)
    expect(log.snapshot().context.located).toEqual({ number: 1, how: 'exact', at: TEN })
  })
})

describe('A log that is opened at a line', () => {
  const NOON = Date.parse('2026-11-21T12:00:00Z')
  const lines = ['09:00:00:I1:a', '10:00:00:E :b', '11:00:00:I1:c', '11:30:00:E :d']
  const open = (text: string, at: number | undefined) => {
    const log = startLog(text, at)
    log.client.write(logOf(lines), NOON)
    return log
  }
  const tenFifteen = Date.parse('2026-11-21T10:15:00Z')

  it('marks the newest line until that time and shows it among all lines', () => {
    const log = open('', tenFifteen)
    expect(selectSelectedLine(log.snapshot())).toBe(1)
    expect(selectScrollPosition(log.snapshot())?.number).toBe(1)
    expect(log.snapshot().context.located).toEqual({ number: 1, how: 'exact', at: tenFifteen })
    expect(log.snapshot().hasTag('following')).toBe(false)
  })

  it('waits for the search, and marks a line that matches', () => {
    const log = open('E :', Date.parse('2026-11-21T11:15:00Z'))
    expect(selectSelectedLine(log.snapshot())).toBeUndefined()
    expect(log.snapshot().hasTag('following')).toBe(true)
    log.find(1, 3)
    expect(selectSelectedLine(log.snapshot())).toBe(1)
    expect(log.shown()).toEqual([0, 1, 2, 3])
    expect(isFiltered(log.snapshot())).toBe(false)
    log.type('c')
    expect(log.snapshot().context.located).toBeUndefined()
  })

  it('waits until the search has seen all lines, of which it may have begun with none', () => {
    const log = startLog('E :', Date.parse('2026-11-21T11:15:00Z'))
    log.find()
    log.client.write(logOf(lines), NOON)
    expect(selectSelectedLine(log.snapshot())).toBeUndefined()
    log.grow(1, 3)
    expect(log.snapshot().context.located?.how).toBe('exact')
  })

  it('does without the search when that fails', () => {
    const log = open('E :', tenFifteen)
    log.actor.send({ type: 'search.failed', fault: { kind: 'offline' } as never })
    expect(log.snapshot().context.located).toEqual({ number: 1, how: 'exact', at: tenFifteen })
  })

  it('stays at the end when no line has a time', () => {
    const log = startLog('', tenFifteen)
    log.client.write(logOf(['no time']), NOON)
    expect(log.snapshot().context.located).toBeUndefined()
    expect(log.snapshot().hasTag('following')).toBe(true)
  })

  it('stays where its reader went meanwhile', () => {
    for (const type of ['log.goToStart', 'log.goToEnd'] as const) {
      const log = startLog('', tenFifteen)
      log.actor.send({ type })
      log.client.write(logOf(lines), NOON)
      expect(selectSelectedLine(log.snapshot())).toBeUndefined()
    }
  })

  it('goes to the line of a log that was prefetched', () => {
    const log = open('', undefined)
    log.actor.send({ type: 'log.close' })
    log.actor.send({ type: 'log.prefetch', client: log.client.ref, isSure: true })
    log.actor.send({ type: 'log.open', client: log.client.ref, text: 'I1:', at: tenFifteen })
    expect(selectSelectedLine(log.snapshot())).toBeUndefined()
    log.find(0, 2)
    expect(selectSelectedLine(log.snapshot())).toBe(0)
  })
})

describe('A log that is expected', () => {
  const beginning = [{ type: 'client.watch' }, { type: 'client.subscribeLog' }]
  const ending = [{ type: 'client.unsubscribeLog' }, { type: 'client.unwatch' }]

  const approach = (isSure: boolean) => {
    const log = startLog()
    log.actor.send({ type: 'log.close' })
    log.client.sent.splice(0)
    log.actor.send({ type: 'log.prefetch', client: log.client.ref, isSure })
    return log
  }

  it('is prefetched after the hover delay, and released after a timeout', () => {
    const log = approach(false)
    log.clock.increment(59)
    expect(log.client.sent).toEqual([])
    expect(log.snapshot().hasTag('hoverIntent')).toBe(true)
    log.clock.increment(1)
    expect(log.client.sent).toEqual(beginning)
    expect(log.snapshot().hasTag('hoverIntent')).toBe(false)
    expect(log.snapshot().hasTag('present')).toBe(false)
    log.clock.increment(4000)
    log.actor.send({ type: 'log.prefetch', client: log.client.ref, isSure: false })
    log.clock.increment(4999)
    expect(log.client.sent).toEqual(beginning)
    log.clock.increment(1)
    expect(log.client.sent).toEqual([...beginning, ...ending])
    expect(log.client.listeners.size).toBe(0)
    expect(log.snapshot().context.client).toBeUndefined()
  })

  it('is not prefetched when the pointer passes by', () => {
    const log = approach(false)
    log.clock.increment(30)
    // Within the same thing it is no other approach.
    log.actor.send({ type: 'log.prefetch', client: log.client.ref, isSure: false })
    log.clock.increment(29)
    log.actor.send({ type: 'log.cancelPrefetch' })
    log.clock.increment(9000)
    expect(log.client.sent).toEqual([])
  })

  it('is prefetched at once when it is certain to open', () => {
    expect(approach(true).client.sent).toEqual(beginning)
    const near = approach(false)
    near.actor.send({ type: 'log.prefetch', client: near.client.ref, isSure: true })
    expect(near.client.sent).toEqual(beginning)
  })

  it('is available when it is opened after prefetching, requested once, and searched as the address says', () => {
    const log = approach(true)
    log.client.write(logOf(numbered(100)))
    log.actor.send({ type: 'log.open', client: log.client.ref, text: 'line 7' })
    expect(log.snapshot().hasTag('present')).toBe(true)
    expect(log.shown().length).toBe(100)
    expect(log.snapshot().context.text).toBe('line 7')
    expect(log.snapshot().context.addressText).toBe('line 7')
    log.find(7)
    expect(log.lastFind()).toEqual(
      expect.objectContaining({ query: { pattern: 'line 7', errors: false, warnings: false } }),
    )
    expect(log.shown()).toEqual([7])
    log.clock.increment(9000)
    expect(log.snapshot().hasTag('present')).toBe(true)
    expect(log.client.sent).toEqual(beginning)
    log.actor.send({ type: 'log.close' })
    expect(log.client.sent).toEqual([...beginning, ...ending])
  })

  it('gives way to another client’s', () => {
    const log = approach(true)
    const other = startClient()
    log.actor.send({ type: 'log.prefetch', client: other.ref, isSure: false })
    log.clock.increment(60)
    expect(log.client.sent).toEqual([...beginning, ...ending])
    expect(other.sent).toEqual(beginning)
    const third = startClient()
    log.actor.send({ type: 'log.open', client: third.ref, text: '' })
    expect(other.sent).toEqual([...beginning, ...ending])
    expect(third.sent).toEqual(beginning)
    expect(log.snapshot().hasTag('present')).toBe(true)
    const near = approach(false)
    near.clock.increment(40)
    near.actor.send({ type: 'log.prefetch', client: other.ref, isSure: false })
    near.clock.increment(40)
    expect(near.client.sent).toEqual([])
    expect(near.snapshot().hasTag('hoverIntent')).toBe(true)
  })

  it('does not move the reader', () => {
    const log = startLog('x')
    const before = log.snapshot()
    log.actor.send({ type: 'log.prefetch', client: startClient().ref, isSure: true })
    log.actor.send({ type: 'log.cancelPrefetch' })
    expect(log.snapshot().value).toEqual(before.value)
    expect(log.snapshot().context).toEqual(before.context)
  })
})

describe('A reader', () => {
  it('follows the end until they scroll away, and again when they are back', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    expect(log.snapshot().hasTag('following')).toBe(true)
    expect(selectPercent(log.snapshot())).toBe(100)
    expect(selectScrollPosition(log.snapshot())).toBeUndefined()
    log.actor.send({ type: 'log.scroll', viewport: viewport(40, 60) })
    expect(log.snapshot().hasTag('following')).toBe(false)
    expect(selectPercent(log.snapshot())).toBe(50)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 40, offset: 0 })
    log.client.write(logOf(numbered(130)))
    expect(selectNewLines(log.snapshot())).toBe(30)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 40, offset: 0 })
    log.actor.send({ type: 'log.scroll', viewport: viewport(110, 130, { isAtEnd: true }) })
    expect(log.snapshot().hasTag('following')).toBe(true)
    expect(selectNewLines(log.snapshot())).toBe(0)
  })

  it('is not taken to the end because what is shown fits the view', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    log.actor.send({ type: 'log.scroll', viewport: viewport(40, 60) })
    log.actor.send({ type: 'log.rendered', viewport: viewport(40, 60, { isAtEnd: true }) })
    expect(log.snapshot().hasTag('following')).toBe(false)
  })

  it('keeps their place while older lines are trimmed, and gets the oldest one when theirs is', () => {
    const log = startLog()
    const lines = logOf(numbered(90), 90)
    log.client.write(lines)
    log.actor.send({ type: 'log.scroll', viewport: viewport(40, 60) })
    const trimmed = lines.append(logOf(numbered(5)).pack(0, 5), 90)
    log.client.write(trimmed)
    expect(trimmed.first).toBe(35)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 40, offset: 0 })
    log.client.write(trimmed.append(logOf(numbered(60)).pack(0, 60), 90))
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: log.snapshot().context.first, offset: 0 })
  })

  it('goes to the start and to the end', () => {
    const log = startLog()
    log.client.write(logOf(numbered(100)))
    log.actor.send({ type: 'log.goToStart' })
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 0, offset: 0 })
    log.actor.send({ type: 'log.goToEnd' })
    expect(log.snapshot().hasTag('following')).toBe(true)
  })
})

describe('The paths of a log', () => {
  it('lead through all states, and nothing is shown that is not kept any more', () => {
    const { ref } = startClient()
    const found = (id: number) =>
      ({ type: 'search.found', id, numbers: Uint32Array.of(1, 3), end: 5, marks: [] }) as const
    const events: readonly LogEvent[] = [
      { type: 'log.open', client: ref, text: '' },
      { type: 'log.prefetch', client: ref, isSure: false },
      { type: 'log.close' },
      { type: 'log.setText', text: 'x' },
      { type: 'log.setText', text: 'y' },
      { type: 'log.setText', text: '(' },
      { type: 'log.reset' },
      { type: 'log.changed', first: 0, end: 5, isWhole: true, at: 1 },
      { type: 'log.changed', first: 2, end: 6, isWhole: true, at: 1 },
      { type: 'log.scroll', viewport: viewport(1, 3) },
      { type: 'log.scroll', viewport: viewport(2, 5, { isAtEnd: true }) },
      { type: 'log.next' },
      { type: 'log.showContext' },
      ...[1, 2].flatMap((id): readonly LogEvent[] => [
        { type: 'search.started', id },
        found(id),
        {
          type: 'search.marked',
          id,
          marks: [
            [1, []],
            [3, []],
          ],
        },
      ]),
    ]
    const { ends, unreached } = walkShortestPaths(logMachine, {
      events,
      silence: ['subscribeLog', 'unsubscribeLog', 'sendToSearch', 'locate'],
      context: ({
        requestId,
        found: numbers,
        query,
        foundQuery,
        isSlow,
        showsContext: inContext,
        text,
        settledText,
      }) => [
        Math.min(requestId, 2),
        numbers?.length,
        query.pattern,
        foundQuery.pattern,
        isSlow,
        inContext,
        text === settledText,
      ],
    })
    // The line that an address names has a walk of its own: together they have too many states.
    expect(unreached.filter(state => !state.includes('.target.awaited'))).toEqual([])
    for (const { snapshot, path } of ends) {
      const { first } = snapshot.context
      const shown = selectShown(snapshot)
      expect(shown.numberAt(0) ?? first, path).toBeGreaterThanOrEqual(first)
      expect(shown.numberAt(shown.count), path).toBeUndefined()
      expect(isFiltered(snapshot) && snapshot.hasTag('loading') && selectFoundCount(snapshot) === undefined, path).toBe(
        false,
      )
    }
  })

  it('lead to the line that an address names', () => {
    const { ref } = startClient()
    const { ends, unreached } = walkShortestPaths(logMachine, {
      events: [
        { type: 'log.open', client: ref, text: '', at: 1 },
        { type: 'log.close' },
        { type: 'log.changed', first: 0, end: 5, isWhole: true, at: 1 },
        { type: 'log.located', finding: { number: 3, how: 'exact' } },
        { type: 'log.located', finding: undefined },
        { type: 'log.goToEnd' },
      ],
      silence: ['subscribeLog', 'unsubscribeLog', 'sendToSearch', 'locate'],
      context: ({ end, target, selected }) => [end, target, selected],
    })
    expect(unreached.filter(state => state.includes('.target.'))).toEqual([])
    for (const { snapshot, path } of ends) {
      const { located, selected, target } = snapshot.context
      if (located !== undefined) expect({ selected, target }, path).toEqual({ selected: 3, target: undefined })
    }
  })
})
