import type { ClientFaults } from './types.ts'
import { sendToUnit } from './unit/unit-driver.ts'
import type { ClientContext } from './client-context.ts'

/** The state of the computer that a client runs on. */
export type HostConditions = { inUse: boolean; onBattery: boolean }

/** Faults that tests and the demo request; each takes effect at the next opportunity. */
export const createFaults = (context: ClientContext, hostConditions: HostConditions): ClientFaults => ({
  failNextUnit: () => {
    const running = context.units.find(unit => unit.snapshot.matches({ RUN: 'running' }))
    if (running === undefined) context.faults.unit = true
    else sendToUnit(context, running, { type: 'work.failed', at: context.schedule.now() })
  },
  failNextAssignments: count => {
    context.faults.assignments = count
  },
  failNextDownloads: count => {
    context.faults.downloads = count
  },
  failNextUploads: count => {
    context.faults.uploads = count
  },
  rejectNextResults: () => {
    context.faults.rejection = true
  },
  expireUnit: id => {
    const unit = context.units.find(({ wire }) => wire['id'] === id)
    if (unit !== undefined) sendToUnit(context, unit, { type: 'deadline.passed', at: context.schedule.now() })
  },
  setOnBattery: onBattery => {
    hostConditions.onBattery = onBattery
    context.doc.setInfo('on_battery', onBattery)
    context.changed()
    context.reschedule()
  },
  setInUse: inUse => {
    hostConditions.inUse = inUse
    context.changed()
    context.reschedule()
  },
})
