import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../../folding/shared/format.ts'
import type { Sample } from '../../../../folding/account/series.ts'
import { formatBothClocks, formatLocalShort } from '../../../../folding/shared/times.ts'
import styles from './charts.module.css'
import { startPlot } from './start-plot.ts'

type Props = {
  readonly samples: readonly Sample[]
  readonly name: string
  /** What its values count. */
  readonly unit: string
  /** Whether zero belongs to the picture. */
  readonly isFromZero: boolean
}

const lastValue = (samples: readonly Sample[]): number => samples.findLastIndex(({ value }) => value !== undefined)

/** The next sample with a value in a direction; the same when there is none. */
const step = (samples: readonly Sample[], from: number, direction: 1 | -1): number => {
  for (let index = from + direction; index >= 0 && index < samples.length; index += direction)
    if (samples[index]?.value !== undefined) return index
  return from
}

/** A line over time. The value under the pointer, or the one that arrow keys lead to, stands above it. */
export const Plot = ({ samples, name, unit, isFromZero }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const show = useRef<(index: number) => void>(() => undefined)
  const [pointed, setPointed] = useState<number>()
  useEffect(() => {
    if (host.current === null) return undefined
    const plot = startPlot(host.current, { samples, isFromZero, onPoint: setPointed })
    show.current = plot.show
    return plot.stop
  }, [samples, isFromZero])
  const index = pointed !== undefined && samples[pointed]?.value !== undefined ? pointed : lastValue(samples)
  const sample = samples[index]
  const words = sample === undefined ? '' : formatNumber(Math.round(sample.value ?? 0))
  const move = (direction: 1 | -1): void => {
    const next = step(samples, index, direction)
    setPointed(next)
    show.current(next)
  }
  return (
    <>
      <p className={styles['readout']}>
        <strong>{words}</strong> {unit} <span>{sample === undefined ? '' : formatLocalShort(sample.at)}</span>
      </p>
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, samples.length - 1)}
        aria-valuenow={index}
        aria-valuetext={sample === undefined ? '' : `${words}, ${formatBothClocks(sample.at)}`}
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
