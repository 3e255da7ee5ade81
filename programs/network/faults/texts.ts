import { isJsonObject, parseMessage, type JsonObject } from '../../../src/protocol/json.ts'
import { chance } from '../clients/random.ts'

/** An encrypted message of a session. A reader that cannot decrypt it still knows the session. */
const SEALED = /^(?<before>\{.*"payload":")(?<payload>[\w+/=-]+)(?<after>"\})$/s

export function isSealed(text: string): boolean {
  return text.includes('"iv":') && SEALED.test(text)
}

/** Cuts a text off: an encrypted message cannot be decrypted, any other is invalid JSON. */
export function truncated(text: string, seed: number): string {
  const { before, payload, after } = (isSealed(text) && SEALED.exec(text)?.groups) || {}
  if (before === undefined || payload === undefined || after === undefined)
    return text.slice(0, Math.floor(chance(seed, 'cut') * Math.max(1, text.length - 1)))
  return `${before}${payload.slice(0, Math.floor(payload.length / 2 / 64) * 64 + 7)}${after}`
}

const NOISE = 'AZ09'

/** Changes a text: the start of an encrypted payload, or a control character elsewhere. */
export function garbled(text: string, seed: number): string {
  const { before, payload, after } = (isSealed(text) && SEALED.exec(text)?.groups) || {}
  if (before !== undefined && payload !== undefined && after !== undefined) {
    const first = NOISE[Math.floor(chance(seed, 'noise') * NOISE.length)] ?? NOISE
    return `${before}${first === payload[0] ? '_' : first}${payload.slice(1)}${after}`
  }
  const at = Math.floor(chance(seed, 'place') * text.length)
  return `${text.slice(0, at)}\u0007${text.slice(at + 1)}`
}

/** The message with a wrong signature: its first character is changed. */
function otherSignature(message: JsonObject): JsonObject {
  const { signature } = message
  return typeof signature === 'string'
    ? { ...message, signature: `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}` }
    : message
}

/** A copy with a wrong signature; undefined for messages without one. */
export function forged(text: string): string | undefined {
  const parsed = parseMessage(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const { client } = parsed.value
  const other = isJsonObject(client)
    ? { ...parsed.value, client: otherSignature(client) }
    : otherSignature(parsed.value)
  const forgery = JSON.stringify(other)
  return forgery === JSON.stringify(parsed.value) ? undefined : forgery
}
