import { ToggleButton as AriaToggleButton } from 'react-aria-components/ToggleButton'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { WithTooltip } from '../overlays/tooltip.tsx'
import styles from './button.module.css'

type Props = {
  readonly icon: IconName
  readonly label: string
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

/** An icon button with a pressed state. */
export const ToggleButton = ({ icon, label, isSelected, onChange }: Props) => (
  <WithTooltip text={label} name={label}>
    <AriaToggleButton
      aria-label={label}
      isSelected={isSelected}
      onChange={onChange}
      className={classNames(styles['button'], styles['icon-only'])}
    >
      <Icon name={icon} />
    </AriaToggleButton>
  </WithTooltip>
)
