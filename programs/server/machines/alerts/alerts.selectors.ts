import { isRetryingDelivery } from '../delivery/delivery.selectors.ts'
import type { AlertsSnapshot } from './alerts.machine.ts'

/** Messages that are not over, and those of them whose receiver failed. */
export function countDeliveries({ context }: AlertsSnapshot): { readonly waiting: number; readonly failing: number } {
  const refs = Object.values(context.deliveries)
  return { waiting: refs.length, failing: refs.filter(ref => isRetryingDelivery(ref.getSnapshot())).length }
}
