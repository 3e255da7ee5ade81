import { selectShownIds, selectTotals } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientSnapshot } from '../../../src/machines/connection/client/client.machine.ts'
import type { Unit } from '../../../src/protocol/client/client-data.ts'
import { SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Invariant } from './invariant.ts'

/** Milliseconds for which sums may be those of a moment before: figures are shown once a second. */
const LAG = 10 * SECOND

function isComputing({ state, paused, pause_reason }: Unit): boolean {
  return state === 'RUN' && paused !== true && (pause_reason ?? '') === ''
}

function pointsOf({ ppd }: Unit): number {
  return typeof ppd === 'number' && ppd > 0 ? Math.round(ppd) : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function sumsOf(machines: readonly ClientSnapshot[]) {
  const units = machines
    .filter(snapshot => snapshot.hasTag('connected'))
    .flatMap(({ context }) => context.record.data?.units ?? [])
  return {
    clients: machines.length,
    connected: machines.filter(snapshot => snapshot.hasTag('connected')).length,
    units: units.length,
    ppd: sum(units.filter(isComputing).map(pointsOf)),
  }
}

const wrongSince = new WeakMap<OpenPage, number>()

function differenceOn(page: OpenPage): string | undefined {
  const fleet = page.system.fleet.getSnapshot()
  const shown = selectShownIds('usual')(fleet).flatMap(id => fleet.context.members[id]?.ref.getSnapshot() ?? [])
  const totals = selectTotals(fleet)
  const different = Object.entries(sumsOf(shown)).find(([name, value]) => Reflect.get(totals, name) !== value)
  return different && `${different[0]} is ${String(Reflect.get(totals, different[0]))}, and adds up to ${different[1]}`
}

export const pointsAddUp: Invariant = {
  name: 'points add up',
  reason: 'A total is the only number that somebody with many machines looks at.',
  check: onEachPage((page, { world }) => {
    const now = world.scheduler.now()
    const difference = page.tab.isHidden() ? undefined : differenceOn(page)
    if (difference === undefined) wrongSince.delete(page)
    else if (!wrongSince.has(page)) wrongSince.set(page, now)
    return now - (wrongSince.get(page) ?? now) > LAG ? `${page.device.name}: ${difference}` : undefined
  }),
}
