import { formatBothClocks, formatIso, formatRelative } from '../../../folding/text/times.ts'
import { useClock } from '../../hooks/system-context.ts'
import { useTooltip } from '../overlays/tooltip.tsx'
import styles from './relative-time.module.css'

type Props = {
  /** Epoch milliseconds. */
  readonly at: number
}

/** A relative time such as '3 minutes ago'; the tooltip has the exact time, local and UTC. */
export function RelativeTime({ at }: Props) {
  const text = useClock(now => formatRelative(at, now))
  const { triggerProps, popup } = useTooltip({ text: formatBothClocks(at) })
  return (
    <>
      <time
        role="img"
        aria-label={text}
        tabIndex={0}
        dateTime={formatIso(at)}
        className={styles['time']}
        {...triggerProps}
      >
        {text}
      </time>
      {popup}
    </>
  )
}
