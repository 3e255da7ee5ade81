import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { Icon } from '../icons/icon.tsx'
import styles from './checkbox.module.css'

type Props = {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isIndeterminate?: boolean
  readonly isDisabled?: boolean
  readonly isReadOnly?: boolean
}

export const Checkbox = ({ children, isIndeterminate = false, ...rest }: Props) => (
  <AriaCheckbox {...rest} isIndeterminate={isIndeterminate} className={styles['checkbox'] ?? ''}>
    <span className={styles['box']}>
      <Icon name={isIndeterminate ? 'minus' : 'check'} />
    </span>
    <span>{children}</span>
  </AriaCheckbox>
)
