import { PROBES, type CheckFacts, type ProbeName } from '../../../folding/client/connection-diagnosis.ts'
import { checkFacts, type ConnectionCheckContext, type ConnectionCheckSnapshot } from './connection-check.machine.ts'

const knownFacts = new WeakMap<ConnectionCheckContext, CheckFacts | undefined>()

/** All that is known so far; the same object until more is. */
export function selectCheckFacts({ context }: ConnectionCheckSnapshot): CheckFacts | undefined {
  if (!knownFacts.has(context)) knownFacts.set(context, checkFacts(context))
  return knownFacts.get(context)
}

const madeProbes = new WeakMap<ConnectionCheckContext['results'], readonly ProbeName[]>()

/** The probes that have a result. The same list for the same results. */
export function selectMadeProbes({ context: { results } }: ConnectionCheckSnapshot): readonly ProbeName[] {
  const made = madeProbes.get(results) ?? PROBES.filter(name => name in results)
  madeProbes.set(results, made)
  return made
}
