import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { textOf } from '../host/abrupt-socket.ts'
import { createLoopbackCertificate } from '../network/certificate.ts'
import { freePort } from '../../test/free-port.ts'
import { startProgram } from '../../test/program.ts'
import { clientOf, PASSWORD, programs, TOKENS, untilConnected, useService } from '../../test/server-service.ts'

/* Real proxies, with the settings that docs/server.md tells people to use. */

const { client, people, start, stopLater } = useService()
const HOST = 'folding.example.org'
const docs = readFileSync(join(import.meta.dirname, '../../docs/server.md'), 'utf8')

/** The settings in the documentation after these words. */
function settingsAfter(words: string): string {
  const found = new RegExp(`${words}:\n\n\`\`\`\\w*\n([^]+?)\`\`\``).exec(docs)?.[1]
  if (found === undefined) throw new Error(`docs/server.md has no settings after ‘${words}’.`)
  return found
}
/** Fails when the documentation has something else. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  let result = text
  for (const [before, after] of Object.entries(changes)) {
    if (!result.includes(before)) throw new Error(`docs/server.md has no ${before}.`)
    result = result.replaceAll(before, after)
  }
  return result
}

type Place = { readonly port: number; readonly server: number; readonly folder: string }
type Proxy = {
  readonly command: string
  readonly version: string
  readonly file: string
  readonly settings: (place: Place) => string
  readonly words: (file: string) => readonly string[]
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    command: 'nginx',
    version: '-v',
    file: 'nginx.conf',
    settings: ({ port, server, folder }) => {
      const site = replaced(settingsAfter('With nginx'), {
        '443 ssl': `127.0.0.1:${port} ssl`,
        '/etc/nginx/folding': join(folder, 'folding'),
        '127.0.0.1:7400': `127.0.0.1:${server}`,
      })
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map(name => `${name}_temp_path ${join(folder, name)};`)
        .join('\n')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      return `daemon off;\n${user}\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`
    },
    words: file => ['-c', file],
  },
  Caddy: {
    command: 'caddy',
    version: 'version',
    file: 'Caddyfile',
    settings: ({ port, server, folder }) => {
      const site = replaced(settingsAfter('With Caddy'), {
        [`${HOST} {`]: `https://${HOST}:${port} {\n  bind 127.0.0.1\n  tls ${join(folder, 'folding.pem')} ${join(folder, 'folding.key')}`,
        '127.0.0.1:7400': `127.0.0.1:${server}`,
      })
      return `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`
    },
    words: file => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

for (const [name, proxy] of Object.entries(proxies))
  test(`behind ${name}, with the settings of the documentation, pages, sockets and events work as without it`, async ({
    skip,
  }) => {
    if (spawnSync(proxy.command, [proxy.version]).status !== 0) skip(`${name} is not installed.`)
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-proxy-'))
    stopLater({ stop: () => rmSync(folder, { recursive: true, force: true }) })
    const port = await freePort()
    const origin = `https://${HOST}:${port}`
    const attic = await client()
    const service = await start(
      `[listen]\nport = 0\norigins = ["${origin}"]\n[proxy]\naddresses = ["127.0.0.1"]\n${people()}\n${programs()}\n${clientOf(attic, ['state'])}`,
    )
    await untilConnected(service, { Authorization: `Bearer ${TOKENS.read}` })
    const { key, cert } = createLoopbackCertificate()
    writeFileSync(join(folder, 'folding.key'), key)
    writeFileSync(join(folder, 'folding.pem'), cert)
    const file = join(folder, proxy.file)
    writeFileSync(file, proxy.settings({ port, server: service.port, folder }))
    const environment = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    stopLater(startProgram(proxy.command, proxy.words(file), { cwd: folder, environment }))

    const tls = { host: '127.0.0.1', port, servername: HOST, ca: cert, checkServerIdentity: () => undefined }
    const ask = async (
      path: string,
      { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
    ): Promise<IncomingMessage> => {
      const method = body === undefined ? 'GET' : 'POST'
      const asking = request({
        ...tls,
        method,
        path,
        agent: false,
        headers: { Host: `${HOST}:${port}`, Origin: origin, ...headers },
      })
      asking.end(body)
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      stopLater({ stop: () => response.destroy() })
      return response.setEncoding('utf8').on('error', () => undefined)
    }
    await vi.waitFor(async () => expect((await ask('/healthz')).statusCode).toBe(200), {
      timeout: 10_000,
      interval: 100,
    })
    expect((await ask('/api/server/machines')).statusCode).toBe(401)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const signedIn = await ask('/api/server/login', {
      headers: form,
      body: new URLSearchParams({ name: 'operator', password: PASSWORD, next: '/machines' }).toString(),
    })
    // It knows that the browser's connection is encrypted.
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? []
    expect(signedIn.statusCode).toBe(303)
    expect(cookie).toEqual(expect.stringMatching(/^__Host-.*; Secure/))
    const session = { Cookie: cookie.split(';')[0] ?? '' }
    expect((await ask('/api/server/machines', { headers: session })).statusCode).toBe(200)
    expect(
      (await ask('/api/server/machines', { headers: { ...session, Origin: 'https://evil.example.org' } })).statusCode,
    ).toBe(403)

    const events = await ask('/api/server/events', { headers: session })
    let received = ''
    events.on('data', (part: string) => (received += part))
    await vi.waitFor(() => expect(received).not.toBe(''), { timeout: 5000 })
    const tag = JSON.stringify({ type: 'tags.add', machines: ['attic'], tag: 'warm' })
    expect((await ask('/api/server/shared', { headers: session, body: tag })).statusCode).toBe(200)
    await vi.waitFor(() => expect(received).toContain('event: shared'), { timeout: 5000 })

    const page = new WebSocket(`wss://127.0.0.1:${port}/api/websocket`, {
      ...tls,
      headers: { Host: `${HOST}:${port}`, Origin: origin, ...session },
    })
    stopLater({ stop: () => page.terminate() })
    const messages: string[] = []
    page.on('error', error => messages.push(error.message)).on('message', raw => messages.push(textOf(raw)))
    await vi.waitFor(() => expect(messages[0]).toContain('"mach_name":"puppet"'), { timeout: 5000 })
    attic.say(['units', 0, 'ppd', 4711])
    await vi.waitFor(() => expect(messages).toContain('["units",0,"ppd",4711]'), { timeout: 5000 })
    page.send('{"cmd":"state","state":"pause"}')
    await vi.waitFor(() => expect(attic.untakenCommands()).toMatchObject([{}, { cmd: 'state', state: 'pause' }]), {
      timeout: 5000,
    })

    // Who guesses is known by the proxy's word for the address, and not by what the caller claims.
    const statuses = new Set<number | undefined>()
    for (let guess = 0; guess < 12; guess++) {
      const body = new URLSearchParams({ name: 'operator', password: `guess ${guess}`, next: '/' }).toString()
      statuses.add(
        (await ask('/api/server/login', { headers: { ...form, 'X-Forwarded-For': `192.0.2.${guess}` }, body }))
          .statusCode,
      )
    }
    expect([...statuses]).toContain(429)
  }, 60_000)
