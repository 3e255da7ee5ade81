import { t } from '@lingui/core/macro'
import { Link, useLocation } from 'react-router-dom'
import { pathPart } from '../../../folding/address/web-address.ts'
import { selectId, selectName } from '../../../machines/connection/client/client.selectors.ts'
import { selectOnlyId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import tabStyles from '../../parts/actions/tabs.module.css'
import { useFleetLayout } from '../machines/top/view-menu.tsx'
import { ClientHead } from '../machines/client/client-head.tsx'
import styles from './machine-top.module.css'

type MachineTab = {
  /** The end of its address. */
  readonly path: string
  readonly title: string
  /** It fills the height of the window, and scrolls inside. */
  readonly fillsHeight?: boolean
}

const overview: MachineTab = { path: '', title: t`Overview` }
export const machineTabs: readonly MachineTab[] = [
  overview,
  { path: '/units', title: t`Units` },
  { path: '/log', title: t`Log`, fillsHeight: true },
  { path: '/settings', title: t`Settings` },
  { path: '/details', title: t`Hardware` },
]

/** The tab that the address leads to. */
export function useMachineTab(): MachineTab {
  const { pathname } = useLocation()
  return machineTabs.findLast(({ path }) => pathname.endsWith(path)) ?? overview
}

/** The address of a client's page. A person's only one is on the screen of all machines. */
export function useMachinePath(id: string): string {
  const isOnly = useSelector(useSystem().fleet, snapshot => selectOnlyId(snapshot) === id)
  return useFleetLayout() === 'single' && isOnly ? '/machines' : `/${pathPart(id)}`
}

function Tabs() {
  const id = useClientSelector(selectId)
  const name = useClientSelector(selectName)
  const home = useMachinePath(id)
  const shown = useMachineTab()
  return (
    <nav aria-label={name} className={tabStyles['list']}>
      {machineTabs.map(tab => (
        <Link
          key={tab.path}
          to={tab === overview ? home : `/${pathPart(id)}${tab.path}`}
          className={tabStyles['tab']}
          {...(tab === shown ? { 'aria-current': 'page' } : {})}
        >
          {tab.title}
        </Link>
      ))}
    </nav>
  )
}

type Props = {
  readonly Heading: 'h1' | 'h2'
  readonly headingId?: string
}

/** What stands above all tabs of a client: its name, badges, resources and speed, what it is asked to do, and the tabs. */
export function MachineTop(props: Props) {
  return (
    <div className={styles['top']}>
      <ClientHead density="page" {...props} />
      <Tabs />
    </div>
  )
}
