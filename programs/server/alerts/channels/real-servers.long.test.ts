import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes } from 'aedes'
import { SMTPServer } from 'smtp-server'
import { expect, test, vi } from 'vitest'
import { createLoopbackCertificate } from '../../../network/certificate.ts'
import { clientData, unitData } from '../../../../test/end-to-end/scripted-client.ts'
import { startHostileClient } from '../../../../test/hostile-client.ts'
import { startProgram } from '../../../../test/program.ts'
import { useStopLater } from '../../../../test/stop-later.ts'

/* The built server, with servers of mail and a broker that others have written. */

const SERVER = join(import.meta.dirname, '../../../../build/server.js')
const stopLater = useStopLater()
const trusted = createLoopbackCertificate()
function portOf(server: { address: () => unknown }): number {
  return (server.address() as AddressInfo).port
}

type Mail = {
  readonly to: readonly string[]
  readonly text: string
  readonly isEncrypted: boolean
  readonly user: unknown
}
type MailOptions = {
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** TLS from the first byte. */
  readonly isSecure?: boolean
  readonly needsLogin?: boolean
  /** The status for a receiver; undefined: it is accepted. */
  readonly statusFor?: (receiver: string) => number | undefined
}

async function startMail({
  certificate = trusted,
  isSecure = false,
  needsLogin = false,
  statusFor = () => undefined,
}: MailOptions = {}) {
  const mails: Mail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    key: certificate.key,
    cert: certificate.cert,
    secure: isSecure,
    authOptional: !needsLogin,
    logger: false,
    onAuth: ({ username, password }, _, done) => {
      logins.push(String(password))
      if (password === 'right') done(null, { user: username })
      else done(new Error('wrong'))
    },
    onRcptTo: ({ address }, _, done) => {
      const status = statusFor(address)
      done(status === undefined ? null : Object.assign(new Error('no'), { responseCode: status }))
    },
    onData: (stream, session, done) => {
      let text = ''
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, text, isEncrypted: session.secure, user: session.user })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stopLater({ stop: () => new Promise<void>(resolve => server.close(() => resolve())) })
  return { mails, logins, port: portOf(server.server) }
}

