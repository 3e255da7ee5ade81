import type { ReactNode } from 'react'
import { Button as AriaButton, type PressEvent } from 'react-aria-components/Button'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { useTouchTooltip, WithTooltip } from '../overlays/tooltip.tsx'
import styles from './button.module.css'

type ButtonKind = 'primary' | 'quiet' | 'danger'

type Common = {
  readonly onPress?: (() => void) | undefined
  /** Why the button is disabled; shown as a tooltip. The button stays focusable. */
  readonly blockedBecause?: string | undefined
  /** An action is in progress; presses are ignored. */
  readonly isPending?: boolean
  readonly isPressed?: boolean
  readonly autoFocus?: boolean
  readonly preload?: (() => void) | undefined
}

type ButtonProps = Common & {
  readonly children: ReactNode
  readonly kind?: ButtonKind
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  readonly form?: string
  readonly isSmall?: boolean
}

const behaviorOf = (
  { onPress, blockedBecause, isPending = false, isPressed, autoFocus = false, preload }: Common,
  explain: (event: PressEvent) => void,
) => {
  const isBlocked = blockedBecause !== undefined || isPending
  return {
    onPress: isBlocked ? explain : () => onPress?.(),
    ...(isBlocked ? { 'aria-disabled': true } : {}),
    ...(isPending ? { 'data-pending': true } : {}),
    ...(isPressed === undefined ? {} : { 'aria-pressed': isPressed }),
    ...(preload === undefined ? {} : { onHoverStart: preload, onFocus: preload }),
    autoFocus,
  }
}

/** A button with text. */
export const Button = ({
  children,
  kind = 'quiet',
  icon,
  type = 'button',
  form,
  isSmall = false,
  ...common
}: ButtonProps) => {
  const { onPress: explain, ...openness } = useTouchTooltip()
  const behavior = behaviorOf(common, explain)
  const isBlocked = behavior['aria-disabled'] === true
  return (
    <WithTooltip {...openness} text={common.blockedBecause} delay={0} staysOnPress={isBlocked}>
      <AriaButton
        {...behavior}
        type={isBlocked ? 'button' : type}
        {...(form === undefined ? {} : { form })}
        className={classNames(styles['button'], styles[kind], isSmall && styles['small'])}
      >
        {icon === undefined ? undefined : <Icon name={icon} />}
        <span className={styles['label']}>{children}</span>
      </AriaButton>
    </WithTooltip>
  )
}

type IconButtonProps = Common & {
  readonly icon: IconName
  /** Accessible name and tooltip. */
  readonly label: string
  /** Tooltip text instead of the label, for example with the shortcut. */
  readonly hint?: ReactNode
  readonly placement?: 'top' | 'bottom' | 'left' | 'right'
  readonly menuIsOpen?: boolean
  readonly isSmall?: boolean
}

/** A button with only an icon. */
export const IconButton = ({
  icon,
  label,
  hint,
  placement = 'top',
  menuIsOpen,
  isSmall = false,
  ...common
}: IconButtonProps) => {
  const { onPress: explain, ...openness } = useTouchTooltip()
  return (
    <WithTooltip
      {...openness}
      text={menuIsOpen === true ? undefined : (common.blockedBecause ?? hint ?? label)}
      name={label}
      placement={placement}
      staysOnPress={common.blockedBecause !== undefined}
      delay={common.blockedBecause === undefined ? 500 : 0}
    >
      <AriaButton
        {...behaviorOf(common, explain)}
        {...(menuIsOpen === undefined ? {} : { 'aria-haspopup': 'menu' as const, 'aria-expanded': menuIsOpen })}
        aria-label={label}
        className={classNames(styles['button'], styles['icon-only'], isSmall && styles['small'])}
      >
        <Icon name={icon} />
      </AriaButton>
    </WithTooltip>
  )
}
