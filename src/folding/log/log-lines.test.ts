import fc from 'fast-check'
import { produce } from 'immer'
import { describe, expect, it } from 'vitest'
import { MAX_LOG_LINES } from '../shared/memory-limits.ts'
import { packLines, unpackLines } from '../../protocol/client/packed-lines.ts'
import { appendLog as appendPacked, emptyLog, replaceLog as replacePacked, type LogLines } from './log-lines.ts'
import { logOf } from '../../../test/folding/log.ts'

function appendLog(log: LogLines, lines: readonly string[], cap?: number): LogLines {
  return appendPacked(log, packLines(lines), cap)
}
function replaceLog(log: LogLines, lines: readonly string[], cap?: number): LogLines {
  return replacePacked(log, packLines(lines), cap)
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `line ${from + index}`)
}

describe('a log', () => {
  it('is empty at first', () => {
    expect(emptyLog.first).toBe(0)
    expect(emptyLog.end).toBe(0)
    expect(emptyLog.length).toBe(0)
    expect(emptyLog.at(0)).toBeUndefined()
    expect(emptyLog.toArray()).toEqual([])
  })

  it('gives back every line by its number and any range of lines', () => {
    const log = logOf(numbered(0, 2000))
    expect(log.length).toBe(2000)
    expect(log.at(0)).toBe('line 0')
    expect(log.at(511)).toBe('line 511')
    expect(log.at(512)).toBe('line 512')
    expect(log.at(1999)).toBe('line 1999')
    expect(log.at(2000)).toBeUndefined()
    expect(log.at(-1)).toBeUndefined()
    expect(log.at(1.5)).toBeUndefined()
    expect([...log.range(510, 514)]).toEqual(numbered(510, 514))
    expect([...log.range(-5, 2)]).toEqual(numbered(0, 2))
    expect([...log.range(1998, 9999)]).toEqual(numbered(1998, 2000))
    expect([...log.range(9, 3)]).toEqual([])
  })

  it('gives the length and the bytes of a line without decoding it', () => {
    const log = logOf(['ab', '', 'é'])
    expect([0, 1, 2, 3, -1].map(number => log.bytesAt(number))).toEqual([2, 0, 2, 0, 0])
    const { bytes, start, end } = log.locate(2) ?? { bytes: new Uint8Array(), start: 0, end: 0 }
    expect([...bytes.subarray(start, end)]).toEqual([0xc3, 0xa9])
    expect(log.locate(3)).toBeUndefined()
    expect(log.locate(-1)).toBeUndefined()
    expect(log.locate(0.5)).toBeUndefined()
  })

  it('stays the same list when nothing is appended', () => {
    const log = logOf(['a'])
    expect(appendLog(log, [])).toBe(log)
  })

  it('does not change when two newer lists are appended to it', () => {
    const old = logOf(numbered(0, 600))
    const left = appendLog(old, ['left'])
    const right = appendLog(old, ['right'])
    const further = appendLog(left, ['further'])
    expect(old.at(600)).toBeUndefined()
    expect(old.length).toBe(600)
    expect(left.at(600)).toBe('left')
    expect(right.at(600)).toBe('right')
    expect([...further.range(599, 999)]).toEqual(['line 599', 'left', 'further'])
  })

  it('passes through Immer as one value', () => {
    const state = { log: logOf(['a']), other: 1 }
    const next = produce(state, draft => {
      draft.other = 2
      draft.log = appendLog(draft.log, ['b'])
    })
    expect(state.log.toArray()).toEqual(['a'])
    expect(next.log.toArray()).toEqual(['a', 'b'])
    expect(produce(next, draft => void (draft.other = 3)).log).toBe(next.log)
  })

  it('is trimmed by the excess and a further third of the cap, and lines keep their numbers [9.14]', () => {
    const full = logOf(numbered(0, 90), 90)
    expect({ first: full.first, full: full.length }).toEqual({ first: 0, full: 90 })
    const trimmed = appendLog(full, numbered(90, 95), 90)
    expect(trimmed.first).toBe(35)
    expect(trimmed.end).toBe(95)
    expect(trimmed.length).toBe(60)
    expect(trimmed.at(34)).toBeUndefined()
    expect(trimmed.toArray()).toEqual(numbered(35, 95))
    expect(full.toArray()).toEqual(numbered(0, 90))
  })

  it('keeps the real cap for any batch size', () => {
    const log = logOf(numbered(0, 250_000))
    expect(log.length).toBe(MAX_LOG_LINES - Math.floor(MAX_LOG_LINES / 3))
    expect(log.end).toBe(250_000)
    expect(log.at(249_999)).toBe('line 249999')
  })

  it('holds no more than so many bytes, however few the lines are, and lines keep their numbers', () => {
    const long = (number: number): string => `${number} ${'x'.repeat(1000)}`
    let log = emptyLog
    for (let number = 0; number < 300; number++) log = appendPacked(log, packLines([long(number)]), 1000, 60_000)
    expect(log.end).toBe(300)
    expect(log.at(299)).toBe(long(299))
    expect(log.at(log.first)).toBe(long(log.first))
    expect(log.length).toBeGreaterThan(30)
    expect(log.length).toBeLessThan(60)
    // What is trimmed is let go, though it lay in one chunk with what is kept.
    const held = [...log.runs(log.first, log.end)].reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(held).toBeLessThan(250_000)
    expect(appendPacked(log, packLines(['y'.repeat(70_000)]), 1000, 60_000).length).toBe(0)
  })

  it('equals a plain list, whatever is appended, branched and trimmed', () => {
    const step = fc.record({ from: fc.nat(6), count: fc.nat(700) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.integer({ min: 3, max: 1500 }), (steps, cap) => {
        const versions = [{ log: emptyLog, plain: [] as string[], first: 0 }]
        let serial = 0
        for (const { from, count } of steps) {
          const base = versions[from % versions.length]
          if (base === undefined) continue
          const lines = Array.from({ length: count }, () => `${serial++}`)
          const all = [...base.plain, ...lines]
          const gone = all.length > cap && count > 0 ? Math.min(all.length, all.length - cap + Math.floor(cap / 3)) : 0
          versions.push({
            log: appendLog(base.log, lines, cap),
            plain: all.slice(gone),
            first: base.first + gone,
          })
        }
        for (const { log, plain, first } of versions) {
          expect(log.toArray()).toEqual(plain)
          expect(unpackLines(log.pack(first + 2, first + 600))).toEqual(plain.slice(2, 600))
          expect({ first: log.first, end: log.end }).toEqual({ first: first, end: first + plain.length })
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a log sent again as a whole', () => {
  it('keeps its numbers when it is the same log, grown meanwhile', () => {
    const log = logOf(numbered(0, 100))
    const again = replaceLog(log, numbered(0, 130))
    expect({ first: again.first, end: again.end }).toEqual({ first: 0, end: 130 })
    expect(again.at(57)).toBe('line 57')
  })

  it('keeps its numbers when the client has dropped old lines, or we have', () => {
    const log = logOf(numbered(0, 100))
    const shorter = replaceLog(log, numbered(40, 130))
    expect(shorter.first).toBe(40)
    expect(shorter.end).toBe(130)
    expect(shorter.at(57)).toBe('line 57')
    const trimmed = logOf(numbered(0, 95), 90)
    expect(replaceLog(trimmed, numbered(0, 100), 1000).at(57)).toBe('line 57')
  })

  it('goes on counting when it is another log', () => {
    const again = replaceLog(logOf(numbered(0, 100)), ['new 0', 'new 1'])
    expect(again.first).toBe(100)
    expect(again.end).toBe(102)
    expect(again.at(99)).toBeUndefined()
    expect(again.at(100)).toBe('new 0')
  })

  it('may be empty, which is not the same as not to be known yet', () => {
    expect(replaceLog(logOf(['a']), []).length).toBe(0)
    expect(replaceLog(emptyLog, [])).not.toBe(emptyLog)
    expect(replaceLog(emptyLog, ['a']).toJSON()).toEqual({ first: 0, lines: ['a'] })
  })
})
