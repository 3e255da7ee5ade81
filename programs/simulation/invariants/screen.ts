import { selectAsOf } from '../../../src/machines/connection/client/client.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../../src/machines/connection/client/client.machine.ts'
import { MINUTE, SECOND } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'
import { machinesOf, type Machine } from './machines.ts'

/** Milliseconds for which a value that is not marked as old may be another than the client's: latency, and pacing. */
const CALM_LAG = 5 * SECOND
/** The same while something goes wrong: a connection that is cut counts as lost after half a minute of silence. */
const LAG = 45 * SECOND
/** Hidden pages are looked at once in so many milliseconds. */
const HIDDEN_LOOK = MINUTE

/** `keys`: where it is in the data. `shown`: what the page has there. */
type Difference = { readonly keys: readonly string[]; readonly shown: unknown }
type Stale = Difference & { readonly since: number }
type Seen = {
  lookedAt: number
  wasCalm: boolean
  stale: Map<string, Stale>
  awaySince: number | undefined
  /** Whose changes are followed from one look to the next. */
  followed: ClientRef | undefined
}

const seenOn = new WeakMap<OpenPage, Map<string, Seen>>()

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Collects what differs, by its path. */
function collectDifferences(
  page: unknown,
  client: unknown,
  keys: readonly string[],
  found: Map<string, Difference>,
): void {
  if (page === client) return
  if (!isObject(page) || !isObject(client)) {
    found.set(`/${keys.join('/')}`, { keys, shown: page })
    return
  }
  for (const key of new Set([...Object.keys(client), ...Object.keys(page)]))
    collectDifferences(page[key], client[key], [...keys, key], found)
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (isObject(one) && isObject(other))
}

function shownAt(data: unknown, keys: readonly string[]): unknown {
  return keys.reduce((part, key) => (isObject(part) ? part[key] : undefined), data)
}

/** A figure that varies a little may be the same again at the next look. */
function follow(ref: ClientRef, seen: Seen): void {
  if (seen.followed === ref) return
  seen.followed = ref
  ref.subscribe(({ context: { record } }) => {
    if (seen.followed !== ref) return
    for (const [path, { keys, shown }] of seen.stale)
      if (!isSame(shownAt(record.data, keys), shown)) seen.stale.delete(path)
  })
}

function isMarkedOld(snapshot: ClientSnapshot): boolean {
  return !snapshot.hasTag('connected') || selectAsOf(snapshot) !== undefined
}

/** What the page has shown for longer than `lag` although the client said something else. */
function staleOn(snapshot: ClientSnapshot, machine: Machine, seen: Seen, now: number, lag: number) {
  const differing = new Map<string, Difference>()
  collectDifferences(snapshot.context.record.data, machine.said(), [], differing)
  const stale = new Map<string, Stale>()
  for (const [path, difference] of differing) {
    const before = seen.stale.get(path)
    const since = before !== undefined && isSame(before.shown, difference.shown) ? before.since : now
    stale.set(path, { ...difference, since })
  }
  seen.stale = stale
  for (const [path, { since, shown }] of stale)
    if (now - since > lag)
      return `${path} of ${machine.name} is shown as ${JSON.stringify(shown)} for ${(now - since) / SECOND} s, and not as old`
  return undefined
}

function wrongOf(page: OpenPage, machine: Machine, seen: Seen, now: number, lag: number): string | undefined {
  const ref = machine.refOn(page)
  const snapshot = ref?.getSnapshot()
  const isHarmed = machine.isHarmed()
  seen.awaySince = machine.isReachable() || isHarmed ? undefined : (seen.awaySince ?? now)
  if (ref === undefined || snapshot === undefined || isMarkedOld(snapshot) || isHarmed) {
    seen.stale.clear()
    return undefined
  }
  follow(ref, seen)
  // It may have been there for less than the time between two looks.
  const { connectedAt = 0 } = snapshot.context
  const away = seen.awaySince === undefined ? 0 : now - Math.max(seen.awaySince, connectedAt - page.device.ahead)
  if (away > LAG + MINUTE)
    return `${machine.name} is shown as connected, and has been out of reach for ${away / SECOND} s`
  return staleOn(snapshot, machine, seen, now, lag)
}

function wrongOn(page: OpenPage, checked: Checked): string | undefined {
  const now = checked.world.scheduler.now()
  const ofPage = seenOn.get(page) ?? new Map<string, Seen>()
  seenOn.set(page, ofPage)
  const isCalm = checked.calmSince !== undefined && now - checked.calmSince > MINUTE
  const lag = (isCalm ? CALM_LAG : LAG) + (page.tab.isHidden() ? 2 * HIDDEN_LOOK : 0)
  for (const machine of machinesOf(checked)) {
    const seen = ofPage.get(machine.id) ?? {
      lookedAt: 0,
      wasCalm: isCalm,
      stale: new Map(),
      awaySince: undefined,
      followed: undefined,
    }
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
  check: onEachPage(wrongOn),
}
