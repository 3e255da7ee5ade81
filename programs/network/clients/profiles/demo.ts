import type { ClientProfile, UnitResult } from '../types.ts'
import { rtx2070, rtx3060, rtx4090, rx7900, unsupportedGpu, defaultClient } from './hardware.ts'

export type NamedProfile = { readonly name: string; readonly profile: ClientProfile }

function times(count: number, result: UnitResult): readonly UnitResult[] {
  return Array.from({ length: count }, () => result)
}

const folding = { paused: false } as const

/** Several groups, three graphics cards, everything running. */
const rig: ClientProfile = {
  ...defaultClient,
  cpuBrand: 'AMD Ryzen Threadripper 3970X 32-Core Processor',
  cpus: 64,
  gpus: { 'gpu:01:00:00': rtx4090(0), 'gpu:02:00:00': rx7900(0), 'gpu:65:00:00': unsupportedGpu },
  inUse: true,
  groups: {
    '': { ...folding, cpus: 33, gpus: { 'gpu:01:00:00': { enabled: true } } },
    'second card': { ...folding, cpus: 1, gpus: { 'gpu:02:00:00': { enabled: true } } },
    night: { ...folding, on_idle: true, cpus: 16 },
  },
  units: [
    { state: 'RUN', cpus: 1, gpus: ['gpu:01:00:00'], progress: 0.62, project: 18_630 },
    { state: 'RUN', cpus: 32, progress: 0.34, project: 18_420 },
    { state: 'RUN', cpus: 1, gpus: ['gpu:02:00:00'], group: 'second card', progress: 0.91, project: 18_601 },
    { state: 'UPLOAD', cpus: 1, gpus: ['gpu:01:00:00'], project: 18_615 },
    { state: 'CORE', cpus: 16, group: 'night', progress: 0.17, project: 18_455 },
  ],
  history: [...times(14, 'credited'), 'failed', ...times(9, 'credited'), 'dumped', ...times(15, 'credited')],
}

/** On battery: one group finishes anyway, one waits for mains power, one is paused. */
const laptop: ClientProfile = {
  ...defaultClient,
  os: 'macosx',
  osVersion: '15.6',
  cpu: 'arm64',
  cpuBrand: 'Apple M3 Pro',
  cpus: 12,
  hasBattery: true,
  onBattery: true,
  groups: {
    '': { ...folding, finish: true, cpus: 4 },
    travel: { ...folding, on_battery: false, cpus: 4 },
    lab: { cpus: 2 },
  },
  units: [
    { state: 'RUN', cpus: 4, progress: 0.48, project: 18_421 },
    { state: 'CORE', cpus: 4, group: 'travel', progress: 0.05, project: 18_480 },
    { state: 'CORE', cpus: 2, group: 'lab', progress: 0.73, project: 18_495 },
  ],
  history: [...times(3, 'credited'), 'aborted', ...times(6, 'credited')],
}

/** Many failures: a failed group, one with failed units, every kind of wait. */
const crucible: ClientProfile = {
  ...defaultClient,
  cpuBrand: 'Intel(R) Core(TM) i7-6700K',
  cpus: 8,
  gpus: { 'gpu:01:00:00': rtx2070(0) },
  noWork: true,
  transferFailureRate: 0.9,
  groups: {
    '': { cpus: 2 },
    overclocked: { ...folding, cpus: 4, gpus: { 'gpu:01:00:00': { enabled: true } } },
  },
  failures: {
    '': { failed_wus: 5, lost_wus: 5, failed: 'Paused due too many failed Work Units.' },
    overclocked: { failed_wus: 2, lost_wus: 2, failed: '' },
  },
  units: [
    { state: 'RUN', cpus: 2, group: 'overclocked', progress: 0.22, project: 18_480 },
    {
      state: 'ASSIGN',
      cpus: 1,
      gpus: ['gpu:01:00:00'],
      group: 'overclocked',
      retries: 6,
      error: 'No work units are available for this configuration',
    },
    { state: 'DOWNLOAD', cpus: 1, group: 'overclocked', retries: 5, project: 18_495 },
    { state: 'UPLOAD', cpus: 2, group: 'overclocked', retries: 7, project: 18_421 },
    { state: 'CORE', cpus: 2, progress: 0.41, project: 18_421 },
  ],
  history: [
    'failed',
    'failed',
    'expired',
    'failed',
    'credited',
    'retries',
    'rejected',
    'missing',
    ...times(4, 'credited'),
    'dumped',
    ...times(7, 'credited'),
  ],
}

/** Folding, but without CPUs or GPUs. */
const quiet: ClientProfile = {
  ...defaultClient,
  os: 'win32',
  osVersion: '10.0.26100',
  cpuBrand: 'Intel(R) N100',
  cpus: 4,
  groups: { '': { ...folding, cpus: 0 } },
  history: times(2, 'credited'),
}

/** Too old to be controlled. */
const fossil: ClientProfile = {
  ...defaultClient,
  version: '8.1.18',
  os: 'win32',
  osVersion: '6.1.7601',
  cpuBrand: 'Intel(R) Core(TM)2 Quad CPU Q9550',
  cpus: 4,
  groups: { '': { ...folding, cpus: 3 } },
  units: [{ state: 'RUN', cpus: 3, progress: 0.08, project: 18_420 }],
  history: times(5, 'credited'),
}

/** Offline. */
const nomad: ClientProfile = {
  ...defaultClient,
  cpuBrand: 'AMD Ryzen 5 5600G with Radeon Graphics',
  cpus: 12,
  gpus: { 'gpu:01:00:00': rtx3060(0) },
  offline: true,
  groups: { '': { ...folding, cpus: 11, gpus: { 'gpu:01:00:00': { enabled: true } } } },
  units: [
    { state: 'RUN', cpus: 1, gpus: ['gpu:01:00:00'], progress: 0.55, project: 18_602 },
    { state: 'RUN', cpus: 10, progress: 0.27, project: 18_455 },
  ],
  history: times(8, 'credited'),
}

/** Six clients that together show every state and every badge. */
export const demoProfiles: readonly NamedProfile[] = [
  { name: 'atlas', profile: rig },
  { name: 'heron', profile: laptop },
  { name: 'crucible', profile: crucible },
  { name: 'quiet', profile: quiet },
  { name: 'fossil', profile: fossil },
  { name: 'nomad', profile: nomad },
]

/** Replaces the client on this computer if none is running. It is linked to no account. */
export const localProfile: NamedProfile = {
  name: 'this-computer',
  profile: {
    ...defaultClient,
    gpus: { 'gpu:01:00:00': rtx3060(0) },
    config: { user: 'Anonymous', team: 0, passkey: '', cause: 'any' },
    groups: { '': { ...folding, cpus: 15, gpus: { 'gpu:01:00:00': { enabled: true } } } },
    units: [
      { state: 'RUN', cpus: 14, progress: 0.3, project: 18_420 },
      { state: 'RUN', cpus: 1, gpus: ['gpu:01:00:00'], progress: 0.7, project: 18_615 },
    ],
    history: [...times(4, 'credited'), 'failed', ...times(3, 'credited')],
  },
}
