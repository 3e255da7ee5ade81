/*
 * How finely a moving picture is drawn: it begins by the number of atoms, and then goes by how long a picture takes.
 * What stands still is always drawn as finely as can be.
 */

export type Tier = {
  /** Drawn pixels a screen pixel, along one side. */
  readonly scale: number
  /** Looks around each pixel for crevice shadows; those of single atoms stay in any case. */
  readonly taps: number
  /** Looks around each pixel for outlines. */
  readonly edgeTaps: number
  /** Balls are meshes instead of rays: coarser edges, but less work a pixel. */
  readonly isMesh: boolean
  /** Longer pictures than this lead to the next tier, in milliseconds. */
  readonly slow: number
  /** The share of the time at the tier before that it may take at most: otherwise it is not worth its coarseness. */
  readonly worth: number
}

const tier = (scale: number, taps: number, edgeTaps: number, slow: number, worth = Infinity, isMesh = false): Tier => ({
  scale,
  taps,
  edgeTaps,
  isMesh,
  slow,
  worth,
})

const CHEAPEST: Tier = tier(0.5, 0, 0, Infinity, 0.9, true)

/** From fine to cheap. */
export const TIERS: readonly Tier[] = [
  tier(2, 8, 8, 20),
  tier(1.5, 6, 8, 20),
  tier(1, 6, 4, 22),
  tier(1, 0, 4, 28),
  tier(0.75, 0, 4, 33),
  tier(0.5, 0, 4, 120, 0.8),
  CHEAPEST,
]

/** One picture of those that are laid over each other when nothing moves. */
export const REST: Tier = tier(1, 8, 8, Infinity)

/** Pictures laid over each other, each a part of a pixel away from the others. */
export const REST_PICTURES = 16

const FEW_ATOMS = 1000
const MANY_ATOMS = 10_000

/** The detail steps of docs/product.md §9. */
export const firstTier = (atoms: number): number => (atoms <= FEW_ATOMS ? 1 : atoms <= MANY_ATOMS ? 2 : 3)

export type Quality = {
  readonly tier: number
  /** Mean milliseconds a picture at this tier; 0 when not known yet. */
  readonly mean: number
  /** Pictures that the mean knows of. */
  readonly count: number
  /** The finest tier that is worth a try; tiers above were too slow. */
  readonly finest: number
  /** Pictures to wait before a finer tier is tried. */
  readonly patience: number
  /** The coarsest tier that is worth a try: meshes are slower than rays on many a device. */
  readonly coarsest: number
  /** Pictures to wait before what was not worth it is tried again: the computer may have been busy with something else. */
  readonly hope: number
  /** Mean milliseconds at the tier that was left because it was too slow. */
  readonly before: number
}

const SETTLE = 3
const ENOUGH = 10
const SMOOTH = 18.5
const PATIENCE = 120
const MOST_PATIENCE = 4000

export const startQuality = (atoms: number): Quality => ({
  tier: firstTier(atoms),
  mean: 0,
  count: 0,
  finest: 0,
  patience: PATIENCE,
  coarsest: TIERS.length - 1,
  hope: PATIENCE,
  before: Infinity,
})

/** With one more picture of a movement, that took so many milliseconds from the one before. */
export const adapt = (quality: Quality, ms: number): Quality => {
  const count = quality.count + 1
  // The first pictures of a tier wait for shaders and memory.
  if (count <= SETTLE) return { ...quality, count }
  const known = Math.min(count - SETTLE, ENOUGH)
  const mean = quality.mean + (ms - quality.mean) / known
  const next = { ...quality, mean, count }
  const { slow, worth } = TIERS[quality.tier] ?? CHEAPEST
  if (known < ENOUGH / 2) return next
  if (mean > quality.before * worth)
    return {
      ...next,
      tier: quality.tier - 1,
      mean: 0,
      count: 0,
      coarsest: quality.tier - 1,
      hope: Math.min(MOST_PATIENCE, quality.hope * 2),
      before: Infinity,
    }
  if (mean > slow && quality.tier < quality.coarsest) return coarser(next)
  if (mean > slow && quality.tier < TIERS.length - 1 && count > quality.hope)
    return coarser({ ...next, coarsest: TIERS.length - 1 })
  if (mean <= SMOOTH && count > quality.patience && quality.tier > 0)
    return { ...next, tier: quality.tier - 1, mean: 0, count: 0, finest: quality.tier - 1 }
  return next
}

/** What was too slow once is tried again later and later. */
const coarser = (quality: Quality): Quality => {
  const slow = TIERS[quality.tier]?.slow ?? Infinity
  // Far too slow: a tier is passed over, but not those that have to be worth it.
  const tier = quality.tier + (quality.mean > slow * 2 && quality.tier + 2 <= LAST_SURE_TIER ? 2 : 1)
  return {
    ...quality,
    tier,
    mean: 0,
    count: 0,
    before: quality.mean,
    finest: tier,
    patience: quality.tier === quality.finest ? Math.min(MOST_PATIENCE, quality.patience * 3) : PATIENCE,
  }
}

const LAST_SURE_TIER = TIERS.findLastIndex(({ worth }) => worth === Infinity)
