import { describe, expect, it } from 'vitest'
import { alphaHelix } from '../../../test/molecule/helix.ts'
import { alignmentOf } from './aligned-frames.ts'
import { CARBON, HYDROGEN, OXYGEN } from './atoms.ts'
import { kindsOf } from './kinds.ts'
import type { Molecule } from './molecule.ts'
import { polymersOf } from './polymers.ts'

function moleculeWith(classes: Uint8Array, bonds: Uint32Array, chains?: Uint16Array): Molecule {
  const polymers = polymersOf({ classes, bonds })
  return {
    names: Array.from(classes, () => 'X'),
    classes,
    bonds,
    polymers,
    kinds: kindsOf({ classes, bonds }, polymers).kinds,
    radii: new Float32Array(classes.length).fill(1.7),
    charges: new Float32Array(classes.length),
    ...(chains === undefined ? {} : { chains }),
  }
}

/** Turned about (1, 1, 1) by this angle, then moved. */
function turned(frame: Float32Array, angle: number, by: readonly number[]): Float32Array {
  const [c, s, k] = [Math.cos(angle), Math.sin(angle) / Math.sqrt(3), (1 - Math.cos(angle)) / 3]
  return frame.map((_, at) => {
    const base = at - (at % 3)
    const [value = 0, next = 0, last = 0] = [0, 1, 2].map(axis => frame[base + ((at + axis) % 3)])
    return value * (c + k) + next * (k - s) + last * (k + s) + (by[at % 3] ?? 0)
  })
}

function farthest(a: Float32Array, b: Float32Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] ?? NaN))), 0)
}

describe('frames as they are shown', () => {
  const helix = alphaHelix(12)
  const molecule = moleculeWith(helix.classes, helix.bonds)

  it.each([0.3, 2, 3.1, -1.4])('lie on the first, from which they were turned by %d', angle => {
    const { aligned } = alignmentOf(molecule)
    expect(aligned(helix.frame)).toBe(helix.frame)
    const other = turned(helix.frame, angle, [40, -7, 3])
    expect(farthest(other, helix.frame)).toBeGreaterThan(20)
    expect(farthest(aligned(other), helix.frame)).toBeLessThan(1e-3)
    expect(aligned(other)).toBe(aligned(other))
  })

  it('deviate from the first by what is left after that', () => {
    const { deviation } = alignmentOf(molecule)
    const bent = helix.frame.map((value, at) => (at % 24 < 12 ? value + 0.5 : value))
    const [none = NaN, turnedOnly = NaN, some = NaN] = [helix.frame, turned(helix.frame, 2, [1, 2, 3]), bent].map(
      deviation,
    )
    expect([none, turnedOnly].map(value => value.toFixed(3))).toEqual(['0.000', '0.000'])
    expect(some).toBeGreaterThan(0.2)
    expect(deviation(new Float32Array(6))).toBeNaN()
  })

  it('are turned by their backbone, whatever else moves', () => {
    const ligand = [0, 1, 2].map(at => 200 + at * 1.4)
    const withLigand = (frame: Float32Array, far: number): Float32Array =>
      Float32Array.from([...frame, ...ligand.flatMap(x => [x + far, far, 0])])
    const size = helix.classes.length
    const { aligned } = alignmentOf(
      moleculeWith(
        Uint8Array.from([...helix.classes, CARBON, CARBON, CARBON]),
        Uint32Array.from([...helix.bonds, size, size + 1, size + 1, size + 2]),
      ),
    )
    aligned(withLigand(helix.frame, 0))
    const shown = aligned(turned(withLigand(helix.frame, 90), 1, [5, 5, 5]))
    expect(farthest(shown.subarray(0, size * 3), helix.frame)).toBeLessThan(1e-3)
  })

  it('stay as they are where nothing has a place, or their length is another', () => {
    const { aligned } = alignmentOf(molecule)
    aligned(helix.frame)
    const [short, empty] = [new Float32Array(6), new Float32Array(helix.frame.length).fill(NaN)]
    expect(aligned(short)).toEqual(short)
    expect(aligned(empty)).toEqual(empty)
  })
})

