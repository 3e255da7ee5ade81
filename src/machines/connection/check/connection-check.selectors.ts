import { PROBES, type CheckFacts, type ProbeName } from '../../../folding/client/connection-diagnosis.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import { checkFacts, type ConnectionCheckContext, type ConnectionCheckSnapshot } from './connection-check.machine.ts'

export const isChecking = (snapshot: ConnectionCheckSnapshot): boolean => snapshot.hasTag('busy')
export const isCheckDecided = (snapshot: ConnectionCheckSnapshot): boolean => snapshot.hasTag('decided')
/** host:port of the client that is checked. */
export const selectCheckedAddress = (snapshot: ConnectionCheckSnapshot): string => snapshot.context.address
/** Why the check could not be made. */
export const selectCheckFault = (snapshot: ConnectionCheckSnapshot): LoadFault | undefined => snapshot.context.loadFault

const knownFacts = new WeakMap<ConnectionCheckContext, CheckFacts | undefined>()

/** All that is known so far; the same object until more is. */
export const selectCheckFacts = ({ context }: ConnectionCheckSnapshot): CheckFacts | undefined => {
  if (!knownFacts.has(context)) knownFacts.set(context, checkFacts(context))
  return knownFacts.get(context)
}

const madeProbes = new WeakMap<ConnectionCheckContext['results'], readonly ProbeName[]>()

/** The probes that have a result. The same list for the same results. */
export const selectMadeProbes = ({ context: { results } }: ConnectionCheckSnapshot): readonly ProbeName[] => {
  const made = madeProbes.get(results) ?? PROBES.filter(name => name in results)
  madeProbes.set(results, made)
  return made
}
