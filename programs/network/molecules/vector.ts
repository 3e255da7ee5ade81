/** A point or direction in ångström. */
export type Vector = readonly [x: number, y: number, z: number]

export function add(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
export function subtract(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
export function scale(a: Vector, by: number): Vector {
  return [a[0] * by, a[1] * by, a[2] * by]
}
export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
export function lengthOf(a: Vector): number {
  return Math.sqrt(dot(a, a))
}
export function unit(a: Vector): Vector {
  return scale(a, 1 / lengthOf(a))
}
const DEGREE = Math.PI / 180

/**
 * The atom at `length` from c, with the angle b–c–d and the torsion a–b–c–d (degrees): the natural extension reference
 * frame of Parsons, Holmes, Rojas, Tsai and Strauss, J. Comput. Chem. 26 (2005) 1063.
 */
export function place(a: Vector, b: Vector, c: Vector, length: number, angle: number, torsion: number): Vector {
  const axis = unit(subtract(c, b))
  const normal = unit(cross(subtract(b, a), axis))
  const inPlane = cross(normal, axis)
  const theta = angle * DEGREE
  const phi = torsion * DEGREE
  const along = scale(axis, -length * Math.cos(theta))
  const aside = scale(inPlane, length * Math.sin(theta) * Math.cos(phi))
  const out = scale(normal, length * Math.sin(theta) * Math.sin(phi))
  return add(c, add(along, add(aside, out)))
}
