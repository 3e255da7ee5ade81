import type { ClientFaults, GpuSpec } from './types.ts'
import { planUnit, sendToUnit } from './unit/unit-driver.ts'
import { progressAt } from './unit/simulated-unit.ts'
import { workRate } from './unit/unit-numbers.ts'
import { infoGpus } from './document.ts'
import type { ClientContext } from './client-context.ts'

/** The state of the computer that a client runs on. */
export type HostConditions = { inUse: boolean; onBattery: boolean }

/** The client's GPUs without those that it lost. */
export function presentGpus({ profile, faults }: ClientContext): Readonly<Record<string, GpuSpec>> {
  return Object.fromEntries(Object.entries(profile.gpus).filter(([id]) => !faults.lostGpus.has(id)))
}

/** Running units go on from where they are, at the present speed. */
function changePace(context: ClientContext): void {
  const now = context.schedule.now()
  for (const unit of context.units) {
    if (unit.runningSince === undefined) continue
    const share = progressAt(unit, now)
    unit.rate = workRate(context, unit)
    unit.done = share - (now - unit.runningSince) * unit.rate
    planUnit(context, unit)
  }
  context.changed()
}

/** Faults that tests and the demo request; each takes effect at the next opportunity. */
export function createFaults(context: ClientContext, hostConditions: HostConditions): ClientFaults {
  return {
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
    setGpuPresent: (id, isPresent) => {
      if (isPresent) context.faults.lostGpus.delete(id)
      else context.faults.lostGpus.add(id)
      context.doc.setInfo('gpus', infoGpus(presentGpus(context)))
      context.changed()
      context.reschedule()
    },
    setStalled: isStalled => {
      context.faults.isStalled = isStalled
      changePace(context)
    },
    setSlowness: times => {
      context.faults.slowness = times
      changePace(context)
    },
    setClockAhead: milliseconds => {
      context.faults.clockAhead = milliseconds
    },
  }
}
