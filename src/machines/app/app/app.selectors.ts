import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import { lateActors, type DemoAccount, type PartName } from './app.actors.ts'
import type { WireFault } from './app.events.ts'
import type { AppSnapshot } from './app.machine.ts'

/** False while the browser reports that there is no network at all. */
export const isOnline = (snapshot: AppSnapshot): boolean => snapshot.context.isOnline
/** This browser stores nothing: after a reload even the session is gone. */
export const isStorageUnavailable = (snapshot: AppSnapshot): boolean => snapshot.context.isStorageUnavailable
/** Why no client can be reached: the worker that holds the connections does not run. */
export const selectWireFault = (snapshot: AppSnapshot): WireFault | undefined => snapshot.context.wireFault
/** Without a secure context there is no cryptography, so signing in is impossible. */
export const isSecure = (snapshot: AppSnapshot): boolean => snapshot.context.input.isSecure
/** The demo account that the page's server offers, if any. */
export const selectDemo = (snapshot: AppSnapshot): DemoAccount | undefined => snapshot.context.input.demo
/** Base address of award pictures; '' when there is none. */
export const selectAwardsUrl = (snapshot: AppSnapshot): string => snapshot.context.input.awardsUrl

/** A new object whenever an actor was restarted: the old reference is stopped then. */
export const selectFailures = (snapshot: AppSnapshot): AppSnapshot['context']['failures'] => snapshot.context.failures

/** Whether the actors of a part that is loaded later run. */
export const isPartThere =
  (part: PartName) =>
  (snapshot: AppSnapshot): boolean =>
    Object.keys(lateActors[part]).every(name => Object.hasOwn(snapshot.children, name))
/** Whether something waits for the code of a part. */
export const isPartAwaited =
  (part: PartName) =>
  (snapshot: AppSnapshot): boolean =>
    snapshot.context.waiting[part] !== undefined
/** Why the code of a part could not be loaded. */
export const selectPartFault =
  (part: PartName) =>
  (snapshot: AppSnapshot): LoadFault | undefined =>
    snapshot.context.partFaults[part]
