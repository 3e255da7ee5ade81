import type { LoadFault } from '../../folding/shared/load-fault.ts'
import { parts, type PartName } from './app.parts.ts'
import type { AppSnapshot } from './app.machine.ts'

/** False while the browser reports that there is no network at all. */
export function isOnline(snapshot: AppSnapshot): boolean {
  return snapshot.context.isOnline
}

/** A new object whenever an actor was restarted: the old reference is stopped then. */
export function selectFailures(snapshot: AppSnapshot): AppSnapshot['context']['failures'] {
  return snapshot.context.failures
}

/** Whether the code of a part is there, and its actors run. */
export function isPartThere(part: PartName) {
  return ({ context, children }: AppSnapshot): boolean =>
    context.arrived.includes(part) && parts[part].every(name => Object.hasOwn(children, name))
}
/** Whether something waits for the code of a part. */
export function isPartAwaited(part: PartName) {
  return (snapshot: AppSnapshot): boolean => snapshot.context.waiting[part] !== undefined
}
/** Why the code of a part could not be loaded. */
export function selectPartFault(part: PartName) {
  return (snapshot: AppSnapshot): LoadFault | undefined => snapshot.context.partFaults[part]
}
