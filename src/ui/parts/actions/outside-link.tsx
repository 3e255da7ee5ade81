import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icons/icon.tsx'
import styles from './button.module.css'

type Props = {
  readonly children: ReactNode
  /** A result of `safeWebUrl`. */
  readonly href: string
  readonly kind?: 'primary' | 'quiet'
  readonly onFollow?: () => void
}

/** An external link styled as a button. Opens a new tab without opener and referrer. */
export function OutsideLink({ children, href, kind = 'quiet', onFollow }: Props) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      className={classNames(styles['button'], styles[kind])}
      {...(onFollow === undefined ? {} : { onClick: onFollow })}
    >
      <span className={styles['label']}>{children}</span>
      <Icon name="external" />
    </a>
  )
}
