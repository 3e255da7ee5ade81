import type { Unit } from '../../../../src/protocol/client/client-data.ts'
import type { ArchivedClient } from '../../../../src/folding/unit/archived-client.ts'
import type { ErrorActorEvent } from 'xstate'
import type { FleetNotification } from '../../../../src/machines/connection/fleet/fleet.events.ts'

/** Sent to the recorder. */
export type RecorderCommand =
  /** Store units that ended. A client reports them again on each connection. */
  | { readonly type: 'recorder.store'; readonly machine: ArchivedClient; readonly units: readonly Unit[] }
  /** Store the points per day of all clients now. */
  | { readonly type: 'recorder.sample' }

export type ServerEvent = FleetNotification | ErrorActorEvent
