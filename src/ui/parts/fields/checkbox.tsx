import type { ReactNode } from 'react'
import { Icon } from '../icons/icon.tsx'
import styles from './checkbox.module.css'

type Props = {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
}

/**
 * A native checkbox, transparent, over the box that is drawn. Uses no React Aria component: its code would be most of what
 * the log loads.
 */
export const Checkbox = ({ children, isSelected, onChange, isDisabled = false }: Props) => (
  <label className={styles['checkbox']}>
    <input
      type="checkbox"
      className={styles['input']}
      checked={isSelected}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.checked)}
    />
    <span className={styles['box']}>
      <Icon name="check" />
    </span>
    <span>{children}</span>
  </label>
)
