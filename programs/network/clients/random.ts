import { createHash } from 'node:crypto'

type Key = string | number

function mix(hash: number, value: number): number {
  const folded = Math.imul(hash ^ value, 0x85ebca6b)
  return folded ^ (folded >>> 15)
}

function finish(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return (second ^ (second >>> 16)) >>> 0
}

function hashOf(seed: number, keys: readonly Key[]): number {
  let hash = mix(0x9e3779b9, seed | 0)
  for (const key of keys) {
    if (typeof key === 'number') hash = mix(mix(hash, key | 0), Math.floor(key / 0x1_0000_0000) | 0)
    else for (let index = 0; index < key.length; index++) hash = mix(hash, key.charCodeAt(index))
    hash = mix(hash, 0x2c1b3c6d)
  }
  return finish(hash)
}

/**
 * A number in [0, 1) that depends on the seed and the keys alone. Without hidden state, a restored client continues
 * exactly like one that never stopped.
 */
export function chance(seed: number, ...keys: readonly Key[]): number {
  return hashOf(seed, keys) / 0x1_0000_0000
}

export function chanceBetween(low: number, high: number, seed: number, ...keys: readonly Key[]): number {
  return low + (high - low) * chance(seed, ...keys)
}

/** An element of `list`. Throws if the list is empty. */
export function pick<T>(list: readonly T[], seed: number, ...keys: readonly Key[]): T {
  const element = list[Math.floor(chance(seed, ...keys) * list.length)]
  if (element === undefined) throw new Error('Cannot pick from an empty list')
  return element
}

/** 43 characters like a unit id: base64url of 32 bytes. */
export function idFrom(...keys: readonly Key[]): string {
  return createHash('sha256').update(keys.join('\n')).digest('base64url')
}
