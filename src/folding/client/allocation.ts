/*
 * Which units of a group get its CPUs and GPUs, as a client decides at every change (docs/protocol.md §6). The simulated
 * clients of network/ decide by it too.
 */

/** A unit that is not yet computed to its end. */
export type ResourceClaim = {
  readonly cpus: number
  readonly gpus: readonly string[]
  readonly minCpus: number
  readonly maxCpus: number
}

/** Whether the unit may run, and with how many CPUs. */
export type Share = { readonly isAllowed: boolean; readonly cpus: number }

export type Allocation = {
  /** Of the claims, in their order. */
  readonly shares: readonly Share[]
  /** What is left for a new unit. */
  readonly cpus: number
  readonly gpus: ReadonlySet<string>
}

/** A GPU unit that needs fewer CPUs starts without any. */
const NEGLIGIBLE_CPUS = 2

/** `claims`: of the group's units. `gpus`: those that are enabled in the group and supported. */
export function allocate(claims: readonly ResourceClaim[], cpus: number, gpus: Iterable<string>): Allocation {
  let left = cpus
  const free = new Set(gpus)
  const assigned = new Map<ResourceClaim, number>()
  for (const claim of claims) {
    const fits = claim.minCpus <= left || claim.minCpus < NEGLIGIBLE_CPUS
    if (claim.gpus.length === 0 || !fits || !claim.gpus.every(id => free.has(id))) continue
    for (const id of claim.gpus) free.delete(id)
    left -= Math.min(left, claim.minCpus)
    assigned.set(claim, claim.minCpus)
  }
  for (const [claim, least] of assigned) {
    const share = Math.min(claim.maxCpus, left + least)
    assigned.set(claim, share)
    left -= Math.min(left, Math.max(0, share - least))
  }
  for (const claim of claims) {
    if (claim.gpus.length > 0 || left < claim.minCpus || left === 0) continue
    const share = Math.min(claim.maxCpus, left)
    assigned.set(claim, share)
    left -= share
  }
  const shares = claims.map(claim => ({ isAllowed: assigned.has(claim), cpus: assigned.get(claim) ?? claim.cpus }))
  return { shares, cpus: left, gpus: free }
}