/** Passes connections on to a port. `mayPass`: false ends the connection; told all that came from each side so far. */
async function startCutter(port: number, mayPass: (sent: string, answered: string) => boolean) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    const onward = connect({ host: '127.0.0.1', port })
    let [sent, answered] = ['', '']
    const end = (): void => {
      socket.destroy()
      onward.destroy()
    }
    for (const each of [socket, onward]) sockets.add(each.on('error', () => undefined).on('close', end))
    socket.on('data', part => {
      sent += part.toString('latin1')
      if (mayPass(sent, answered)) onward.write(part)
      else end()
    })
    onward.on('data', part => {
      answered += part.toString('latin1')
      if (mayPass(sent, answered)) socket.write(part)
      else end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stopLater({
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return portOf(server)
}

async function startServer(settings: string) {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-channels-'))
  stopLater({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  writeFileSync(join(folder, 'trusted.pem'), trusted.cert)
  writeFileSync(join(folder, 'foldboard-server.toml'), settings, { mode: 0o600 })
  const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'trusted.pem'), FOLDBOARD_LOG_FORMAT: 'json' }
  const program = startProgram(process.execPath, [SERVER, '--port', '0'], { cwd: folder, environment })
  stopLater({ stop: program.interrupt })
  const [, bound = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
  const origin = `http://127.0.0.1:${bound}`
  return {
    /** What becomes of a test by a channel. */
    trial: async (channel: string): Promise<string> => {
      const answer = await fetch(`${origin}/api/server/alerts/test`, {
        method: 'POST',
        headers: { Origin: origin },
        body: JSON.stringify({ channel }),
      })
      return `${answer.status} ${await answer.text()}`
    },
  }
}
function mailChannel(name: string, port: number, more = ''): string {
  return `[[channels]]\nname = "${name}"\nkind = "email"\nhost = "127.0.0.1"\nport = ${port}\nfrom = "fold@example.org"\nto = ["ana@example.org"]\n${more}\n`
}
function login(password: string): string {
  return `user = "ana"\npassword = "${password}"`
}

test('mail by another server: encrypted, with a login, refused, cut off and postponed', async () => {
  const plain = await startMail()
  const locked = await startMail({ needsLogin: true })
  const secure = await startMail({ isSecure: true, needsLogin: true })
  const foreign = await startMail({ certificate: createLoopbackCertificate(), needsLogin: true })
  const refusing = await startMail({ statusFor: () => 550 })
  let greeted = 0
  const grey = await startMail({ statusFor: () => (++greeted === 1 ? 451 : undefined) })
  const cut = await startMail()
  const unanswered = await startMail()
  const [cutPort, unansweredPort] = [
    // In the message, before its end.
    await startCutter(cut.port, sent => !/^Subject/m.test(sent)),
    await startCutter(unanswered.port, (_, answered) => !/354[^\n]*\n[^]*250/.test(answered)),
  ]
  let mayAttack = false
  const hostile = stopLater(
    await startHostileClient(async send => {
      await send(clientData({ info: { id: 'hostile-id' }, units: [unitData()] }))
      while (!mayAttack) await delay(50)
      for (let key = 0; ; key++) await send(['info', `key ${key}`, 'x'])
    }),
  )
  const { trial } = await startServer(
    [
      mailChannel('plain', plain.port, 'tls = "none"'),
      mailChannel('start', locked.port, login('right')),
      mailChannel('always', secure.port, `tls = "always"\n${login('right')}`),
      mailChannel('wrong', locked.port, login('wrong')),
      mailChannel('without', locked.port, ''),
      mailChannel('foreign', foreign.port, login('right')),
      mailChannel('refusing', refusing.port, 'tls = "none"'),
      mailChannel('cut', cutPort, 'tls = "none"'),
      mailChannel('unanswered', unansweredPort, 'tls = "none"'),
      mailChannel('grey', grey.port),
      '[[alerts]]\nname = "ana"\nchannels = ["grey"]\nleast = "notice"\ndigest-minutes = 0\n',
      `[[machines]]\naddress = "${hostile.address.host}:${hostile.address.port}"\n`,
    ].join(''),
  )
  mayAttack = true
  const results = Object.fromEntries(
    await Promise.all(
      ['plain', 'start', 'always', 'wrong', 'without', 'foreign', 'refusing', 'cut', 'unanswered'].map(
        async name => [name, await trial(name)] as const,
      ),
    ),
  )
  expect(results).toEqual({
    plain: expect.stringContaining('"sent"') as string,
    start: expect.stringContaining('"sent"') as string,
    always: expect.stringContaining('"sent"') as string,
    wrong: expect.stringMatching(/"failed".*535/) as string,
    without: expect.stringMatching(/"(?:failed|refused)".*530/) as string,
    foreign: expect.stringMatching(/"failed"/) as string,
    refusing: expect.stringMatching(/"refused".*550/) as string,
    cut: expect.stringMatching(/"(?:failed|unknown)"/) as string,
    unanswered: expect.stringContaining('"unknown"') as string,
  })
  expect([plain, locked, secure, foreign, refusing, cut, unanswered].map(({ mails }) => mails.length)).toEqual([
    1, 1, 1, 0, 0, 0, 1,
  ])
  for (const { mails } of [locked, secure]) expect(mails).toMatchObject([{ isEncrypted: true, user: 'ana' }])
  // A server that cannot prove who it is learns no password.
  expect(foreign.logins).toEqual([])
  // A postponed message comes with a later attempt, once.
  await vi.waitFor(() => expect(grey.mails).toHaveLength(1), { timeout: 60_000, interval: 100 })
  await delay(2000)
  expect({ mails: grey.mails.length, greeted }).toEqual({ mails: 1, greeted: 2 })
  expect(grey.mails).toMatchObject([{ to: ['ana@example.org'], isEncrypted: true }])
}, 120_000)

test('MQTT by another broker: encrypted, with a login, refused, and cut off in the middle', async () => {
  const broker = await Aedes.createBroker()
  let behavior: 'take' | 'refuse' | 'cut' = 'take'
  const accepted: string[] = []
  const sockets = new Set<Socket>()
  broker.authenticate = (_, user, password, done) => done(null, user === 'ana' && password?.toString() === 'right')
  broker.authorizePublish = (_, packet, done) => {
    const isAlert = packet.topic === 'farm/alerts'
    if (isAlert && behavior === 'cut') {
      behavior = 'take'
      for (const socket of sockets) socket.destroy()
      return
    }
    if (isAlert && behavior === 'take') accepted.push(packet.payload.toString())
    done(isAlert && behavior === 'refuse' ? new Error('no') : null)
  }
  const listen = async (certificate: { readonly key: string; readonly cert: string }) => {
    const server = createTlsServer({ key: certificate.key, cert: certificate.cert }, broker.handle)
    server.on('secureConnection', socket => sockets.add(socket)).on('tlsClientError', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    stopLater({
      stop: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      },
    })
    return portOf(server)
  }
  const settings = (port: number, password: string): string =>
    `[mqtt]\nurl = "mqtts://127.0.0.1:${port}"\nuser = "ana"\npassword = "${password}"\ntopic = "farm"\n[[channels]]\nname = "home"\nkind = "mqtt"\n`
  stopLater({ stop: () => new Promise<void>(resolve => broker.close(() => resolve())) })
  const [port, foreign] = [await listen(trusted), await listen(createLoopbackCertificate())]
  const { trial } = await startServer(settings(port, 'right'))
  const untilSent = () =>
    vi.waitFor(async () => expect(await trial('home')).toContain('"sent"'), { timeout: 20_000, interval: 500 })
  await untilSent()
  expect(accepted).toHaveLength(1)

  behavior = 'refuse'
  const refused = await trial('home')
  expect(refused).toContain('"unknown"')
  expect(accepted).toHaveLength(1)
  behavior = 'take'
  await untilSent()
  // What was given up does not come when the broker takes messages again.
  await delay(6000)
  expect(accepted).toHaveLength(2)

  const before = new Set(accepted).size
  behavior = 'cut'
  await trial('home')
  await untilSent()
  // What was cut off may come again: with the id that it had.
  expect(new Set(accepted.map(text => (JSON.parse(text) as { id: string }).id)).size).toBe(new Set(accepted).size)
  expect(new Set(accepted).size).toBeLessThanOrEqual(before + 2)

  for (const [at, password] of [
    [port, 'wrong'],
    [foreign, 'right'],
  ] as const) {
    const count = accepted.length
    const stranger = await startServer(settings(at, password))
    await delay(2000)
    expect(await stranger.trial('home')).toContain('"failed"')
    expect(accepted).toHaveLength(count)
  }
}, 120_000)
