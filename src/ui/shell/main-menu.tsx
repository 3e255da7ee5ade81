import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { Link, useLocation } from 'react-router-dom'
import { wordWidth } from '../../folding/text/text-width.ts'
import { selectLastSearch } from '../../machines/fleet/views/views.selectors.ts'
import { usePageServer } from '../hooks/server-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { classNames } from '../parts/class-names.ts'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import styles from './main-menu.module.css'
import { isWithin } from './section.ts'

/** Its link leads back to the query that was shown last. */
const MACHINES = '/machines'

export const mainEntries: readonly { readonly to: string; readonly label: string; readonly icon: IconName }[] = [
  { to: MACHINES, label: t`Machines`, icon: 'machines' },
  { to: '/wus', label: t`Work Units`, icon: 'units' },
  { to: '/stats', label: t`Stats`, icon: 'stats' },
  { to: '/projects', label: t`Projects`, icon: 'projects' },
  { to: '/news', label: t`News`, icon: 'news' },
]

/** Only a server can keep schedules. */
export const SCHEDULES = { to: '/schedules', label: t`Schedules`, icon: 'wait' } as const

/** Letters of names that fit a phone at their usual size. */
const ROOM = 38

/** Shown in the header; on phones at the bottom of the screen. */
export function MainMenu() {
  const hasServer = usePageServer() !== undefined
  const { pathname } = useLocation()
  const shown = hasServer ? [...mainEntries, SCHEDULES] : mainEntries
  const width = shown.reduce((sum, { label }) => sum + wordWidth(label), 0)
  const lastSearch = useSelector(useSystem().views, selectLastSearch)
  return (
    <nav aria-label={t`Main`} className={classNames(styles['menu'], width > ROOM && styles['dense'])}>
      {shown.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to === MACHINES ? `${to}${lastSearch}` : to}
          className={styles['entry']}
          {...(isWithin(to, pathname) ? { 'aria-current': 'page' } : {})}
        >
          <Icon name={icon} />
          <span>{label}</span>
        </Link>
      ))}
    </nav>
  )
}
