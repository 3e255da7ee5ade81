import { useState, type ReactNode } from 'react'
import type { PressEvent } from 'react-aria-components/Button'
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './tooltip.module.css'

const TOUCHED_FOR = 4000

/** Fingers do not hover: a tap on what cannot be pressed shows the reason for a while. */
export const useTouchTooltip = () => {
  const [isOpen, setOpen] = useState(false)
  const onPress = (event: PressEvent): void => {
    if (event.pointerType !== 'touch' && event.pointerType !== 'virtual') return
    setOpen(true)
    setTimeout(() => setOpen(false), TOUCHED_FOR)
  }
  return { isOpen, onOpenChange: setOpen, onPress }
}

type Props = {
  /** Nothing is shown without a text, but the trigger stays the same element, so that it keeps the focus. */
  readonly text: ReactNode | undefined
  readonly placement?: 'top' | 'bottom' | 'left' | 'right'
  readonly delay?: number
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** For a reason: it stays to be read when the control is pressed in vain. */
  readonly staysOnPress?: boolean
  /** One control of React Aria. */
  readonly children: ReactNode
}

/** Words about a control, on hover and on focus. */
export const WithTooltip = ({
  text,
  placement = 'top',
  delay = 500,
  staysOnPress = false,
  children,
  ...openness
}: Props) => (
  <TooltipTrigger
    {...openness}
    delay={delay}
    closeDelay={80}
    shouldCloseOnPress={!staysOnPress}
    isDisabled={text === undefined || text === ''}
  >
    {children}
    <Tooltip className={styles['tooltip'] ?? ''} placement={placement} offset={6}>
      {text}
    </Tooltip>
  </TooltipTrigger>
)
