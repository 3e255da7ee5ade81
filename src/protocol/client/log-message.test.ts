import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeClientContent } from './client-message.ts'
import { readLogMessage, readLogTail } from './log-message.ts'
import { unpackLines } from './packed-lines.ts'

function read(text: string) {
  const message = readLogMessage(text)
  return message === undefined ? undefined : { replace: message.replace, lines: unpackLines(message.lines) }
}

function parsed(text: string) {
  const [fact, ...others] = decodeClientContent(JSON.parse(text) as never)
  if (fact?.type !== 'log.received' || others.length > 0) throw new Error('It is no log.')
  return { replace: fact.replace, lines: unpackLines(fact.lines) }
}

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map(code => String.fromCharCode(code)) })
const lines = fc.array(
  fc.oneof(ascii, fc.constantFrom('', '\\', '"', '","', '\\"]]', '\u001b[93mW\u001b[0m', 'line\r\n')),
  { minLength: 1, maxLength: 80 },
)

describe('A log message', () => {
  it('of ASCII is parsed like JSON', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (said, isMore) => {
        const text = JSON.stringify(isMore ? ['log', -2, said] : ['log', said])
        expect(read(text)).toEqual({ replace: !isMore, lines: said })
      }),
    )
  })

  it('may contain any escapes', () => {
    const text = '["log",["\\u0041\\u007F\\/\\"\\\\\\b\\f\\n\\r\\t","\\u001b"]]'
    expect(read(text)).toEqual(parsed(text))
  })

  it('is parsed like JSON or left to the JSON parser, whatever is broken in it', () => {
    const piece = fc.constantFrom(
      '["log",[',
      '["log",-2,[',
      '"',
      '",',
      '","',
      '\\',
      'u00',
      '\\u001b',
      'u00e9',
      ',',
      ']',
      ']]',
      '"]]',
      'a',
      ' ',
      '\n',
      'é',
      '\ud83d',
      '1',
      '{}',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isWhole) => {
        const text = isWhole ? `["log",["${pieces.join('')}"]]` : pieces.join('')
        const found = read(text)
        if (found !== undefined) expect(found).toEqual(parsed(text))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['letters beyond ASCII', '["log",["é"]]'],
    ['escapes of such letters', '["log",["\\u00e9"]]'],
    ['half a character', '["log",["\\ud83d"]]'],
    ['other things than lines', '["log",["a",1]]'],
    ['nothing', '["log",[]]'],
    ['one line', '["log",-1,"a"]'],
    ['blanks between lines', '["log", ["a", "b"]]'],
    ['something behind it', '["log",["a"]] '],
    ['an end too few', '["log",["a"]'],
    ['a line that never ends', '["log",["a'],
    ['a line break within a line', '["log",["a\nb"]]'],
    ['something else', '["wus",["a"]]'],
  ])('with %s is left to the JSON parser', (_, text) => {
    expect(read(text)).toBeUndefined()
  })
})

describe('The end of a log message', () => {
  const long = (end: readonly string[] = []) => [
    ...Array.from({ length: 6000 }, (_, number) => `12:00:00:I1:WU1:Completed ${number} of 250000 steps`),
    ...end,
  ]
  const said = (log: readonly string[], head: readonly unknown[] = ['log']) => JSON.stringify([...head, log])
  const readTail = (text: string) => {
    const tail = readLogTail(text)
    return tail === undefined ? undefined : { before: tail.before, lines: unpackLines(tail.lines) }
  }

  it('is the last lines, and more than fit any window', () => {
    const log = long()
    const tail = readTail(said(log))
    expect(tail?.lines).toEqual(log.slice(-(tail?.lines.length ?? 0)))
    expect(tail?.before).toBe(log.length - (tail?.lines.length ?? 0))
    expect(tail?.lines.length).toBeGreaterThan(500)
    expect(tail?.lines.length).toBeLessThan(2000)
  })

  it('is the last lines whatever they contain, with at least as many numbers before them as there are lines', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 40 }), (end, times) => {
        const filler = ','.repeat(20_000 * (times % 4))
        const log = long([...Array.from({ length: times }, () => end).flat(), filler, ...end])
        const tail = readTail(said(log))
        if (tail === undefined) return
        expect(tail.lines).toEqual(log.slice(-tail.lines.length))
        expect(tail.before).toBeGreaterThanOrEqual(log.length - tail.lines.length)
      }),
    )
  })

  it('begins at no quotes within a line', () => {
    const log = long(Array.from({ length: 3000 }, () => 'a","b\\","\\\\'))
    const tail = readTail(said(log))
    expect(tail?.lines).toEqual(log.slice(-(tail?.lines.length ?? 0)))
  })

  it.each([
    ['a short log', said(['a', 'b'])],
    ['lines that are appended', said(long(), ['log', -2])],
    ['one long line', said([...long(), 'a'.repeat(1 << 17)])],
    ['an end that is cut off', said(long()).slice(0, -1)],
    ['letters beyond ASCII', said(long(['é']))],
    ['another message', said(long(), ['wus'])],
  ])('of %s is not read ahead', (_, text) => {
    expect(readLogTail(text)).toBeUndefined()
  })
})
