/*
 * Frames on the GPU: each is uploaded once, identified by its array. Beyond the memory limit the least recently shown
 * are evicted, and uploaded again when shown.
 */
import { reachFrom, type Ball } from './ball.ts'
import type { GpuContext, GpuTexture } from './gpu.ts'
import { occlusionOf } from './occlusion.ts'
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
  const bytesEach = ROW * rows * 16
  const most = Math.max(4, Math.floor(MAX_BYTES / bytesEach))
  // In the order of last use.
  const uploaded = new Map<Float32Array, Frame>()

  const upload = (positions: Float32Array): Frame => {
    const places = gpu.texture('rgb32f', ROW, rows)
    gpu.write(places, 'rgb32f', positions.length === atoms * 3 ? positions : fitted(positions, atoms), atoms)
    let shades: GpuTexture | undefined
    let reach: number | undefined
    const frame: Frame = {
      positions,
      places,
      reach: () => (reach ??= reachFrom(ball.center, positions, radii)),
      shades: () => {
        if (shades === undefined) {
          shades = gpu.texture('rgba8', ROW, rows)
          gpu.write(shades, 'rgba8', occlusionOf(positions, radii), atoms)
        }
        return shades
      },
      free: () => {
        places.free()
        shades?.free()
      },
    }
    uploaded.set(positions, frame)
    return frame
  }

  const drop = (positions: Float32Array): void => {
    uploaded.get(positions)?.free()
    uploaded.delete(positions)
  }

  return {
    /** Uploads new frames and frees removed ones. */
    keep: (frames: readonly Float32Array[]): void => {
      const wanted = new Set(frames)
      for (const positions of [...uploaded.keys()]) if (!wanted.has(positions)) drop(positions)
      for (const positions of wanted) if (uploaded.size < most && !uploaded.has(positions)) upload(positions)
    },
    at: (positions: Float32Array): Frame => {
      const cached = uploaded.get(positions)
      if (cached === undefined) {
        const oldest = uploaded.size < most ? undefined : uploaded.keys().next().value
        if (oldest !== undefined) drop(oldest)
        return upload(positions)
      }
      uploaded.delete(positions)
      uploaded.set(positions, cached)
      return cached
    },
    free: (): void => {
      for (const positions of [...uploaded.keys()]) drop(positions)
    },
  }
}

/** Padded or cut to the number of atoms. Atoms with NaN are not drawn. */
function fitted(positions: Float32Array, atoms: number): Float32Array {
  const whole = new Float32Array(atoms * 3).fill(Number.NaN)
  whole.set(positions.subarray(0, Math.min(Math.floor(positions.length / 3), atoms) * 3))
  return whole
}
