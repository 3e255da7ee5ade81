import type { SnapshotFrom } from 'xstate'
import type { deliveryMachine } from './delivery.machine.ts'

export type DeliverySnapshot = SnapshotFrom<typeof deliveryMachine>

/** Whether a receiver failed, and will be tried again. */
export function isRetryingDelivery(snapshot: DeliverySnapshot): boolean {
  return snapshot.context.error !== undefined
}
