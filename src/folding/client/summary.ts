import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { type ClientView, isActive, unitsOf } from './client.ts'
import { groupProblem, groupsOf } from './group.ts'
import type { StateTone } from '../shared/appearance.ts'
import { positive, texts } from '../shared/read.ts'
import { cappedCpus } from './resources.ts'
import { type Summary, emptySummary } from './totals.ts'
import { statusAppearance, unitStatus } from '../unit/unit-status.ts'
import { isWorking, clientTime } from '../unit/unit-meaning.ts'
import { currentPpd } from '../unit/unit-progress.ts'

/**
 * A client's numbers. The state of a disconnected client is unknown, so it counts as one client, and for 5 minutes with the
 * points per day that it had. A unit counts under the tone of its displayed state.
 */
export function clientSummary(client: ClientView, now: number): Summary {
  const { data } = client
  if (!client.isConnected) {
    if (client.isRecent === true && data !== undefined)
      return { ...DISCONNECTED, recent: 1, recentPpd: ppdOf(data, now) }
    return client.isLoading === true ? LOADING : DISCONNECTED
  }
  if (data === undefined) return CONNECTED
  const units = unitsOf(data)
  // Only a running core uses resources; a unit that is downloaded, uploaded or waits names its CPUs and GPUs too.
  const at = clientTime(data, now)
  const working = units.filter(unit => isWorking(unit, at))
  return {
    ...CONNECTED,
    ...countTones(units, data, now),
    active: isActive(client) ? 1 : 0,
    cpus: cappedCpus(sumOfCpus(working), data.info),
    gpus: new Set(working.flatMap(unit => texts(unit.gpus))).size,
    ppd: ppdOf(data, now),
    units: units.length,
    failing: Object.values(groupsOf(data)).some(group => groupProblem(group) !== 'none') ? 1 : 0,
  }
}

const DISCONNECTED: Summary = Object.freeze({ ...emptySummary, clients: 1 })
const LOADING: Summary = Object.freeze({ ...DISCONNECTED, loading: 1 })
const CONNECTED: Summary = Object.freeze({ ...DISCONNECTED, connected: 1 })

function countTones(units: readonly Unit[], data: ClientData, now: number): Partial<Record<StateTone, number>> {
  const counts: Partial<Record<StateTone, number>> = {}
  for (const unit of units) {
    const { tone } = statusAppearance(unitStatus(unit, data, now))
    counts[tone] = (counts[tone] ?? 0) + 1
  }
  return counts
}

function ppdOf(data: ClientData, now: number): number {
  const at = clientTime(data, now)
  return unitsOf(data).reduce((sum, unit) => sum + currentPpd(unit, at), 0)
}

function sumOfCpus(units: readonly Unit[]): number {
  return units.reduce((cpus, unit) => cpus + Math.floor(positive(unit.cpus) ?? 0), 0)
}
