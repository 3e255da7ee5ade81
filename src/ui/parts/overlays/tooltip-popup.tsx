import { useEffect, useEffectEvent, useId, type ReactNode } from 'react'
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components/Tooltip'
import { useTooltipTriggerState } from 'react-stately/useTooltipTriggerState'
import styles from './tooltip.module.css'

/** Milliseconds for which a tooltip is shown after a tap. */
const SHOWN_AFTER_TAP = 4000
/** Milliseconds in which the pointer can move to the tooltip itself. */
const CLOSE_DELAY = 80

export type TooltipBehavior = {
  readonly placement: 'top' | 'bottom' | 'start' | 'end'
  /** Milliseconds of hovering until it opens. */
  readonly delay: number
  /** Keeps the tooltip open when the control is pressed, for reasons why it is disabled. */
  readonly staysOnPress: boolean
  /** The text is part of the control's name, so it does not describe the control once more. */
  readonly isInName: boolean
}

/** How a person reached a control for the first time. */
export type ContactKind = 'hover' | 'focus' | 'tap'

type Props = TooltipBehavior & {
  readonly trigger: HTMLElement
  readonly by: ContactKind
  /** Each further tap on the control opens the tooltip. */
  readonly taps: number
  readonly text: ReactNode | undefined
}

/** The part of `trigger` that has the focus when its tooltip is read. */
function describedBy(trigger: HTMLElement): HTMLElement {
  return trigger.matches('a, button, [tabindex]')
    ? trigger
    : (trigger.querySelector<HTMLElement>('input, button') ?? trigger)
}

function describe(element: HTMLElement, id: string): () => void {
  const before = element.getAttribute('aria-describedby')
  element.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`)
  return () => {
    if (before === null) element.removeAttribute('aria-describedby')
    else element.setAttribute('aria-describedby', before)
  }
}

/** The tooltip of one control, rendered from the first contact with it. */
export function TooltipPopup({ trigger, by, taps, text, placement, delay, staysOnPress, isInName }: Props) {
  const state = useTooltipTriggerState({ delay, closeDelay: CLOSE_DELAY })
  const id = useId()
  const isEmpty = text === undefined
  const isOpen = state.isOpen && !isEmpty
  const open = useEffectEvent((isImmediate: boolean) => {
    if (!isEmpty) state.open(isImmediate)
  })
  const close = useEffectEvent((isImmediate: boolean) => state.close(isImmediate))
  const press = useEffectEvent(() => {
    if (!staysOnPress) state.close(true)
  })

  useEffect(() => {
    const listening = new AbortController()
    const listen = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ): void => trigger.addEventListener(type, listener, { signal: listening.signal })
    const focus = (): void => {
      if (trigger.querySelector(':focus-visible') !== null || trigger.matches(':focus-visible')) open(true)
    }
    listen('pointerenter', ({ pointerType }) => {
      if (pointerType !== 'touch') open(false)
    })
    listen('pointerleave', () => close(false))
    listen('focusin', focus)
    listen('focusout', () => close(true))
    listen('pointerdown', press)
    listen('keydown', press)
    // The first contact was before the code of this component was there.
    if (by === 'focus') focus()
    if (by === 'hover' && trigger.matches(':hover')) open(false)
    return () => listening.abort()
  }, [trigger, by])

  useEffect(() => {
    if (taps === 0) return undefined
    open(true)
    const timer = setTimeout(() => close(true), SHOWN_AFTER_TAP)
    return () => clearTimeout(timer)
  }, [taps])

  useEffect(() => {
    if (isEmpty) close(true)
  }, [isEmpty])

  useEffect(() => {
    if (!isOpen) return undefined
    const stopDescribing = isInName ? undefined : describe(describedBy(trigger), id)
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close(true)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => {
      stopDescribing?.()
      document.removeEventListener('keydown', onKeyDown, true)
    }
  }, [isOpen, isInName, trigger, id])

  // A tooltip that closes while it opens would stay, unseen, for a transition that was cancelled; an open one, when its text goes.
  if (!isOpen) return null
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip triggerRef={{ current: trigger }} className={styles['tooltip'] ?? ''} placement={placement} offset={6}>
        <span id={id} aria-hidden={isInName}>
          {text}
        </span>
      </Tooltip>
    </TooltipTriggerStateContext>
  )
}
