import { decodeClientContent } from '../../protocol/client-message.ts'
import type { SessionCipher } from '../../protocol/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { LinkFact } from './hub.types.ts'

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

const STREAMS: readonly unknown[] = ['log', 'wus', 'viz']

export const createSession = (
  cipher: SessionCipher | undefined, sendText: (text: string) => void, tell: (at: number, facts: readonly LinkFact[]) => void,
): Session => {
  let isListening = true
  let isAnswered = false
  let last: Promise<unknown> = Promise.resolve()
  const streams = new Map<unknown, JsonObject>()

  const hear = (result: Result<Json>, at: number) => {
    if (!isListening) return
    if (!result.ok) {
      tell(at, [faultFound(result.fault)])
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

  return {
    open() {
      post(cipher?.sealOpen())
      for (const command of streams.values()) post(cipher?.sealCommand(command))
    },
    send(command) {
      const { cmd } = command
      // A session that is opened again has forgotten what it was to stream.
      if (STREAMS.includes(cmd)) streams.set(cmd, command)
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
