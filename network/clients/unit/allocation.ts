import type { GpuSpec, GroupConfig, UnitState } from '../types.ts'

/** What the scheduler needs to know of a unit. */
export type ResourceClaim = {
  readonly group: string
  readonly state: UnitState
  readonly cpus: number
  readonly gpus: readonly string[]
  /** Maximum number of CPUs that the unit can use. */
  readonly maxCpus: number
  /** Got no resources in the last run of the scheduler. */
  readonly paused: boolean
}

export type Environment = {
  readonly cpus: number
  readonly gpus: Readonly<Record<string, GpuSpec>>
  readonly inUse: boolean
  readonly onBattery: boolean
  readonly now: number
}

export type GroupNeed = {
  readonly name: string
  readonly config: GroupConfig
  /** Epoch ms until which no new unit starts. */
  readonly waitUntil: number
}

export type NewUnit = { readonly group: string; readonly cpus: number; readonly gpus: readonly string[] }

export type Allocation = {
  /** By index of the unit: whether it gets its resources, and how many CPUs. */
  readonly shares: readonly { readonly unit: number; readonly allowed: boolean; readonly cpus: number }[]
  readonly newUnits: readonly NewUnit[]
}

/** CPUs beyond this number go to further units. */
export const MAX_CPUS_PER_UNIT = 64

/** The pause reason of a whole group, or undefined. Its units keep their resources. */
export function groupPauseReason(config: GroupConfig, { inUse, onBattery }: Environment): string | undefined {
  if (config.paused) return 'Paused'
  if (config.on_idle && inUse) return 'Waiting for idle system'
  if (!config.on_battery && onBattery) return 'Pausing on battery'
  return undefined
}

function usesResources(state: UnitState): boolean {
  return state === 'CORE' || state === 'RUN'
}

function reservesResources(state: UnitState): boolean {
  return state === 'ASSIGN' || state === 'DOWNLOAD'
}

function isEnabled(config: GroupConfig, gpu: string): boolean {
  const setting = config.gpus[gpu]
  return (
    typeof setting === 'object' &&
    setting !== null &&
    !Array.isArray(setting) &&
    'enabled' in setting &&
    setting['enabled'] === true
  )
}

/**
 * Allocates one group's CPUs and GPUs to its units, and returns the new units that fit into the rest (docs/protocol.md
 * §5, §6: CPUs are capped at those of the client, a negative number stops scheduling, unknown and unsupported GPUs are
 * ignored). `usableGpus` are supported and not used by another group.
 */
export function allocateGroup(
  group: GroupNeed,
  units: readonly ResourceClaim[],
  environment: Environment,
  usableGpus: ReadonlySet<string>,
): Allocation {
  const { config, name } = group
  if (config.cpus < 0 || groupPauseReason(config, environment) !== undefined) return { shares: [], newUnits: [] }
  let cpus = Math.floor(Math.min(config.cpus, environment.cpus))
  const enabled = new Set([...usableGpus].filter(gpu => isEnabled(config, gpu)))
  const take = (gpus: readonly string[]) => {
    for (const gpu of gpus) enabled.delete(gpu)
  }

  const shares: { unit: number; allowed: boolean; cpus: number }[] = []
  const own = units.flatMap((claim, unit) => (claim.group === name && claim.state !== 'DONE' ? [{ claim, unit }] : []))
  for (const { claim, unit } of [...own].sort(runningFirst)) {
    if (!usesResources(claim.state)) {
      if (reservesResources(claim.state)) cpus -= Math.min(1, claim.cpus, cpus)
      if (reservesResources(claim.state)) take(claim.gpus)
      shares.push({ unit, allowed: true, cpus: claim.cpus })
      continue
    }
    const needed = Math.min(1, claim.cpus)
    const allowed = needed <= cpus && claim.gpus.every(gpu => enabled.has(gpu))
    shares.push({ unit, allowed, cpus: allowed ? needed : claim.cpus })
    if (allowed) cpus -= needed
    // A unit that lacks only a CPU keeps its GPU, so that no new unit of this group gets it.
    take(claim.gpus)
  }
  for (const { claim } of own) if (reservesResources(claim.state)) cpus -= Math.min(cpus, Math.max(0, claim.cpus - 1))
  for (const share of shares) {
    const claim = units[share.unit]
    if (claim === undefined || !share.allowed || !usesResources(claim.state) || claim.gpus.length > 0) continue
    const more = Math.max(0, Math.min(cpus, claim.maxCpus - share.cpus))
    share.cpus += more
    cpus -= more
  }

  const newUnits = config.finish || environment.now < group.waitUntil ? [] : fillWithNewUnits(name, cpus, [...enabled])
  return { shares: shares.sort((a, b) => a.unit - b.unit), newUnits }
}

type Own = { readonly claim: ResourceClaim; readonly unit: number }

/** Running units come first, so that they never lose resources to paused ones. */
function runningFirst(a: Own, b: Own): number {
  return Number(a.claim.paused) - Number(b.claim.paused) || a.unit - b.unit
}

function fillWithNewUnits(group: string, cpus: number, gpus: readonly string[]): readonly NewUnit[] {
  let left = cpus
  const added: NewUnit[] = gpus.map(gpu => {
    const share = Math.min(1, left)
    left -= share
    return { group, cpus: share, gpus: [gpu] }
  })
  while (left > 0) {
    const share = Math.min(left, MAX_CPUS_PER_UNIT)
    added.push({ group, cpus: share, gpus: [] })
    left -= share
  }
  return added
}
