import type { MouseEvent, ReactNode, Ref } from 'react'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { useTooltip, type TooltipOptions } from '../overlays/tooltip.tsx'
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

type PressableProps = Common & {
  readonly type?: 'button' | 'submit'
  readonly form?: string
  /** Accessible name, where the content is none. */
  readonly label?: string
  /** Given by a button that opens a menu or a dialog. */
  readonly opens?: 'menu' | 'dialog'
  readonly isOpen?: boolean
  readonly tooltip?: TooltipOptions
  readonly className: string | undefined
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

/**
 * A native button: it is pressed alike by mouse, touch, keyboard and voice, and a page can have a thousand of them. Where
 * nothing else happens at a press, a tap shows the tooltip.
 */
export function Pressable({
  onPress,
  blockedBecause,
  isPending = false,
  isPressed,
  autoFocus = false,
  preload,
  type = 'button',
  form,
  label,
  opens,
  isOpen,
  tooltip = {},
  className,
  children,
  ref,
}: PressableProps) {
  const { triggerProps, popup, onTap } = useTooltip({ ...tooltip, name: label })
  const isBlocked = blockedBecause !== undefined || isPending
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // Safari does not move the focus to a button that is pressed, and a dialog returns it to where it was.
    event.currentTarget.focus({ preventScroll: true })
    if (isBlocked || onPress === undefined) onTap(event)
    else onPress()
  }
  return (
    <>
      <button
        ref={ref}
        type={isBlocked ? 'button' : type}
        form={form}
        autoFocus={autoFocus}
        aria-label={label}
        aria-disabled={isBlocked || undefined}
        aria-pressed={isPressed}
        aria-haspopup={opens}
        aria-expanded={isOpen}
        data-pending={isPending || undefined}
        className={className}
        onClick={press}
        {...triggerProps}
        onPointerEnter={event => {
          preload?.()
          triggerProps.onPointerEnter(event)
        }}
        onFocus={event => {
          preload?.()
          triggerProps.onFocus(event)
        }}
      >
        {children}
      </button>
      {popup}
    </>
  )
}

/** A button with text. */
export function Button({ children, kind = 'quiet', icon, isSmall = false, ...common }: ButtonProps) {
  return (
    <Pressable
      {...common}
      tooltip={{ text: common.blockedBecause, delay: 0, staysOnPress: true }}
      className={classNames(styles['button'], styles[kind], isSmall && styles['small'])}
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      <span className={styles['label']}>{children}</span>
    </Pressable>
  )
}

type IconButtonProps = Common & {
  readonly icon: IconName
  /** Accessible name and tooltip. */
  readonly label: string
  /** Beside the icon; the label begins with it. */
  readonly word?: string | undefined
  /** Tooltip text instead of the label, for example with the shortcut. */
  readonly hint?: ReactNode
  readonly placement?: 'top' | 'bottom' | 'start' | 'end'
  readonly menuIsOpen?: boolean
  readonly isSmall?: boolean
}

export function IconButton({
  icon,
  label,
  word,
  hint,
  placement = 'top',
  menuIsOpen,
  isSmall = false,
  ...common
}: IconButtonProps) {
  return (
    <Pressable
      {...common}
      label={label}
      {...(menuIsOpen === undefined ? {} : { opens: 'menu' as const, isOpen: menuIsOpen })}
      tooltip={{
        text: menuIsOpen === true ? undefined : (common.blockedBecause ?? hint ?? label),
        placement,
        staysOnPress: common.blockedBecause !== undefined,
        delay: common.blockedBecause === undefined ? 500 : 0,
      }}
      className={classNames(
        styles['button'],
        styles[word === undefined ? 'icon-only' : 'quiet'],
        isSmall && styles['small'],
      )}
    >
      <Icon name={icon} />
      {word === undefined ? undefined : <span className={styles['label']}>{word}</span>}
    </Pressable>
  )
}
