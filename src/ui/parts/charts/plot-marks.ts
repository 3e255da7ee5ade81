import type UPlot from 'uplot'

/**
 * A time that is marked on a chart. `band`: a time in which something was different, tinted, or hatched where nothing is
 * known. `line`: an instant. `drop`: an instant at which the value fell. `trend`: from the last value to an expected one.
 */
export type PlotMark = {
  readonly kind: 'band' | 'hatch' | 'line' | 'drop' | 'trend'
  /** Epoch milliseconds. */
  readonly at: number
  /** Of a band and a trend. */
  readonly until?: number
  /** Of a trend: the values at its ends. */
  readonly values?: readonly [number, number]
  /** The token of its color. */
  readonly color: string
  /** Beside a line. */
  readonly label?: string
}

type ColorOf = (token: string) => string

/** CSS pixels. */
const HATCH = 7
const BAND_OPACITY = 0.2
const HATCH_OPACITY = 0.35

/** Below the values. */
export function drawBands(plot: UPlot, marks: readonly PlotMark[], colorOf: ColorOf): void {
  const { ctx: context, bbox } = plot
  context.save()
  for (const { kind, at, until = at, color } of marks) {
    if (kind !== 'band' && kind !== 'hatch') continue
    const left = Math.max(bbox.left, plot.valToPos(at / 1000, 'x', true))
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(until / 1000, 'x', true))
    const width = Math.max(devicePixelRatio, right - left)
    context.save()
    context.beginPath()
    context.rect(left, bbox.top, width, bbox.height)
    context.clip()
    if (kind === 'band') {
      context.globalAlpha = BAND_OPACITY
      context.fillStyle = colorOf(color)
      context.fill()
    } else {
      context.globalAlpha = HATCH_OPACITY
      context.strokeStyle = colorOf(color)
      context.lineWidth = devicePixelRatio
      context.beginPath()
      const step = HATCH * devicePixelRatio
      for (let x = left - bbox.height; x < left + width; x += step) {
        context.moveTo(x, bbox.top + bbox.height)
        context.lineTo(x + bbox.height, bbox.top)
      }
      context.stroke()
    }
    context.restore()
  }
  context.restore()
}

const TRIANGLE = 5
const LABEL_GAP = 4
const LABEL_HEIGHT = 16

/** Above the values. A label is on the side of its line where there is room. */
export function drawLines(plot: UPlot, marks: readonly PlotMark[], colorOf: ColorOf, font: string): void {
  const { ctx: context, bbox } = plot
  const ratio = devicePixelRatio
  context.save()
  context.font = font.replace(/^\d+/, size => String(Number(size) * ratio))
  context.textBaseline = 'top'
  let row = 0
  for (const { kind, at, until = at, values = [0, 0], color, label = '' } of marks) {
    if (kind === 'band' || kind === 'hatch') continue
    const x = plot.valToPos(at / 1000, 'x', true)
    context.fillStyle = context.strokeStyle = colorOf(color)
    context.beginPath()
    if (kind === 'drop') {
      const size = TRIANGLE * ratio
      const bottom = bbox.top + bbox.height
      context.moveTo(x - size, bottom)
      context.lineTo(x + size, bottom)
      context.lineTo(x, bottom - 2 * size)
      context.fill()
      continue
    }
    context.lineWidth = ratio
    context.setLineDash([4 * ratio, 3 * ratio])
    if (kind === 'trend') {
      context.moveTo(x, plot.valToPos(values[0], 'y', true))
      context.lineTo(plot.valToPos(until / 1000, 'x', true), plot.valToPos(values[1], 'y', true))
      context.stroke()
      continue
    }
    context.moveTo(x, bbox.top)
    context.lineTo(x, bbox.top + bbox.height)
    context.stroke()
    const { width } = context.measureText(label)
    const gap = LABEL_GAP * ratio
    const left = x + gap + width < bbox.left + bbox.width ? x + gap : x - gap - width
    const top = bbox.top + row * LABEL_HEIGHT * ratio
    // Readable also where the values are.
    context.fillStyle = colorOf('--surface-panel')
    context.fillRect(left - 1, top - 1, width + 2, LABEL_HEIGHT * ratio)
    context.fillStyle = colorOf(color)
    context.textAlign = 'left'
    context.fillText(label, left, top)
    row += 1
  }
  context.restore()
}
