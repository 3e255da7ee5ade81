import { isConnected, selectAsOf } from '../../src/machines/connection/client/client.selectors.ts'
import type { ClientSnapshot } from '../../src/machines/connection/client/client.machine.ts'
import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import type { Checked, Invariant } from './invariants.ts'
import { machinesOf, type Machine } from './machines.ts'

/** Milliseconds for which a value that is not marked as old may be another than the client's: latency, and pacing. */
const CALM_LAG = 5 * SECOND
/** The same while something goes wrong: a connection that is cut counts as lost after half a minute of silence. */
const LAG = 45 * SECOND
/** Hidden pages are looked at once in so many milliseconds. */
const HIDDEN_LOOK = MINUTE

type Stale = { readonly since: number; readonly value: unknown }
type Seen = { lookedAt: number; wasCalm: boolean; stale: Map<string, Stale>; awaySince: number | undefined }

const seenOn = new WeakMap<OpenPage, Map<string, Seen>>()

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Collects the paths of values that differ, with what the page has. */
const collectDifferences = (page: unknown, client: unknown, path: string, found: Map<string, unknown>): void => {
  if (page === client) return
  if (!isObject(page) || !isObject(client)) {
    found.set(path, isObject(page) ? 'an object' : page)
    return
  }
  for (const key of Object.keys(client)) collectDifferences(page[key], client[key], `${path}/${key}`, found)
  for (const key of Object.keys(page)) if (!(key in client)) found.set(`${path}/${key}`, 'no longer there')
}

const isMarkedOld = (snapshot: ClientSnapshot): boolean => !isConnected(snapshot) || selectAsOf(snapshot) !== undefined

/** What the page has shown for longer than `lag` although the client said something else. */
const staleOn = (snapshot: ClientSnapshot, machine: Machine, seen: Seen, now: number, lag: number) => {
  const differing = new Map<string, unknown>()
  collectDifferences(snapshot.context.record.data, machine.said(), '', differing)
  const stale = new Map<string, Stale>()
  for (const [path, value] of differing) {
    const before = seen.stale.get(path)
    const since = before !== undefined && Object.is(before.value, value) ? before.since : now
    stale.set(path, { since, value })
  }
  seen.stale = stale
  for (const [path, { since, value }] of stale)
    if (now - since > lag)
      return `${path} of ${machine.name} is shown as ${String(value)} for ${(now - since) / SECOND} s, and not as old`
  return undefined
}

const wrongOf = (page: OpenPage, machine: Machine, seen: Seen, now: number, lag: number): string | undefined => {
  const snapshot = machine.shownOn(page)
  seen.awaySince = machine.isReachable() ? undefined : (seen.awaySince ?? now)
  if (snapshot === undefined || isMarkedOld(snapshot)) {
    seen.stale.clear()
    return undefined
  }
  if (seen.awaySince !== undefined && now - seen.awaySince > LAG + MINUTE)
    return `${machine.name} is shown as connected, and has been out of reach for ${(now - seen.awaySince) / SECOND} s`
  return staleOn(snapshot, machine, seen, now, lag)
}

const wrongOn = (page: OpenPage, checked: Checked): string | undefined => {
  const now = checked.world.scheduler.now()
  const ofPage = seenOn.get(page) ?? new Map<string, Seen>()
  seenOn.set(page, ofPage)
  const isCalm = checked.calmSince !== undefined && now - checked.calmSince > MINUTE
  const lag = (isCalm ? CALM_LAG : LAG) + (page.tab.isHidden() ? 2 * HIDDEN_LOOK : 0)
  for (const machine of machinesOf(checked)) {
    const seen = ofPage.get(machine.id) ?? { lookedAt: 0, wasCalm: isCalm, stale: new Map(), awaySince: undefined }
    ofPage.set(machine.id, seen)
    if (page.tab.isHidden() && now - seen.lookedAt < HIDDEN_LOOK) continue
    // Silence that began within a fault has the limit of faults.
    if (isCalm !== seen.wasCalm) seen.stale.clear()
    seen.wasCalm = isCalm
    seen.lookedAt = now
    const wrong = wrongOf(page, machine, seen, now, lag)
    if (wrong !== undefined) return `${page.device.name}: ${wrong}`
  }
  return undefined
}

export const screenIsCurrent: Invariant = {
  name: 'what is shown is what the client last said',
  reason: 'Somebody acts on what is shown: what is not current must say so.',
  check: checked => {
    for (const page of checked.world.pages()) {
      const wrong = wrongOn(page, checked)
      if (wrong !== undefined) return wrong
    }
    return undefined
  },
}
