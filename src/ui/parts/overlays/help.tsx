import { t } from '@lingui/core/macro'
import { useRef, useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Pressable } from '../actions/button.tsx'
import { Icon } from '../icons/icon.tsx'
import styles from './help.module.css'

type Props = { readonly about: string; readonly children: ReactNode }

/** A button that opens an explanation of the field or heading beside it. */
export function Help({ about, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Pressable
        ref={trigger}
        label={t`Help: ${about}`}
        opens="dialog"
        isOpen={isOpen}
        className={styles['button']}
        onPress={() => setOpen(true)}
      >
        <Icon name="help" />
      </Pressable>
      <Popover
        triggerRef={trigger}
        isOpen={isOpen}
        onOpenChange={setOpen}
        className={styles['popover'] ?? ''}
        offset={6}
      >
        <Dialog aria-label={about} className={styles['text'] ?? ''}>
          {children}
        </Dialog>
      </Popover>
    </>
  )
}
