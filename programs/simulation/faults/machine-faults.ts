import type { FleetClient } from '../../network/index.ts'
import type { Scene } from '../story/scene.ts'
import { DAY, HOUR, MINUTE } from '../time/durations.ts'
import { nothing, type Fault } from './fault.ts'

/** A fault of one machine, `name`, that lasts `lasts`. */
function ofOne(
  name: string,
  what: string,
  lasts: Fault['lasts'],
  begin: (client: FleetClient, scene: Scene) => () => void,
): Fault {
  return {
    name,
    what,
    lasts,
    begin: scene => {
      const client = scene.chance.oneOf(scene.books.clients())
      return client === undefined ? undefined : begin(client, scene)
    },
  }
}

/** What goes wrong within machines. */
export const machineFaults: readonly Fault[] = [
  ofOne(
    'machine with a wrong clock',
    'the clock of a machine is wrong',
    [HOUR, 3 * DAY],
    ({ id, client }, { chance, books }) => {
      books.wrongClocks.add(id)
      client.faults.setClockAhead(chance.whole(-3 * DAY, 3 * DAY))
      return () => client.faults.setClockAhead(0)
    },
  ),
  ofOne('machine updated', 'a machine starts again, with everybody who reads it cut off', [1, 1], one => {
    one.kill()
    one.revive()
    return nothing
  }),
  ofOne('driver lost', 'a machine loses a GPU, and gets it back', [MINUTE, 12 * HOUR], ({ client }, { chance }) => {
    const gpu = chance.oneOf(Object.keys(client.profile.gpus))
    if (gpu === undefined) return nothing
    client.faults.setGpuPresent(gpu, false)
    return () => client.faults.setGpuPresent(gpu, true)
  }),
  ofOne('units stall', 'the units of a machine make no progress', [HOUR, DAY], ({ client }) => {
    client.faults.setStalled(true)
    return () => client.faults.setStalled(false)
  }),
  ofOne('machine throttled', 'the units of a machine are slow', [HOUR, 2 * DAY], ({ client }, { chance }) => {
    client.faults.setSlowness(chance.whole(2, 20))
    return () => client.faults.setSlowness(1)
  }),
  ofOne('machine in use', 'somebody uses a machine, on battery', [MINUTE, 8 * HOUR], ({ client }) => {
    client.faults.setInUse(true)
    client.faults.setOnBattery(true)
    return () => {
      client.faults.setInUse(false)
      client.faults.setOnBattery(false)
    }
  }),
  ofOne('unit fails', 'a unit fails, or its result is rejected', [1, 1], ({ client }, { chance }) => {
    if (chance.isTrue(0.5)) client.faults.failNextUnit()
    else client.faults.rejectNextResults()
    return nothing
  }),
  ofOne('servers of units fail', 'assignments, downloads and uploads fail', [1, 1], ({ client }, { chance }) => {
    client.faults.failNextAssignments(chance.whole(0, 8))
    client.faults.failNextDownloads(chance.whole(0, 4))
    client.faults.failNextUploads(chance.whole(0, 8))
    return nothing
  }),
]
