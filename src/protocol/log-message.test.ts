import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeClientContent } from './client-message.ts'
import { readLogMessage } from './log-message.ts'
import { unpackLines } from './packed-lines.ts'

const read = (text: string) => {
  const message = readLogMessage(text)
  return message === undefined ? undefined : { replace: message.replace, lines: unpackLines(message.lines) }
}

const parsed = (text: string) => {
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
