import { chance } from '../../../programs/network/clients/random.ts'

/** A sequence of random numbers that a seed determines. */
export type RandomSource = {
  /** From 0 to 1. */
  readonly roll: () => number
  readonly between: (low: number, high: number) => number
  readonly oneOf: <const T>(things: readonly [T, ...T[]]) => T
  /** Undefined for an empty list. */
  readonly anyOf: <T>(things: readonly T[]) => T | undefined
}

export function createRandom(seed: number): RandomSource {
  let rolls = 0
  const roll = (): number => chance(seed, 'walk', (rolls += 1))
  const anyOf = <T>(things: readonly T[]): T | undefined => things[Math.floor(roll() * things.length)]
  return {
    roll,
    between: (low, high) => low + (high - low) * roll(),
    anyOf,
    oneOf: things => anyOf(things) ?? things[0],
  }
}
