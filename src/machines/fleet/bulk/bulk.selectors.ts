import type { BulkPlan } from '../../../folding/fleet/bulk-action.ts'
import type { Draft, Run } from './bulk.context.ts'
import type { BulkSnapshot } from './bulk.machine.ts'

/** Whether another action can be prepared. */
export const isBulkReady = (snapshot: BulkSnapshot): boolean => snapshot.hasTag('ready')
/** Whether an action is being prepared: its form or its preview is shown. */
export const isBulkOpen = (snapshot: BulkSnapshot): boolean => snapshot.hasTag('form') || snapshot.hasTag('preview')
export const isFormShown = (snapshot: BulkSnapshot): boolean => snapshot.hasTag('form')
export const isPreviewShown = (snapshot: BulkSnapshot): boolean => snapshot.hasTag('preview')
export const isRunning = (snapshot: BulkSnapshot): boolean => snapshot.hasTag('running')
export const selectDraft = ({ context }: BulkSnapshot): Draft | undefined => context.draft
/** What the prepared action means for each client. The same object while nothing changed. */
export const selectPlan = ({ context }: BulkSnapshot): BulkPlan | undefined => context.plan
/** The running action, or the last one until it is dismissed. */
export const selectRun = ({ context }: BulkSnapshot): Run | undefined => context.run
