import { describe, expect, it } from 'vitest'
import { surfaceOf, type Surface } from './surface.ts'

function made(places: readonly (readonly number[])[], radius = 1.7): Surface {
  const surface = surfaceOf(
    Float32Array.from(places.flat()),
    new Float32Array(places.length).fill(radius),
    Uint32Array.from(places.keys()),
  )
  if (surface === undefined) throw new Error('There is no surface.')
  return surface
}

function cornerOf(values: Float32Array, corner: number): readonly number[] {
  return [...values.subarray(corner * 3, corner * 3 + 3)]
}
function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, axis) => value - (b[axis] ?? NaN)))
}

/** Each edge with how often it is passed in this direction. */
function edgesOf(triangles: Uint32Array): ReadonlyMap<string, number> {
  const edges = new Map<string, number>()
  for (let at = 0; at < triangles.length; at += 3)
    for (const step of [0, 1, 2]) {
      const key = `${triangles[at + step]} ${triangles[at + ((step + 1) % 3)]}`
      edges.set(key, (edges.get(key) ?? 0) + 1)
    }
  return edges
}

function volumeOf({ places, triangles }: Surface): number {
  let volume = 0
  for (let at = 0; at < triangles.length; at += 3) {
    const [a = [], b = [], c = []] = [0, 1, 2].map(step => cornerOf(places, triangles[at + step] ?? 0))
    const [x = 0, y = 0, z = 0] = a
    volume +=
      (x * ((b[1] ?? 0) * (c[2] ?? 0) - (b[2] ?? 0) * (c[1] ?? 0)) +
        y * ((b[2] ?? 0) * (c[0] ?? 0) - (b[0] ?? 0) * (c[2] ?? 0)) +
        z * ((b[0] ?? 0) * (c[1] ?? 0) - (b[1] ?? 0) * (c[0] ?? 0))) /
      6
  }
  return volume
}

describe('a surface', () => {
  it('of one atom is a ball of its radius, with normals that point outwards', () => {
    const center = [3, -7, 11]
    const { places, normals, atoms } = made([center])
    expect(atoms.length).toBeGreaterThan(100)
    for (let corner = 0; corner < atoms.length; corner++) {
      const out = cornerOf(places, corner).map((value, axis) => value - (center[axis] ?? 0))
      expect(Math.abs(Math.hypot(...out) - 1.7)).toBeLessThan(0.12)
      expect(
        distance(
          cornerOf(normals, corner),
          out.map(value => value / Math.hypot(...out)),
        ),
      ).toBeLessThan(0.25)
    }
  })

  it('is closed, and has a volume between that of its balls and that of balls a little larger', () => {
    const line = Array.from({ length: 12 }, (_, at) => [at * 4, Math.sin(at) * 2, Math.cos(at) * 2])
    const surface = made(line)
    const edges = edgesOf(surface.triangles)
    for (const [edge, count] of edges) expect(edges.get(edge.split(' ').toReversed().join(' ')), edge).toBe(count)
    const ball = (radius: number): number => (4 / 3) * Math.PI * radius ** 3 * line.length
    expect(volumeOf(surface)).toBeGreaterThan(ball(1.6))
    expect(volumeOf(surface)).toBeLessThan(ball(2))
  })

  it('belongs, everywhere, to the nearest atom', () => {
    const ends = [
      [0, 0, 0],
      [6, 0, 0],
    ]
    const { places, atoms } = made(ends)
    expect(new Set(atoms)).toEqual(new Set([0, 1]))
    atoms.forEach((atom, corner) =>
      expect(distance(cornerOf(places, corner), ends[atom] ?? [])).toBeLessThan(
        distance(cornerOf(places, corner), ends[1 - atom] ?? []),
      ),
    )
  })

  it('leaves out atoms without a place, and there is none without atoms', () => {
    const places = [
      [0, 0, 0],
      [NaN, 0, 0],
      [1e30, 0, 0],
    ]
    expect(new Set(made(places).atoms)).toEqual(new Set([0]))
    expect(surfaceOf(Float32Array.of(NaN, 0, 0), Float32Array.of(1), Uint32Array.of(0))).toBeUndefined()
    expect(surfaceOf(new Float32Array(0), new Float32Array(2).fill(1), Uint32Array.of(0, 1))).toBeUndefined()
  })

  it('fills what is too narrow for water, and leaves open what is not', () => {
    const pair = (apart: number): Surface =>
      made([
        [0, 0, 0],
        [apart, 0, 0],
      ])
    const fromAxis = (apart: number): number => {
      const { places, atoms } = pair(apart)
      const nearest = [...atoms.keys()].map(corner => {
        const [x = 0, y = 0, z = 0] = cornerOf(places, corner)
        return Math.abs(x - apart / 2) < 0.5 ? Math.hypot(y, z) : Infinity
      })
      return Math.min(...nearest)
    }
    // Water touches both: its center is √(3.1² − 2²) from the axis.
    expect(fromAxis(4)).toBeCloseTo(Math.sqrt(3.1 ** 2 - 4) - 1.4, 1)
    expect(fromAxis(6.6)).toBe(Infinity)
  })

  it('says how far it is, and beside a border which atom the other side belongs to', () => {
    const shares: number[] = []
    const surface = surfaceOf(
      Float32Array.of(0, 0, 0, 3, 0, 0),
      Float32Array.of(1.7, 1.7),
      Uint32Array.of(0, 1),
      share => shares.push(share),
    )
    expect(shares.at(-1)).toBe(1)
    expect(shares.every((share, at) => share >= (shares[at - 1] ?? 0))).toBe(true)
    const beside = [...(surface?.atoms.keys() ?? [])].filter(
      corner => Math.abs((surface?.places[corner * 3] ?? 0) - 1.5) < 0.3,
    )
    expect(beside.length).toBeGreaterThan(5)
    for (const corner of beside) expect(surface?.rivals[corner]).toBe(1 - (surface?.atoms[corner] ?? 0))
  })
})
