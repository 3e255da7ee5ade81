import { t } from '@lingui/core/macro'
import { useLocation } from 'react-router-dom'
import { Link } from '../parts/actions/link.tsx'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import styles from './main-menu.module.css'

const entries: readonly { readonly to: string; readonly words: string; readonly icon: IconName }[] = [
  { to: '/machines', words: t`Machines`, icon: 'machines' },
  { to: '/wus', words: t`Work Units`, icon: 'units' },
  { to: '/stats', words: t`Stats`, icon: 'stats' },
  { to: '/projects', words: t`Projects`, icon: 'projects' },
  { to: '/news', words: t`News`, icon: 'news' },
]

const isWithin = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`)

/** In the header, or within reach of the thumb on a phone. */
export const MainMenu = () => {
  const { pathname } = useLocation()
  return (
    <nav aria-label={t`Main`} className={styles['menu']}>
      {entries.map(({ to, words, icon }) => (
        <Link
          key={to}
          to={to}
          className={styles['entry']}
          {...(isWithin(to, pathname) ? { 'aria-current': 'page' } : {})}
        >
          <Icon name={icon} />
          <span>{words}</span>
        </Link>
      ))}
    </nav>
  )
}
