import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import type { Tone } from '../../../parts/display/tone.ts'
import type { IconName } from '../../../parts/icons/icon.tsx'
import styles from './client-list.module.css'

export type ClientLine = {
  readonly id: string
  readonly name: string
  readonly icon: IconName
  readonly tone: Tone
  readonly text: string
}

const ESTIMATED = 44

type Props = {
  readonly label: string
  readonly count: number
  /** The line at a position: made only for lines that are in view. */
  readonly lineAt: (position: number) => ClientLine
}

/** Clients with one text each. Only those in view are rendered, however many there are. */
export function BulkClientList({ label, count, lineAt }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ESTIMATED,
    overscan: 6,
  })
  return (
    <div ref={box} className={styles['box']} role="list" aria-label={label} tabIndex={0}>
      <div role="presentation" className="relative" style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const { name, icon, tone, text } = lineAt(index)
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              role="listitem"
              aria-setsize={count}
              aria-posinset={index + 1}
              className={styles['line']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <bdi className="strong anywhere">{name}</bdi>
              <StatusMark icon={icon} tone={tone} text={text} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
