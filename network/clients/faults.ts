import type { ClientFaults } from './types.ts'
import { sendToUnit } from './unit/unit-driver.ts'
import type { World } from './world.ts'

/** What the computer around a client does. */
export type Circumstances = { inUse: boolean; onBattery: boolean }

/** Levers for tests and for the demo's story; what they ask for happens at the next occasion. */
export const createFaults = (world: World, circumstances: Circumstances): ClientFaults => ({
  failNextUnit: () => {
    const running = world.lives.find(life => life.snapshot.matches({ RUN: 'running' }))
    if (running === undefined) world.faults.unit = true
    else sendToUnit(world, running, { type: 'work.failed', at: world.schedule.now() })
  },
  failNextAssignments: count => {
    world.faults.assignments = count
  },
  failNextDownloads: count => {
    world.faults.downloads = count
  },
  failNextUploads: count => {
    world.faults.uploads = count
  },
  rejectNextResults: () => {
    world.faults.rejection = true
  },
  expireUnit: id => {
    const life = world.lives.find(({ wire }) => wire['id'] === id)
    if (life !== undefined) sendToUnit(world, life, { type: 'deadline.passed', at: world.schedule.now() })
  },
  setOnBattery: onBattery => {
    circumstances.onBattery = onBattery
    world.doc.setInfo('on_battery', onBattery)
    world.changed()
    world.reschedule()
  },
  setInUse: inUse => {
    circumstances.inUse = inUse
    world.changed()
    world.reschedule()
  },
})
