import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import styles from './dialog.module.css'

type Props = {
  readonly title: string
  /** Escape, and a press outside where that is allowed. */
  readonly onLeave: () => void
  readonly children: ReactNode
  /** Buttons, the main one last. */
  readonly footer: ReactNode
  /** A question that must be answered: it is announced as urgent, and a press outside does not answer it. */
  readonly isQuestion?: boolean
  /** Something is typed in it, which a press outside must not throw away. */
  readonly isForm?: boolean
}

/** A window over the page; on phones a sheet from below. Focus stays inside and returns to where it was. */
export const Dialog = ({ title, onLeave, children, footer, isQuestion = false, isForm = false }: Props) => (
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
        <footer className={styles['footer']}>{footer}</footer>
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
