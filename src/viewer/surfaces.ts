/*
 * Surfaces of frames on the GPU. They are computed elsewhere, one at a time; until that of a frame is ready, the last one is
 * drawn.
 */
import { soluteOf } from '../folding/molecule/kinds.ts'
import type { Surface } from '../folding/molecule/surface.ts'
import type { GpuContext, GpuShape } from './gpu.ts'
import { createPool } from './pool.ts'
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
  const uploaded = createPool<Float32Array, Uploaded>(MAX_BYTES, ({ bytes }) => bytes)
  const waiting = new Map<Float32Array, (() => void)[]>()
  let next: Float32Array | undefined
  let share: number | undefined
  let isFreed = false

  const add = (frame: Float32Array, surface: Surface | undefined): void => {
    uploaded.add(frame, upload(gpu, surface))
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
    const frame = [next, ...waiting.keys()].find(one => one !== undefined && uploaded.get(one) === undefined)
    next = undefined
    if (frame !== undefined) void compute(frame)
  }

  return {
    /** Undefined until the first one is ready, and for a molecule that has none. */
    shape: (frame: Float32Array): GpuShape | undefined => {
      const cached = uploaded.get(frame)
      if (cached !== undefined) return cached.shape
      next = frame
      begin()
      return uploaded.newest()?.shape
    },
    /** Resolves when the surface of a frame is ready. */
    ready: (frame: Float32Array): Promise<void> =>
      uploaded.get(frame) !== undefined
        ? Promise.resolve()
        : new Promise(resolve => {
            waiting.set(frame, [...(waiting.get(frame) ?? []), resolve])
            begin()
          }),
    /** The share of the one under way that is computed. */
    share: () => share,
    /** Frees those of other frames. */
    keep: uploaded.keep,
    free: (): void => {
      isFreed = true
      uploaded.free()
      for (const resolve of [...waiting.values()].flat()) resolve()
      waiting.clear()
    },
  }
}

function upload(gpu: GpuContext, surface: Surface | undefined): Uploaded {
  if (surface === undefined) return { shape: undefined, bytes: 0, free: () => undefined }
  const [numbers, rivals] = [
    gpu.buffer(Float32Array.from(surface.atoms)),
    gpu.buffer(Float32Array.from(surface.rivals)),
  ]
  const [places, normals] = [gpu.buffer(surface.places), gpu.buffer(surface.normals)]
  const index = gpu.buffer(surface.triangles)
  const shape = gpu.shape(
    {
      aAtom: { buffer: numbers, size: 1 },
      aRival: { buffer: rivals, size: 1 },
      aPlace: { buffer: places, size: 3 },
      aNormal: { buffer: normals, size: 3 },
    },
    index,
  )
  return {
    shape,
    bytes: surface.atoms.length * 32 + surface.triangles.byteLength,
    free: () => {
      for (const part of [shape, index, numbers, rivals, places, normals]) part.free()
    },
  }
}
