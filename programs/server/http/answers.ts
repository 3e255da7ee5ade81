import type { EndedUnit } from '../store/store.ts'
import { mostFailures } from '../../../src/folding/fleet/client-facts.ts'
import type { ListedClient } from '../news.ts'
import { unitFields } from './history-handlers.ts'
import type { ClientAnswer, UnitAnswer } from './routes.ts'

/* What several routes say of a client or a unit. */

/** `at`: epoch milliseconds. */
export function timeText(at: number | null | undefined): string | null {
  return at === undefined || at === null ? null : new Date(at).toISOString()
}

export function clientAnswer(client: ListedClient): ClientAnswer {
  const { number, address, name, id, isConnected, lastMessageAt, asOf, commands, summary, data } = client
  return {
    number,
    address,
    name,
    id: id ?? null,
    connected: isConnected,
    lastMessage: timeText(lastMessageAt),
    asOf: timeText(asOf),
    commands: [...commands],
    pointsPerDay: summary.ppd,
    units: summary.units,
    runningUnits: summary.running + summary.finishing,
    failedUnits: isConnected ? mostFailures(data) : 0,
    cpus: summary.cpus,
    gpus: summary.gpus,
    version: data?.info.version ?? null,
    os: data?.info.os ?? null,
  }
}

/** `names`: of clients, by their ids. */
export function unitAnswer(unit: EndedUnit, names: ReadonlyMap<string, string>): UnitAnswer {
  return {
    machine: names.get(unit.machine) ?? unit.machine,
    ...unitFields(unit),
    runTime: unit.run_time,
    assigned: timeText(unit.assigned),
    ended: new Date(unit.ended).toISOString(),
  }
}
