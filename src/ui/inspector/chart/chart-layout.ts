import type { ELK, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { Chart, ChartArrow, ChartLine, ChartState } from './chart-model.ts'

/** All lengths are in CSS pixels, from the top left corner of the drawing. */
type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export type PlacedState = Place & { readonly state: ChartState; readonly texts: StateText }
export type PlacedArrow = {
  readonly arrow: ChartArrow
  /** Corners of the line. */
  readonly way: readonly ChartPoint[]
  /** Undefined for the arrow to an initial state. */
  readonly label: (Place & { readonly lines: readonly ChartLine[] }) | undefined
}
export type ChartPoint = { readonly x: number; readonly y: number }

export type PlacedChart = {
  readonly width: number
  readonly height: number
  /** Parents before children. */
  readonly states: readonly PlacedState[]
  readonly arrows: readonly PlacedArrow[]
  /** Centers of the dots before initial states. */
  readonly dots: readonly ChartPoint[]
}

/** Lines of text in a state's box. */
export type StateText = { readonly description: readonly string[]; readonly lines: readonly ChartLine[] }

/** Heights of lines and widths of characters are constants, so that a drawing does not depend on installed fonts. */
export const TITLE = 26
export const LINE = 15
export const PAD = 10
const TITLE_CHARACTER_WIDTH = 7.6
const CHARACTER_WIDTH = 6.4
const LONGEST = 46
export const DOT = 5
const MARGIN = 12

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': `[top=${MARGIN},left=${MARGIN},bottom=${MARGIN},right=${MARGIN}]`,
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
}

/** Lays out a chart. Deterministic. */
export async function layoutChart(chart: Chart, elk: Pick<ELK, 'layout'>): Promise<PlacedChart> {
  const texts = new Map<string, StateText>()
  const graph: ElkNode = {
    id: ':drawing',
    layoutOptions: OPTIONS,
    children: [boxOf(chart.root, texts)],
    edges: [...chart.arrows.map(edgeOf), ...startsOf(chart.root)],
  }
  return readPlaces(await elk.layout(graph), chart, texts)
}

function textsOf({ description, lines }: ChartState): StateText {
  return {
    description: wrap(description),
    lines: lines.map(shorten),
  }
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map(line => line.length)) * CHARACTER_WIDTH
}

function boxOf(state: ChartState, texts: Map<string, StateText>): ElkNode {
  const written = textsOf(state)
  texts.set(state.id, written)
  const width = Math.ceil(
    Math.max(
      state.name.length * TITLE_CHARACTER_WIDTH,
      widthOf(written.description),
      widthOf(written.lines.map(({ text }) => text)),
    ) +
      PAD * 2 +
      8,
  )
  const height = TITLE + (written.description.length + written.lines.length) * LINE + PAD
  if (state.states.length === 0) return { id: state.id, width, height }
  return {
    id: state.id,
    layoutOptions: {
      'elk.padding': `[top=${height + PAD},left=${PAD + 6},bottom=${PAD + 6},right=${PAD + 6}]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width},${height})`,
    },
    children: [
      ...(state.initial === undefined ? [] : [{ id: startOf(state), width: DOT * 2, height: DOT * 2 }]),
      ...state.states.map(child => boxOf(child, texts)),
    ],
  }
}

function startOf({ id }: ChartState): string {
  return `${id}:start`
}

function startsOf(state: ChartState): readonly ElkExtendedEdge[] {
  return [
    ...(state.initial === undefined
      ? []
      : [{ id: `${startOf(state)} →`, sources: [startOf(state)], targets: [state.initial] }]),
    ...state.states.flatMap(startsOf),
  ]
}

function edgeOf({ id, from, to, lines }: ChartArrow): ElkExtendedEdge {
  const texts = lines.map(line => shorten(line).text)
  return {
    id,
    sources: [from],
    targets: [to],
    labels: [{ text: texts.join('\n'), width: Math.ceil(widthOf(texts)) + 8, height: texts.length * LINE + 4 }],
  }
}

function shorten(line: ChartLine): ChartLine {
  return line.text.length <= LONGEST ? line : { ...line, text: `${line.text.slice(0, LONGEST - 1)}…` }
}

function wrap(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(each => each !== '')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < LONGEST) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function readPlaces(laid: ElkNode, chart: Chart, texts: ReadonlyMap<string, StateText>): PlacedChart {
  const places = new Map<string, Place>()
  const gather = (node: ElkNode): void => {
    places.set(node.id, placeOf(node))
    for (const child of node.children ?? []) gather(child)
  }
  gather(laid)
  const states = statesOf(chart.root)
  const dots = states.flatMap(state => {
    const place = places.get(startOf(state))
    return place === undefined ? [] : [{ x: place.x + DOT, y: place.y + DOT }]
  })
  return {
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    states: states.flatMap(state => {
      const place = places.get(state.id)
      return place === undefined ? [] : [{ ...place, state, texts: texts.get(state.id) ?? textsOf(state) }]
    }),
    arrows: placedArrows(laid, chart),
    dots,
  }
}

function placedArrows(laid: ElkNode, { arrows }: Chart): readonly PlacedArrow[] {
  const arrowsById = new Map(arrows.map(arrow => [arrow.id, arrow]))
  return edgesIn(laid).flatMap(({ id, sources, targets, sections, labels }) => {
    const section = sections?.[0]
    if (section === undefined) return []
    const arrow = arrowsById.get(id) ?? { id, from: sources[0] ?? '', to: targets[0] ?? '', lines: [] }
    const label = labels?.[0]
    return [
      {
        arrow,
        way: [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => ({
          x: round(x),
          y: round(y),
        })),
        label: label === undefined ? undefined : { ...placeOf(label), lines: arrow.lines.map(shorten) },
      },
    ]
  })
}

function edgesIn(node: ElkNode): readonly ElkExtendedEdge[] {
  return [...(node.edges ?? []), ...(node.children ?? []).flatMap(edgesIn)]
}

function statesOf(state: ChartState): readonly ChartState[] {
  return [state, ...state.states.flatMap(statesOf)]
}

function round(length: number | undefined): number {
  return Math.round((length ?? 0) * 10) / 10
}

function placeOf({ x, y, width, height }: Partial<Place>): Place {
  return {
    x: round(x),
    y: round(y),
    width: round(width),
    height: round(height),
  }
}
