import type { ReactNode } from 'react'
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar'
import { classNames } from '../class-names.ts'
import styles from './toolbar.module.css'

type Props = { readonly label: string; readonly className?: string; readonly children: ReactNode }

/** Controls that belong together: one stop for Tab, arrows move within. */
export const Toolbar = ({ label, className, children }: Props) => (
  <AriaToolbar aria-label={label} className={classNames(styles['toolbar'], className)}>
    {children}
  </AriaToolbar>
)
