import { t } from '@lingui/core/macro'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { useState, type RefObject } from 'react'
import { useNavigate } from 'react-router-dom'
import { actionBlocker } from '../../../../folding/client/actions.ts'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import type { ClientCommandEvent } from '../../../../machines/connection/client/client.events.ts'
import type { Condition } from '../../../../folding/incidents/incident.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  isTooOldForActions,
  selectId,
  selectClientKey,
} from '../../../../machines/connection/client/client.selectors.ts'
import { selectLogTime } from '../../../../machines/incidents/incidents/incidents.selectors.ts'
import { MenuPopover, type MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { logPath } from '../../log/log-path.ts'
import { whyBusy } from '../../../hooks/use-bulk.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { viewNowOf } from '../../../hooks/use-relay-pending.ts'
import { useClient } from '../../../hooks/client-context.ts'
import { processorOf } from '../../../../folding/client/processors.ts'
import { processorTitle } from '../../../../folding/fleet/bulk-text.ts'
import { isPartThere } from '../../../../machines/app/app.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import {
  notesFor,
  processorBlocker,
  requestProcessor,
  shownProcessors,
  statesFor,
} from '../client/request-processor.ts'
import { selectUnit } from './unit-access.ts'

/** Paths of the screens about a unit. */
function pathsOf(client: string, { id = '', number }: Unit, at: number | undefined) {
  const base = `/${pathPart(client)}`
  return {
    unit: `/unit/${pathPart(id)}`,
    view: `${base}/view/${pathPart(id)}`,
    log: logPath(client, number, at),
  }
}

/** Dumps a unit when that is confirmed. */
export function askToDump(dialogs: System['dialogs'], clientId: string, id: string): void {
  const event: ClientCommandEvent = { type: 'client.dump', unit: id }
  dialogs.send({
    type: 'dialogs.ask',
    dialog: {
      kind: 'confirm',
      id: `dump ${clientId} ${id}`,
      title: t`Dump WU?`,
      text: t`Dumped Work Units receive no points. Are you sure you want to dump this Work Unit?`,
      buttons: [
        { id: 'cancel', name: t`Cancel` },
        { id: 'dump', name: t`Dump`, tone: 'danger', sends: [{ to: `client:${clientId}`, event }] },
      ],
    },
  })
}

/** What the menu of one unit of the current client offers, and does. */
export function useUnitMenu(unit: string) {
  const client = useClient()
  const system = useSystem()
  const { dialogs, incidents } = system
  const navigate = useNavigate()
  const find = selectUnit(unit)
  const pathsTo = (snapshot: ClientSnapshot, found: Unit) => {
    const isAbout = ({ evidence }: Condition): boolean => found.number !== undefined && evidence.unit === found.number
    const at = selectLogTime(selectClientKey(snapshot), isAbout)(incidents.getSnapshot())
    return pathsOf(selectId(snapshot), found, at)
  }

  const processorActions = (snapshot: ClientSnapshot, found: Unit): readonly (readonly [FoldingState, string])[] => {
    const { group, gpu } = processorOf(found)
    const shown = shownProcessors(snapshot, group, notesFor(system, snapshot)).find(
      ({ processor }) => processor.gpu === gpu,
    )
    if (shown === undefined || (shown.isOnly && shown.state !== 'pause' && shown.state !== 'off')) return []
    return statesFor(shown.state).map(state => [state, processorTitle(state, shown.name)])
  }

  const entries = (): readonly MenuEntry[] => {
    const snapshot = client.getSnapshot()
    const view = viewNowOf(system)(snapshot)
    const found = find(snapshot)
    const paths = pathsTo(snapshot, found ?? {})
    const molecule: MenuEntry = {
      id: 'view',
      label: t`3D view`,
      icon: 'molecule',
      leadsTo: paths.view,
      blockedBecause: actionBlocker('view', view, found),
    }
    const log: MenuEntry = {
      id: 'log',
      label: t`Show in log`,
      icon: 'log',
      leadsTo: paths.log,
      blockedBecause: actionBlocker('log', view, found),
    }
    const dump: MenuEntry = {
      id: 'dump',
      label: t`Dump…`,
      icon: 'trash',
      isDangerous: true,
      startsGroup: true,
      blockedBecause: actionBlocker('dump', view, found),
    }
    const busy = isPartThere('bulk')(system.app.getSnapshot()) ? whyBusy(system.bulk.getSnapshot()) : undefined
    const processors = (found === undefined ? [] : processorActions(snapshot, found)).map(
      ([state, label], index): MenuEntry => ({
        id: state,
        label,
        icon: `do-${state}`,
        startsGroup: index === 0,
        blockedBecause: processorBlocker(view) ?? busy,
      }),
    )
    return [
      {
        id: 'unit',
        label: t`Unit details`,
        icon: 'details',
        leadsTo: paths.unit,
        blockedBecause: actionBlocker('unit', view, found),
      },
      ...(isTooOldForActions(snapshot) ? [] : [molecule, log, ...processors, dump]),
    ]
  }

  const choose = (action: string): void => {
    const snapshot = client.getSnapshot()
    const found = find(snapshot)
    if (found?.id === undefined) return
    const paths = pathsTo(snapshot, found)
    if (action === 'dump') askToDump(dialogs, selectId(snapshot), found.id)
    if (action === 'fold' || action === 'pause' || action === 'finish')
      requestProcessor(client, system, processorOf(found), action)
    if (action === 'unit' || action === 'view' || action === 'log') void navigate(paths[action])
  }

  return { entries, choose }
}

type Props = {
  readonly unit: string
  readonly label: string
  readonly trigger: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

/** The menu of one unit, with what it offered when it was opened. */
export function UnitMenuPopover({ unit, ...menu }: Props) {
  const { entries, choose } = useUnitMenu(unit)
  const [offered] = useState(entries)
  return <MenuPopover {...menu} entries={offered} onChoose={choose} />
}
