import { describe, expect, test } from 'vitest'
import { StartError } from '../../host/start-error.ts'
import { signIn, type StartedService, useService } from '../../../test/server-service.ts'

const { people, start } = useService()

describe('enrolling an account in the page', () => {
  const form = (service: StartedService, headers: Record<string, string>, path = '/api/server/enroll') =>
    fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { Origin: service.origin, ...headers },
      body: new URLSearchParams({ email: 'ana@example.org', passphrase: 'a secret phrase' }),
    })

  test('needs TLS or the computer of the server, and attempts are counted', async () => {
    const asked: string[] = []
    const enroll = (email: string) => {
      asked.push(email)
      return Promise.reject(new StartError('Email or passphrase is <wrong>.'))
    }
    const service = await start(`${people()}\n[proxy]\naddresses = ["127.0.0.1"]`, { enroll })
    const session = await signIn(service, 'administrator')
    // Over TLS the cookie has another name, which only this server can set.
    const cookie = { Cookie: `${session}; __Host-${session}` }
    const page = async (proto: string) =>
      (
        await fetch(`${service.origin}/api/server/enroll`, { headers: { ...cookie, 'X-Forwarded-Proto': proto } })
      ).text()
    expect(await page('http')).toContain('may only be sent over TLS')
    expect(await page('http')).not.toContain('<form')
    expect(await page('https')).toContain('name="passphrase"')
    expect((await form(service, { ...cookie, 'X-Forwarded-Proto': 'http' })).status).toBe(409)
    expect(asked).toEqual([])
    const secure = { ...cookie, 'X-Forwarded-Proto': 'https', Origin: service.origin.replace('http', 'https') }
    const refused = await form(service, secure)
    const text = await refused.text()
    expect(refused.status).toBe(422)
    expect(text.includes('Email or passphrase is &lt;wrong&gt;.')).toBe(true)
    expect(text).not.toContain('a secret phrase')
    for (let attempt = 2; attempt <= 5; attempt++) expect((await form(service, secure)).status).toBe(422)
    expect((await form(service, secure)).status).toBe(429)
    expect(asked).toHaveLength(5)
    expect((await form(service, { ...secure, Origin: 'https://evil.example' })).status).toBe(403)
  })

  test('is not possible where the server has an account of its own', async () => {
    const service = await start('')
    const answer = await form(service, {})
    expect(answer.status).toBe(409)
    expect(await answer.text()).toEqual(expect.stringContaining('has an account of its own'))
  })
})
