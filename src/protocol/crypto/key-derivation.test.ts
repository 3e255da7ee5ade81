import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesOfCodePoints } from './bytes.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import { idOf } from './keys.ts'
import { deriveSecrets, unwrapSecret, wrapSecret } from './key-derivation.ts'

const captures = '../shared/captures'

describe('Secrets of an account', () => {
  it('are made of one byte a code point', () => {
    expect([...bytesOfCodePoints('aé蛋🧬')]).toEqual([0x61, 0xe9, 0x86cb % 256, 0x1f9ec % 256])
  })

  it('do not depend on the case of the email address [5.11]', async () => {
    const [a, b] = await Promise.all([
      deriveSecrets('A@Example.ORG', 'correct horse'),
      deriveSecrets('a@example.org', 'correct horse'),
    ])
    expect(a.password).toBe(b.password)
    expect((await deriveSecrets('a@example.org', 'Correct horse')).password).not.toBe(a.password)
  })

  it('open what they wrapped, and no other secret', async () => {
    const secrets = await deriveSecrets('a@example.org', 'correct horse')
    const wrapped = await wrapSecret(secrets, new Uint8Array(1000).fill(9))
    expect(await unwrapSecret(secrets, wrapped)).toEqual({ ok: true, value: new Uint8Array(1000).fill(9), faults: [] })
    const others = await deriveSecrets('a@example.org', 'wrong horse!')
    const opened = await unwrapSecret(others, wrapped)
    expect(opened.ok && encodeBase64(opened.value) === encodeBase64(new Uint8Array(1000).fill(9))).toBe(false)
    expect(await unwrapSecret(secrets, '***')).toEqual({ ok: false, fault: { kind: 'undecryptable' } })
  })
})

type Vectors = {
  accountId: string
  spki: string
  derivations: { email: string; passphrase: string; salt: string; password: string; secretSha256: string }[]
}

describe.skipIf(!existsSync(`${captures}/account-vectors.json`))(
  'The recorded account (skipped when ../shared/captures is absent)',
  () => {
    const read = (file: string) => JSON.parse(readFileSync(`${captures}/${file}`, 'utf8')) as unknown

    it('has the id, passwords and wrapped secrets that two other programs found [9.17]', async () => {
      const vectors = read('account-vectors.json') as Vectors
      const { pkcs8 } = read('relay-account-key.json') as { pkcs8: string }
      const key = decodeBase64(pkcs8) ?? new Uint8Array()
      expect(await idOf(vectors.spki)).toBe(vectors.accountId)
      expect(vectors.derivations.length).toBe(3)
      for (const { email, passphrase, salt, password, secretSha256 } of vectors.derivations) {
        const secrets = await deriveSecrets(email, passphrase)
        expect(secrets.password).toBe(password)
        expect(encodeBase64(secrets.iv)).toBe(encodeBase64((decodeBase64(salt) ?? new Uint8Array()).slice(0, 16)))
        const wrapped = await wrapSecret(secrets, key)
        const hashes = [wrapped, decodeBase64(wrapped) ?? ''].map(form =>
          createHash('sha256').update(form).digest('hex'),
        )
        expect(hashes).toContain(secretSha256)
        expect(await unwrapSecret(secrets, wrapped)).toEqual({ ok: true, value: key, faults: [] })
      }
    })
  },
)
