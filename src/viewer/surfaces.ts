/*
 * Surfaces of frames on the GPU. They are computed elsewhere, one at a time; until that of a frame is ready, the last one is
 * drawn.
 */
import { soluteOf } from '../folding/molecule/kinds.ts'
import type { Surface } from '../folding/molecule/surface.ts'
import type { GpuContext, GpuShape } from './gpu.ts'
import type { ComputeSurface, Molecule } from './viewer.types.ts'

export type Surfaces = ReturnType<typeof createSurfaces>

type Uploaded = { readonly shape: GpuShape | undefined; readonly bytes: number; readonly free: () => void }

/** Bytes of surfaces on the GPU; the last one is kept in any case. */
const MAX_BYTES = 96 * 1024 * 1024

/** `onChange`: there is one more, or more of one. */
export function createSurfaces(
  gpu: GpuContext,
  molecule: Molecule,
  computeSurface: ComputeSurface,
  onChange: () => void,
) {
  const atoms = soluteOf(molecule.kinds)
  // In the order of last use.
  const uploaded = new Map<Float32Array, Uploaded>()
  const waiting = new Map<Float32Array, (() => void)[]>()
  let next: Float32Array | undefined
  let share: number | undefined
  let isFreed = false

  const use = (frame: Float32Array): Uploaded | undefined => {
    const cached = uploaded.get(frame)
    if (cached === undefined) return undefined
    uploaded.delete(frame)
    uploaded.set(frame, cached)
    return cached
  }

  const add = (frame: Float32Array, surface: Surface | undefined): void => {
    uploaded.set(frame, upload(gpu, surface))
    let bytes = [...uploaded.values()].reduce((sum, one) => sum + one.bytes, 0)
    for (const [oldest, one] of uploaded) {
      if (bytes <= MAX_BYTES || oldest === frame) break
      bytes -= one.bytes
      one.free()
      uploaded.delete(oldest)
    }
    for (const resolve of waiting.get(frame) ?? []) resolve()
    waiting.delete(frame)
  }

  const compute = async (frame: Float32Array): Promise<void> => {
    share = 0
    const surface = await computeSurface(frame, molecule.radii, atoms, done => {
      share = done
      if (!isFreed) onChange()
    })
    share = undefined
    if (isFreed) return
    add(frame, surface)
    begin()
    onChange()
  }

  const begin = (): void => {
    if (share !== undefined) return
    const frame = next ?? waiting.keys().next().value
    next = undefined
    if (frame !== undefined && !uploaded.has(frame)) void compute(frame)
  }

  return {
    /** Undefined until the first one is ready, and for a molecule that has none. */
    shape: (frame: Float32Array): GpuShape | undefined => {
      const cached = use(frame)
      if (cached !== undefined) return cached.shape
      next = frame
      begin()
      return [...uploaded.values()].at(-1)?.shape
    },
    /** Resolves when the surface of a frame is ready. */
    ready: (frame: Float32Array): Promise<void> =>
      uploaded.has(frame)
        ? Promise.resolve()
        : new Promise(resolve => {
            waiting.set(frame, [...(waiting.get(frame) ?? []), resolve])
            begin()
          }),
    /** The share of the one under way that is computed. */
    share: () => share,
    /** Frees those of other frames. */
    keep: (frames: readonly Float32Array[]): void => {
      for (const [frame, one] of uploaded) {
        if (frames.includes(frame)) continue
        one.free()
        uploaded.delete(frame)
      }
    },
    free: (): void => {
      isFreed = true
      for (const one of uploaded.values()) one.free()
      uploaded.clear()
      for (const resolve of [...waiting.values()].flat()) resolve()
      waiting.clear()
    },
  }
}

function upload(gpu: GpuContext, surface: Surface | undefined): Uploaded {
  if (surface === undefined) return { shape: undefined, bytes: 0, free: () => undefined }
  const count = surface.atoms.length
  const buffer = (data: Float32Array) => {
    const made = gpu.buffer(data.length)
    made.write(data)
    return made
  }
  const [numbers, rivals, places, normals] = [
    buffer(Float32Array.from(surface.atoms)),
    buffer(Float32Array.from(surface.rivals)),
    buffer(surface.places),
    buffer(surface.normals),
  ]
  const index = gpu.index(surface.triangles)
  const shape = gpu.shape(
    {
      aAtom: { buffer: numbers, size: 1, count },
      aRival: { buffer: rivals, size: 1, count },
      aPlace: { buffer: places, size: 3, count },
      aNormal: { buffer: normals, size: 3, count },
    },
    surface.triangles.length,
    index,
  )
  return {
    shape,
    bytes: count * 32 + surface.triangles.byteLength,
    free: () => {
      for (const part of [shape, index, numbers, rivals, places, normals]) part.free()
    },
  }
}
