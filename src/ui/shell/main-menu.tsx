import { NavLink } from 'react-router-dom'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import styles from './main-menu.module.css'

const entries: readonly { readonly to: string; readonly words: string; readonly icon: IconName }[] = [
  { to: '/machines', words: 'Machines', icon: 'machines' },
  { to: '/wus', words: 'Work Units', icon: 'units' },
  { to: '/stats', words: 'Stats', icon: 'stats' },
  { to: '/projects', words: 'Projects', icon: 'projects' },
  { to: '/news', words: 'News', icon: 'news' },
]

/** In the header, or within reach of the thumb on a phone. */
export const MainMenu = () => (
  <nav aria-label="Main" className={styles['menu']}>
    {entries.map(({ to, words, icon }) => (
      <NavLink key={to} to={to} className={styles['entry'] ?? ''}>
        <Icon name={icon} />
        <span>{words}</span>
      </NavLink>
    ))}
  </nav>
)
