import { utf8Text } from '../../protocol/bytes.ts'
import type { ClientFact } from '../../protocol/client-message.ts'
import { decodeClientMessage } from '../../protocol/client-message.ts'
import { MAX_MESSAGE_BYTES } from '../../protocol/json.ts'
import type { HubDeps, LinkFact, Socket } from './hub.types.ts'

/** A client's own socket: every text is one message. */
export const openDirect = (
  url: string, { openSocket, now }: HubDeps, tell: (at: number, facts: readonly LinkFact[]) => void,
): Socket => openSocket(url, {
  opened: () => tell(now(), [{ type: 'socket.opened' }]),
  received: data => tell(now(), typeof data === 'string' ? decodeClientMessage(data) : decodeBytes(data)),
  closed: () => tell(now(), [{ type: 'socket.closed' }]),
})

const decodeBytes = (data: ArrayBuffer): readonly ClientFact[] => {
  if (data.byteLength <= MAX_MESSAGE_BYTES) return decodeClientMessage(utf8Text(data))
  return [{ type: 'fault.found', fault: { kind: 'too-large', limit: MAX_MESSAGE_BYTES } }]
}
