import { describe, expect, it } from 'vitest'
import {
  decodeAccountMessage,
  decodeClientToNodeMessage,
  decodeNodeToClientMessage,
  decodeRelayMessage,
} from './relay-message.ts'

const message = { type: 'message', client: 'm', session: 's', iv: 'i', payload: 'p' }
const broadcast = { type: 'broadcast', payload: { zeta: 1, cmd: 'state', alpha: {}, time: 't' }, signature: 's' }

describe('A message at the relay', () => {
  it('is decoded by each side, with unknown fields kept [3.11]', () => {
    const good = (value: object) => ({ ok: true, value, faults: [] })
    const connect = {
      type: 'connect',
      client: { type: 'login', payload: { time: 't', account: 'a', key: 'k' }, signature: 's', pubkey: 'p' },
      future: 1,
    }
    expect(decodeRelayMessage(JSON.stringify(connect))).toEqual(good(connect))
    expect(decodeRelayMessage(JSON.stringify({ ...message, compression: 'gzip' }))).toEqual(
      good({ ...message, compression: 'gzip' }),
    )
    expect(decodeRelayMessage('{"type":"disconnect","id":"m"}')).toEqual(good({ type: 'disconnect', id: 'm' }))
    expect(decodeClientToNodeMessage(JSON.stringify(connect.client))).toEqual(good(connect.client))
    expect(decodeNodeToClientMessage('{"type":"session-close","session":"s"}')).toEqual(
      good({ type: 'session-close', session: 's' }),
    )
    expect(decodeAccountMessage('{"type":"message","id":"m","iv":"i","payload":"p"}')).toEqual(
      good({ type: 'message', id: 'm', iv: 'i', payload: 'p' }),
    )
  })

  it('keeps the order of its keys, which the signature covers', () => {
    const decoded = decodeRelayMessage(JSON.stringify(broadcast))
    expect(decoded.ok && JSON.stringify(decoded.value)).toBe(JSON.stringify(broadcast))
  })

  it('of an unknown type is not supported', () => {
    for (const type of ['login', 'session-close', 'toString', '']) {
      expect(decodeRelayMessage(JSON.stringify({ type }))).toEqual({
        ok: false,
        fault: { kind: 'unsupported-message', type },
      })
    }
    expect(decodeRelayMessage('{}')).toEqual({ ok: false, fault: { kind: 'unsupported-message', type: '' } })
  })

  it('of a wrong type is rejected with its path', () => {
    expect(decodeRelayMessage(JSON.stringify({ ...message, iv: 5 }))).toEqual({
      ok: false,
      fault: { kind: 'wrong-type', path: ['iv'], expected: 'string', found: 'number' },
    })
    expect(decodeRelayMessage('{"type":"broadcast","payload":{"cmd":"x"},"signature":"s"}')).toMatchObject({
      ok: false,
      fault: { kind: 'wrong-type' },
    })
    expect(decodeRelayMessage('[]')).toEqual({
      ok: false,
      fault: { kind: 'wrong-type', path: [], expected: 'object', found: 'list' },
    })
    expect(decodeRelayMessage('nonsense')).toEqual({ ok: false, fault: { kind: 'not-json' } })
  })
})
