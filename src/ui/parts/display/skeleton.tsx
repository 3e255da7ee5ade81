import styles from './skeleton.module.css'

/** What it stands for. */
export type SkeletonShape = 'cards' | 'form' | 'lines' | 'table'

type Props = { readonly label: string; readonly rows?: number; readonly shape?: SkeletonShape }

const ROWS: Readonly<Record<SkeletonShape, number>> = { cards: 4, form: 8, lines: 6, table: 10 }

/** A placeholder for content that is loading. */
export function Skeleton({ label, shape = 'lines', rows = ROWS[shape] }: Props) {
  return (
    <div role="status" data-shape={shape} className={styles['skeleton']}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles['row']} aria-hidden="true" />
      ))}
    </div>
  )
}
