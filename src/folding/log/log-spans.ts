/* Splits a log line into spans of one style: ANSI colors, search matches, and the dimmed head. */
import Anser from 'anser'
import { stripAnsi } from './log-line.ts'
import type { MatchRanges } from './log-search.ts'

/** ANSI color names; the page has its own colors for them. */
export type LogColor = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white'

export type LogTextSpan = {
  readonly text: string
  /** Time, level and colons: `13:29:50:I1:`. */
  readonly isHead: boolean
  readonly isMatch: boolean
  readonly color: LogColor | undefined
  readonly background: LogColor | undefined
  readonly isBold: boolean
  readonly isDim: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly isStruck: boolean
}

/** Longer lines are cut: laying out megabytes in one line would block the page. */
export const MAX_LINE_LENGTH = 20_000

/**
 * The spans of a line. `marks`: matches as offsets in the line without escapes. `clock`: the time of day (HH:MM:SS) to show
 * instead of the line's own.
 */
export function splitIntoSpans(
  line: string,
  { marks = [], clock }: { readonly marks?: MatchRanges; readonly clock?: string | undefined } = {},
): readonly LogTextSpan[] {
  const runs = runsOf(line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line)
  const text = runs.map(run => run.text).join('')
  const head = HEAD.exec(text)?.[0].length ?? 0
  const shown = clock === undefined || head === 0 ? text : clock + text.slice(clock.length)
  const pieces: LogTextSpan[] = []
  let start = 0
  for (const run of runs) {
    const end = start + run.text.length
    for (const [from, to] of splitAt(start, end, [head, ...marks])) {
      pieces.push({ ...run, text: shown.slice(from, to), isHead: to <= head, isMatch: isWithin(marks, from) })
    }
    start = end
  }
  return pieces
}

const HEAD = /^\d\d:\d\d:\d\d\s*:\s*[A-Z]\d?\s*:/

type Run = Omit<LogTextSpan, 'isHead' | 'isMatch'>

const plain: Omit<Run, 'text'> = {
  color: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
}

const ESCAPE = '\u001b'

function runsOf(line: string): readonly Run[] {
  if (!line.includes(ESCAPE)) return line === '' ? [] : [{ ...plain, text: line }]
  const runs = Anser.ansiToJson(line, { json: true, remove_empty: true }).map(
    ({ content, fg, bg, decorations }): Run => ({
      text: content,
      color: colorOf(fg),
      background: colorOf(bg),
      isBold: decorations.includes('bold'),
      isDim: decorations.includes('dim'),
      isItalic: decorations.includes('italic'),
      isUnderlined: decorations.includes('underline'),
      isStruck: decorations.includes('strikethrough'),
    }),
  )
  // The offsets of matches are valid only for the text that `stripAnsi` gives.
  const text = stripAnsi(line)
  return runs.map(run => run.text).join('') === text ? runs : [{ ...plain, text }]
}

type Rgb = readonly [red: number, green: number, blue: number]

// ANSI colors and their bright variants, as Anser gives them.
const palette: readonly (readonly [LogColor, Rgb])[] = [
  ['black', [0, 0, 0]],
  ['black', [85, 85, 85]],
  ['red', [187, 0, 0]],
  ['red', [255, 85, 85]],
  ['green', [0, 187, 0]],
  ['green', [0, 255, 0]],
  ['yellow', [187, 187, 0]],
  ['yellow', [255, 255, 85]],
  ['blue', [0, 0, 187]],
  ['blue', [85, 85, 255]],
  ['magenta', [187, 0, 187]],
  ['magenta', [255, 85, 255]],
  ['cyan', [0, 187, 187]],
  ['cyan', [85, 255, 255]],
  ['white', [255, 255, 255]],
  ['white', [187, 187, 187]],
]

/** The nearest named color, since those are readable in both themes. */
function colorOf(written: string | null): LogColor | undefined {
  const parts = (written ?? '').split(',').map(Number)
  const [red, green, blue] = parts
  if (red === undefined || green === undefined || blue === undefined || parts.some(part => !Number.isFinite(part)))
    return undefined
  let nearest: { readonly name: LogColor; readonly distance: number } | undefined
  for (const [name, [r, g, b]] of palette) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (nearest === undefined || distance < nearest.distance) nearest = { name, distance }
  }
  return nearest?.name
}

/** The range from `start` to `end`, split at `cuts`. */
function splitAt(
  start: number,
  end: number,
  cuts: readonly number[],
): readonly (readonly [from: number, to: number])[] {
  const edges = [...new Set([start, ...cuts.filter(cut => cut > start && cut < end), end])].sort((a, b) => a - b)
  return edges.slice(1).map((to, index) => [edges[index] ?? start, to])
}

function isWithin(marks: MatchRanges, place: number): boolean {
  for (let index = 0; index + 1 < marks.length; index += 2) {
    if ((marks[index] ?? 0) <= place && place < (marks[index + 1] ?? 0)) return true
  }
  return false
}
