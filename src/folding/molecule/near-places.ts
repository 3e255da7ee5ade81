/** Ångström: farther out there is no molecule. The cells from there to its opposite have 15 bits. */
const FARTHEST = 1e5
const MIDDLE = 2 ** 14
const ROW = 2 ** 15

/**
 * Visits the places that may be within reach of one of them, itself too: those in its cell and the cells beside it.
 *
 * @param places x, y and z of each, in ångström; not finite where there is none
 * @param reach the side of a cell, at least 7
 */
export function nearPlaces(
  places: Float64Array,
  reach: number,
): (place: number, visit: (other: number) => void) => void {
  const newest = new Map<number, number>()
  // The place that was put into the same cell before.
  const older = new Int32Array(places.length / 3).fill(-1)
  const cells = new Float64Array(older.length)
  const cellOf = (value: number): number => Math.floor(value / reach) + MIDDLE
  for (let place = 0; place < cells.length; place++) {
    const [x = NaN, y = NaN, z = NaN] = places.subarray(place * 3, place * 3 + 3)
    const isThere = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < FARTHEST
    const cell = isThere ? (cellOf(x) * ROW + cellOf(y)) * ROW + cellOf(z) : NaN
    cells[place] = cell
    if (!isThere) continue
    older[place] = newest.get(cell) ?? -1
    newest.set(cell, place)
  }
  return (place, visit) => {
    for (const i of [-ROW * ROW, 0, ROW * ROW])
      for (const j of [-ROW, 0, ROW])
        for (const k of [-1, 0, 1])
          for (let other = newest.get((cells[place] ?? NaN) + i + j + k) ?? -1; other >= 0; other = older[other] ?? -1)
            visit(other)
  }
}
