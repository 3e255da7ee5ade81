import type { BulkPlan } from '../../../folding/fleet/bulk-action.ts'
import type { Draft, Run } from './bulk.context.ts'
import type { BulkSnapshot } from './bulk.machine.ts'

/** Whether an action is being prepared: its form or its preview is shown. */
export function isBulkOpen(snapshot: BulkSnapshot): boolean {
  return snapshot.hasTag('form') || snapshot.hasTag('preview')
}
export function selectDraft({ context }: BulkSnapshot): Draft | undefined {
  return context.draft
}
/** What the prepared action means for each client. The same object while nothing changed. */
export function selectPlan({ context }: BulkSnapshot): BulkPlan | undefined {
  return context.plan
}
/** The running action, or the last one until it is dismissed. */
export function selectRun({ context }: BulkSnapshot): Run | undefined {
  return context.run
}
