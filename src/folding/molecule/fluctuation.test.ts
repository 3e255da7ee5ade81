import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFluctuation } from './fluctuation.ts'

/** By the definition: the root of the mean square of the distance from the mean place. */
function expected(frames: readonly Float32Array[], atom: number): number {
  const places = frames
    .map(frame => [...frame.subarray(atom * 3, atom * 3 + 3)])
    .filter(place => place.length === 3 && place.every(Number.isFinite))
  const mean = [0, 1, 2].map(axis => places.reduce((sum, place) => sum + (place[axis] ?? NaN), 0) / places.length)
  const square = places.map(place => Math.hypot(...place.map((value, axis) => value - (mean[axis] ?? NaN))) ** 2)
  return places.length < 2 ? NaN : Math.sqrt(square.reduce((sum, value) => sum + value, 0) / places.length)
}

const ATOMS = 3
const coordinate = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -900, max: 900 }) }, fc.constant(NaN))
const frame = fc.array(coordinate, { minLength: 6, maxLength: ATOMS * 3 }).map(values => Float32Array.from(values))

it('is what its definition says, whether frames come one by one, together or anew', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 6 }), fc.array(frame, { maxLength: 6 }), (first, others) => {
      const fluctuation = createFluctuation(ATOMS)
      for (const frames of [first, [...first, ...others], others])
        fluctuation(frames).forEach((value, atom) => {
          const wanted = expected(frames, atom)
          if (Number.isNaN(wanted)) expect(value).toBeNaN()
          else expect(value).toBeCloseTo(wanted, 2)
        })
    }),
  )
})

it('of an atom that swings between two places is half their distance', () => {
  const swing = Array.from({ length: 8 }, (_, at) => Float32Array.of(5, 5, 5, 0, at % 2 === 0 ? 3 : 7, 1))
  expect(Array.from(createFluctuation(2)(swing))).toEqual([0, 2])
})
