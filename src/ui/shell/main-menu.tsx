import { useLocation } from 'react-router-dom'
import { Link } from '../parts/actions/link.tsx'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import styles from './main-menu.module.css'

const entries: readonly { readonly to: string; readonly words: string; readonly icon: IconName }[] = [
  { to: '/machines', words: 'Machines', icon: 'machines' },
  { to: '/wus', words: 'Work Units', icon: 'units' },
  { to: '/stats', words: 'Stats', icon: 'stats' },
  { to: '/projects', words: 'Projects', icon: 'projects' },
  { to: '/news', words: 'News', icon: 'news' },
]

const isWithin = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`)

/** In the header, or within reach of the thumb on a phone. */
export const MainMenu = () => {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Main" className={styles['menu']}>
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
