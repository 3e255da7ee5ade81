import type { KeyObject } from 'node:crypto'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { compactText } from '../../../src/protocol/crypto/keys.ts'
import type { AccountLogin, ClientLogin } from '../../../src/protocol/relay/relay-message.ts'
import { parseWireTime } from '../clients/time-text.ts'
import { idOfKey, readPublicKey, signatureFits } from '../keys.ts'
import { onText } from '../../host/abrupt-socket.ts'

const MAX_SKEW_SECONDS = 15 * 60

export type Signer = { readonly id: string; readonly key: KeyObject }

/** The signer of a login, or undefined if it is too old or the signature is invalid (docs/protocol.md §11.3). */
export function signerOf({ payload, pubkey, signature }: AccountLogin | ClientLogin, now: number): Signer | undefined {
  const seconds = parseWireTime(payload.time)
  if (seconds === undefined || Math.abs(seconds - now / 1000) > MAX_SKEW_SECONDS) return undefined
  const key = readPublicKey(pubkey)
  if (key === undefined || !signatureFits(key, compactText(payload), signature)) return undefined
  return { id: idOfKey(key), key }
}

/** Limits of what a connection may send before it is logged in. A login is at most three kilobytes. */
const MAX_EARLY_BYTES = 65_536
const MAX_EARLY_MESSAGES = 16

export type LoginHandlers<Member> = {
  readonly loginMs: number
  /** The sender of a login message, or undefined if it is rejected. */
  readonly identify: (text: string) => Promise<Member | undefined>
  readonly enter: (member: Member) => void
  /** Called for every message after the login. */
  readonly handle: (text: string, member: Member) => void
  /** Called when a logged-in socket closes. */
  readonly leave: (member: Member) => void
}

/**
 * Requires a login as the first message, and drops connections that send too much or take too long before it. `stream`
 * is the connection under the socket, whose bytes are counted before they form a message.
 */
export function serveLoggedIn<Member>(
  socket: WebSocket,
  stream: Socket,
  { loginMs, identify, enter, handle, leave }: LoginHandlers<Member>,
): void {
  let member: Member | undefined
  let hasLogin = false
  const early: string[] = []
  const before = stream.bytesRead
  const drop = (): void => socket.terminate()
  const deadline = setTimeout(drop, loginMs)
  const count = (): void => {
    if (stream.bytesRead - before > MAX_EARLY_BYTES) drop()
  }
  stream.on('data', count)
  const endCounting = (): void => {
    clearTimeout(deadline)
    stream.off('data', count)
  }

  const logIn = async (text: string): Promise<void> => {
    const found = await identify(text)
    if (found === undefined || socket.readyState !== socket.OPEN) {
      drop()
      return
    }
    endCounting()
    member = found
    enter(found)
    for (const waiting of early.splice(0)) handle(waiting, found)
  }

  onText(socket, text => {
    if (member !== undefined) handle(text, member)
    else if (!hasLogin) {
      hasLogin = true
      logIn(text).catch(drop)
    } else if (early.length < MAX_EARLY_MESSAGES) early.push(text)
    else drop()
  })
  socket.on('close', () => {
    endCounting()
    if (member !== undefined) leave(member)
  })
}
