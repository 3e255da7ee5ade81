import { t } from '@lingui/core/macro'
import { pathPart } from '../../../folding/address/web-address.ts'
import { endOf } from '../../../folding/unit/history.ts'
import { useIsRelayPending } from '../../hooks/use-relay-pending.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { actionBlocker, type Action } from '../../../folding/client/actions.ts'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { groupNameOf, groupTitle } from '../../../folding/client/group.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'
import { ClientContext } from '../../hooks/client-context.ts'
import { FoldControls } from '../machines/client/fold-controls.tsx'
import { ProcessorButtons } from '../machines/client/processor-buttons.tsx'
import { askToDump } from '../machines/units/unit-menu-popover.tsx'
import {
  isTooOldForActions,
  selectId,
  selectClientKey,
  selectName,
  selectView,
  selectViewNow,
} from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { selectLogTime } from '../../../machines/incidents/incidents/incidents.selectors.ts'
import { logPath } from '../log/log-path.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import type { IconName } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useUnitValue } from './unit-source.ts'

type LinkButtonProps = {
  readonly label: string
  readonly icon: IconName
  readonly to: string
  readonly blockedBecause: string | undefined
}

/** A link, or a blocked button with the reason. */
function LinkButton({ label, icon, to, blockedBecause }: LinkButtonProps) {
  return blockedBecause === undefined ? (
    <ButtonLink icon={icon} to={to}>
      {label}
    </ButtonLink>
  ) : (
    <Button icon={icon} blockedBecause={blockedBecause}>
      {label}
    </Button>
  )
}

function ClientLinks({ client }: { client: ClientRef }) {
  const id = selectId(client.getSnapshot())
  const number = useUnitValue(unit => unit.number)
  const ended = useUnitValue(endOf)
  const trouble = useSelector(
    useSystem().incidents,
    selectLogTime(
      useSelector(client, selectClientKey),
      ({ evidence }) => number !== undefined && evidence.unit === number,
    ),
  )
  const base = `/${pathPart(id)}`
  const viewNow = selectViewNow(useIsRelayPending())
  const noLog = useSelector(client, snapshot => actionBlocker('log', viewNow(snapshot)))
  const noDetails = useSelector(client, snapshot => actionBlocker('details', selectView(snapshot)))
  return (
    <>
      <LinkButton label={t`Machine`} icon="machines" to={base} blockedBecause={noDetails} />
      <LinkButton label={t`Log`} icon="log" to={logPath(id, number, ended ?? trouble)} blockedBecause={noLog} />
    </>
  )
}

type LiveProps = { readonly client: ClientRef; readonly unitKey: string }

/** Commands of a unit that a client has, and links: to the client, to its log filtered by the unit, and to the 3D view. */
export function LiveUnitLinks({ client, unitKey }: LiveProps) {
  const { dialogs } = useSystem()
  const id = selectId(client.getSnapshot())
  const name = useSelector(client, selectName)
  const isTooOld = useSelector(client, isTooOldForActions)
  const unitId = useUnitValue(unit => unit.id) ?? ''
  const group = useUnitValue(groupNameOf) ?? ''
  const isConnected = useSelector(client, snapshot => selectView(snapshot).isConnected)
  const viewNow = selectViewNow(useIsRelayPending())
  const blocker = (action: Action) => (unit: Unit) =>
    actionBlocker(action, { ...viewNow(client.getSnapshot()), isConnected }, unit)
  const noView = useUnitValue(blocker('view'))
  const noDump = useUnitValue(blocker('dump'))
  return (
    <>
      {isTooOld ? undefined : (
        <>
          <div className="line gap-2">
            <ClientContext value={client}>
              <ProcessorButtons
                unit={unitKey}
                otherwise={<FoldControls group={group} name={group === '' ? name : groupTitle(group)} hasWords />}
              />
            </ClientContext>
          </div>
          <Button icon="trash" blockedBecause={noDump} onPress={() => askToDump(dialogs, id, unitId)}>
            {t`Dump…`}
          </Button>
        </>
      )}
      <ClientLinks client={client} />
      <LinkButton
        label={t`3D view`}
        icon="molecule"
        to={`/${pathPart(id)}/view/${pathPart(unitId)}`}
        blockedBecause={noView}
      />
    </>
  )
}

/** Links of a unit of the history: to its client, if that is listed. */
export function StoredUnitLinks({ clientKey }: { clientKey: string }) {
  const { fleet } = useSystem()
  const id = useSelector(fleet, selectMemberId(clientKey))
  const client = useSelector(fleet, selectClientRef(id ?? ''))
  return client === undefined ? undefined : <ClientLinks client={client} />
}
