import { pick } from '../random.ts'
import type { ClientProfile, GpuSpec } from '../types.ts'

const NVIDIA = 4318
const AMD = 4098

function nvidia(description: string, device: number, index: number, compute: string): GpuSpec {
  return {
    vendor: NVIDIA,
    device,
    type: 'nvidia',
    supported: true,
    description,
    uuid: `9d1f0c2e-0000-4000-8000-0000${device.toString(16).padStart(4, '0')}${index.toString(16).padStart(4, '0')}`,
    opencl: { platform: 0, device: index, compute: '3.0', driver: '560.35' },
    cuda: { platform: 0, device: index, compute, driver: '12.6' },
  }
}

export function rtx4090(index: number): GpuSpec {
  return nvidia('AD102 [GeForce RTX 4090]', 9860, index, '8.9')
}
export function rtx3060(index: number): GpuSpec {
  return nvidia('GA106 [GeForce RTX 3060]', 9479, index, '8.6')
}
export function rtx2070(index: number): GpuSpec {
  return nvidia('TU106 [GeForce RTX 2070]', 7938, index, '7.5')
}
export function rx7900(index: number): GpuSpec {
  return {
    vendor: AMD,
    device: 29_772,
    type: 'amd',
    supported: true,
    description: 'Navi 31 [Radeon RX 7900 XT/7900 XTX]',
    uuid: `9d1f0c2e-0000-4000-8000-0000744c000${index}`,
    opencl: { platform: 0, device: index, compute: '2.0', driver: '3625.0' },
    hip: { platform: 0, device: index, compute: '11.0', driver: '6.2' },
  }
}
/** An old card without a driver, which the client lists as unsupported. */
export const unsupportedGpu: GpuSpec = {
  vendor: NVIDIA,
  device: 4992,
  type: 'nvidia',
  supported: false,
  description: 'GK107 [GeForce GT 640]',
}

export const defaultClient: ClientProfile = {
  version: '8.5.7',
  os: 'linux',
  osVersion: '6.12',
  cpu: 'amd64',
  cpuBrand: 'AMD Ryzen 7 7700X 8-Core Processor',
  cpus: 16,
  gpus: {},
  hasBattery: false,
  onBattery: false,
  inUse: false,
  offline: false,
  config: { user: 'Ada_Folds', team: 424_242, passkey: '', cause: 'any' },
  groups: {},
  failures: {},
  units: [],
  history: [],
  noWork: false,
  unitFailureRate: 0.02,
  transferFailureRate: 0.04,
  logLines: 100_000,
}

const processors = [
  { cpuBrand: 'AMD Ryzen 5 5600X 6-Core Processor', cpus: 12, cpu: 'amd64' },
  { cpuBrand: 'AMD Ryzen 9 7950X 16-Core Processor', cpus: 32, cpu: 'amd64' },
  { cpuBrand: 'Intel(R) Core(TM) i5-12400', cpus: 12, cpu: 'amd64' },
  { cpuBrand: 'Intel(R) Xeon(R) E5-2680 v4', cpus: 28, cpu: 'amd64' },
  { cpuBrand: 'Intel(R) Core(TM) i3-8100', cpus: 4, cpu: 'amd64' },
] as const

const systems = [
  { os: 'linux', osVersion: '6.12' },
  { os: 'linux', osVersion: '5.15' },
  { os: 'win32', osVersion: '10.0.22631' },
] as const

const graphics = [rtx4090, rtx3060, rtx2070, rx7900] as const

/** Random hardware for fleets. */
export function hardwareOf(
  seed: number,
): Pick<ClientProfile, 'cpuBrand' | 'cpus' | 'cpu' | 'os' | 'osVersion'> & { readonly gpu: GpuSpec } {
  return {
    ...pick(processors, seed, 'processor'),
    ...pick(systems, seed, 'system'),
    gpu: pick(graphics, seed, 'graphics')(0),
  }
}
