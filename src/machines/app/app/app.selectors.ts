import type { DemoAccount } from './app.actors.ts'
import type { WireFault } from './app.events.ts'
import type { AppSnapshot } from './app.machine.ts'

/** False while the browser says that there is no network at all. */
export const isOnline = (snapshot: AppSnapshot): boolean => snapshot.context.isOnline
/** Nothing is there any more when the page is opened again: not even who has signed in. */
export const isForgetful = (snapshot: AppSnapshot): boolean => snapshot.context.isForgetful
/** Why no machine can be reached, since the part of the page that connects does not run. */
export const selectWireFault = (snapshot: AppSnapshot): WireFault | undefined => snapshot.context.wireFault
/** Without a secure context there is no cryptography, so nobody can sign in. */
export const isSecure = (snapshot: AppSnapshot): boolean => snapshot.context.input.isSecure
/** The account that the page's server offers to look at; undefined when it offers none. */
export const selectDemo = (snapshot: AppSnapshot): DemoAccount | undefined => snapshot.context.input.demo
/** Where pictures of awards are; '' when nowhere. */
export const selectAwardsUrl = (snapshot: AppSnapshot): string => snapshot.context.input.awardsUrl

/** Another object whenever a part of the page was started again: from then on it is another actor. */
export const selectFailures = (snapshot: AppSnapshot): AppSnapshot['context']['failures'] => snapshot.context.failures
