import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../folding/text/format.ts'
import type { Sample } from '../../../folding/account/series.ts'
import { formatBothClocks, formatDate, formatLocalShort } from '../../../folding/text/times.ts'
import styles from './plot.module.css'
import { startPlot, type PlotOptions } from './start-plot.ts'

type Props = {
  readonly samples: readonly Sample[]
  readonly name: string
  /** The label of the values, such as PPD. */
  readonly unit: string
  /** Whether the vertical axis starts at zero. */
  readonly isFromZero: boolean
  /** A value to compare with, drawn as a dashed line. */
  readonly reference?: number | undefined
  /** Shown while no point is chosen, in place of the last one. */
  readonly atRest?: { readonly value: string; readonly unit: string; readonly note: string | undefined }
  /** Each value is that of a day. */
  readonly isDaily?: boolean
} & Pick<PlotOptions, 'range' | 'most' | 'marks' | 'height' | 'format'>

/** The next sample with a value in a direction; the same when there is none. */
function step(samples: readonly Sample[], from: number, direction: 1 | -1): number {
  for (let index = from + direction; index >= 0 && index < samples.length; index += direction)
    if (samples[index]?.value !== undefined) return index
  return from
}

/** A value without a format of its own is a whole number. */
function readout(value: number, format: Props['format']): string {
  return format === undefined ? formatNumber(Math.round(value)) : format(value)
}

/** A line chart. Above it is the value under the pointer, or the one chosen with the arrow keys. */
export function Plot({
  samples,
  name,
  unit,
  isFromZero,
  reference,
  atRest,
  isDaily = false,
  range,
  most,
  marks,
  height,
  format,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const moveCursor = useRef<(index: number) => void>(() => undefined)
  const [hovered, setHovered] = useState<number>()
  useEffect(() => {
    if (host.current === null) return undefined
    const plot = startPlot(host.current, {
      samples,
      isFromZero,
      reference,
      range,
      most,
      marks,
      height,
      format,
      onHover: setHovered,
    })
    moveCursor.current = plot.moveCursor
    return plot.stop
  }, [samples, isFromZero, reference, range, most, marks, height, format])
  const index =
    hovered !== undefined && samples[hovered]?.value !== undefined
      ? hovered
      : samples.findLastIndex(({ value }) => value !== undefined)
  const sample = samples[index]
  const value = sample === undefined ? '' : readout(sample.value ?? 0, format)
  const time = sample === undefined ? '' : isDaily ? formatDate(sample.at) : formatLocalShort(sample.at)
  const rest = hovered === undefined ? atRest : undefined
  const move = (direction: 1 | -1): void => {
    const next = step(samples, index, direction)
    setHovered(next)
    moveCursor.current(next)
  }
  return (
    <>
      <p className={styles['readout']}>
        <strong>{rest?.value ?? value}</strong> {rest?.unit ?? unit}{' '}
        <span>{rest === undefined ? time : rest.note}</span>
      </p>
      <div
        ref={host}
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, samples.length - 1)}
        aria-valuenow={index}
        aria-valuetext={
          sample === undefined ? '' : `${value}, ${isDaily ? formatDate(sample.at) : formatBothClocks(sample.at)}`
        }
        className={styles['canvas']}
        onKeyDown={event => {
          if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
          event.preventDefault()
          move(event.key === 'ArrowRight' ? 1 : -1)
        }}
      />
    </>
  )
}
