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

/** A way to another screen that looks like a button. Addresses outside open in a new tab that cannot reach back. */
export const ButtonLink = ({ children, to, kind = 'quiet', icon }: Props) => {
  const isOutside = to.startsWith('https://')
  return (
    <Link
      to={to}
      className={classNames(styles['button'], styles[kind])}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      <span className={styles['label']}>{children}</span>
      {isOutside ? <Icon name="external" /> : undefined}
    </Link>
  )
}
