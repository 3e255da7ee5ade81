import type { Chance, Chances } from '../time/chance.ts'
import { DAY, MINUTE } from '../time/durations.ts'

/** What somebody does, or what goes wrong, at one moment. A run is a list of these: without one of them it is another run. */
export type Step = {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly kind: 'person' | 'fault'
  /** The person, or the number of the fault. */
  readonly who: string
  /** The name of an action of `people/`, or of a fault of `faults/`. */
  readonly does: string
  /** Milliseconds that a fault lasts. */
  readonly lasts?: number
}

/** A run as data: the world of a seed, and what happens in it. */
export type Story = {
  readonly seed: number
  readonly days: number
  readonly machines: number
  /** How many servers there are; none without it. */
  readonly servers?: number
  /** The day on which it begins, as `--start`. */
  readonly start?: string
  /** Seconds between two changes of each running unit, as `--changes-every`. */
  readonly changesEvery?: number
  readonly steps: readonly Step[]
}

/** Names a step among all, whatever is left out of the others: its own chance follows from it. */
export function nameOf({ at, who, does }: Step): string {
  return `${who} ${does} ${at}`
}

export type PlannedPerson = {
  readonly name: string
  readonly days: (chance: ReturnType<Chances>, days: number) => readonly Omit<Step, 'kind' | 'who'>[]
}

export type PlannedFault = {
  readonly name: string
  /** Milliseconds that it lasts: at least and at most. */
  readonly lasts: readonly [number, number]
}

type PlanParts = {
  readonly chances: Chances
  readonly days: number
  readonly people: readonly PlannedPerson[]
  readonly faults: readonly PlannedFault[]
  /** Whether half of the faults begin within a minute of what somebody does: pages are seldom open. */
  readonly isCrowded: boolean
}

/** The share of the kinds of faults that a seed uses, and how many of them a day has. */
const SHARE_OF_KINDS = 0.5
const FEWEST_A_DAY = 0.05
const MOST_A_DAY = 6

function momentOf(chance: Chance, done: readonly Step[]): number {
  return (chance.oneOf(done)?.at ?? 0) + chance.whole(0, MINUTE)
}

/**
 * A swarm: each seed has some kinds of faults, each with a frequency of its own, so that rare ones meet instead of all of
 * them being drowned by the frequent ones.
 */
function swarmOf({ chances, days, faults, isCrowded }: PlanParts, done: readonly Step[]): readonly Step[] {
  return faults.flatMap(({ name, lasts: [least, most] }) => {
    const chance = chances('swarm', name)
    if (!chance.isTrue(SHARE_OF_KINDS)) return []
    const daily = FEWEST_A_DAY * (MOST_A_DAY / FEWEST_A_DAY) ** chance.roll()
    const count = Math.ceil(daily * days)
    return Array.from({ length: count }, (_, number): Step => ({
      at: isCrowded && chance.isTrue(0.5) ? momentOf(chance, done) : chance.whole(0, days * DAY - 1),
      kind: 'fault',
      who: `fault ${name} ${number}`,
      does: name,
      lasts: chance.whole(least, most),
    }))
  })
}

/** Everything that is going to happen from outside, in order. */
export function planOf(parts: PlanParts): readonly Step[] {
  const { chances, days, people } = parts
  const done = people.flatMap(({ name, days: stepsOf }) =>
    stepsOf(chances('person', name), days).map((step): Step => ({ ...step, kind: 'person', who: name })),
  )
  const there = done.filter(({ at }) => at < days * DAY)
  return [...there, ...swarmOf(parts, there)].sort(
    (one, other) => one.at - other.at || (nameOf(one) < nameOf(other) ? -1 : 1),
  )
}
