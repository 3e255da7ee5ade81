import { centroid } from '../../programs/network/molecules/superpose.ts'
import { cross, dot, lengthOf, subtract, unit, type Vector } from '../../programs/network/molecules/vector.ts'

export function distance(a: Vector, b: Vector): number {
  return lengthOf(subtract(a, b))
}

const DEGREE = Math.PI / 180

/** Angle a–b–c in degrees. */
export function angleOf(a: Vector, b: Vector, c: Vector): number {
  const cosine = dot(unit(subtract(a, b)), unit(subtract(c, b)))
  return Math.acos(Math.max(-1, Math.min(1, cosine))) / DEGREE
}

/** Torsion a–b–c–d in degrees, -180 to 180, by the IUPAC sign. */
export function torsionOf(a: Vector, b: Vector, c: Vector, d: Vector): number {
  const first = cross(subtract(b, a), subtract(c, b))
  const second = cross(subtract(c, b), subtract(d, c))
  const sine = dot(cross(first, second), unit(subtract(c, b)))
  return Math.atan2(sine, dot(first, second)) / DEGREE
}

/** Root mean square distance of points from their center. */
export function radiusOfGyration(points: readonly Vector[]): number {
  const center = centroid(points)
  return Math.sqrt(
    points.reduce((sum, point) => sum + dot(subtract(point, center), subtract(point, center)), 0) /
      Math.max(1, points.length),
  )
}
