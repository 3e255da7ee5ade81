/*
 * Frames on the GPU: each is uploaded when it is first shown, identified by its array. Beyond the memory limit the least recently shown
 * are evicted, and uploaded again when shown.
 */
import { reachFrom, type Ball } from './ball.ts'
import type { GpuContext, GpuTexture } from './gpu.ts'
import { occlusionOf } from './occlusion.ts'
import { createPool } from './pool.ts'
import { ROW } from './shaders/common.ts'

export type Frame = {
  readonly positions: Float32Array
  readonly places: GpuTexture
  /** Created when first shown. */
  readonly shades: () => GpuTexture
  /** Distance of the outermost atom with a radius from the sphere's center, in ångström. */
  readonly reach: () => number
  readonly free: () => void
}

/** Bytes of frames on the GPU. */
const MAX_BYTES = 384 * 1024 * 1024

export function rowsOf(atoms: number): number {
  return Math.max(1, Math.ceil(atoms / ROW))
}

/** Frames of a molecule with these atoms' radii (ångström). */
export function createFrameStore(gpu: GpuContext, radii: Float32Array, ball: Ball) {
  const atoms = radii.length
  const rows = rowsOf(atoms)
  const uploaded = createPool<Float32Array, Frame>(Math.max(4, Math.floor(MAX_BYTES / (ROW * rows * 16))))

  const upload = (positions: Float32Array): Frame => {
    const places = gpu.texture('rgb32f', ROW, rows)
    places.write(positions.length === atoms * 3 ? positions : fitted(positions, atoms), atoms)
    let shades: GpuTexture | undefined
    let reach: number | undefined
    return uploaded.add(positions, {
      positions,
      places,
      reach: () => (reach ??= reachFrom(ball.center, positions, radii)),
      shades: () => {
        if (shades === undefined) {
          shades = gpu.texture('rgba8', ROW, rows)
          shades.write(occlusionOf(positions, radii), atoms)
        }
        return shades
      },
      free: () => {
        places.free()
        shades?.free()
      },
    })
  }

  return {
    at: (positions: Float32Array): Frame => uploaded.get(positions) ?? upload(positions),
    /** Frees other frames. */
    keep: uploaded.keep,
    free: uploaded.free,
  }
}

/** Padded or cut to the number of atoms. Atoms with NaN are not drawn. */
function fitted(positions: Float32Array, atoms: number): Float32Array {
  const whole = new Float32Array(atoms * 3).fill(Number.NaN)
  whole.set(positions.subarray(0, Math.min(Math.floor(positions.length / 3), atoms) * 3))
  return whole
}
