import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '../../../hooks/use-selector.ts'
import { memo, useEffect, useId } from 'react'
import { isGroupHidden } from '../../../../folding/client/group.ts'
import { toggleCollapsed } from '../../../../folding/fleet/fleet-view.ts'
import { isPanelCollapsed, selectPreferences } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  hasData,
  selectBadges,
  selectGroup,
  selectGroupNames,
  selectId,
  selectIgnored,
  selectInfo,
  selectUnitsOfGroup,
} from '../../../../machines/connection/client/client.selectors.ts'
import { Skeleton } from '../../../parts/display/skeleton.tsx'
import { usePageServer } from '../../../hooks/server-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { ClientContext, useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { ConnectionHelp } from '../client/connection-help.tsx'
import { GroupSection, type GroupUnits } from './group-section.tsx'
import { UnitList } from '../units/unit-list.tsx'
import { ClientIncidents } from '../client/client-incidents.tsx'
import { ClientHead } from '../client/client-head.tsx'
import styles from './client-panel.module.css'

const ClientSchedule = lazyComponent(
  () => import('../../../server/client-schedule.tsx').then(m => m.ClientSchedule),
  t`The schedule`,
)

function shownGroups(hidesEmpty: boolean) {
  return (snapshot: ClientSnapshot): readonly string[] => {
    const info = selectInfo(snapshot)
    return selectGroupNames(snapshot).filter(
      name =>
        !isGroupHidden(selectGroup(name)(snapshot), info, hidesEmpty, selectUnitsOfGroup(name)(snapshot).length > 0),
    )
  }
}

const IgnoredCommands = lazyComponent(() => import('../../../later.ts').then(m => m.IgnoredCommands), t`The notice`)

const IdleLine = lazyComponent(() => import('../../../later.ts').then(m => m.IdleLine), t`Idle by a time`)

const LeftOverLine = lazyComponent(() => import('../../../later.ts').then(m => m.LeftOverLine), t`Left over`)

type ContentProps = {
  /** How the units of a group are shown. */
  readonly Units: GroupUnits
  /** Whether each unit has buttons for what computes it. */
  readonly hasButtons?: boolean
}

export function Groups({ Units, hasButtons = false }: ContentProps) {
  const hidesEmpty = useSelector(useSystem().preferences, ({ context }) => context.shown.hidesEmptyGroups)
  const names = useSelector(useClient(), shownGroups(hidesEmpty), shallowEqual)
  const hasHeader = names.length > 1 || names.some(name => name !== '')
  return (
    <div data-groups>
      {names.map(name => (
        <GroupSection key={name} name={name} hasHeader={hasHeader} Units={Units} hasButtons={hasButtons} />
      ))}
    </div>
  )
}

function problemOf(snapshot: ClientSnapshot): 'error' | 'warning' | 'none' {
  const badges = selectBadges(snapshot)
  if (badges.includes('failed')) return 'error'
  return badges.includes('warning') ? 'warning' : 'none'
}

function hasIgnoredCommands(snapshot: ClientSnapshot): boolean {
  return selectIgnored(snapshot).length > 0
}

/** Has the client report at once while it is shown. Attributes of the element that shows it. */
export function useShownClient() {
  const client = useClient()
  useEffect(() => {
    client.send({ type: 'client.watch' })
    return () => client.send({ type: 'client.unwatch' })
  }, [client])
  const isStale = useClientSelector(snapshot => hasData(snapshot) && !snapshot.hasTag('connected'))
  return { 'data-stale': isStale, 'data-problem': useClientSelector(problemOf) }
}

/** What needs attention, and the groups with their units. */
export function ClientContent({ Units, hasButtons = false }: ContentProps) {
  const server = usePageServer()
  const hasTimes = useSelector(useSystem().idleTimes, ({ context }) => Object.keys(context.times).length > 0)
  const hasIgnored = useClientSelector(hasIgnoredCommands)
  const isLeftOver = useClientSelector(snapshot => selectBadges(snapshot).includes('left-over'))
  const isLoading = useClientSelector(snapshot => !hasData(snapshot) && selectBadges(snapshot).includes('loading'))
  return (
    <>
      <ConnectionHelp />
      {server === undefined ? undefined : <ClientSchedule />}
      <ClientIncidents />
      {hasIgnored ? <IgnoredCommands /> : undefined}
      {isLeftOver ? <LeftOverLine /> : undefined}
      {hasTimes ? <IdleLine /> : undefined}
      {isLoading ? (
        <div className={styles['loading']}>
          <Skeleton label={t`Loading…`} rows={2} />
        </div>
      ) : (
        <Groups Units={Units} hasButtons={hasButtons} />
      )}
    </>
  )
}

function Panel({ canCollapse }: { canCollapse: boolean }) {
  const headingId = useId()
  const attributes = useShownClient()
  const { preferences } = useSystem()
  const id = useClientSelector(selectId)
  const isCollapsed = useSelector(preferences, isPanelCollapsed(id)) && canCollapse
  const hasIgnored = useClientSelector(hasIgnoredCommands)
  const toggle = (): void => {
    const { fleetView } = selectPreferences(preferences.getSnapshot())
    const collapsed = toggleCollapsed(fleetView.collapsed, id)
    preferences.send({ type: 'preferences.change', change: { fleetView: { ...fleetView, collapsed } } })
  }
  return (
    <section aria-labelledby={headingId} className={styles['panel']} data-machine={id} {...attributes}>
      <ClientHead
        density={isCollapsed ? 'line' : 'panel'}
        headingId={headingId}
        onToggle={canCollapse ? toggle : undefined}
      />
      {!isCollapsed ? <ClientContent Units={UnitList} /> : hasIgnored ? <IgnoredCommands /> : undefined}
    </section>
  )
}

/** One client: its header, ignored commands, groups and their units. */
export const ClientPanel = memo(({ client, canCollapse = true }: { client: ClientRef; canCollapse?: boolean }) => (
  <ClientContext value={client}>
    <Panel canCollapse={canCollapse} />
  </ClientContext>
))
ClientPanel.displayName = 'MachinePanel'
