import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPasskey, checkPassphrase } from '../folding/shared/validation.ts'
import { SECRET_NAMES } from '../protocol/secret-names.ts'
import { createMask } from './mask.ts'

function maskOf(value: unknown): unknown {
  return createMask(SECRET_NAMES).apply(value).value
}

describe('a mask', () => {
  it('replaces values of secret fields at any depth, and nothing else', () => {
    const event = {
      type: 'signIn.submit',
      email: 'ada@example.org',
      secrets: { passphrase: 'grapes über 9 Alpen', nested: [{ number: 42, isSo: true }] },
    }
    expect(maskOf(event)).toEqual({
      type: 'signIn.submit',
      email: 'ada@example.org',
      secrets: { passphrase: 'hidden no. 1', nested: [{ number: 0, isSo: true }] },
    })
    expect(event.secrets.passphrase).toBe('grapes über 9 Alpen')
  })

  it('replaces the passkey of a client, in its data and in a change', () => {
    const passkey = '8c0ffee0badc0de5feedface00112233'
    const masked = maskOf({
      facts: [
        { data: { config: { user: 'Ada', passkey } } },
        {
          changes: [
            ['config', 'passkey', passkey],
            ['config', 'user', 'Ada'],
            ['config', { passkey }],
          ],
        },
      ],
    })
    expect(JSON.stringify(masked)).not.toContain(passkey)
    expect(masked).toMatchObject({
      facts: [
        { data: { config: { user: 'Ada' } } },
        {
          changes: [
            ['config', 'passkey', expect.any(String)],
            ['config', 'user', 'Ada'],
            ['config', {}],
          ],
        },
      ],
    })
  })

  it('returns the same object without secrets', () => {
    class Lines {
      readonly toJSON = (): string => 'lines'
    }
    const value = { list: [1, { a: new Map([['x', new Float32Array(3)]]) }], log: new Lines() }
    expect(maskOf(value)).toBe(value)
  })

  it('replaces keys, files and other objects without toJSON', () => {
    class Handle {
      readonly inside = 'a thing of the browser'
    }
    expect(maskOf({ handle: new Handle(), run: () => 1 })).toEqual({ handle: { hidden: 'Object' }, run: undefined })
  })

  it('has placeholders as valid as the secrets', () => {
    const secret = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{28,34}$/), fc.stringMatching(/^.{8,12}$/))
    fc.assert(
      fc.property(secret, secret, (one, other) => {
        const mask = createMask(SECRET_NAMES)
        const {
          passkey: [first = '', second = '', again = ''],
        } = mask.apply({ passkey: [one, other, one] }).value as { passkey: string[] }
        expect(first === '').toBe(one === '')
        expect(first === second).toBe(one === other)
        expect(again).toBe(first)
        expect(checkPasskey(first)).toEqual(checkPasskey(one))
        expect(checkPassphrase(first)).toEqual(checkPassphrase(one))
        expect(mask.apply({ passkey: first }).value).toEqual({ passkey: first })
      }),
    )
  })

  it('scans shared parts once, and gives equal results', () => {
    const mask = createMask(SECRET_NAMES)
    const part = { config: { passkey: 'a secret of a user' } }
    const first = mask.applyShared({ part })
    const second = mask.applyShared({ part, more: 1 })
    expect((second.value as { part: object }).part).toBe((first.value as { part: object }).part)
    expect(second.size).toBeLessThan(first.size)
  })

  it('replaces a secret inside a text', () => {
    const mask = createMask(SECRET_NAMES)
    mask.apply({ token: 'abc123def456' })
    expect(mask.clean('linked with abc123def456, twice abc123def456')).toBe(
      'linked with hidden no. 1, twice hidden no. 1',
    )
  })

  it('forgets a secret that nothing holds, and keeps the placeholder of one still held', () => {
    const mask = createMask(SECRET_NAMES)
    const held = { config: { passkey: '8c0ffee0badc0de5feedface00112233' } }
    const masked = mask.applyShared(held).value
    mask.apply({ type: 'signIn.submit', secrets: { passphrase: 'four words of mine' } })
    const remembered = () => ['8c0ffee0badc0de5feedface00112233', 'four words of mine'].map(mask.remembers)
    expect(remembered()).toEqual([true, true])
    mask.forgetUnseenDuring(() => mask.applyShared({ part: held }))
    expect(remembered()).toEqual([true, false])
    expect(mask.applyShared({ ...held }).value).toEqual(masked)
    expect(mask.clean('four words of mine')).toBe('four words of mine')
    mask.forgetUnseenDuring(() => mask.applyShared({ passkey: '' }))
    expect(remembered()).toEqual([false, false])
    // No stand-in is given twice, or a recording would take two secrets for one.
    expect(mask.apply({ passkey: 'another' }).value).not.toEqual(mask.apply({ passkey: 'yet another' }).value)
    expect(mask.apply({ passkey: 'another' }).value).toEqual({ passkey: 'hid 3' })
  })

  it('replaces a secret inside an event before it is recorded', () => {
    const mask = createMask(SECRET_NAMES)
    mask.apply({ token: 'abc123def456' })
    expect(mask.apply({ type: 'x.failed', message: 'GET /verify/abc123def456 failed' }).value).toEqual({
      type: 'x.failed',
      message: 'GET /verify/hidden no. 1 failed',
    })
  })
})
