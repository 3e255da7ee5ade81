import type { ClientData, Unit } from '../../protocol/client-data.ts'
import type { ClientView } from './client.ts'
import { isActive, unitsOf } from './client.ts'
import { failedUnits, groupsOf, isGroupFinishing } from './group.ts'
import type { Tone } from '../shared/appearance.ts'
import { positive, texts } from '../shared/read.ts'
import { cappedCpus } from './resources.ts'
import type { Summary } from './totals.ts'
import { emptySummary } from './totals.ts'
import { statusLook, unitStatus } from '../unit/unit-status.ts'
import { currentPpd, isWorking } from '../unit/unit-progress.ts'

/**
 * A client in a few numbers. What a client that is out of reach does is not known, so it counts as one client and
 * nothing else. A unit counts under the tone of the state that is shown.
 */
export const clientSummary = (client: ClientView, now: number): Summary => {
  if (!client.isConnected) return client.isLoading === true ? LOADING : OUT_OF_REACH
  const { data } = client
  if (data === undefined) return SILENT
  const units = unitsOf(data)
  // Only a core that runs uses anything; a unit that is fetched, sent or waits names its CPUs and GPUs all the same.
  const working = units.filter(unit => isWorking(unit, now))
  return {
    ...SILENT,
    ...countTones(units, data, now),
    active: isActive(client) ? 1 : 0,
    cpus: cappedCpus(sumOfCpus(working), data.info),
    gpus: new Set(working.flatMap(unit => texts(unit.gpus))).size,
    ppd: units.reduce((sum, unit) => sum + currentPpd(unit, now), 0),
    units: units.length,
    failedUnits: Object.values(groupsOf(data)).reduce((sum, group) => sum + Math.floor(failedUnits(group)), 0),
  }
}

const OUT_OF_REACH: Summary = Object.freeze({ ...emptySummary, clients: 1 })
const LOADING: Summary = Object.freeze({ ...OUT_OF_REACH, loading: 1 })
const SILENT: Summary = Object.freeze({ ...OUT_OF_REACH, connected: 1 })

const countTones = (units: readonly Unit[], data: ClientData, now: number): Partial<Record<Tone, number>> => {
  const counts: Partial<Record<Tone, number>> = {}
  for (const unit of units) {
    const { tone } = statusLook(unitStatus(unit, isGroupFinishing(data, unit), now))
    counts[tone] = (counts[tone] ?? 0) + 1
  }
  return counts
}

const sumOfCpus = (units: readonly Unit[]): number =>
  units.reduce((cpus, unit) => cpus + Math.floor(positive(unit.cpus) ?? 0), 0)
