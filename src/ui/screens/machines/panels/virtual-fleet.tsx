import { useSelector } from '../../../hooks/use-selector.ts'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useMemo, useRef } from 'react'
import { isCompact, isPanelCollapsed } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { selectReport } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useTop } from '../../../hooks/use-top.ts'
import { FleetMember } from './fleet-member.tsx'
import styles from './fleet-list.module.css'

const OVERSCAN = 3

const HEADER_HEIGHT = 57
const ROW_HEIGHT = 38

/** Panels with the same number of units usually have the same height, so one measurement estimates the others. */
function useHeights(ids: readonly string[]) {
  const { fleet, preferences } = useSystem()
  const compact = useSelector(preferences, isCompact)
  return useMemo(() => {
    const measured = new Map<string, number>()
    const unitsOf = (index: number): number =>
      isPanelCollapsed(ids[index] ?? '')(preferences.getSnapshot())
        ? 0
        : Math.max(1, selectReport(ids[index] ?? '')(fleet.getSnapshot())?.summary.units ?? 1)
    const heightKey = (index: number): string => `${compact ? 'compact' : ''}${unitsOf(index)}`
    return {
      estimateSize: (index: number): number =>
        measured.get(heightKey(index)) ?? HEADER_HEIGHT + ROW_HEIGHT * unitsOf(index),
      measureElement: (element: HTMLElement): number => {
        const height = element.offsetHeight
        measured.set(heightKey(Number(element.dataset['index'])), height)
        return height
      },
    }
  }, [ids, fleet, preferences, compact])
}

/** Renders only the panels in view, however many clients there are. */
export function VirtualFleet({ ids }: { ids: readonly string[] }) {
  const list = useRef<HTMLDivElement>(null)
  const { estimateSize, measureElement } = useHeights(ids)
  // With another function the virtualizer recalculates all heights.
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids])
  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    scrollMargin: useTop(list) ?? 0,
    overscan: OVERSCAN,
    getItemKey,
    estimateSize,
    measureElement,
  })
  return (
    <div ref={list} className={styles['list']} style={{ blockSize: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={styles['placed']}
          style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
        >
          <FleetMember id={ids[index] ?? ''} />
        </div>
      ))}
    </div>
  )
}
