import type { KeyboardEvent, PointerEvent } from 'react'
import type { Dock } from './inspector-layout.ts'
import styles from './inspector.module.css'
import { isMirrored, readingKey } from '../parts/direction.ts'

type Props = {
  readonly dock: Dock
  /** All lengths are in CSS pixels. */
  readonly size: number
  readonly smallest: number
  readonly onResize: (size: number) => void
}

const STEP = 24
/** Minimum that is left for the page. */
const REST: Readonly<Record<Dock, number>> = { side: 960, bottom: 160 }

export function largestSize(dock: Dock, smallest: number): number {
  return Math.max(smallest, (dock === 'side' ? window.innerWidth : window.innerHeight) - REST[dock])
}

/** Resizes the panel by pointer or arrow keys. */
export function ResizeHandle({ dock, size, smallest, onResize }: Props) {
  const largest = largestSize(dock, smallest)
  const resize = (next: number): void => onResize(Math.round(Math.min(largest, Math.max(smallest, next))))
  const pull = (event: PointerEvent): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    if (dock === 'bottom') resize(window.innerHeight - event.clientY)
    else resize(isMirrored(event.currentTarget) ? event.clientX : window.innerWidth - event.clientX)
  }
  const press = (event: KeyboardEvent): void => {
    const wider = dock === 'side' ? 'ArrowLeft' : 'ArrowUp'
    const smaller = dock === 'side' ? 'ArrowRight' : 'ArrowDown'
    const sizes: Readonly<Record<string, number>> = {
      [wider]: size + STEP,
      [smaller]: size - STEP,
      Home: smallest,
      End: largest,
    }
    const next = sizes[readingKey(event.key, event.currentTarget)]
    if (next === undefined) return
    event.preventDefault()
    resize(next)
  }
  return (
    <div
      role="separator"
      aria-label="Size of the inspector"
      aria-orientation={dock === 'side' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      tabIndex={0}
      className={styles['handle']}
      onKeyDown={press}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={pull}
    />
  )
}
