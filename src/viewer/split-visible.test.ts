import { describe, expect, it } from 'vitest'
import { splitVisible } from './split-visible.ts'

function pixels(...numbers: number[]) {
  return Uint32Array.from(numbers.flatMap(number => [number, 0, 0, 1]))
}

const ALL = Uint32Array.of(0, 1, 2, 3, 4, 5)

describe('splitVisible', () => {
  it('splits atoms into visible and hidden ones, each once', () => {
    const [front, hidden] = [new Float32Array(6), new Float32Array(6)]
    expect(splitVisible(pixels(0, 3, 3, 6, 0, 1), ALL, front, hidden)).toBe(3)
    expect(Array.from(front.subarray(0, 3))).toEqual([0, 2, 5])
    expect(Array.from(hidden.subarray(0, 3))).toEqual([1, 3, 4])
    expect(splitVisible(pixels(0, 3, 3, 6, 0, 1), Uint32Array.of(1, 2, 4), front, hidden)).toBe(1)
    expect(front[0]).toBe(2)
    expect(hidden[0]).toBe(1)
    expect(hidden[1]).toBe(4)
  })

  it('ignores bonds and earlier calls', () => {
    const [front, hidden] = [new Float32Array(2), new Float32Array(2)]
    splitVisible(pixels(1, 2), ALL.subarray(0, 2), front, hidden)
    expect(splitVisible(pixels(3, 99), ALL.subarray(0, 2), front, hidden)).toBe(0)
    expect(Array.from(hidden)).toEqual([0, 1])
  })
})
