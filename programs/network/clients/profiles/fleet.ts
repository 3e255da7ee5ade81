import { chance } from '../random.ts'
import type { ClientProfile } from '../types.ts'
import type { NamedProfile } from './demo.ts'
import { hardwareOf, defaultClient } from './hardware.ts'

const GPU = 'gpu:01:00:00'

/**
 * One of a large fleet: two running units, one on the CPU and one on the graphics card, and a short log, so that
 * thousands fit into one process.
 */
export function fleetProfile(index: number, seed: number): NamedProfile {
  const clientSeed = seed + index * 7919
  const { gpu, ...hardware } = hardwareOf(clientSeed)
  const profile: ClientProfile = {
    ...defaultClient,
    ...hardware,
    gpus: { [GPU]: gpu },
    groups: { '': { paused: false, cpus: hardware.cpus, gpus: { [GPU]: { enabled: true } } } },
    units: [
      { state: 'RUN', cpus: hardware.cpus - 1, progress: 0.95 * chance(clientSeed, 'cpu progress') },
      { state: 'RUN', cpus: 1, gpus: [GPU], progress: 0.95 * chance(clientSeed, 'gpu progress') },
    ],
    history: ['credited', 'credited', 'credited'],
    unitFailureRate: 0.01,
    transferFailureRate: 0.01,
    logLines: 1000,
  }
  return { name: `folder-${String(index + 1).padStart(4, '0')}`, profile }
}
