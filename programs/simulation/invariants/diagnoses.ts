import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { diagnose, type Diagnosis } from '../../../src/folding/client/connection-diagnosis.ts'
import { selectCheckFacts } from '../../../src/machines/connection/check/connection-check.selectors.ts'
import { formatAddress } from '../../../src/folding/address/address.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'

type Truth = 'there' | 'refuses' | 'asleep' | 'off' | 'nobody'

/** What may be said of a client that is there: all that is left is its account, its clock and its age. */
const OF_THERE: readonly Diagnosis[] = [
  ...(['connected', 'clientTooOld', 'clockWrong', 'tokenWrong', 'apiUnreachable', 'relayUnreachable'] as const),
]

const RIGHT: Readonly<Record<Truth, readonly Diagnosis[]>> = {
  there: OF_THERE,
  refuses: ['originRefused'],
  asleep: ['noAnswer'],
  off: ['clientNotRunning'],
  nobody: ['clientNotRunning'],
}

/** A port of nobody, which people type. */
const NOBODY = '127.0.0.1:9'

function truthsOf({ homes }: World): ReadonlyMap<string, Truth> {
  return new Map<string, Truth>([
    ...homes.all().map(home => {
      const truth = home.client() === undefined ? 'off' : !home.isAwake() ? 'asleep' : 'there'
      return [home.address, truth === 'there' && home.isRefusing() ? 'refuses' : truth] as const
    }),
    [NOBODY, 'nobody'],
  ])
}

/** Milliseconds for which nothing else must have changed: a check tries several things, each for eight seconds. */
const STEADY = 1.5 * MINUTE

type Since = { readonly truth: Truth; readonly at: number }
const steady = new WeakMap<World['scheduler'], Map<string, Since>>()
const judged = new WeakMap<OpenPage, unknown>()

function wrongOn(page: OpenPage, since: ReadonlyMap<string, Since>, now: number): string | undefined {
  if (!isPartThere('connections')(page.system.app.getSnapshot())) return undefined
  const snapshot = page.system.connectionCheck.getSnapshot()
  if (snapshot.hasTag('busy') || !snapshot.hasTag('decided')) return undefined
  const facts = selectCheckFacts(snapshot)
  if (facts === undefined || facts === judged.get(page)) return undefined
  judged.set(page, facts)
  const address = formatAddress(facts.address)
  const entry = since.get(address)
  if (facts.subject !== 'client' || entry === undefined || now - entry.at < STEADY) return undefined
  const said = diagnose(facts)
  return RIGHT[entry.truth].includes(said)
    ? undefined
    : `${page.device.name}: the check of ${address}, which is ${entry.truth}, says ${said}: ${JSON.stringify(facts.results)}`
}

function keep({ world }: Checked): ReadonlyMap<string, Since> {
  const now = world.scheduler.now()
  const entries = steady.get(world.scheduler) ?? new Map<string, Since>()
  steady.set(world.scheduler, entries)
  const isCalm = world.internet.conditions.isCalm() && world.faultyChannels.size === 0
  for (const [address, truth] of truthsOf(world))
    if (!isCalm || entries.get(address)?.truth !== truth) entries.set(address, { truth, at: now })
  return entries
}

export const rightDiagnoses: Invariant = {
  name: 'a check says what is wrong',
  reason: 'Whoever is told the wrong cause looks for it in vain.',
  check: checked => {
    const since = keep(checked)
    return onEachPage(page => wrongOn(page, since, checked.world.scheduler.now()))(checked)
  },
}
