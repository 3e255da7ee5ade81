import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripAnsi } from './log-line.ts'
import { LONGEST_LINE, paintLine, type LogPiece } from './log-spans.ts'

const words = (pieces: readonly LogPiece[]) =>
  pieces.map(({ text, colour, ground, ...is }) => [
    text,
    ...(colour === undefined ? [] : [colour]),
    ...(ground === undefined ? [] : [`on ${ground}`]),
    ...Object.entries(is).flatMap(([name, holds]) => (holds ? [name] : [])),
  ])

describe('A painted line', () => {
  it('has a head and a text', () => {
    expect(words(paintLine('12:00:00:I1:WU20:done'))).toEqual([['12:00:00:I1:', 'isHead'], ['WU20:done']])
    expect(words(paintLine('no head'))).toEqual([['no head']])
    expect(paintLine('')).toEqual([])
  })

  it('has the colours that it asks for', () => {
    expect(words(paintLine('\u001b[93m12:00:00:W :x\u001b[0m'))).toEqual([
      ['12:00:00:W :', 'yellow', 'isHead'],
      ['x', 'yellow'],
    ])
    expect(words(paintLine('a\u001b[1;31mb\u001b[0;44mc\u001b[0m'))).toEqual([
      ['a'],
      ['b', 'red', 'isBold'],
      ['c', 'on blue'],
    ])
    expect(words(paintLine('\u001b[3;4;9;2mx'))).toEqual([['x', 'isDim', 'isItalic', 'isUnderlined', 'isStruck']])
  })

  it('has the nearest colour of the page’s own for one of millions', () => {
    expect(words(paintLine('\u001b[38;2;250;90;80ma\u001b[38;5;46mb'))).toEqual([
      ['a', 'red'],
      ['b', 'green'],
    ])
  })

  it('is marked where something was found, across colours and head', () => {
    expect(words(paintLine('\u001b[91m12:00:00:E :ab\u001b[0mcd', { marks: [10, 14, 15, 16] }))).toEqual([
      ['12:00:00:E', 'red', 'isHead'],
      [' :', 'red', 'isHead', 'isFound'],
      ['ab', 'red', 'isFound'],
      ['c'],
      ['d', 'isFound'],
    ])
  })

  it('shows another time of day without moving anything', () => {
    expect(words(paintLine('12:00:00:I1:abc', { marks: [12, 13], clock: '13:00:00' }))).toEqual([
      ['13:00:00:I1:', 'isHead'],
      ['a', 'isFound'],
      ['bc'],
    ])
    expect(words(paintLine('no time', { clock: '13:00:00' }))).toEqual([['no time']])
  })

  it('says what the line says without escapes, whatever these are', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\u001b[',
        '\u001b[31m',
        '\u001b[0m',
        '\u001b[2J',
        '\u001b',
        '\u001b[1;38;5;4m',
        '<b>',
        '\u001b]8;;x',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(part).map(parts => parts.join('')),
        fc.array(fc.nat(40)),
        (line, places) => {
          const marks = [...new Set(places)].sort((a, b) => a - b)
          expect(
            paintLine(line, { marks })
              .map(({ text }) => text)
              .join(''),
          ).toBe(stripAnsi(line))
        },
      ),
    )
  })

  it('is cut where it is too long to be laid out', () => {
    const text = paintLine('x'.repeat(LONGEST_LINE + 5))
      .map(piece => piece.text)
      .join('')
    expect([text.length, text.at(-1)]).toEqual([LONGEST_LINE + 1, '…'])
  })
})
