import { useSelector } from '@xstate/react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { selectClientRef, selectReport } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { Skeleton } from '../../../parts/display/skeleton.tsx'
import { useSystem } from '../../../system-context.ts'
import { MachinePanel } from '../panel/machine-panel.tsx'
import styles from './fleet-list.module.css'

const HEADER_HEIGHT = 64
const ROW_HEIGHT = 38
const OVERSCAN = 3

const Member = memo(({ id }: { id: string }) => {
  const client = useSelector(useSystem().fleet, selectClientRef(id))
  return client === undefined ? <Skeleton label="Loading…" rows={2} /> : <MachinePanel client={client} />
})
Member.displayName = 'Member'

/** Where the list begins on the page: what stands above it may come and go. */
const useTop = (list: RefObject<HTMLDivElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      const element = list.current
      if (element !== null) setTop(element.getBoundingClientRect().top + window.scrollY)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

/** The panels that are in sight, of however many there are. */
export const FleetList = ({ ids }: { ids: readonly string[] }) => {
  const { fleet } = useSystem()
  const list = useRef<HTMLDivElement>(null)
  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    scrollMargin: useTop(list),
    overscan: OVERSCAN,
    getItemKey: (index) => ids[index] ?? index,
    estimateSize: (index) =>
      HEADER_HEIGHT + ROW_HEIGHT * Math.max(1, selectReport(ids[index] ?? '')(fleet.getSnapshot())?.summary.units ?? 1),
  })
  return (
    <div ref={list} className={styles['list']} style={{ blockSize: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={styles['place']}
          style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
        >
          <Member id={ids[index] ?? ''} />
        </div>
      ))}
    </div>
  )
}
