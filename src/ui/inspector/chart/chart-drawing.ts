import {
  DOT,
  LINE,
  PAD,
  TITLE,
  type PlacedArrow,
  type PlacedChart,
  type PlacedState,
  type ChartPoint,
} from './chart-layout.ts'
import type { ChartLine } from './chart-model.ts'

/** An SVG element. The inspector renders it with React; the documentation writes it to a file. */
export type Piece = {
  readonly tag: 'g' | 'rect' | 'circle' | 'path' | 'text' | 'title'
  readonly key: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly content: readonly Piece[] | string
}

export type Highlights = {
  /** Ids of active states. */
  readonly active: ReadonlySet<string>
  /** Ids of the transitions that were taken last. */
  readonly transitions: ReadonlySet<string>
}

const BASELINE = 11
const ARROW = 7

/**
 * Draws parent states first, arrows above them. `data-part` is the kind of element; `data-lit` marks highlighted ones, with
 * the value `outer` for a state that has a highlighted child.
 */
export function drawChart({ states, arrows, dots }: PlacedChart, lit: Highlights): readonly Piece[] {
  return [
    ...states.map(placed => drawState(placed, lit)),
    ...arrows.map(arrow => drawArrow(arrow, lit)),
    ...dots.map(({ x, y }, index): Piece => ({
      tag: 'circle',
      key: `dot ${index}`,
      attributes: { 'data-part': 'dot', cx: x, cy: y, r: DOT },
      content: [],
    })),
  ]
}

function marked(part: string, isLit: boolean): Record<string, string> {
  return {
    'data-part': part,
    ...(isLit ? { 'data-lit': 'true' } : {}),
  }
}

function text(part: string, key: string, at: ChartPoint, texts: string, isLit = false): Piece {
  return {
    tag: 'text',
    key,
    attributes: { ...marked(part, isLit), x: at.x, y: at.y },
    content: texts,
  }
}

function drawState({ state, texts, x, y, width, height }: PlacedState, { active, transitions }: Highlights): Piece {
  const isLit = active.has(state.id)
  const left = x + PAD
  let at = y + TITLE + BASELINE - 3
  const next = (): number => {
    at += LINE
    return at - LINE
  }
  const box = { x, y, width, height, rx: state.kind === 'final' ? 14 : 6 }
  return {
    tag: 'g',
    key: state.id,
    attributes: {
      ...marked(state.kind === 'parallel' ? 'parallel' : 'state', isLit),
      ...(isLit && state.states.length > 0 ? { 'data-lit': 'outer' } : {}),
      'data-state': state.id,
    },
    content: [
      { tag: 'rect', key: 'box', attributes: box, content: [] },
      ...(state.kind === 'final'
        ? [
            {
              tag: 'rect',
              key: 'inner',
              attributes: { x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 11 },
              content: [],
            } as const,
          ]
        : []),
      text('name', 'name', { x: left, y: y + 18 }, state.kind === 'history' ? `${state.name} (as before)` : state.name),
      ...texts.description.map((line, index) => text('description', `d${index}`, { x: left, y: next() }, line)),
      ...texts.lines.map((line, index) =>
        text('line', `l${index}`, { x: left, y: next() }, line.text, isTaken(line, transitions)),
      ),
    ],
  }
}

function isTaken({ transition }: ChartLine, transitions: ReadonlySet<string>): boolean {
  return transition !== undefined && transitions.has(transition)
}

function drawArrow({ arrow, way, label }: PlacedArrow, { transitions }: Highlights): Piece {
  const isLit = arrow.lines.some(line => isTaken(line, transitions))
  const lines = arrow.lines.map(({ text: texts }) => texts).join('\n')
  return {
    tag: 'g',
    key: arrow.id,
    attributes: marked('arrow', isLit),
    content: [
      ...(lines === '' ? [] : [{ tag: 'title', key: 'title', attributes: {}, content: lines } as const]),
      { tag: 'path', key: 'way', attributes: { 'data-part': 'way', d: wayOf(way) }, content: [] },
      { tag: 'path', key: 'head', attributes: { 'data-part': 'head', d: headOf(way) }, content: [] },
      ...(label === undefined
        ? []
        : label.lines.map((line, index) =>
            text(
              'label',
              `t${index}`,
              { x: label.x + 4, y: label.y + BASELINE + 2 + index * LINE },
              line.text,
              isTaken(line, transitions),
            ),
          )),
    ],
  }
}

function wayOf(way: readonly ChartPoint[]): string {
  return way.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function tenth(length: number): number {
  return Math.round(length * 10) / 10
}

function headOf(way: readonly ChartPoint[]): string {
  const end = way.at(-1) ?? { x: 0, y: 0 }
  const before = way.at(-2) ?? end
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1
  const [dx, dy] = [((end.x - before.x) / length) * ARROW, ((end.y - before.y) / length) * ARROW]
  const corner = (side: number): string => `${tenth(end.x - dx + dy * side)} ${tenth(end.y - dy - dx * side)}`
  return `M${end.x} ${end.y}L${corner(0.5)}L${corner(-0.5)}Z`
}
