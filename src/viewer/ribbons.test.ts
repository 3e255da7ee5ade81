import { expect, it } from 'vitest'
import { startFakeGpu } from '../../test/molecule/fake-gpu.ts'
import { alphaHelix } from '../../test/molecule/helix.ts'
import { polymersOf } from '../folding/molecule/polymers.ts'
import { createRibbons } from './ribbons.ts'

it('the corners of a frame are computed a residue at a time where time is over, and those of another frame from the beginning', () => {
  const RESIDUES = 20
  const { classes, bonds, frame } = alphaHelix(RESIDUES)
  const ribbons = createRibbons(startFakeGpu().gpu, polymersOf({ classes, bonds }), 10_000)
  const stepsFor = (one: Float32Array): number => {
    for (let step = 1; ; step++) if (ribbons?.prepare(one, one, () => true) !== false) return step
  }
  expect(ribbons?.prepare(frame, frame, () => true)).toBe(false)
  expect(stepsFor(frame.slice())).toBeGreaterThan(RESIDUES)
  expect(stepsFor(frame)).toBeGreaterThan(RESIDUES)
  expect(stepsFor(frame)).toBe(1)
})
