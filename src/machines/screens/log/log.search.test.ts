import { describe, expect, it } from 'vitest'
import { numbered, startLog, viewport, TYPING_PAUSE } from '../../../../test/machines/log.ts'
import { logOf } from '../../../../test/folding/log.ts'
import {
  canReset,
  isFiltered,
  selectSelectedLine,
  selectMatchNumber,
  selectFoundCount,
  selectPatternFault,
  selectScrollPosition,
  showsContext,
} from './log.selectors.ts'

describe('A search', () => {
  it('shows what it found, and tests new lines alone', () => {
    const log = startLog('line')
    log.client.write(logOf(numbered(10)))
    expect(log.lastFind()).toMatchObject({
      type: 'search.find',
      query: { pattern: 'line', errors: false, warnings: false },
    })
    expect(isFiltered(log.snapshot())).toBe(false)
    log.find(3, 5)
    expect(isFiltered(log.snapshot())).toBe(true)
    expect(log.shown()).toEqual([3, 5])
    expect(selectFoundCount(log.snapshot())).toBe(2)
    log.mark(3, 5)
    log.client.write(logOf(numbered(12)))
    expect(log.asked.at(-1)).toEqual({ type: 'search.update' })
    log.grow(11)
    expect(log.shown()).toEqual([3, 5, 11])
  })

  it('says where the reader is, so that the matches around are marked with the result; nothing at the end', () => {
    const log = startLog('line')
    log.client.write(logOf(numbered(1000)))
    const asked = [log.lastFind()]
    log.actor.send({ type: 'log.scroll', viewport: viewport(500, 520) })
    log.type('line 5')
    asked.push(log.lastFind())
    log.actor.send({ type: 'log.scroll', viewport: viewport(980, 1000, { isAtEnd: true }) })
    log.type('line 50')
    asked.push(log.lastFind())
    expect(asked.map(find => find?.near)).toEqual([undefined, 500, undefined])
  })

  it('is not shown while the user types on', () => {
    const log = startLog('a')
    log.client.write(logOf(numbered(10)))
    log.find(1, 2, 3)
    const shown: unknown[] = []
    const press = (text: string): void => {
      log.actor.send({ type: 'log.setText', text })
      log.clock.increment(TYPING_PAUSE - 1)
      shown.push([log.shown(), selectPatternFault(log.snapshot())])
    }
    press('ab')
    log.find(2, 3)
    shown.push(log.shown())
    press('ab(')
    press('ab()')
    log.find(3)
    expect(shown).toEqual([
      [[1, 2, 3], undefined],
      [1, 2, 3],
      [[1, 2, 3], undefined],
      [[1, 2, 3], undefined],
    ])
    expect(log.snapshot().hasTag('searching')).toBe(true)
    log.clock.increment(1)
    expect(log.shown()).toEqual([3])
    expect(log.snapshot().hasTag('searching')).toBe(false)
  })

  it('is made again when lines arrive before its result is shown', () => {
    const log = startLog('')
    log.client.write(logOf(numbered(10)))
    log.actor.send({ type: 'log.setText', text: 'a' })
    const first = log.lastFind()
    log.find(1)
    log.client.write(logOf(numbered(12)))
    expect(log.lastFind()).toMatchObject({ id: (first?.id ?? 0) + 1, query: { pattern: 'a' } })
    log.find(1, 11)
    log.clock.increment(TYPING_PAUSE)
    expect(log.shown()).toEqual([1, 11])
  })

  it('that is ended by clearing the text shows all lines at once', () => {
    const log = startLog('a')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.actor.send({ type: 'log.setText', text: '' })
    expect(isFiltered(log.snapshot())).toBe(false)
    expect(log.shown()).toEqual([0, 1, 2])
  })

  it('uses only the result of the latest request', () => {
    const log = startLog('a')
    log.client.write(logOf(numbered(10)))
    const first = log.lastFind()?.id ?? 0
    log.type('ab')
    log.actor.send({ type: 'search.started', id: first })
    log.actor.send({ type: 'search.found', id: first, numbers: Uint32Array.of(1), end: 0, marks: [] })
    expect(log.snapshot().hasTag('searching')).toBe(true)
    expect(selectFoundCount(log.snapshot())).toBeUndefined()
    log.find(2)
    expect(log.shown()).toEqual([2])
  })

  it('that does not finish within a second is marked slow and changes nothing [12.17]', () => {
    const log = startLog('good')
    log.client.write(logOf(numbered(10)))
    log.find(3, 5)
    log.type('(a+)+$')
    log.begin()
    log.clock.increment(999)
    expect(log.snapshot().context.isSlow).toBe(false)
    log.clock.increment(1)
    expect(log.snapshot().context.isSlow).toBe(true)
    expect(log.shown()).toEqual([3, 5])
    // What was found before goes on being searched for, by another thread.
    expect(log.lastFind()).toMatchObject({ type: 'search.restart', query: { pattern: 'good' } })
    log.find(3, 5, 9)
    expect(log.snapshot().context.isSlow).toBe(true)
    expect(log.snapshot().hasTag('stopped')).toBe(false)
    expect(log.shown()).toEqual([3, 5, 9])
    log.type('better')
    expect(log.snapshot().context.isSlow).toBe(false)
  })

  it('that was the first one and is slow leaves all lines, and ends its thread', () => {
    const log = startLog('(a+)+$')
    log.client.write(logOf(numbered(3)))
    log.begin()
    log.clock.increment(1000)
    expect(log.snapshot().context.isSlow).toBe(true)
    expect(log.snapshot().hasTag('stopped')).toBe(true)
    expect(log.shown()).toEqual([0, 1, 2])
    expect(log.asked.at(-1)).toEqual({ type: 'search.stop' })
  })

  it('that cannot be started shows why, keeps the previous result, and is retried with the next pattern', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.actor.send({ type: 'search.failed', fault: 'serverAway' })
    expect(log.snapshot().context.searchFault).toBe('serverAway')
    expect(log.snapshot().hasTag('stopped')).toBe(true)
    expect(log.shown()).toEqual([0, 1, 2])
    log.type('y')
    expect(log.snapshot().context.searchFault).toBeUndefined()
    expect(log.lastFind()).toMatchObject({ query: { pattern: 'y' } })
  })

  it('does not wait for a thread that is held up by an earlier pattern', () => {
    const log = startLog('(a+)+$')
    log.client.write(logOf(numbered(3)))
    log.begin()
    log.type('b')
    log.clock.increment(400)
    expect(log.lastFind()).toMatchObject({ type: 'search.restart', query: { pattern: 'b' } })
    log.find(1)
    expect(log.shown()).toEqual([1])
    expect(log.snapshot().context.isSlow).toBe(false)
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
    expect(log.snapshot().context.isSlow).toBe(true)
    expect(log.snapshot().hasTag('stopped')).toBe(true)
    expect(log.shown()).toEqual([1])
  })

  it('is not stopped as slow while it has no unanswered request', () => {
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
    expect(log.snapshot().hasTag('stopped')).toBe(false)
  })

  it('is made ready before the first letter is typed', () => {
    const log = startLog()
    log.actor.send({ type: 'log.prepareSearch' })
    expect(log.asked.at(-1)).toEqual({ type: 'search.prepare' })
  })

  it('takes lines that it did not ask for, as when a thread was quicker than its question', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(10)))
    log.find(3)
    log.mark(3)
    log.grow(7)
    log.mark(7)
    expect(log.shown()).toEqual([3, 7])
  })

  it('waits for new lines after it got the match positions of the old ones', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.client.write(logOf(numbered(4)))
    log.mark(1)
    log.clock.increment(1000)
    expect(log.snapshot().context.isSlow).toBe(true)
    expect(log.snapshot().hasTag('stopped')).toBe(true)
  })

  it('with an invalid pattern filters nothing and shows why', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.type('(x')
    expect(selectPatternFault(log.snapshot())).toBe('Unterminated group')
    expect(isFiltered(log.snapshot())).toBe(false)
    expect(log.shown()).toEqual([0, 1, 2])
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
    expect(canReset(log.snapshot())).toBe(false)
    expect(isFiltered(log.snapshot())).toBe(false)
    expect(log.shown()).toEqual([0, 1, 2])
  })

  it('starts again when the client sent older lines', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(3)))
    log.find(1)
    log.mark(1)
    log.client.write(logOf(numbered(4)))
    log.find(0, 1, 3)
    log.mark(0, 1, 3)
    log.clock.increment(10_000)
    expect(log.shown()).toEqual([0, 1, 3])
    expect(log.snapshot().hasTag('stopped')).toBe(false)
  })

  it('keeps the text for the address when typing has come to rest', () => {
    const log = startLog('a')
    log.type('ab')
    log.clock.increment(299)
    log.type('abc')
    log.clock.increment(299)
    expect(log.snapshot().context.addressText).toBe('a')
    log.clock.increment(1)
    expect(log.snapshot().context.addressText).toBe('abc')
  })

  it('requests match positions only near the visible lines, once', () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(1000)))
    log.actor.send({ type: 'log.scroll', viewport: viewport(500, 520) })
    log.find(...Array.from({ length: 1000 }, (_, number) => number))
    const asked = log.asked.filter(command => command.type === 'search.mark')
    expect(asked.map(({ numbers }) => [numbers[0], numbers.at(-1)])).toEqual([[440, 580]])
    log.mark(...(asked[0]?.numbers ?? []))
    log.actor.send({ type: 'log.scroll', viewport: viewport(500, 520) })
    expect(log.asked.filter(command => command.type === 'search.mark')).toHaveLength(1)
    log.actor.send({ type: 'log.scroll', viewport: viewport(510, 530) })
    expect(
      log.asked.filter(command => command.type === 'search.mark').map(({ numbers }) => [numbers[0], numbers.at(-1)]),
    ).toEqual([
      [440, 580],
      [581, 590],
    ])
  })
})

