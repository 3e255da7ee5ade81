/*
 * Frames on the GPU: each is uploaded once, and known again by its array. When there are more than there is room for,
 * those not shown for longest give way, and come back when they are shown.
 */
import { reachFrom, type Ball } from './ball.ts'
import type { Gpu, GpuTexture } from './gpu.ts'
import { occlusionOf } from './occlusion.ts'
import { ROW } from './shaders/common.ts'

export type Frame = {
  readonly positions: Float32Array
  readonly places: GpuTexture
  /** Made when first shown. */
  readonly shades: () => GpuTexture
  /** From the ball's middle, in ångström. */
  readonly reach: number
}

type UploadedFrame = Frame & { readonly free: () => void }

export type FrameStore = {
  /** Uploads what is new and drops what is gone. */
  readonly keep: (frames: readonly Float32Array[]) => void
  readonly at: (positions: Float32Array) => Frame
  readonly free: () => void
}

/** In bytes; more frames than that are uploaded when they are shown. */
const MAX_BYTES = 384 * 1024 * 1024

export const rowsOf = (atoms: number): number => Math.max(1, Math.ceil(atoms / ROW))

/** Frames of a molecule with these atoms' radii (ångström). */
export const createFrameStore = (gpu: Gpu, radii: Float32Array, ball: Ball): FrameStore => {
  const atoms = radii.length
  const rows = rowsOf(atoms)
  const bytesEach = ROW * rows * 16
  const most = Math.max(4, Math.floor(MAX_BYTES / bytesEach))
  // In the order in which they were last shown.
  const kept = new Map<Float32Array, UploadedFrame>()

  const upload = (positions: Float32Array): UploadedFrame => {
    const places = gpu.texture('rgb32f', ROW, rows)
    gpu.write(places, 'rgb32f', positions.length === atoms * 3 ? positions : fitted(positions, atoms), atoms)
    let shades: GpuTexture | undefined
    const frame: UploadedFrame = {
      positions,
      places,
      reach: reachFrom(ball.center, positions),
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
    kept.set(positions, frame)
    return frame
  }

  const drop = (positions: Float32Array): void => {
    kept.get(positions)?.free()
    kept.delete(positions)
  }

  return {
    keep: frames => {
      const wanted = new Set(frames)
      for (const positions of [...kept.keys()]) if (!wanted.has(positions)) drop(positions)
      for (const positions of wanted) if (kept.size < most && !kept.has(positions)) upload(positions)
    },
    at: positions => {
      const known = kept.get(positions)
      if (known === undefined) {
        const oldest = kept.size < most ? undefined : kept.keys().next().value
        if (oldest !== undefined) drop(oldest)
        return upload(positions)
      }
      kept.delete(positions)
      kept.set(positions, known)
      return known
    },
    free: () => {
      for (const positions of [...kept.keys()]) drop(positions)
    },
  }
}

/** Of the right length: atoms without a place are NaN, and are not drawn. */
const fitted = (positions: Float32Array, atoms: number): Float32Array => {
  const whole = new Float32Array(atoms * 3).fill(Number.NaN)
  whole.set(positions.subarray(0, Math.min(Math.floor(positions.length / 3), atoms) * 3))
  return whole
}
