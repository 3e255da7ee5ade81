/*
 * The cartoon of a molecule on the GPU: triangles that are the same in all frames, and the corners of two frames, between
 * which the vertex shader interpolates.
 */
import { cartoonOf, type Cartoon } from '../folding/molecule/cartoon.ts'
import type { Polymers } from '../folding/molecule/polymers.ts'
import type { GpuBuffer, GpuContext, GpuShape } from './gpu.ts'

export type Ribbons = ReturnType<typeof ribbonsOf>

/** The corners of one frame. */
type Slot = { readonly places: GpuBuffer; readonly normals: GpuBuffer; frame: Float32Array | undefined }

/** With at most so many triangles. Undefined for a molecule without a backbone. */
export function createRibbons(gpu: GpuContext, polymers: Polymers, most: number): Ribbons | undefined {
  const cartoon = cartoonOf(polymers, most)
  return cartoon === undefined ? undefined : ribbonsOf(gpu, cartoon)
}

function ribbonsOf(gpu: GpuContext, { corners, triangles, atoms, place }: Cartoon) {
  const numbers = gpu.buffer(corners)
  numbers.write(Float32Array.from(atoms))
  const index = gpu.index(triangles)
  const slots = [0, 1].map((): Slot => ({
    places: gpu.buffer(corners * 3),
    normals: gpu.buffer(corners * 3),
    frame: undefined,
  }))
  const [places, normals] = [new Float32Array(corners * 3), new Float32Array(corners * 3)]
  const shapes = new Map<string, GpuShape>()
  /** The corners that are being computed. */
  let begun: { readonly frame: Float32Array; readonly steps: Generator<undefined> } | undefined

  /** The slot of a frame; the corners are computed when no slot has them. Undefined when time is over before. */
  const slotOf = (frame: Float32Array, other: Float32Array, isOver?: () => boolean): number | undefined => {
    const existing = slots.findIndex(slot => slot.frame === frame)
    if (existing >= 0) return existing
    if (begun?.frame !== frame) begun = { frame, steps: place(frame, places, normals) }
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
    shape: (from: Float32Array, to: Float32Array): GpuShape => {
      const [first = 0, second = 0] = [slotOf(from, to), slotOf(to, from)]
      const key = `${first} ${second}`
      const cached = shapes.get(key)
      const [one, other] = [slots[first], slots[second]]
      if (cached !== undefined || one === undefined || other === undefined) return cached ?? gpu.shape({}, 0)
      const each = { size: 3, count: corners }
      const made = gpu.shape(
        {
          aAtom: { buffer: numbers, size: 1, count: corners },
          aPlace: { ...each, buffer: one.places },
          aNormal: { ...each, buffer: one.normals },
          aNextPlace: { ...each, buffer: other.places },
          aNextNormal: { ...each, buffer: other.normals },
        },
        triangles.length,
        index,
      )
      shapes.set(key, made)
      return made
    },
    free: (): void => {
      for (const part of [numbers, index, ...shapes.values(), ...slots.flatMap(slot => [slot.places, slot.normals])])
        part.free()
    },
  }
}
