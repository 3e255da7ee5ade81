import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '@xstate/react'
import { memo, useEffect, useId } from 'react'
import { isGroupHidden } from '../../../../folding/machine/group.ts'
import { hidesEmptyGroups } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  hasData,
  isConnected,
  selectBadges,
  selectGroup,
  selectGroupNames,
  selectUnitsOfGroup,
} from '../../../../machines/connection/client/client.selectors.ts'
import { Skeleton } from '../../../parts/display/skeleton.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { ClientContext, useClient, useFact } from '../client-context.ts'
import { ConnectionHelp } from './connection-help.tsx'
import { GroupSection } from './group-section.tsx'
import { Ignored } from './ignored.tsx'
import { MachineHeader } from './machine-header.tsx'
import styles from './machine-panel.module.css'

const shownGroups =
  (hidesEmpty: boolean) =>
  (snapshot: ClientSnapshot): readonly string[] => {
    const info = snapshot.context.record.data?.info
    return selectGroupNames(snapshot).filter(
      name =>
        !isGroupHidden(selectGroup(name)(snapshot), info, hidesEmpty, selectUnitsOfGroup(name)(snapshot).length > 0),
    )
  }

const Groups = () => {
  const hidesEmpty = useSelector(useSystem().preferences, hidesEmptyGroups)
  const names = useSelector(useClient(), shownGroups(hidesEmpty), shallowEqual)
  const isHeaded = names.length > 1 || names.some(name => name !== '')
  return names.map(name => <GroupSection key={name} name={name} isHeaded={isHeaded} />)
}

const problemOf = (snapshot: ClientSnapshot): 'error' | 'warning' | 'none' => {
  const badges = selectBadges(snapshot)
  if (badges.includes('failed')) return 'error'
  return badges.includes('warning') ? 'warning' : 'none'
}

const Panel = () => {
  const headingId = useId()
  const client = useClient()
  useEffect(() => {
    client.send({ type: 'client.watch' })
    return () => client.send({ type: 'client.unwatch' })
  }, [client])
  const isStale = useFact(snapshot => hasData(snapshot) && !isConnected(snapshot))
  const isLoading = useFact(snapshot => !hasData(snapshot) && selectBadges(snapshot).includes('loading'))
  const problem = useFact(problemOf)
  return (
    <section aria-labelledby={headingId} className={styles['panel']} data-stale={isStale} data-problem={problem}>
      <MachineHeader headingId={headingId} />
      <ConnectionHelp />
      <Ignored />
      {isLoading ? (
        <div className={styles['loading']}>
          <Skeleton label={t`Loading…`} rows={2} />
        </div>
      ) : (
        <Groups />
      )}
    </section>
  )
}

/** One machine: its name and badges, what it is told to do, its groups and their units. */
export const MachinePanel = memo(({ client }: { client: ClientRef }) => (
  <ClientContext value={client}>
    <Panel />
  </ClientContext>
))
MachinePanel.displayName = 'MachinePanel'
