import type { ClientFact } from '../../protocol/client-message.ts'
import type { SessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { HubDeps, LinkReport } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/** An encrypted session with a client. */
export type Session = {
  /** Requests the full state. Repeated, the client answers again, and its streams are restarted. */
  open(): void
  send(command: JsonObject): void
  receive(content: Promise<Result<Json>>, at: number): void
  /** Reports the end after all earlier messages. */
  end(at: number): Promise<void>
  /** The listener is not called any more. */
  close(): void
}

export const createSession = (
  cipher: SessionCipher | undefined,
  sendText: (text: string) => void,
  deps: HubDeps,
  decode: (content: Json) => readonly ClientFact[],
  report: (at: number, facts: readonly LinkReport[]) => void,
): Session => {
  let isListening = true
  let isAnswered = false
  let last: Promise<unknown> = Promise.resolve()
  const streams = createStreams()

  const handle = (result: Result<Json>, at: number) => {
    if (!isListening) return
    if (!result.ok) {
      report(at, [faultFound(result.fault)])
      if (isLoss(result.fault)) requestFullState()
      return
    }
    const facts: LinkReport[] = [...result.faults.map(faultFound), ...decode(result.value)]
    if (!isAnswered) facts.unshift({ type: 'session.opened' })
    isAnswered = true
    report(at, facts)
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

  const requestFullState = createResync(deps, open)

  return {
    open,
    send(command) {
      streams.remember(command)
      post(cipher?.sealCommand(command))
    },
    receive(content, at) {
      last = content.then(result => handle(result, at))
    },
    async end(at) {
      await last
      if (isListening) report(at, [{ type: 'session.closed' }])
      isListening = false
    },
    close() {
      isListening = false
    },
  }
}

const faultFound = (fault: Fault): LinkReport => ({ type: 'fault.found', fault })
