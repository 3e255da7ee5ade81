/*
 * Which machines run on a surplus of power: the most efficient first.
 */
import type { Condition } from './decide.ts'
import type { SurplusRule } from './schedule.ts'

/** What was used in a month. */
export type MonthSum = { readonly kWh: number; readonly money: number }

/** A machine that can fold, by its address. */
export type PoweredClient = {
  readonly address: string
  readonly tags: readonly string[]
  /** Watts that folding adds; undefined: not known. */
  readonly watts: number | undefined
  /** Whether these are too old to act on: it goes on as it is. */
  readonly isOld?: boolean
  /** What it draws besides. */
  readonly idle?: number | undefined
  /** Whether a figure of these is a guess. */
  readonly isGuess?: boolean
  /** What folding adds now. */
  readonly drawn: number
  /** Points per day while it folds, as far as they are known. */
  readonly ppd: number
  /** This month, by the zones of months. */
  readonly used?: Readonly<Record<string, MonthSum>>
}

const MINUTE_MS = 60_000

/** A clock that was set back must not hold anything for longer than its time. */
export function isHeld(holdMinutes: number, { since }: Condition, at: number): boolean {
  return since > 0 && Math.abs(at - since) < holdMinutes * MINUTE_MS
}

function efficiencyOf({ watts = 0, ppd }: PoweredClient): number {
  return watts > 0 ? ppd / watts : Number.POSITIVE_INFINITY
}

/** In the order in which machines are started. Those whose watts are not known are not. */
export function byEfficiency(clients: readonly PoweredClient[]): readonly PoweredClient[] {
  return clients
    .filter(({ watts }) => watts !== undefined)
    .sort((a, b) => efficiencyOf(b) - efficiencyOf(a) || (a.address < b.address ? -1 : 1))
}

/**
 * The addresses of the machines that run. Those that have not run for their smallest time, and those whose state is
 * old, go on, whatever is left;
 * without them the watts of all are never more than the surplus.
 */
export function surplusPlan(
  { isLeft, hysteresis, holdMinutes }: Pick<SurplusRule, 'isLeft' | 'hysteresis' | 'holdMinutes'>,
  surplus: number,
  clients: readonly PoweredClient[],
  before: (address: string) => Condition,
  at: number,
): ReadonlySet<string> {
  const ranked = byEfficiency(clients)
  const drawn = ranked.reduce((sum, client) => sum + (before(client.address).isOn ? client.drawn : 0), 0)
  let left = isLeft ? surplus + drawn : surplus
  const running = new Set<string>()
  const isKept = ({ address, isOld }: PoweredClient): boolean =>
    isOld === true || isHeld(holdMinutes, before(address), at)
  for (const client of ranked) {
    const { address, watts = 0 } = client
    if (!before(address).isOn || !isKept(client)) continue
    running.add(address)
    left -= watts
  }
  for (const client of ranked) {
    const { address, watts = 0 } = client
    const was = before(address)
    if (running.has(address) || (!was.isOn && isKept(client))) continue
    if (watts + (was.isOn ? 0 : hysteresis) > left) continue
    running.add(address)
    left -= watts
  }
  return running
}
