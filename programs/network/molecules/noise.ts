/** A number in [0, 1) that depends on three integers alone, fast enough for every water molecule. */
export function randomOfIntegers(seed: number, a: number, b: number): number {
  let hash =
    Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^
    Math.imul(a ^ 0x27d4eb2f, 0x165667b1) ^
    Math.imul(b ^ 0x2545f491, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}
