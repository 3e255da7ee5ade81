/*
 * The cartoon of a molecule on the GPU: triangles that are the same in all frames, and the corners of two frames, between
 * which the vertex shader interpolates.
 */
import { cartoonOf } from '../folding/molecule/cartoon.ts'
import type { Polymers } from '../folding/molecule/polymers.ts'
import type { GpuBuffer, GpuContext, GpuShape } from './gpu.ts'

export type Ribbons = NonNullable<ReturnType<typeof createRibbons>>

/** The corners of one frame. */
type Slot = { readonly places: GpuBuffer; readonly normals: GpuBuffer; frame: Float32Array | undefined }

/** With at most so many triangles. Undefined for a molecule without a backbone. */
export function createRibbons(gpu: GpuContext, polymers: Polymers, most: number) {
  const cartoon = cartoonOf(polymers, most)
  if (cartoon === undefined) return undefined
  const [places, normals] = [new Float32Array(cartoon.atoms.length * 3), new Float32Array(cartoon.atoms.length * 3)]
  const numbers = gpu.buffer(Float32Array.from(cartoon.atoms))
  const index = gpu.buffer(cartoon.triangles)
  const slots = [0, 1].map((): Slot => ({ places: gpu.buffer(places), normals: gpu.buffer(normals), frame: undefined }))
  /** By the slots of both frames. */
  const shapes = slots.map(one =>
    slots.map(other =>
      gpu.shape(
        {
          aAtom: { buffer: numbers, size: 1 },
          aPlace: { buffer: one.places, size: 3 },
          aNormal: { buffer: one.normals, size: 3 },
          aNextPlace: { buffer: other.places, size: 3 },
          aNextNormal: { buffer: other.normals, size: 3 },
        },
        index,
      ),
    ),
  )
  /** The corners that are being computed. */
  let begun: { readonly frame: Float32Array; readonly steps: Generator<undefined> } | undefined

  /** The slot of a frame; the corners are computed when no slot has them. Undefined when time is over before. */
  const slotOf = (frame: Float32Array, other: Float32Array, isOver?: () => boolean): number | undefined => {
    const existing = slots.findIndex(slot => slot.frame === frame)
    if (existing >= 0) return existing
    if (begun?.frame !== frame) begun = { frame, steps: cartoon.place(frame, places, normals) }
    while (begun.steps.next().done !== true) if (isOver?.() === true) return undefined
    begun = undefined
    const free = slots[0]?.frame === other ? 1 : 0
    const slot = slots[free]
    slot?.places.write(places)
    slot?.normals.write(normals)
    if (slot !== undefined) slot.frame = frame
    return free
  }

  return {
    /** Computes corners; whether those of both frames are there when time is over. */
    prepare: (from: Float32Array, to: Float32Array, isOver: () => boolean): boolean =>
      slotOf(from, to, isOver) !== undefined && slotOf(to, from, isOver) !== undefined,
    /** The triangles between two frames, x, y and z of each atom in ångström. */
    shape: (from: Float32Array, to: Float32Array): GpuShape | undefined =>
      shapes[slotOf(from, to) ?? 0]?.[slotOf(to, from) ?? 0],
    free: (): void => {
      for (const part of [numbers, index, ...shapes.flat(), ...slots.flatMap(slot => [slot.places, slot.normals])])
        part.free()
    },
  }
}
