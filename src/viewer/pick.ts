import { lensOf } from './camera.ts'
import type { GpuContext } from './gpu.ts'
import type { RenderTargets } from './render-targets.ts'
import { eyePlace, type View } from './space.ts'
import type { Pose, Scene } from './scene.ts'

/** CSS pixels around the pointer in which an atom is found. */
const PICK_RADIUS = 5

/** The atom of the last picture at, or nearest to, `at` (CSS pixels); for a bond, its nearer end; for a ribbon, the backbone's atom. */
export function pickAtom(
  gpu: GpuContext,
  targets: RenderTargets,
  scene: Scene,
  pose: Pose,
  at: readonly [number, number],
  view: View,
): number {
  const atoms = scene.molecule.names.length
  const scale = (targets.width / Math.max(1, view.width)) * view.ratio
  const middle = [Math.floor(at[0] * scale), targets.height - 1 - Math.floor(at[1] * scale)] as const
  const seen = nearestSeen(gpu, targets, middle, Math.max(1, Math.round(PICK_RADIUS * scale)))
  if (seen <= atoms) return seen - 1
  const ribbons = atoms + scene.bondCount + 1
  if (seen >= ribbons) return seen - ribbons
  const bond = scene.bondAt(seen - atoms - 1)
  const ends = [scene.molecule.bonds[bond * 2] ?? -1, scene.molecule.bonds[bond * 2 + 1] ?? -1]
  const lens = lensOf(view.width, view.height)
  const [near = Infinity, far = Infinity] = ends.map(atom => {
    const [x = 0, y = 0, z = -1] = eyePlace(scene, pose, view, atom)
    return Math.hypot(
      ((x / -z / lens[0] + 1) / 2) * targets.width - middle[0],
      ((y / -z / lens[1] + 1) / 2) * targets.height - middle[1],
    )
  })
  return (near <= far ? ends[0] : ends[1]) ?? -1
}

/** The number in the nearest pixel that has one; 0 for none. */
function nearestSeen(
  { gl, into }: GpuContext,
  targets: RenderTargets,
  [atX, atY]: readonly [number, number],
  room: number,
): number {
  const [left, bottom] = [Math.max(0, atX - room), Math.max(0, atY - room)]
  const [width, height] = [
    Math.min(targets.width, atX + room + 1) - left,
    Math.min(targets.height, atY + room + 1) - bottom,
  ]
  if (!(width > 0 && height > 0)) return 0
  // Four integers a pixel, of which the first is the number of an atom (from 1) or bond.
  const pixels = new Uint32Array(width * height * 4)
  into(targets.ids)
  gl.readPixels(left, bottom, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, pixels)
  let found = 0
  let nearest = Infinity
  for (let at = 0; at < width * height; at++) {
    const seen = pixels[at * 4] ?? 0
    const [dx, dy] = [left + (at % width) - atX, bottom + Math.floor(at / width) - atY]
    const square = dx * dx + dy * dy
    if (seen === 0 || square > room * room || square >= nearest) continue
    nearest = square
    found = seen
  }
  return found
}
