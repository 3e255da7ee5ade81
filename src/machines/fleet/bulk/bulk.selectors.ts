import type { Run } from './bulk.context.ts'
import type { BulkSnapshot } from './bulk.machine.ts'

/** Whether an action is being prepared: its form or its preview is shown. */
export function isBulkOpen(snapshot: BulkSnapshot): boolean {
  return snapshot.hasTag('form') || snapshot.hasTag('preview')
}
/** The running action, or the last one until it is dismissed. */
export function selectRun({ context }: BulkSnapshot): Run | undefined {
  return context.run
}
