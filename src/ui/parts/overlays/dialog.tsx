import { useEffect, useLayoutEffect, type MouseEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { focusContentSoon } from '../focus-content.ts'
import styles from './dialog.module.css'

type Props = {
  readonly title: string
  /** Called on Escape, and on a press outside where that is allowed. */
  readonly onLeave: () => void
  readonly children: ReactNode
  /** Buttons; the primary one comes last. */
  readonly footer: ReactNode
  /** Uses the role `alertdialog`, and ignores presses outside. */
  readonly isQuestion?: boolean
  /** Ignores presses outside, so that typed text is not lost. */
  readonly isForm?: boolean
}

let openDialogs = 0

/**
 * The backdrop does not cover the space of the scrollbar, which is hidden while a dialog is open: the page's color is dimmed
 * there. As a value of the element itself: a rule, or a value with a variable, has browsers compute the style of every
 * element of the page again.
 */
function dimPage() {
  const { style } = document.documentElement
  openDialogs += 1
  if (openDialogs === 1)
    style.backgroundColor = getComputedStyle(document.documentElement).getPropertyValue('--surface-page-dimmed')
  return () => {
    openDialogs -= 1
    if (openDialogs === 0) style.backgroundColor = ''
  }
}

/** A press beside the dialog would take the focus out of it for a moment, in which Escape does nothing. */
function keepFocus(event: MouseEvent) {
  if (event.target === event.currentTarget) event.preventDefault()
}

/** A modal dialog; on phones a bottom sheet. */
export function Dialog({ title, onLeave, children, footer, isQuestion = false, isForm = false }: Props) {
  useLayoutEffect(dimPage, [])
  // The control that opened the dialog may be gone.
  useEffect(() => () => focusContentSoon(), [])
  return (
    <ModalOverlay
      className={styles['overlay'] ?? ''}
      isOpen
      isDismissable={!isQuestion && !isForm}
      onMouseDown={keepFocus}
      onOpenChange={isOpen => {
        if (!isOpen) onLeave()
      }}
    >
      <Modal className={styles['modal'] ?? ''}>
        <AriaDialog role={isQuestion ? 'alertdialog' : 'dialog'} className={styles['dialog'] ?? ''}>
          <Heading slot="title" className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <div className={styles['body']}>{children}</div>
          <div className={styles['footer']}>{footer}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
