import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripAnsi } from './log-line.ts'
import { MAX_LINE_LENGTH, splitIntoSpans, type LogTextSpan } from './log-spans.ts'

function words(pieces: readonly LogTextSpan[]) {
  return pieces.map(({ text, color, background, ...is }) => [
    text,
    ...(color === undefined ? [] : [color]),
    ...(background === undefined ? [] : [`on ${background}`]),
    ...Object.entries(is).flatMap(([name, holds]) => (holds ? [name] : [])),
  ])
}

describe('The spans of a line', () => {
  it('has a head and a text', () => {
    expect(words(splitIntoSpans('12:00:00:I1:WU20:done'))).toEqual([['12:00:00:I1:', 'isHead'], ['WU20:done']])
    expect(words(splitIntoSpans('no head'))).toEqual([['no head']])
    expect(splitIntoSpans('')).toEqual([])
  })

  it('have the colors of its escapes', () => {
    expect(words(splitIntoSpans('\u001b[93m12:00:00:W :x\u001b[0m'))).toEqual([
      ['12:00:00:W :', 'yellow', 'isHead'],
      ['x', 'yellow'],
    ])
    expect(words(splitIntoSpans('a\u001b[1;31mb\u001b[0;44mc\u001b[0m'))).toEqual([
      ['a'],
      ['b', 'red', 'isBold'],
      ['c', 'on blue'],
    ])
    expect(words(splitIntoSpans('\u001b[3;4;9;2mx'))).toEqual([['x', 'isDim', 'isItalic', 'isUnderlined', 'isStruck']])
  })

  it('have the nearest named color for RGB colors', () => {
    expect(words(splitIntoSpans('\u001b[38;2;250;90;80ma\u001b[38;5;46mb'))).toEqual([
      ['a', 'red'],
      ['b', 'green'],
    ])
  })

  it('mark matches across colors and head', () => {
    expect(words(splitIntoSpans('\u001b[91m12:00:00:E :ab\u001b[0mcd', { marks: [10, 14, 15, 16] }))).toEqual([
      ['12:00:00:E', 'red', 'isHead'],
      [' :', 'red', 'isHead', 'isMatch'],
      ['ab', 'red', 'isMatch'],
      ['c'],
      ['d', 'isMatch'],
    ])
  })

  it('show another time of day of the same length', () => {
    expect(words(splitIntoSpans('12:00:00:I1:abc', { marks: [12, 13], clock: '13:00:00' }))).toEqual([
      ['13:00:00:I1:', 'isHead'],
      ['a', 'isMatch'],
      ['bc'],
    ])
    expect(words(splitIntoSpans('no time', { clock: '13:00:00' }))).toEqual([['no time']])
  })

  it('have the text without escapes', () => {
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
            splitIntoSpans(line, { marks })
              .map(({ text }) => text)
              .join(''),
          ).toBe(stripAnsi(line))
        },
      ),
    )
  })

  it('are cut for very long lines', () => {
    const text = splitIntoSpans('x'.repeat(MAX_LINE_LENGTH + 5))
      .map(piece => piece.text)
      .join('')
    expect({ text: text.length, lastText: text.at(-1) }).toEqual({ text: MAX_LINE_LENGTH + 1, lastText: '…' })
  })
})
