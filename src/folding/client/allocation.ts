/* Which units of a group get its CPUs and GPUs, as a client decides at every change (docs/protocol.md §6). */

/** A unit that is not yet computed to its end. */
export type ResourceClaim = {
  readonly cpus: number
  readonly gpus: readonly string[]
  readonly minCpus: number
  readonly maxCpus: number
}

/** Whether the unit may run, and with how many CPUs. */
export type Share = { readonly isAllowed: boolean; readonly cpus: number }

/** A GPU unit that needs fewer CPUs starts without any. */
const NEGLIGIBLE_CPUS = 2

/** The shares of the claims, in their order. `gpus`: those that are enabled in the group and supported. */
export function allocate(claims: readonly ResourceClaim[], cpus: number, gpus: Iterable<string>): readonly Share[] {
  let left = cpus
  const free = new Set(gpus)
  const given = new Map<ResourceClaim, number>()
  for (const claim of claims) {
    const fits = claim.minCpus <= left || claim.minCpus < NEGLIGIBLE_CPUS
    if (claim.gpus.length === 0 || !fits || !claim.gpus.every(id => free.has(id))) continue
    for (const id of claim.gpus) free.delete(id)
    left -= Math.min(left, claim.minCpus)
    given.set(claim, claim.minCpus)
  }
  for (const [claim, least] of given) {
    const share = Math.min(claim.maxCpus, left + least)
    given.set(claim, share)
    left -= Math.min(left, Math.max(0, share - least))
  }
  for (const claim of claims) {
    if (claim.gpus.length > 0 || left < claim.minCpus || left === 0) continue
    const share = Math.min(claim.maxCpus, left)
    given.set(claim, share)
    left -= share
  }
  return claims.map(claim => ({ isAllowed: given.has(claim), cpus: given.get(claim) ?? claim.cpus }))
}
