import type { ReactNode } from 'react'
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar'
import { classNames } from '../class-names.ts'
import styles from './toolbar.module.css'

type Props = { readonly label: string; readonly className?: string; readonly children: ReactNode }

/** A group of controls that is one tab stop; arrow keys move within it. */
export const Toolbar = ({ label, className, children }: Props) => (
  <AriaToolbar aria-label={label} className={classNames(styles['toolbar'], className)}>
    {children}
  </AriaToolbar>
)