describe('in a periodic box', () => {
  const BOX = [30, 40, 50]
  const wrapped = (frame: Float32Array): Float32Array =>
    frame.map((value, at) => value - (BOX[at % 3] ?? 1) * Math.floor(value / (BOX[at % 3] ?? 1)))

  const longestBond = (frame: Float32Array, bonds: Uint32Array): number => {
    let longest = 0
    for (let at = 0; at < bonds.length; at += 2) {
      const [a = 0, b = 0] = bonds.subarray(at, at + 2)
      longest = Math.max(
        longest,
        Math.hypot(...[0, 1, 2].map(axis => (frame[a * 3 + axis] ?? 0) - (frame[b * 3 + axis] ?? 0))),
      )
    }
    return longest
  }

  it.each([
    [29, 20, 20],
    [29, 39, 48],
    [0.5, 0.2, -3],
  ])('a chain that goes through walls is whole again, with its middle at %d, %d, %d', (...middle) => {
    const helix = alphaHelix(16)
    const molecule = moleculeWith(helix.classes, helix.bonds)
    const { aligned } = alignmentOf(molecule)
    const shown = [0, 2].map(angle => aligned(wrapped(turned(helix.frame, angle, middle))))
    const intact = longestBond(helix.frame, helix.bonds)
    // The size of the box is known as well as the bonds that a wall cuts allow.
    for (const frame of shown) expect(longestBond(frame, helix.bonds)).toBeLessThan(intact + 2.5)
    expect(farthest(shown[1] ?? helix.frame, shown[0] ?? helix.frame)).toBeLessThan(4)
  })

  it('two chains stay beside each other when one of them leaves through a wall', () => {
    const one = alphaHelix(8)
    const size = one.classes.length
    const water = Array.from(
      { length: 27 * 8 },
      (_, at) => [at % 6, Math.floor(at / 6) % 6, Math.floor(at / 36)] as const,
    )
    const waterPlaces = water.flatMap(([x, y, z]) =>
      [0, 0.9, -0.9].flatMap(off => [2 + x * 5.1 + off, 2 + y * 7.1, 2 + z * 9.1]),
    )
    const start = size * 2
    const molecule = moleculeWith(
      Uint8Array.from([...one.classes, ...one.classes, ...water.flatMap(() => [OXYGEN, HYDROGEN, HYDROGEN])]),
      Uint32Array.from([
        ...one.bonds,
        ...one.bonds.map(atom => atom + size),
        ...water.flatMap((_, at) => [start + at * 3, start + at * 3 + 1, start + at * 3, start + at * 3 + 2]),
      ]),
      Uint16Array.from([
        ...one.classes.map(() => 1),
        ...one.classes.map(() => 2),
        ...waterPlaces.slice(0, water.length * 3).map(() => 0),
      ]),
    )
    const frameWith = (x: number): Float32Array =>
      Float32Array.from([...turned(one.frame, 0, [8, 20, 10]), ...turned(one.frame, 0, [x, 20, 10]), ...waterPlaces])
    const { aligned } = alignmentOf(molecule)
    const first = frameWith(2.4)
    aligned(first)
    // Whole, but on the other side of the box.
    const shown = aligned(frameWith(2 + 28))
    expect(farthest(shown.subarray(0, size * 6), first.subarray(0, size * 6))).toBeLessThan(4)
  })

  it('nothing is moved where bonds are long for another reason', () => {
    const bonds = Uint32Array.of(0, 1, 1, 2, 2, 3)
    const frame = Float32Array.of(0, 0, 0, 12, 0, 0, 24, 0, 0, 36, 0, 0)
    expect(alignmentOf(moleculeWith(new Uint8Array(4), bonds)).aligned(frame)).toBe(frame)
  })
})
