import type { JsonObject } from '../../../protocol/json.ts'
import { isoTime } from '../../../protocol/iso-time.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'

/** Sent to all clients of the account at once (docs/protocol.md §11.4). A config may hold a passkey. */
export type BroadcastContent =
  | { readonly cmd: 'state'; readonly state: FoldingState }
  | { readonly cmd: 'config'; readonly secrets: { readonly config: JsonObject } }
  | { readonly cmd: 'restart' }

export type BroadcastCommand = { readonly type: 'broadcast.send'; readonly broadcast: BroadcastContent }

/** Sent to the parent. `at`: corrected epoch milliseconds. */
export type BroadcastNotification =
  /** It may be signed and sent now, with the time `at`. */
  | { readonly type: 'broadcast.due'; readonly broadcast: BroadcastContent; readonly at: number }
  | { readonly type: 'broadcast.refused'; readonly broadcast: BroadcastContent; readonly because: 'clock' }

/** The payload to sign. */
export function broadcastPayload(broadcast: BroadcastContent, at: number): JsonObject {
  const time = isoTime(at)
  switch (broadcast.cmd) {
    case 'state':
      return { cmd: 'state', time, state: broadcast.state }
    case 'config':
      return { cmd: 'config', time, config: broadcast.secrets.config }
    case 'restart':
      return { cmd: 'restart', time }
  }
}
