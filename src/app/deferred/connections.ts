import { connectionProbes } from '../../actors/connection-check/connection-probes.ts'
import { connectionCheckMachine } from '../../machines/connection/check/connection-check.machine.ts'
import { directClientsMachine } from '../../machines/screens/direct-clients/direct-clients.machine.ts'

/** The dialogs about connections: the check, and the list of direct clients. */
export const connectionsGroup = (deps: Parameters<typeof connectionProbes>[0]) => ({
  connectionCheck: connectionCheckMachine.provide({ actors: { connectionProbes: connectionProbes(deps) } }),
  directClients: directClientsMachine,
})
