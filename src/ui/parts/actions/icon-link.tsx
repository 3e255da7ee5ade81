import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './button.module.css'
import { Link } from './link.tsx'

type Props = {
  readonly to: string
  readonly icon: IconName
  /** Its name, which shows on hover. */
  readonly label: string
}

/** A way to another screen that is only a picture; light enough to stand in each of a thousand rows. */
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
