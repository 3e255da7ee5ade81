import { describe, expect, it } from 'vitest'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { numbered, startClient, startLog, sight } from '../../../../test/machines/log.ts'
import { logOf } from '../../../folding/log-lines.ts'
import type { LogEvent } from './log.events.ts'
import { logMachine } from './log.machine.ts'
import { isFiltered, isFollowing, isLogLoading, selectFoundCount, selectNewLines, selectPercent, selectPlace, selectShown } from './log.selectors.ts'

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
