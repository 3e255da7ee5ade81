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

function readAll(
  { cells, sides: [wide, high], origin: [ox, oy, oz], cell }: Grid,
  positions: Float32Array,
  atoms: number,
  shades: Uint8Array,
): void {
  const [up, back] = [wide, wide * high]
  const slope = (REACH / cell) * 127
  for (let atom = 0, at = 0; atom < atoms; atom++, at += 3) {
    const x = ((positions[at] ?? 0) - ox) / cell
    const y = ((positions[at + 1] ?? 0) - oy) / cell
    const z = ((positions[at + 2] ?? 0) - oz) / cell
    const [ix, iy, iz] = [Math.floor(x), Math.floor(y), Math.floor(z)]
    const index = iz * back + iy * up + ix
    const to = atom * 4
    if (!(index >= 0 && index + back + up + 1 < cells.length)) {
      shades.fill(128, to, to + 3)
      continue
    }
    const [fx, fy, fz] = [x - ix, y - iy, z - iz]
    const c000 = cells[index] ?? 0
    const c100 = cells[index + 1] ?? 0
    const c010 = cells[index + up] ?? 0
    const c110 = cells[index + up + 1] ?? 0
    const c001 = cells[index + back] ?? 0
    const c101 = cells[index + back + 1] ?? 0
    const c011 = cells[index + back + up] ?? 0
    const c111 = cells[index + back + up + 1] ?? 0
    const c00 = c000 + (c100 - c000) * fx
    const c10 = c010 + (c110 - c010) * fx
    const c01 = c001 + (c101 - c001) * fx
    const c11 = c011 + (c111 - c011) * fx
    const c0 = c00 + (c10 - c00) * fy
    const c1 = c01 + (c11 - c01) * fy
    const dx =
      ((c100 - c000) * (1 - fy) + (c110 - c010) * fy) * (1 - fz) + ((c101 - c001) * (1 - fy) + (c111 - c011) * fy) * fz
    const dy = (c10 - c00) * (1 - fz) + (c11 - c01) * fz
    shades[to] = byte(128 + dx * slope)
    shades[to + 1] = byte(128 + dy * slope)
    shades[to + 2] = byte(128 + (c1 - c0) * slope)
    shades[to + 3] = byte((c0 + (c1 - c0) * fz) * 255)
  }
}

function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value)
}
