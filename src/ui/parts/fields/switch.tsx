import type { ReactNode } from 'react'
import { SwitchButton, SwitchField } from 'react-aria-components/Switch'
import styles from './switch.module.css'

type Props = {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
}

/** On or off, at once. What is saved later is a Checkbox. */
export const Switch = ({ children, ...rest }: Props) => (
  <SwitchField {...rest}>
    <SwitchButton className={styles['switch'] ?? ''}>
      <span className={styles['track']}>
        <span className={styles['thumb']} />
      </span>
      <span>{children}</span>
    </SwitchButton>
  </SwitchField>
)
