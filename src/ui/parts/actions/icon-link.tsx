import { Link } from 'react-router-dom'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './button.module.css'

type Props = {
  readonly to: string
  readonly icon: IconName
  /** Accessible name and tooltip: both by `title`, since a screen reader reads a title beside another name. */
  readonly label: string
}

/** A link with only an icon. Uses no React Aria component, so that a thousand rows can have one. */
export function IconLink({ to, icon, label }: Props) {
  return (
    <Link to={to} title={label} className={classNames(styles['button'], styles['icon-only'], styles['small'])}>
      <Icon name={icon} />
    </Link>
  )
}
