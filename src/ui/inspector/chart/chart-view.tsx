import { createElement, use, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { AnyStateMachine } from 'xstate'
import { IconButton } from '../../parts/actions/button.tsx'
import styles from './chart-view.module.css'
import { drawChart, type Highlights, type Piece } from './chart-drawing.ts'
import { placedChartOf } from './placed-charts.ts'

type Props = { readonly machine: AnyStateMachine; readonly lit: Highlights }

const SCALES = [0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.6, 2]
const FIRST = 3

function elementOf({ tag, key, attributes, content }: Piece): ReactNode {
  return createElement(tag, { key, ...attributes }, typeof content === 'string' ? content : content.map(elementOf))
}

/** A machine's statechart with active states and recent transitions highlighted. */
export function ChartView({ machine, lit }: Props) {
  const chart = use(placedChartOf(machine))
  const [zoom, setZoom] = useState(FIRST)
  const paper = useRef<HTMLDivElement>(null)
  const scale = SCALES[zoom] ?? 1
  const showActive = (): void => {
    const innermost = chart.states.find(({ state }) => state.states.length === 0 && lit.active.has(state.id))
    const view = paper.current
    if (innermost === undefined || view === null) return
    view.scrollTo({
      left: (innermost.x + innermost.width / 2) * scale - view.clientWidth / 2,
      top: (innermost.y + innermost.height / 2) * scale - view.clientHeight / 2,
    })
  }
  const begin = useEffectEvent(showActive)
  useEffect(() => begin(), [])
  return (
    <div className="relative shrink-block bordered round-2">
      <div role="group" aria-label="Diagram" className={styles['tools']}>
        <IconButton
          isSmall
          icon="minus"
          label="Zoom out"
          blockedBecause={zoom === 0 ? 'Already at the smallest size.' : undefined}
          onPress={() => setZoom(zoom - 1)}
        />
        <IconButton
          isSmall
          icon="plus"
          label="Zoom in"
          blockedBecause={zoom === SCALES.length - 1 ? 'Already at the largest size.' : undefined}
          onPress={() => setZoom(zoom + 1)}
        />
        <IconButton isSmall icon="fit" label="Show the active states" onPress={showActive} />
      </div>
      <div
        ref={paper}
        role="region"
        aria-label={`Statechart of ${machine.id}`}
        tabIndex={0}
        className="full-height round-2 surface-sunken overflow-auto"
      >
        <svg
          role="img"
          aria-label={`Statechart of ${machine.id}`}
          className={styles['chart']}
          width={chart.width * scale}
          height={chart.height * scale}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
        >
          {drawChart(chart, lit).map(elementOf)}
        </svg>
      </div>
    </div>
  )
}
