import { decodeClientContent } from '../../protocol/client-message.ts'
import type { SessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { HubDeps, LinkFact } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/** One encrypted conversation with a client. */
export type Session = {
  /** Asks for the first full message; asked again, the client answers again and starts its streams anew. */
  open(): void
  send(command: JsonObject): void
  receive(content: Promise<Result<Json>>, at: number): void
  /** Tells the end, after everything that came before it. */
  end(at: number): Promise<void>
  /** The listener hears nothing any more. */
  close(): void
}

export const createSession = (
  cipher: SessionCipher | undefined,
  sendText: (text: string) => void,
  deps: HubDeps,
  tell: (at: number, facts: readonly LinkFact[]) => void,
): Session => {
  let isListening = true
  let isAnswered = false
  let last: Promise<unknown> = Promise.resolve()
  const streams = createStreams()

  const hear = (result: Result<Json>, at: number) => {
    if (!isListening) return
    if (!result.ok) {
      tell(at, [faultFound(result.fault)])
      if (isLoss(result.fault)) askForAll()
      return
    }
    const facts: LinkFact[] = [...result.faults.map(faultFound), ...decodeClientContent(result.value)]
    if (!isAnswered) facts.unshift({ type: 'session.opened' })
    isAnswered = true
    tell(at, facts)
  }

  const post = (sealed: Promise<string> | undefined) => {
    void sealed?.then(text => {
      if (isListening) sendText(text)
    })
  }

  const open = () => {
    post(cipher?.sealOpen())
    for (const command of streams.all()) post(cipher?.sealCommand(command))
  }

  const askForAll = createResync(deps, open)

  return {
    open,
    send(command) {
      streams.note(command)
      post(cipher?.sealCommand(command))
    },
    receive(content, at) {
      last = content.then(result => hear(result, at))
    },
    async end(at) {
      await last
      if (isListening) tell(at, [{ type: 'session.closed' }])
      isListening = false
    },
    close() {
      isListening = false
    },
  }
}

const faultFound = (fault: Fault): LinkFact => ({ type: 'fault.found', fault })
