import { cellsBetween, placeOf, type MapLayout } from '../../../../folding/fleet/fleet-map.ts'
import {
  clientStatusAppearance,
  CLIENT_STATUSES,
  type ClientFacts,
  type ClientStatus,
} from '../../../../folding/fleet/client-facts.ts'
import { formatCompact } from '../../../../folding/text/format.ts'
import { STATE_MARKS, STRONG_STATES } from './map-marks.tsx'
import { isolated, isRightToLeft } from '../../../../folding/text/direction.ts'

export type MapPicture = {
  readonly layout: MapLayout
  /** In the order of the layout's positions. */
  readonly clients: readonly ClientFacts[]
  /** Ids of selected clients. */
  readonly selected: ReadonlySet<string>
  /** How far the map is scrolled, and the size of the part in view, CSS pixels. */
  readonly top: number
  readonly width: number
  readonly height: number
}

export type MapPainter = {
  /**
   * Draws the part in view. While only facts of clients changed, only their cells are drawn again. Returns how many
   * cells were drawn.
   */
  readonly paint: (picture: MapPicture) => number
  /** The theme changed: colors are read again, and everything is drawn again by the next `paint`. */
  readonly resetColors: () => void
}

type Colors = { readonly background: string; readonly mark: string }

type Palette = {
  readonly states: ReadonlyMap<ClientStatus, Colors>
  readonly text: string
  readonly quiet: string
  readonly warning: string
  readonly accent: string
  readonly font: string
}

/** A canvas does not understand `light-dark()`, so the browser resolves each token in a style. */
function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement('span')
  host.append(probe)
  const colorOf = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const panel = colorOf('--surface-panel')
  const palette: Palette = {
    states: new Map(
      CLIENT_STATUSES.map(state => {
        const { tone } = clientStatusAppearance(state)
        const strong = colorOf(`--tone-${tone}`)
        return [
          state,
          STRONG_STATES.has(state)
            ? { background: strong, mark: panel }
            : { background: colorOf(`--tone-${tone}-soft`), mark: strong },
        ]
      }),
    ),
    text: colorOf('--text'),
    quiet: colorOf('--text-quiet'),
    warning: colorOf('--tone-warning'),
    accent: colorOf('--accent'),
    font: getComputedStyle(host).getPropertyValue('--font').trim(),
  }
  probe.remove()
  return palette
}

/** Cells from this width on have the name and the points per day of their client. */
const NAMED_WIDTH = 100
const PADDING = 6

function labelOf(client: ClientFacts): string {
  return client.isConnected ? `${formatCompact(client.ppd)} PPD` : clientStatusAppearance(client.state).label
}

/** What a cell looks like: cells with the same text look the same. */
function lookOf(client: ClientFacts, isSelected: boolean, isNamed: boolean): string {
  const signs = `${client.deadlineRisk === 'none' ? '' : '!'}${isSelected ? '+' : ''}`
  return `${client.state} ${signs} ${isNamed ? `${labelOf(client)} ${client.name}` : ''}`
}

/** The text, or as much of it as fits, with an ellipsis. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = Math.min(text.length, 40)
  while (end > 0 && context.measureText(`${text.slice(0, end)}…`).width > width) end--
  return `${text.slice(0, end)}…`
}

const marks = new Map<ClientStatus, Path2D>()

function markOf(state: ClientStatus): Path2D {
  const mark = marks.get(state) ?? new Path2D(STATE_MARKS[state])
  marks.set(state, mark)
  return mark
}

function paintCell(
  context: CanvasRenderingContext2D,
  palette: Palette,
  client: ClientFacts,
  isSelected: boolean,
  { width, height }: MapLayout['cell'],
  isMirrored: boolean,
): void {
  const colors = palette.states.get(client.state)
  if (colors === undefined) return
  const isNamed = width >= NAMED_WIDTH
  context.fillStyle = colors.background
  context.beginPath()
  context.roundRect(0, 0, width, height, width < 16 ? 2 : 4)
  context.fill()
  const size = isNamed ? 16 : Math.round(Math.min(width, height) * (width < 16 ? 0.84 : 0.64))
  context.save()
  context.translate(!isNamed ? (width - size) / 2 : isMirrored ? width - size - PADDING : PADDING, (height - size) / 2)
  context.scale(size / 16, size / 16)
  context.fillStyle = colors.mark
  context.fill(markOf(client.state), 'evenodd')
  context.restore()
  if (client.deadlineRisk !== 'none') {
    const corner = Math.max(5, Math.min(10, height * 0.35))
    context.fillStyle = palette.warning
    context.beginPath()
    const [edge, inner] = isMirrored ? [0, corner] : [width, width - corner]
    context.moveTo(inner, 0)
    context.lineTo(edge, 0)
    context.lineTo(edge, corner)
    context.fill()
  }
  if (isSelected) {
    const line = width < 16 ? 2 : 3
    context.strokeStyle = palette.accent
    context.lineWidth = line
    context.strokeRect(line / 2, line / 2, width - line, height - line)
  }
  if (!isNamed) return
  const start = 2 * PADDING + 16
  const room = width - start - PADDING
  const x = isMirrored ? width - start : start
  const isStrong = STRONG_STATES.has(client.state)
  context.textBaseline = 'middle'
  context.fillStyle = isStrong ? colors.mark : palette.text
  context.font = `600 12px ${palette.font}`
  context.fillText(isolated(fitted(context, client.name, room)), x, height / 2 - 8)
  context.fillStyle = isStrong ? colors.mark : palette.quiet
  context.font = `11px ${palette.font}`
  context.fillText(fitted(context, labelOf(client), room), x, height / 2 + 8)
}

/** Draws the map into a canvas that shows the part in view. */
export function createMapPainter(canvas: HTMLCanvasElement): MapPainter | undefined {
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const isMirrored = isRightToLeft()
  let palette: Palette | undefined
  let last: (MapPicture & { readonly ratio: number }) | undefined
  let looks = new Map<number, string>()

  const isSameView = (picture: MapPicture, ratio: number): boolean =>
    last !== undefined &&
    last.ratio === ratio &&
    last.layout === picture.layout &&
    last.top === picture.top &&
    last.width === picture.width &&
    last.height === picture.height

  return {
    paint(picture) {
      const { layout, clients, selected, top, width, height } = picture
      const ratio = Math.min(3, window.devicePixelRatio)
      const isKept = palette !== undefined && isSameView(picture, ratio)
      palette ??= readPalette(canvas.parentElement ?? canvas)
      if (last?.width !== width || last.height !== height || last.ratio !== ratio) {
        canvas.width = Math.round(width * ratio)
        canvas.height = Math.round(height * ratio)
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      if (!isKept) {
        context.clearRect(0, 0, width, height)
        looks = new Map()
      }
      last = { ...picture, ratio }
      const { first, end } = cellsBetween(layout, top, top + height)
      const isNamed = layout.cell.width >= NAMED_WIDTH
      let drawn = 0
      for (let index = first; index < end; index++) {
        const client = clients[index]
        if (client === undefined) break
        const isSelected = selected.has(client.id)
        const look = lookOf(client, isSelected, isNamed)
        if (looks.get(index) === look) continue
        looks.set(index, look)
        const place = placeOf(layout, index)
        if (place === undefined) continue
        context.save()
        context.translate(isMirrored ? width - place.left - layout.cell.width : place.left, place.top - top)
        context.clearRect(0, 0, layout.cell.width, layout.cell.height)
        paintCell(context, palette, client, isSelected, layout.cell, isMirrored)
        context.restore()
        drawn++
      }
      return drawn
    },
    resetColors() {
      palette = undefined
    },
  }
}
