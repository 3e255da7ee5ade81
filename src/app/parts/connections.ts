import { connectionProbes, type ConnectionProbesDeps } from '../../actors/connection-check/connection-probes.ts'
import { connectionCheckMachine } from '../../machines/connection/check/connection-check.machine.ts'
import { connectMachine } from '../../machines/screens/connect/connect.machine.ts'
import { directClientsMachine } from '../../machines/screens/direct-clients/direct-clients.machine.ts'

/** The machines of the dialogs about direct clients, with their effects. */
export function connectionMachines(deps: ConnectionProbesDeps) {
  return {
    connect: connectMachine,
    directClients: directClientsMachine,
    connectionCheck: connectionCheckMachine.provide({ actors: { connectionProbes: connectionProbes(deps) } }),
  }
}
