import { isAble } from '../../../../src/protocol/client/client-abilities.ts'
import type { ClientProfile, GpuSpec } from '../types.ts'

/** A released version of each generation of clients: those that differ in what they report (docs/protocol.md §12). */
export const GENERATIONS = {
  '8.3': '8.3.18',
  '8.4.0': '8.4.0',
  '8.4.9': '8.4.9',
  '8.5.0': '8.5.0',
  '8.5.7': '8.5.7',
} as const

export type Generation = keyof typeof GENERATIONS

export function isGeneration(word: string): word is Generation {
  return Object.hasOwn(GENERATIONS, word)
}

function withoutHip({ hip: _hip, ...gpu }: GpuSpec): GpuSpec {
  return gpu
}

/**
 * The same computer with a client of that generation. What such a client does not report of units and groups, and which
 * settings and commands it lacks, follows from its version (`document.ts`, `commands.ts`).
 */
export function ofGeneration(profile: ClientProfile, generation: Generation): ClientProfile {
  const version = GENERATIONS[generation]
  const gpus = Object.entries(profile.gpus).map(([id, gpu]) => [id, isAble(version, 'hip') ? gpu : withoutHip(gpu)])
  return { ...profile, version, gpus: Object.fromEntries(gpus) as ClientProfile['gpus'] }
}
