import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { Message } from '../../screens/dialogs/dialogs.events.ts'

/** The message for a call that failed (product.md §8). */
export const failureMessage = ({ operation, fault }: { operation: string; fault: ApiFault }): Message => ({
  level: 'error',
  title: `${operation} failed`,
  text: fault.kind === 'unreachable' ? `API error: ${fault.message}` : fault.message,
})
