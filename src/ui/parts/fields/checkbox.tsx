import type { ReactNode } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { Icon } from '../icons/icon.tsx'
import styles from './checkbox.module.css'

type Props = {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
}

/** A setting that is saved later. */
export function Checkbox({ children, ...rest }: Props) {
  return (
    <CheckboxField {...rest}>
      <CheckboxButton className={styles['checkbox'] ?? ''}>
        <span className={styles['box']}>
          <Icon name="check" />
        </span>
        <span>{children}</span>
      </CheckboxButton>
    </CheckboxField>
  )
}
