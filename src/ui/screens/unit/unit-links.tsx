import { t } from '@lingui/core/macro'
import { pathPart } from '../../../folding/shared/web-address.ts'
import { useSelector } from '@xstate/react'
import { whyNot } from '../../../folding/machine/actions.ts'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { selectView } from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { logPath } from '../log/log-path.ts'
import { Button } from '../../parts/actions/button.tsx'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import type { IconName } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useUnitValue } from './unit-source.ts'

type WayProps = {
  readonly words: string
  readonly icon: IconName
  readonly to: string
  readonly blockedBecause: string | undefined
}

/** A link, or what says why there is none now. */
const Way = ({ words, icon, to, blockedBecause }: WayProps) =>
  blockedBecause === undefined ? (
    <ButtonLink icon={icon} to={to}>
      {words}
    </ButtonLink>
  ) : (
    <Button icon={icon} blockedBecause={blockedBecause}>
      {words}
    </Button>
  )

const MachineLinks = ({ client }: { client: ClientRef }) => {
  const { id } = client.getSnapshot().context
  const number = useUnitValue(unit => unit.number)
  const base = `/${pathPart(id)}`
  const noLog = useSelector(client, snapshot => whyNot('log', selectView(snapshot)))
  const noDetails = useSelector(client, snapshot => whyNot('details', selectView(snapshot)))
  return (
    <>
      <Way words={t`Machine`} icon="machines" to={`${base}/details`} blockedBecause={noDetails} />
      <Way words={t`Log`} icon="log" to={logPath(id, number)} blockedBecause={noLog} />
    </>
  )
}

/** From a unit that a machine has now: to the machine, to what its log says of the unit, to its molecule. */
export const LiveUnitLinks = ({ client }: { client: ClientRef }) => {
  const { id } = client.getSnapshot().context
  const unitId = useUnitValue(unit => unit.id) ?? ''
  const isConnected = useSelector(client, snapshot => selectView(snapshot).isConnected)
  const noView = useUnitValue(unit => whyNot('view', { ...selectView(client.getSnapshot()), isConnected }, unit))
  return (
    <>
      <MachineLinks client={client} />
      <Way
        words={t`3D view`}
        icon="molecule"
        to={`/${pathPart(id)}/view/${pathPart(unitId)}`}
        blockedBecause={noView}
      />
    </>
  )
}

/** From a unit that ended: to its machine, while that is to be had. */
export const StoredUnitLinks = ({ machine }: { machine: string }) => {
  const { fleet } = useSystem()
  const id = useSelector(fleet, selectMemberId(machine))
  const client = useSelector(fleet, selectClientRef(id ?? ''))
  return client === undefined ? undefined : <MachineLinks client={client} />
}
