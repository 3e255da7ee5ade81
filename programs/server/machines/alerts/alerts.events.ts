import type { ErrorActorEvent, DoneActorEvent } from 'xstate'
import type { DeliveryInput } from '../delivery/delivery.events.ts'

export type AlertsEvent =
  /** Alerts were stored; each of these deliveries will take those that are due. */
  { readonly type: 'alerts.planned'; readonly deliveries: readonly DeliveryInput[] } | ErrorActorEvent | DoneActorEvent
