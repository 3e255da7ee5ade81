/*
 * Adaptive quality of moving pictures: the first tier follows from the number of atoms, the next ones from frame times.
 * Still pictures always have the finest quality.
 */

export type Tier = {
  /** Drawn pixels per screen pixel, along one side. */
  readonly scale: number
  /** Samples per pixel for screen-space ambient occlusion. */
  readonly taps: number
  /** Samples per pixel for outlines. */
  readonly edgeTaps: number
  /** The most triangles of a cartoon. */
  readonly triangles: number
  /** Milliseconds: a longer frame time leads to the next tier. */
  readonly slow: number
}

/** 144 for each of 1,500 residues: the finest cartoon. */
const FINE_TRIANGLES = 216_000

function tier(scale: number, taps: number, edgeTaps: number, slow: number, triangles = FINE_TRIANGLES): Tier {
  return { scale, taps, edgeTaps, triangles, slow }
}

const CHEAPEST: Tier = tier(0.5, 0, 4, Infinity, 32_000)

/** From finest to fastest. */
export const TIERS: readonly Tier[] = [
  tier(2, 8, 8, 20),
  tier(1.5, 6, 8, 20),
  tier(1, 6, 4, 22),
  tier(1, 0, 4, 28),
  tier(0.75, 0, 4, 33, 50_000),
  CHEAPEST,
]

/** Of each picture that is accumulated when nothing moves. */
export const REST: Tier = tier(1, 8, 8, Infinity)

/** Accumulated pictures with different subpixel offsets. */
export const REST_PICTURES = 16

const FEW_ATOMS = 1000
const MANY_ATOMS = 10_000

/** The detail steps of docs/product.md §9, and the one before the last where the processor draws. */
export function firstTier(atoms: number, isSoftware = false): number {
  return isSoftware ? TIERS.length - 2 : atoms <= FEW_ATOMS ? 1 : atoms <= MANY_ATOMS ? 2 : 3
}

export type Quality = {
  readonly tier: number
  /** Mean frame time at this tier in milliseconds; 0 when unknown. */
  readonly mean: number
  /** Pictures drawn at this tier. */
  readonly count: number
  /** The finest tier to try; finer ones were too slow. */
  readonly finest: number
  /** Pictures to wait before a finer tier is tried. */
  readonly waitBeforeFiner: number
}

const SETTLE = 3
const ENOUGH = 10
/** Of pictures that take so many times too long, few are waited for. */
const FEW = 2
const FAR_TOO_SLOW = 4
const SMOOTH = 18.5
const FRAMES_TO_WAIT = 120
const MOST_FRAMES_TO_WAIT = 4000

export function startQuality(atoms: number, isSoftware = false): Quality {
  return {
    tier: firstTier(atoms, isSoftware),
    mean: 0,
    count: 0,
    finest: 0,
    waitBeforeFiner: FRAMES_TO_WAIT,
  }
}

/** Updates the quality after a frame of a movement, `ms` milliseconds after the previous one. */
export function adapt(quality: Quality, ms: number): Quality {
  const count = quality.count + 1
  // The first pictures of a tier are slow because of shaders and memory.
  if (count <= SETTLE) return { ...quality, count }
  const sampleCount = Math.min(count - SETTLE, ENOUGH)
  const mean = quality.mean + (ms - quality.mean) / sampleCount
  const next = { ...quality, mean, count }
  const { slow } = TIERS[quality.tier] ?? CHEAPEST
  if (sampleCount < (mean > slow * FAR_TOO_SLOW ? FEW : ENOUGH / 2)) return next
  if (mean > slow) return coarser(next, slow)
  if (mean <= SMOOTH && count > quality.waitBeforeFiner && quality.tier > 0)
    return { ...next, tier: quality.tier - 1, mean: 0, count: 0, finest: quality.tier - 1 }
  return next
}

/** A tier that was too slow is tried again after longer and longer waits. */
function coarser(quality: Quality, slow: number): Quality {
  // Far too slow: skips a tier, but not to the last.
  const tier = quality.tier + (quality.mean > slow * 2 && quality.tier + 3 < TIERS.length ? 2 : 1)
  return {
    tier,
    mean: 0,
    count: 0,
    finest: tier,
    waitBeforeFiner:
      quality.tier === quality.finest ? Math.min(MOST_FRAMES_TO_WAIT, quality.waitBeforeFiner * 3) : FRAMES_TO_WAIT,
  }
}
