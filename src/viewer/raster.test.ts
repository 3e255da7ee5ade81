import { describe, expect, it } from 'vitest'
import { createRaster, type RasterPoint } from './raster.ts'

const [RED, BLUE] = [
  [255, 0, 0],
  [0, 0, 255],
] as const

function point(x: number, y: number, color: readonly number[] = RED, nearness = 0.1): RasterPoint {
  return { x, y, nearness, color }
}

/** Pixels that are covered in part count in part. */
function covered(pixels: Uint8ClampedArray): number {
  return pixels.reduce((sum, value, at) => (at % 4 === 3 ? sum + value / 255 : sum), 0)
}

describe('a raster', () => {
  it('covers the area of triangles within 1 % and of discs within 2 %, with softened edges', () => {
    const triangle = createRaster(100, 80)
    triangle.fillTriangle(point(10, 10), point(20, 70), point(90, 30))
    expect(covered(triangle.pixels()) / 2300).toBeCloseTo(1, 1.7)
    const disc = createRaster(100, 80)
    disc.fillDisc(point(50, 40), 30, 0)
    expect(covered(disc.pixels()) / (Math.PI * 900)).toBeCloseTo(1, 1.7)
    expect(new Set(disc.pixels().filter((_, at) => at % 4 === 3)).size).toBeGreaterThan(3)
  })

  it('leaves no gap between neighbors, and draws no face that is turned away', () => {
    const whole = createRaster(40, 40)
    const corners = [point(5, 5), point(5, 35), point(35, 35), point(35, 5)] as const
    whole.fillTriangle(corners[0], corners[1], corners[2])
    whole.fillTriangle(corners[0], corners[2], corners[3])
    expect(covered(whole.pixels())).toBe(900)
    const turned = createRaster(40, 40)
    turned.fillTriangle(corners[2], corners[1], corners[0])
    expect(covered(turned.pixels())).toBe(0)
  })

  it.each([false, true])('shows what is nearer, in either order, also where two intersect', isReversed => {
    const raster = createRaster(40, 40)
    const fills = [
      () => raster.fillTriangle(point(0, 0, RED, 0.1), point(0, 80, RED, 0.1), point(40, 0, RED, 0.3)),
      () => raster.fillTriangle(point(0, 0, BLUE, 0.2), point(0, 80, BLUE, 0.2), point(40, 0, BLUE, 0.2)),
    ]
    for (const fill of isReversed ? fills.reverse() : fills) fill()
    const pixels = raster.pixels()
    const colorAt = (x: number, y: number): readonly number[] => [
      ...pixels.slice((y * 40 + x) * 4, (y * 40 + x) * 4 + 3),
    ]
    expect(colorAt(2, 2)).toEqual(BLUE)
    expect(colorAt(37, 2)).toEqual(RED)
    raster.fillDisc(point(20, 20, RED, 0.4), 5, 2)
    const [center, rim] = [raster.pixels().slice((20 * 40 + 20) * 4), raster.pixels().slice((20 * 40 + 15) * 4)]
    expect({ firstCenter: center[0], firstRim: rim[0] }).toEqual({ firstCenter: 255, firstRim: 166 })
  })

  it('goes over smoothly from corner to corner, and clips what is outside', () => {
    const raster = createRaster(40, 40)
    raster.fillTriangle(point(-40, -40, RED), point(-40, 120, RED), point(120, -40, BLUE))
    const pixels = raster.pixels()
    expect(covered(pixels)).toBe(1600)
    const reds = [0, 10, 20, 30].map(x => pixels[(20 * 40 + x) * 4] ?? 0)
    expect(reds.every((red, at) => at === 0 || red < (reds[at - 1] ?? 0))).toBe(true)
    raster.fillTriangle(point(NaN, 0), point(0, 40), point(40, 0))
    expect(covered(raster.pixels())).toBe(1600)
  })
})
