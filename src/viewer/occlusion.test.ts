import { describe, expect, it } from 'vitest'
import { packedBall } from '../../test/molecule/sample.ts'
import { ballOf, EMPTY_BALL, reachFrom } from './ball.ts'
import { occlusionOf } from './occlusion.ts'

function shadeOf(shades: Uint8Array, atom: number) {
  return Array.from(shades.subarray(atom * 4, atom * 4 + 4))
}

describe('occlusion', () => {
  it('is high inside a ball, low at its surface, with an outward slope there', () => {
    const { frame, molecule } = packedBall(4000)
    const shades = occlusionOf(frame, molecule.radii)
    const far = molecule.names.map((_, atom) => Math.hypot(...frame.subarray(atom * 3, atom * 3 + 3)))
    const inner = far.indexOf(Math.min(...far))
    const outer = far.indexOf(Math.max(...far))
    expect(shadeOf(shades, inner)[3]).toBeGreaterThan(190)
    expect(shadeOf(shades, outer)[3]).toBeLessThan(150)
    const outwards = [0, 1, 2].reduce(
      (sum, axis) => sum + ((shadeOf(shades, outer)[axis] ?? 0) - 128) * (frame[outer * 3 + axis] ?? 0),
      0,
    )
    expect(outwards / (far[outer] ?? 1)).toBeLessThan(-25)
  })

  it('is almost none for a single atom', () => {
    const [x = 0, y = 0, z = 0, density = 255] = shadeOf(occlusionOf(Float32Array.of(5, 5, 5), Float32Array.of(1.7)), 0)
    expect(density).toBeLessThan(90)
    expect(Math.max(Math.abs(x - 128), Math.abs(y - 128), Math.abs(z - 128))).toBeLessThan(45)
  })

  it('accepts positions that are NaN, far away, or missing', () => {
    const radii = new Float32Array(5).fill(1.7)
    const shades = occlusionOf(Float32Array.of(0, 0, 0, Number.NaN, 0, 0, 1e9, 0, 0, 2, 0, 0), radii)
    expect(shades).toHaveLength(20)
    expect(shadeOf(shades, 1)).toEqual([128, 128, 128, 0])
    expect(shadeOf(shades, 3)[3]).toBeGreaterThan(0)
    expect(shadeOf(occlusionOf(Float32Array.of(Number.NaN, 0, 0), radii), 0)).toEqual([128, 128, 128, 128])
  })
})

describe('the bounding sphere of a frame', () => {
  it('encloses every atom, with a margin', () => {
    expect(ballOf(Float32Array.of(-3, 0, 0, 5, 0, 0, Number.NaN, Number.NaN, Number.NaN))).toEqual({
      center: [1, 0, 0],
      radius: 6,
    })
    expect(reachFrom([1, 0, 0], Float32Array.of(1, 4, 3))).toBe(7)
  })

  it('is EMPTY_BALL without positions', () => {
    expect(ballOf(new Float32Array())).toBe(EMPTY_BALL)
    expect(ballOf(Float32Array.of(Number.NaN, 1, 1))).toBe(EMPTY_BALL)
  })
})
