import { useRef, useState, type FocusEvent, type MouseEvent, type PointerEvent, type ReactNode } from 'react'
import { loadCode } from '../../../loading/load-code.ts'
import type { ContactKind, TooltipBehavior, TooltipPopup } from './tooltip-popup.tsx'

export type TooltipOptions = Partial<Omit<TooltipBehavior, 'isInName'>> & {
  /** Without a text no tooltip is shown. */
  readonly text?: ReactNode | undefined
  /** The accessible name of the control. A screen reader does not repeat a text that the name begins with. */
  readonly name?: string | undefined
}

type Contact = {
  readonly trigger: HTMLElement
  readonly by: ContactKind
  readonly taps: number
  readonly Popup: typeof TooltipPopup
}

/**
 * A tooltip on hover and focus. Give `triggerProps` to the control, and render `popup` beside it. A page has hundreds of
 * controls with a tooltip: until the first contact with one, its tooltip costs nothing but this state.
 */
export function useTooltip({ text, name, placement = 'top', delay = 500, staysOnPress = false }: TooltipOptions) {
  const [contact, setContact] = useState<Contact>()
  const presses = useRef(0)
  const isEmpty = text === undefined || text === ''
  const show = (trigger: HTMLElement, by: ContactKind, taps = 0): void => {
    const before = presses.current
    void loadCode(() => import('./tooltip-popup.tsx')).then(
      ({ TooltipPopup: Popup }) => {
        // Whoever presses does not wait for an explanation.
        if (by === 'tap' || presses.current === before) setContact({ trigger, by, taps, Popup })
      },
      // The control works without its tooltip, and the next contact tries again.
      () => undefined,
    )
  }
  const countPress = (): void => {
    if (!staysOnPress) presses.current += 1
  }
  // Further contacts are noticed by the tooltip itself.
  const isFirst = (trigger: HTMLElement): boolean => !isEmpty && contact?.trigger !== trigger
  return {
    triggerProps: {
      onPointerEnter: ({ currentTarget, pointerType }: PointerEvent<HTMLElement>): void => {
        if (pointerType !== 'touch' && isFirst(currentTarget)) show(currentTarget, 'hover')
      },
      onFocus: ({ currentTarget }: FocusEvent<HTMLElement>): void => {
        if (isFirst(currentTarget)) show(currentTarget, 'focus')
      },
      onPointerDown: countPress,
      onKeyDown: countPress,
    },
    popup:
      contact === undefined ? undefined : (
        <contact.Popup
          trigger={contact.trigger}
          by={contact.by}
          taps={contact.taps}
          text={isEmpty ? undefined : text}
          placement={placement}
          delay={delay}
          staysOnPress={staysOnPress}
          isInName={typeof text === 'string' && name?.startsWith(text) === true}
        />
      ),
    /** Touch has no hover: a tap shows the tooltip for a while. */
    onTap: ({ currentTarget: trigger, nativeEvent }: MouseEvent<HTMLElement>): void => {
      if (isEmpty || (nativeEvent as Partial<globalThis.PointerEvent>).pointerType === 'mouse') return
      show(trigger, 'tap', (contact?.taps ?? 0) + 1)
    },
  }
}

type Props = TooltipOptions & {
  /** One control. */
  readonly children: ReactNode
}

/** For controls that do not take the properties of `useTooltip`. */
export function WithTooltip({ children, ...options }: Props) {
  const { triggerProps, popup } = useTooltip(options)
  return (
    <>
      <div {...triggerProps}>{children}</div>
      {popup}
    </>
  )
}
