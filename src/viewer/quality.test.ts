import { describe, expect, it } from 'vitest'
import { adapt, firstTier, startQuality, TIERS, type Quality } from './quality.ts'

/** After so many pictures, each of which takes what its tier costs. */
function after(quality: Quality, pictures: number, cost: (tier: number) => number): Quality {
  let now = quality
  for (let picture = 0; picture < pictures; picture++) now = adapt(now, cost(now.tier))
  return now
}

describe('quality', () => {
  it('starts by the number of atoms, in three steps', () => {
    expect([1, 1000, 1001, 10_000, 10_001, 250_000].map(atoms => firstTier(atoms))).toEqual([1, 1, 2, 2, 3, 3])
  })

  it('starts coarse where the processor draws', () => {
    expect([1, 250_000].map(atoms => firstTier(atoms, true))).toEqual([4, 4])
  })

  it('lowers the triangles of a cartoon with the pixels', () => {
    const triangles = TIERS.map(tier => tier.triangles)
    expect(triangles).toEqual(triangles.toSorted((a, b) => b - a))
    expect(triangles.at(-1)).toBeLessThan(40_000)
  })

  it('stays while frame times are good, and rises to the finest tier', () => {
    expect(after(startQuality(5000), 100, () => 16.7).tier).toBe(2)
    expect(after(startQuality(5000), 1000, () => 16.7).tier).toBe(0)
  })

  it('ignores the first pictures of a tier, which wait for shaders', () => {
    const begun = after(startQuality(5000), 3, () => 900)
    const later = after(begun, 20, () => 16.7)
    expect(later.tier).toBe(2)
    expect(later.mean).toBeCloseTo(16.7, 5)
  })

  it('falls until frame times are good', () => {
    expect(after(startQuality(5000), 300, tier => (tier < 4 ? 30 : 20)).tier).toBe(4)
  })

  it('skips a tier when pictures are far too slow', () => {
    const seen = new Set<number>()
    let now = startQuality(500)
    for (let picture = 0; picture < 60; picture++) {
      now = adapt(now, now.tier < 4 ? 90 : 20)
      seen.add(now.tier)
    }
    expect([...seen]).toEqual([1, 3, 4])
  })

  it('falls within a few pictures that are far too slow', () => {
    expect(after(startQuality(50_000), 10, tier => (tier < 5 ? 800 : 30)).tier).toBeGreaterThan(3)
  })

  it('does not oscillate: a finer tier that is too slow is retried with increasing delays', () => {
    let [changes, now] = [0, startQuality(5000)]
    for (let picture = 0; picture < 6000; picture++) {
      const next = adapt(now, now.tier < 3 ? 40 : 16.7)
      if (next.tier !== now.tier) changes += 1
      now = next
    }
    expect(now.tier).toBe(3)
    expect(changes).toBeLessThan(10)
  })
})
