import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import { selectClientKeyOf } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import { isHistoryComing } from '../../../src/machines/units/history/history.selectors.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'

/** Milliseconds for which a unit may be missing: a client reports it, and it may have to be asked first. */
const ALLOWED = 2 * MINUTE

/** Ids of units that a page has shown, with their machines. */
const shownOn = new WeakMap<OpenPage, Set<string>>()

/** What a page had of a machine that it still has. */
function lostOn(page: OpenPage, current: ReadonlySet<string>): string | undefined {
  const shown = shownOn.get(page) ?? new Set<string>()
  shownOn.set(page, shown)
  const machines = new Set([...current].map(one => one.split(' ')[0]))
  const lost = [...shown].find(one => !current.has(one))
  if (lost === undefined || !machines.has(lost.split(' ')[0])) {
    shownOn.set(page, new Set(current))
    return undefined
  }
  return `${page.device.name} has lost the unit ${lost}`
}

const missingSince = new WeakMap<OpenPage, Map<string, number>>()

function wrongOn(page: OpenPage, { world, books, calmSince }: Checked): string | undefined {
  const now = world.scheduler.now()
  const snapshot = page.system.history.getSnapshot()
  const missing = missingSince.get(page) ?? new Map<string, number>()
  missingSince.set(page, missing)
  const unitNames = [...snapshot.context.history.units.values()].map(
    ({ machine, unit }) => `${machine} ${unit.id ?? ''}`,
  )
  const all = new Set(unitNames)
  const twice = unitNames.find((one, index) => !one.endsWith(' ') && unitNames.indexOf(one) !== index)
  if (twice !== undefined) return `${page.device.name} has ${twice} twice`
  const lost = lostOn(page, all)
  if (lost !== undefined) return lost
  const isWanted = Object.values(snapshot.context.wanted).includes('all')
  if (calmSince === undefined || page.tab.isHidden() || !isWanted || isHistoryComing(snapshot)) {
    missing.clear()
    return undefined
  }
  const fleet = page.system.fleet.getSnapshot()
  const { members } = fleet.context
  for (const client of books.clients()) {
    const member = client === world.network.local ? DIRECT_ID : client.id
    const ref = members[member]?.ref
    const isThere = ref !== undefined && ref.getSnapshot().hasTag('connected')
    // Computers that had one id are kept apart by keys of their own.
    const machine = client === world.network.local ? client.id : (selectClientKeyOf(member)(fleet) ?? client.id)
    for (const id of books.endedOn(client)) {
      const name = `${machine} ${id}`
      if (!isThere || all.has(name)) missing.delete(name)
      else {
        const since = missing.get(name) ?? now
        missing.set(name, since)
        if (now - since > ALLOWED) return `${page.device.name} misses the unit ${id} of ${client.client.name()}`
      }
    }
  }
  return undefined
}

export const historyComplete: Invariant = {
  name: 'history complete and without doubles',
  reason: 'A client forgets its units: what a page has not kept is lost, and what it has twice counts twice.',
  check: onEachPage(wrongOn),
}
