import type { ReactNode } from 'react'
import { SwitchButton, SwitchField } from 'react-aria-components/Switch'
import styles from './switch.module.css'

type Props = {
  readonly children: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
}

/** An on/off setting that takes effect immediately. Use Checkbox for settings that are saved later. */
export function Switch({ children, ...rest }: Props) {
  return (
    <SwitchField {...rest}>
      <SwitchButton className={styles['switch'] ?? ''}>
        <span className={styles['track']}>
          <span className={styles['thumb']} />
        </span>
        <span>{children}</span>
      </SwitchButton>
    </SwitchField>
  )
}
