import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './button.module.css'

type Props = {
  readonly children: ReactNode
  readonly to: string
  readonly kind?: 'primary' | 'quiet'
  readonly icon?: IconName
}

/** A link styled as a button. External addresses open in a new tab without opener. */
export function ButtonLink({ children, to, kind = 'quiet', icon }: Props) {
  const isExternal = to.startsWith('https://')
  const content = (
    <>
      {icon === undefined ? undefined : <Icon name={icon} />}
      <span className={styles['label']}>{children}</span>
      {isExternal ? <Icon name="external" /> : undefined}
    </>
  )
  const className = classNames(styles['button'], styles[kind])
  return isExternal ? (
    <a href={to} target="_blank" rel="noopener noreferrer" className={className}>
      {content}
    </a>
  ) : (
    <Link to={to} className={className}>
      {content}
    </Link>
  )
}
