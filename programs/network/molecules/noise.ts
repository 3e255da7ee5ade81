/** A number in [0, 1) that depends on a seed and a text alone. */
export function randomOf(seed: number, text: string): number {
  let hash = Math.imul(seed | 0, 0x9e3779b1) ^ 0x85ebca6b
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

/** The same for integers, fast enough for every water molecule. */
export function randomOfIntegers(seed: number, a: number, b: number): number {
  let hash =
    Math.imul(seed ^ 0x9e3779b1, 0x85ebca6b) ^
    Math.imul(a ^ 0x27d4eb2f, 0x165667b1) ^
    Math.imul(b ^ 0x2545f491, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}

/** Smooth noise over `x`, from -1 to 1, interpolated between integers. */
export function noise(seed: number, name: string, x: number): number {
  const left = Math.floor(x)
  const share = x - left
  const blend = share * share * (3 - 2 * share)
  const a = 2 * randomOf(seed, `${name}:${left}`) - 1
  const b = 2 * randomOf(seed, `${name}:${left + 1}`) - 1
  return a + (b - a) * blend
}
