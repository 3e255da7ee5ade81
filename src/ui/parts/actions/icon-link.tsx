import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './button.module.css'
import { Link } from './link.tsx'

type Props = {
  readonly to: string
  readonly icon: IconName
  /** Accessible name and tooltip. */
  readonly label: string
}

/** A link with only an icon. Uses no React Aria component, so that a thousand rows can have one. */
export const IconLink = ({ to, icon, label }: Props) => (
  <Link
    to={to}
    aria-label={label}
    title={label}
    className={classNames(styles['button'], styles['icon-only'], styles['small'])}
  >
    <Icon name={icon} />
  </Link>
)
