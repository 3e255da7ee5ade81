import './uplot.css'
import UPlot, { type Axis } from 'uplot'
import { chosenLocales, formatCompact } from '../../../folding/text/format.ts'
import type { Sample } from '../../../folding/account/series.ts'
import { drawBands, drawLines, type PlotMark } from './plot-marks.ts'
import { isolated, isRightToLeft } from '../../../folding/text/direction.ts'

export type PlotOptions = {
  readonly samples: readonly Sample[]
  readonly isFromZero: boolean
  /** A value to compare with, drawn as a dashed line across the chart. */
  readonly reference?: number | undefined
  /** The ends of the time axis, epoch milliseconds; those of the samples unless given. */
  readonly range?: readonly [from: number, to: number] | undefined
  /** The upper end of the vertical axis; by the values unless given. */
  readonly most?: number | undefined
  /** Times to mark. */
  readonly marks?: readonly PlotMark[] | undefined
  /** CSS pixels. */
  readonly height?: number | undefined
  /** The text of a value on its axis. */
  readonly format?: ((value: number) => string) | undefined
  /** The index of the sample under the pointer; undefined when there is none. */
  readonly onHover: (index: number | undefined) => void
}

export type PlotHandle = {
  /** Moves the cursor to a sample. */
  readonly moveCursor: (index: number) => void
  readonly stop: () => void
}

const HEIGHT = 300
const NARROW = 520

function tokenValue(host: HTMLElement, token: string): string {
  return getComputedStyle(host).getPropertyValue(token).trim()
}

/** A canvas does not understand `light-dark()`, so the browser resolves it in a style. */
function resolvedColor(host: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  host.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color
}

const day = new Intl.DateTimeFormat(chosenLocales(), { month: 'short', day: 'numeric' })
const month = new Intl.DateTimeFormat(chosenLocales(), { month: 'short', year: 'numeric' })
const clock = new Intl.DateTimeFormat(chosenLocales(), { hour: 'numeric', minute: '2-digit' })

/** A time on the axis, in the chosen locale: midnight as the day. `step`: seconds between ticks, for the precision. */
function tickLabel(at: number, step: number): string {
  if (step >= 28 * 86_400) return month.format(at)
  const date = new Date(at)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return (step >= 86_400 || isMidnight ? day : clock).format(at)
}

/** A chart is from left to right, and its labels are as the language. */
function placed(label: string): string {
  return isRightToLeft() ? isolated(label) : label
}

/** The least distance of two labels of the time axis, CSS pixels. */
const TIME_SPACE = 80
/** One line of labels. */
const TIME_HEIGHT = 30

function axisOf(host: HTMLElement): Axis {
  return {
    stroke: resolvedColor(host, '--text-quiet'),
    grid: { stroke: resolvedColor(host, '--line-soft'), width: 1 },
    ticks: { show: false },
    font: `12px ${tokenValue(host, '--font')}`,
  }
}

/** Forced colors would give the filled area the color of the line. */
function usesThemeColors(): boolean {
  return !matchMedia('(forced-colors: active)').matches
}

function draw(
  host: HTMLElement,
  { samples, isFromZero, reference, range, most, marks = [], height, format = formatCompact, onHover }: PlotOptions,
): UPlot {
  const width = host.clientWidth
  const line = resolvedColor(host, '--accent-text')
  const options: UPlot.Options = {
    width,
    height: height ?? (width < NARROW ? HEIGHT * 0.75 : HEIGHT),
    legend: { show: false },
    // Room for half of the last label.
    padding: [8, 26, 0, 0],
    scales: {
      ...(range === undefined ? {} : { x: { range: [range[0] / 1000, range[1] / 1000] } }),
      y: {
        range: (_, low, high) =>
          isFromZero ? [Math.min(0, low), (most ?? high * 1.05) || 1] : [low, high === low ? low + 1 : high],
      },
    },
    axes: [
      {
        ...axisOf(host),
        size: TIME_HEIGHT,
        space: TIME_SPACE,
        values: (_, ticks, __, ___, step) => ticks.map(tick => placed(tickLabel(tick * 1000, step))),
      },
      { ...axisOf(host), size: 56, values: (_, ticks) => ticks.map(tick => placed(format(tick))) },
    ],
    series: [
      {},
      {
        stroke: line,
        width: 2,
        ...(isFromZero && usesThemeColors() ? { fill: resolvedColor(host, '--accent-soft') } : {}),
        points: { show: false },
        spanGaps: false,
      },
      ...(reference === undefined
        ? []
        : [{ stroke: resolvedColor(host, '--text-quiet'), width: 1, dash: [6, 4], points: { show: false } }]),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, fill: line, stroke: resolvedColor(host, '--surface-panel') },
    },
    hooks: {
      setCursor: [plot => onHover(plot.cursor.idx ?? undefined)],
      drawClear: [plot => drawBands(plot, marks, token => resolvedColor(host, token))],
      draw: [plot => drawLines(plot, marks, token => resolvedColor(host, token), `12px ${tokenValue(host, '--font')}`)],
    },
  }
  return new UPlot(
    options,
    [
      samples.map(({ at }) => at / 1000),
      samples.map(({ value }) => value ?? null),
      ...(reference === undefined ? [] : [samples.map(() => reference)]),
    ],
    host,
  )
}

/** Draws a line chart into `host`, and again when the width of `host` or the theme changes, until it is stopped. */
export function startPlot(host: HTMLElement, options: PlotOptions): PlotHandle {
  let plot = draw(host, options)
  const redraw = (): void => {
    plot.destroy()
    plot = draw(host, options)
  }
  let frame = 0
  // In the next frame, since drawing changes sizes.
  const box = new ResizeObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      if (host.clientWidth !== plot.width) redraw()
    })
  })
  const theme = new MutationObserver(redraw)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  box.observe(host)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  scheme.addEventListener('change', redraw)
  return {
    moveCursor: index => {
      const { at = 0, value = 0 } = options.samples[index] ?? {}
      plot.setCursor({ left: plot.valToPos(at / 1000, 'x'), top: plot.valToPos(value, 'y') }, false)
    },
    stop: () => {
      box.disconnect()
      cancelAnimationFrame(frame)
      theme.disconnect()
      scheme.removeEventListener('change', redraw)
      plot.destroy()
    },
  }
}
