import { t } from '@lingui/core/macro'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { useNavigate } from 'react-router-dom'
import { actionBlocker, type Action } from '../../../../folding/client/actions.ts'
import type { BulkAction } from '../../../../folding/fleet/bulk-action.ts'
import { clientKeyOf } from '../../../../folding/client/client.ts'
import { withPutAway } from '../../../../folding/client/put-away.ts'
import { selectPreferences } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import {
  isTooOldForActions,
  selectAddress,
  selectId,
  selectClientKey,
  selectName,
} from '../../../../machines/connection/client/client.selectors.ts'
import { selectDirectClients } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { viewNowOf } from '../../../hooks/use-relay-pending.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'

const screens: readonly string[] = ['settings', 'details', 'log']

function pathOf(client: string, screen: string): string {
  return `/${pathPart(client)}/${screen}`
}

/** Shows what an action means for a client, before it is done. */
export function openBulk({ app }: System, action: BulkAction, id: string): void {
  app.send({
    type: 'app.want',
    part: 'bulk',
    first: { to: 'bulk', event: { type: 'bulk.open', action, ids: [id] } },
  })
}

/** Neither lists nor counts a client until it connects. */
export function putAway(client: ClientRef, { preferences }: System): void {
  const { kind, id, record, heardAt } = client.getSnapshot().context
  const key = kind === 'relay' ? id : record.data?.info.id
  const before = selectPreferences(preferences.getSnapshot()).putAway
  if (key !== undefined)
    preferences.send({ type: 'preferences.change', change: { putAway: withPutAway(before, key, heardAt) } })
}

type Navigate = (path: string) => unknown

/** What the menu of a client offers now, and does. */
export function clientMenu(client: ClientRef, system: System, navigate: Navigate) {
  const { dialogs, fleet } = system
  const entries = (): readonly MenuEntry[] => {
    const snapshot = client.getSnapshot()
    const view = viewNowOf(system)(snapshot)
    const address = selectAddress(snapshot)
    const clientId = selectId(snapshot)
    const entry = (id: Action, label: string, icon: NonNullable<MenuEntry['icon']>): MenuEntry => ({
      id,
      label,
      icon,
      blockedBecause: actionBlocker(id, view),
      ...(screens.includes(id) ? { leadsTo: pathOf(clientId, id) } : {}),
    })
    const wasAdded = selectDirectClients(fleet.getSnapshot()).some(added => added.address === address)
    return [
      ...(isTooOldForActions(snapshot)
        ? []
        : [
            entry('pause', t`Pause, resume or finish…`, 'do-pause'),
            { ...entry('pause', t`Idle by a time…`, 'history'), id: 'idle' },
            entry('settings', t`Settings`, 'settings'),
            entry('log', t`Log`, 'log'),
          ]),
      entry('details', t`Hardware`, 'details'),
      {
        id: 'tags',
        label: t`Tags…`,
        icon: 'tag',
        blockedBecause:
          selectClientKey(snapshot) === undefined ? t`The machine has not reported its id yet.` : undefined,
      },
      ...(snapshot.hasTag('connected') || address === undefined
        ? []
        : [{ id: 'reconnect', label: t`Reconnect now`, icon: 'reset', startsGroup: true } as const]),
      ...(view.isConnected || view.isLoading === true
        ? []
        : [
            ...(clientKeyOf(view) === undefined
              ? []
              : [{ id: 'hide', label: t`Hide until it connects`, icon: 'dump', startsGroup: true } as const]),
            ...(view.isDirect && view.comparison?.isLeftOver !== true
              ? []
              : [{ id: 'unlink', label: t`Unlink from the account…`, icon: 'unlinked' } as const]),
          ]),
      ...(wasAdded ? [{ id: 'forget', label: t`Remove this client`, icon: 'close', startsGroup: true } as const] : []),
    ]
  }

  const editTags = (id: string): void => {
    const clientKey = selectClientKey(client.getSnapshot())
    if (clientKey !== undefined)
      dialogs.send({ type: 'dialogs.ask', dialog: { kind: 'tags', id: `tags ${id}`, client: id, machine: clientKey } })
  }

  const choose = (action: string): void => {
    const id = selectId(client.getSnapshot())
    if (action === 'pause')
      dialogs.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: `pause ${id}`, client: id } })
    else if (action === 'tags') editTags(id)
    else if (action === 'reconnect') client.send({ type: 'client.reconnect' })
    else if (action === 'hide') putAway(client, system)
    else if (action === 'unlink') openBulk(system, { kind: 'unlink' }, id)
    else if (action === 'idle') openBulk(system, { kind: 'idle', until: undefined, pauses: false }, id)
    else if (action === 'forget') fleet.send({ type: 'fleet.disconnect', id })
    else if (screens.includes(action)) void navigate(pathOf(id, action))
  }

  return { entries, choose }
}

export function ClientMenu() {
  const client = useClient()
  const system = useSystem()
  const navigate = useNavigate()
  const name = useClientSelector(selectName)
  const { entries, choose } = clientMenu(client, system, navigate)
  return <MenuButton label={t`Actions for ${name}`} icon="more" entries={entries} onChoose={choose} />
}
