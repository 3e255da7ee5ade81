import { expect, it } from 'vitest'
import { startFakeGpu } from '../../test/molecule/fake-gpu.ts'
import { moleculeOf } from '../folding/molecule/molecule.ts'
import type { Surface } from '../folding/molecule/surface.ts'
import { createSurfaces } from './surfaces.ts'

it('the surface of a frame that is waited for is computed, also when another is drawn while it is computed', async () => {
  const molecule = moleculeOf({
    names: ['CA'],
    elements: Uint8Array.of(6),
    charges: new Float32Array(1),
    radii: new Float32Array(1),
    masses: new Float32Array(1),
    bonds: new Uint32Array(0),
  })
  const begun: Float32Array[] = []
  const ends: ((surface: Surface | undefined) => void)[] = []
  const surfaces = createSurfaces(
    startFakeGpu().gpu,
    molecule,
    frame => {
      begun.push(frame)
      return new Promise(resolve => ends.push(resolve))
    },
    () => undefined,
  )
  const [shown, awaited] = [new Float32Array(3), new Float32Array(3)]
  surfaces.shape(shown)
  const ready = surfaces.ready(awaited)
  surfaces.shape(shown)
  ends[0]?.(undefined)
  await Promise.resolve()
  await Promise.resolve()
  expect(begun).toEqual([shown, awaited])
  expect(begun[1]).toBe(awaited)
  ends[1]?.(undefined)
  await ready
})
