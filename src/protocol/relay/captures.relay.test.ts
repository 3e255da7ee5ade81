import { beforeAll, describe, expect, it } from 'vitest'
import { calm, groupConfig, info, quiet, received, replay, type Replay } from '../../../test/recorded.ts'
import { areRecordingsHere, readRecordedKey } from '../../../test/recording.ts'
import { decodeBase64 } from '../crypto/base64.ts'
import type { ClientFact } from '../client/client-message.ts'
import { decodeClientContent } from '../client/client-message.ts'
import type { SessionCipher } from '../crypto/envelope.ts'
import { createSessionCipher, openClientLogin } from '../crypto/envelope.ts'
import { importAccountKeys } from '../crypto/keys.ts'
import { decodeRelayMessage } from './relay-message.ts'

describe.skipIf(!areRecordingsHere)('The recorded relay (skipped when ../shared/captures is absent)', () => {
  let replays: Map<string, Replay>

  beforeAll(async () => {
    const { pkcs8, spki } = readRecordedKey()
    const keys = await importAccountKeys(decodeBase64(pkcs8) ?? new Uint8Array(), spki)
    const ciphers = new Map<string, SessionCipher>()
    const facts = new Map<string, ClientFact[]>([
      ['A', []],
      ['B', []],
    ])
    const sessions = new Map([
      ['A', '8Lq7DN0vNus80s09'],
      ['B', 'axhZ5CFoyA1uQDtN'],
    ])
    for (const { raw, socket = '' } of received('relay-account')) {
      const message = decodeRelayMessage(raw)
      if (!message.ok) throw new Error(message.fault.kind)
      if (message.value.type === 'connect') {
        const login = await openClientLogin(keys, message.value.client)
        if (!login.ok) throw new Error(login.fault.kind)
        ciphers.set(
          socket,
          createSessionCipher({
            client: login.value.id,
            session: sessions.get(socket) ?? '',
            key: login.value.sessionKey,
          }),
        )
      } else if (message.value.type === 'message') {
        const content = await ciphers.get(socket)?.open(message.value)
        if (!content?.ok) throw new Error(content?.fault.kind ?? 'a message before connect')
        facts.get(socket)?.push(...decodeClientContent(content.value))
      }
    }
    replays = new Map([...facts].map(([socket, all]) => [socket, replay(all)]))
  })

  const relayInfo = {
    ...info,
    mach_name: 'My Machine',
    pid: 1889,
    id: '7jpWGH1vP4RtjXhInDj_sUnK-Y2yqGvUd5XDuUjxHN4',
    account: '3jTFyp89VdfvbStZT-XinT7fxtaKRZ4Hufski4cKBD0',
  }
  const groups = { '': { config: groupConfig, wait: '2026-11-20T14:53:43Z', ...calm }, second: { config: groupConfig } }

  it("leaves the first session with what came after the client's restart", () => {
    const session = replays.get('A')
    expect(session?.data).toEqual({
      info: relayInfo,
      config: { user: 'Relay_User', team: 777, passkey: '', cause: 'cancer' },
      groups,
      units: [],
    })
    expect(session?.faults).toEqual([])
    expect(session?.log[0]).toBe('14:53:20:I1:    Version: 8.5.7')
    expect(session?.history.map(({ number, result }) => ({ number, result }))).toEqual([
      { number: 1, result: 'aborted' },
    ])
  })

  it('leaves the second session with what was broadcast', () => {
    expect(replays.get('B')).toEqual({
      ...quiet,
      pings: 0,
      data: { info: relayInfo, config: { user: 'Bcast', team: 42, passkey: '', cause: 'any' }, groups, units: [] },
    })
  })
})
