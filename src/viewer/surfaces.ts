/*
 * Surfaces of frames on the GPU. They are computed in the background, one at a time; until that of a frame is ready, the
 * last one is drawn.
 */
import { isSolvent } from '../folding/molecule/kinds.ts'
import { surfaceOf, type Surface } from '../folding/molecule/surface.ts'
import type { GpuContext, GpuShape } from './gpu.ts'
import type { Molecule } from './viewer.types.ts'

export type Surfaces = {
  /** Undefined until the first one is ready, and for a molecule that has none. */
  readonly shape: (frame: Float32Array) => GpuShape | undefined
  /** Resolves when the surface of a frame is ready. */
  readonly ready: (frame: Float32Array) => Promise<void>
  /** Frees those of other frames. */
  readonly keep: (frames: readonly Float32Array[]) => void
  readonly free: () => void
}

type Uploaded = { readonly shape: GpuShape | undefined; readonly bytes: number; readonly free: () => void }

/** Bytes of surfaces on the GPU; the last one is kept in any case. */
const MAX_BYTES = 96 * 1024 * 1024
/** Milliseconds of work between two pauses. */
const SLICE = 8

export function createSurfaces(gpu: GpuContext, molecule: Molecule, onReady: () => void): Surfaces {
  const atoms = soluteOf(molecule)
  // In the order of last use.
  const uploaded = new Map<Float32Array, Uploaded>()
  const waiting = new Map<Float32Array, (() => void)[]>()
  let next: Float32Array | undefined
  let current: Float32Array | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

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
    onReady()
  }

  const compute = (frame: Float32Array): void => {
    current = frame
    const steps = surfaceOf(frame, molecule.radii, atoms)
    const run = (): void => {
      const begun = performance.now()
      do {
        const { done, value } = steps.next()
        if (done !== true) continue
        current = undefined
        add(frame, value)
        begin()
        return
      } while (performance.now() - begun < SLICE)
      timer = setTimeout(run)
    }
    timer = setTimeout(run)
  }

  const begin = (): void => {
    if (current !== undefined) return
    const frame = next ?? waiting.keys().next().value
    next = undefined
    if (frame !== undefined && !uploaded.has(frame)) compute(frame)
  }

  return {
    shape: frame => {
      const cached = use(frame)
      if (cached !== undefined) return cached.shape
      next = frame
      begin()
      return [...uploaded.values()].at(-1)?.shape
    },
    ready: frame =>
      uploaded.has(frame)
        ? Promise.resolve()
        : new Promise(resolve => {
            waiting.set(frame, [...(waiting.get(frame) ?? []), resolve])
            begin()
          }),
    keep: frames => {
      for (const [frame, one] of uploaded) {
        if (frames.includes(frame)) continue
        one.free()
        uploaded.delete(frame)
      }
    },
    free: () => {
      clearTimeout(timer)
      for (const one of uploaded.values()) one.free()
      uploaded.clear()
      for (const resolve of [...waiting.values()].flat()) resolve()
      waiting.clear()
    },
  }
}

/** Without anything else, the solvent has the surface. */
function soluteOf({ kinds }: Molecule): Uint32Array {
  const solute: number[] = []
  kinds.forEach((kind, atom) => {
    if (!isSolvent(kind)) solute.push(atom)
  })
  return Uint32Array.from(solute.length > 0 ? solute : kinds.keys())
}

function upload(gpu: GpuContext, surface: Surface | undefined): Uploaded {
  if (surface === undefined) return { shape: undefined, bytes: 0, free: () => undefined }
  const count = surface.atoms.length
  const buffer = (data: Float32Array) => {
    const made = gpu.buffer(data.length)
    made.write(data)
    return made
  }
  const [numbers, places, normals] = [
    buffer(Float32Array.from(surface.atoms)),
    buffer(surface.places),
    buffer(surface.normals),
  ]
  const index = gpu.index(surface.triangles)
  const shape = gpu.shape(
    {
      aAtom: { buffer: numbers, size: 1, count },
      aPlace: { buffer: places, size: 3, count },
      aNormal: { buffer: normals, size: 3, count },
      aNextPlace: { buffer: places, size: 3, count },
      aNextNormal: { buffer: normals, size: 3, count },
    },
    surface.triangles.length,
    index,
  )
  return {
    shape,
    bytes: count * 28 + surface.triangles.byteLength,
    free: () => {
      for (const part of [shape, index, numbers, places, normals]) part.free()
    },
  }
}
