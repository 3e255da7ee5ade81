import { useState, type ReactNode } from 'react'
import type { PressEvent } from 'react-aria-components/Button'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './tooltip.module.css'

/** Milliseconds. */
const SHOWN_AFTER_TOUCH = 4000

/** Touch has no hover: a tap on a disabled control shows its tooltip for a while. */
export const useTouchTooltip = () => {
  const [isOpen, setOpen] = useState(false)
  const onPress = (event: PressEvent): void => {
    if (event.pointerType !== 'touch' && event.pointerType !== 'virtual') return
    setOpen(true)
    setTimeout(() => setOpen(false), SHOWN_AFTER_TOUCH)
  }
  return { isOpen, onOpenChange: setOpen, onPress }
}

type Props = {
  /** Without a text no tooltip is shown, but the element tree stays the same, so that the trigger keeps the focus. */
  readonly text: ReactNode | undefined
  /** The accessible name of the control. A screen reader does not repeat a text that the name begins with. */
  readonly name?: string
  readonly placement?: 'top' | 'bottom' | 'left' | 'right'
  readonly delay?: number
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** Keeps the tooltip open when the control is pressed, for reasons why it is disabled. */
  readonly staysOnPress?: boolean
  /** One React Aria control. */
  readonly children: ReactNode
}

/** Shows a tooltip on hover and focus. */
export const WithTooltip = ({
  text,
  name,
  placement = 'top',
  delay = 500,
  staysOnPress = false,
  children,
  ...openness
}: Props) => {
  const isEmpty = text === undefined || text === ''
  return (
    <TooltipTrigger {...openness} delay={delay} closeDelay={80} shouldCloseOnPress={!staysOnPress} isDisabled={isEmpty}>
      {children}
      {/* An open tooltip would stay, empty, when its text goes. */}
      {isEmpty ? undefined : (
        <Tooltip className={styles['tooltip'] ?? ''} placement={placement} offset={6}>
          {typeof text === 'string' && name?.startsWith(text) === true ? <span aria-hidden="true">{text}</span> : text}
        </Tooltip>
      )}
    </TooltipTrigger>
  )
}
