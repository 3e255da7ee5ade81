import type { ReactNode } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
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
  <CheckboxField {...rest} isIndeterminate={isIndeterminate}>
    <CheckboxButton className={styles['checkbox'] ?? ''}>
      <span className={styles['box']}>
        <Icon name={isIndeterminate ? 'minus' : 'check'} />
      </span>
      <span>{children}</span>
    </CheckboxButton>
  </CheckboxField>
)