describe('A line that was found', () => {
  const startFound = () => {
    const log = startLog('x')
    log.client.write(logOf(numbered(1000)))
    log.actor.send({ type: 'log.scroll', viewport: viewport(500, 520) })
    log.find(100, 505, 510, 900)
    return log
  }

  it('is reached from the visible range, and scrolled into view when hidden', () => {
    const log = startFound()
    log.actor.send({ type: 'log.next' })
    expect(selectSelectedLine(log.snapshot())).toBe(505)
    expect(selectMatchNumber(log.snapshot())).toBe(2)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 500, offset: 0 })
    log.actor.send({ type: 'log.next' })
    log.actor.send({ type: 'log.next' })
    expect(selectSelectedLine(log.snapshot())).toBe(900)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 900, offset: -100 })
    log.actor.send({ type: 'log.next' })
    expect(selectSelectedLine(log.snapshot())).toBe(100)
    log.actor.send({ type: 'log.previous' })
    expect(selectSelectedLine(log.snapshot())).toBe(900)
  })

  it('is stepped to backwards', () => {
    const log = startFound()
    log.actor.send({ type: 'log.previous' })
    expect(selectSelectedLine(log.snapshot())).toBe(510)
  })

  it('is shown among all lines, and the steps go on among those found', () => {
    const log = startFound()
    log.actor.send({ type: 'log.showContext' })
    expect(showsContext(log.snapshot())).toBe(false)
    log.actor.send({ type: 'log.select', number: 510 })
    log.actor.send({ type: 'log.showContext' })
    expect(showsContext(log.snapshot())).toBe(true)
    expect(log.shown().length).toBe(1000)
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 510, offset: -100 })
    log.actor.send({ type: 'log.next' })
    expect(selectSelectedLine(log.snapshot())).toBe(900)
    expect(log.shown().length).toBe(1000)
    log.actor.send({ type: 'log.showFound' })
    expect(log.shown()).toEqual([100, 505, 510, 900])
    expect(selectScrollPosition(log.snapshot())).toEqual({ number: 900, offset: -100 })
  })

  it('is not chosen any more when another search does not find it', () => {
    const log = startFound()
    log.actor.send({ type: 'log.select', number: 510 })
    log.type('y')
    log.find(505, 510)
    expect(selectSelectedLine(log.snapshot())).toBe(510)
    log.type('z')
    log.find(505)
    expect(selectSelectedLine(log.snapshot())).toBeUndefined()
  })
})
