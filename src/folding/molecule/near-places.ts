import { pointAt, type Vector } from './vectors.ts'

/** Ångström: farther out there is no molecule. The cells from there to its opposite have 17 bits. */
const FARTHEST = 1e5
const MIDDLE = 2 ** 16
const ROW = 2 ** 17

/**
 * Visits the places of a list that may be within reach of a place, itself too: those in its cell and the cells beside it.
 *
 * @param places x, y and z of each, in ångström; not finite where there is none
 * @param reach the side of a cell, at least 1.6
 */
export function nearPlaces(
  places: Float64Array,
  reach: number,
): (place: Vector, visit: (index: number) => void) => void {
  const newest = new Map<number, number>()
  // The place that was put into the same cell before.
  const older = new Int32Array(places.length / 3).fill(-1)
  const step = (value: number): number => Math.floor(value / reach) + MIDDLE
  const cellOf = ([x, y, z]: Vector): number =>
    Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < FARTHEST ? (step(x) * ROW + step(y)) * ROW + step(z) : NaN
  older.forEach((_, index) => {
    const cell = cellOf(pointAt(places, index))
    if (Number.isNaN(cell)) return
    older[index] = newest.get(cell) ?? -1
    newest.set(cell, index)
  })
  return (place, visit) => {
    const cell = cellOf(place)
    for (const i of [-ROW * ROW, 0, ROW * ROW])
      for (const j of [-ROW, 0, ROW])
        for (const k of [-1, 0, 1])
          for (let index = newest.get(cell + i + j + k) ?? -1; index >= 0; index = older[index] ?? -1) visit(index)
  }
}
