import type { JsonObject } from '../../../protocol/json.ts'
import type { FoldingState } from '../../../protocol/commands.ts'

/** What all machines of the account are told at once (docs/protocol.md §11.4). Passkeys may be in a config. */
export type Broadcast =
  | { readonly cmd: 'state'; readonly state: FoldingState }
  | { readonly cmd: 'config'; readonly secrets: { readonly config: JsonObject } }
  | { readonly cmd: 'restart' }

export type BroadcastCommand = { readonly type: 'broadcast.send'; readonly broadcast: Broadcast }

/** What the broadcaster tells its parent. `at`: corrected epoch milliseconds. */
export type BroadcastNews =
  /** Its time has come: now, and not a moment later, it may be signed and sent. */
  | { readonly type: 'broadcast.due'; readonly broadcast: Broadcast; readonly at: number }
  | { readonly type: 'broadcast.refused'; readonly broadcast: Broadcast; readonly because: 'clock' }

/** What is signed. */
export const broadcastPayload = (broadcast: Broadcast, at: number): JsonObject => {
  const time = new Date(at).toISOString()
  switch (broadcast.cmd) {
    case 'state':
      return { cmd: 'state', time, state: broadcast.state }
    case 'config':
      return { cmd: 'config', time, config: broadcast.secrets.config }
    case 'restart':
      return { cmd: 'restart', time }
  }
}
