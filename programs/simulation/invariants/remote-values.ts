import { cachePolicyOf } from '../../../src/folding/shared/resource-keys.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import type { Invariant, Checked } from './invariant.ts'
import { createLasting } from './lasting.ts'

const wrongClocks = new WeakSet<World>()

/** A value that is shown is looked at once a minute, and a call may take half a minute. */
const LATE = 2 * MINUTE

function oldValues({ system }: OpenPage, { world }: Checked): ReadonlyMap<string, string> {
  if (wrongClocks.has(world)) return new Map()
  const now = world.scheduler.now()
  const old = new Map<string, string>()
  for (const [key, { ref }] of system.queryCache.getSnapshot().context.entries) {
    const snapshot = ref.getSnapshot()
    const { at } = snapshot.context
    if (at === undefined || !snapshot.matches({ wanted: 'fresh' })) continue
    const { freshFor } = cachePolicyOf(key)
    if (now - at > freshFor + LATE)
      old.set(
        key,
        `${key} is ${Math.round((now - at) / MINUTE)} min old, and counts as fresh for ${freshFor / MINUTE} min`,
      )
  }
  return old
}

const check = createLasting(oldValues)

export const valuesAreFresh: Invariant = {
  name: 'a remote value is fetched again in time',
  reason: 'Points of last week look like a machine that does nothing.',
  check: checked => {
    const { world } = checked
    // By which the age of a value is known.
    if (world.networkFaults.ahead() !== 0 || world.devices().some(({ ahead }) => ahead !== 0)) wrongClocks.add(world)
    return check(checked)
  },
}
