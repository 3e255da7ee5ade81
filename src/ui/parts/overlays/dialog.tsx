import { useEffect, type ReactNode } from 'react'
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

/** A modal dialog; on phones a bottom sheet. */
export const Dialog = ({ title, onLeave, children, footer, isQuestion = false, isForm = false }: Props) => {
  // The control that opened the dialog may be gone.
  useEffect(() => focusContentSoon, [])
  return (
    <ModalOverlay
      className={styles['overlay'] ?? ''}
      isOpen
      isDismissable={!isQuestion && !isForm}
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
