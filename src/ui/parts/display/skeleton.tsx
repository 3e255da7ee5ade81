import styles from './skeleton.module.css'

type Props = { readonly label: string; readonly rows: number }

/** A placeholder for content that is loading. */
export function Skeleton({ label, rows }: Props) {
  return (
    <div role="status" className={styles['skeleton']}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles['row']} aria-hidden="true" />
      ))}
    </div>
  )
}
