import { sign } from 'node:crypto'
import { decodeClientRecord, type AccountClientRecord } from '../../../src/protocol/api/api.ts'
import type { ConcurrencyLimit } from '../../../src/protocol/concurrency-limit.ts'
import { parseMessage, type Json } from '../../../src/protocol/json.ts'
import type { RsaKey } from '../keys.ts'
import { spacedText } from '../signed-text.ts'

type ClientAnswer = AccountClientRecord & { readonly pubkey: string; readonly node: string }
export type Outcome<T> = { kind: 'ok'; value: T } | { kind: 'unknown' } | { kind: 'failed'; why: string }

/** The API calls of clients (docs/protocol.md §11.1). */
export type ClientApi = {
  /** 'unknown': no account has this token. */
  link(key: RsaKey, token: string, name: string): Promise<Outcome<null>>
  /** 'unknown': the client is not linked to an account. */
  account(id: string): Promise<Outcome<ClientAnswer>>
}

const TIMEOUT_MS = 20_000

async function ask(url: string, init: RequestInit): Promise<Outcome<Json>> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status === 404) return { kind: 'unknown' }
    if (!response.ok) return { kind: 'failed', why: `status ${response.status}` }
    const answer = parseMessage(await response.text())
    return answer.ok ? { kind: 'ok', value: answer.value } : { kind: 'failed', why: 'an answer that is not JSON' }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : 'no answer' }
  }
}

export function createClientApi(apiUrl: () => string, gate: ConcurrencyLimit): ClientApi {
  return {
    link: async (key, token, name) => {
      const data = { name, token }
      const signature = sign('sha256', Buffer.from(spacedText(data), 'utf8'), key.privateKey).toString('base64url')
      const body = JSON.stringify({ data, signature, pubkey: key.publicKey })
      const answer = await gate(() =>
        ask(`${apiUrl()}/machine/${key.id}`, { method: 'PUT', body, headers: { 'Content-Type': 'application/json' } }),
      )
      return answer.kind === 'ok' ? { kind: 'ok', value: null } : answer
    },
    account: async id => {
      const answer = await gate(() => ask(`${apiUrl()}/machine/${id}`, { method: 'GET' }))
      if (answer.kind !== 'ok') return answer
      const record = decodeClientRecord(answer.value)
      if (!record.ok || record.value.pubkey === undefined || record.value.node === undefined)
        return { kind: 'failed', why: 'an answer of an unknown form' }
      const { pubkey, node } = record.value
      return { kind: 'ok', value: { ...record.value, pubkey, node } }
    },
  }
}
