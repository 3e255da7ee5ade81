/*
 * Ambient occlusion by neighboring atoms, from a blurred density grid: the density darkens an atom on all sides, its
 * slope on the denser side. Takes a few milliseconds for a hundred thousand atoms, once per frame of the trajectory.
 */
import { boundsOf } from '../folding/molecule/bounds.ts'

/** Cell size in ångström: about an atom and its hydrogens. */
const CELL = 2.5
const MOST_CELLS_A_SIDE = 96
/** Volume of the (overlapping) atoms per volume inside a protein. */
const PACKED = 1.15
/** Reach of the occlusion, in ångström. */
const REACH = 5

type Grid = {
  readonly cells: Float32Array
  readonly sides: readonly [number, number, number]
  readonly origin: readonly [number, number, number]
  readonly cell: number
}

/**
 * Four bytes an atom: the slope of the density (x, y, z; 128 is none, ±127 is all within `REACH`), and the density
 * itself (0 to 255). `radii` and `positions` are in ångström; atoms without a position get no density.
 */
export function occlusionOf(positions: Float32Array, radii: Float32Array): Uint8Array {
  const atoms = Math.min(radii.length, Math.floor(positions.length / 3))
  const shades = new Uint8Array(radii.length * 4)
  const grid = createGrid(positions)
  if (grid === undefined) return shades.fill(128)
  deposit(grid, positions, radii, atoms)
  const spare = new Float32Array(grid.cells.length)
  for (let round = 0; round < 2; round++) for (const axis of [0, 1, 2] as const) blur(grid, spare, axis)
  readAll(grid, positions, atoms, shades)
  return shades
}

function createGrid(positions: Float32Array): Grid | undefined {
  const [[x0, y0, z0], [x1, y1, z1]] = boundsOf(positions)
  if (x1 < x0) return undefined
  const cell = Math.max(CELL, Math.max(x1 - x0, y1 - y0, z1 - z0) / (MOST_CELLS_A_SIDE - 8))
  const side = (length: number): number => Math.ceil(length / cell) + 8
  const sides = [side(x1 - x0), side(y1 - y0), side(z1 - z0)] as const
  return {
    cells: new Float32Array(sides[0] * sides[1] * sides[2]),
    sides,
    cell,
    origin: [x0 - 3.5 * cell, y0 - 3.5 * cell, z0 - 3.5 * cell],
  }
}

function deposit(
  { cells, sides: [wide, high], origin: [ox, oy, oz], cell }: Grid,
  positions: Float32Array,
  radii: Float32Array,
  atoms: number,
): void {
  const share = ((4 / 3) * Math.PI) / (cell * cell * cell * PACKED)
  for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
    const x = Math.round(((positions[at] ?? 0) - ox) / cell)
    const y = Math.round(((positions[at + 1] ?? 0) - oy) / cell)
    const z = Math.round(((positions[at + 2] ?? 0) - oz) / cell)
    const index = (z * high + y) * wide + x
    const radius = radii[atom] ?? 0
    // False for NaN and for positions outside the grid.
    if (index >= 0 && index < cells.length) cells[index] = (cells[index] ?? 0) + share * radius * radius * radius
  }
}

/** Five cells wide, weights 1 2 3 2 1. */
function blur({ cells, sides: [wide, high] }: Grid, spare: Float32Array, axis: 0 | 1 | 2): void {
  const step = axis === 0 ? 1 : axis === 1 ? wide : wide * high
  const end = cells.length - 2 * step
  spare.set(cells)
  for (let at = 2 * step; at < end; at++)
    cells[at] =
      ((spare[at] ?? 0) * 3 +
        ((spare[at - step] ?? 0) + (spare[at + step] ?? 0)) * 2 +
        (spare[at - 2 * step] ?? 0) +
        (spare[at + 2 * step] ?? 0)) /
      9
}

/** From the cell that is nearest to each atom, and from those beside it. */
function readAll(
  { cells, sides: [wide, high], origin: [ox, oy, oz], cell }: Grid,
  positions: Float32Array,
  atoms: number,
  shades: Uint8Array,
): void {
  const [up, back] = [wide, wide * high]
  for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
    const x = ((positions[at] ?? 0) - ox) / cell
    const y = ((positions[at + 1] ?? 0) - oy) / cell
    const z = ((positions[at + 2] ?? 0) - oz) / cell
    const [ix, iy, iz] = [Math.round(x), Math.round(y), Math.round(z)]
    const index = iz * back + iy * up + ix
    const to = atom * 4
    if (!(index >= back && index + back < cells.length)) {
      shades.fill(128, to, to + 3)
      continue
    }
    const slopeAlong = (step: number): number => ((cells[index + step] ?? 0) - (cells[index - step] ?? 0)) / 2
    const [dx, dy, dz] = [slopeAlong(1), slopeAlong(up), slopeAlong(back)]
    ;[dx, dy, dz].forEach((slope, axis) => {
      shades[to + axis] = byte(128 + (slope * REACH * 127) / cell)
    })
    shades[to + 3] = byte(((cells[index] ?? 0) + dx * (x - ix) + dy * (y - iy) + dz * (z - iz)) * 255)
  }
}

function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value)
}
