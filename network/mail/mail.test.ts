import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { resetEmail, verificationEmail } from './emails.ts'
import { createSmtpTransport } from './mail.ts'

type Received = { from: string; to: string; text: string; login: string }

let stop: (() => void) | undefined
afterEach(() => {
  stop?.()
})

/** A minimal mail server for one email. */
const startMailServer = async (answerToMail = '250 fine'): Promise<{ url: string; received: Promise<Received> }> => {
  let tell: (received: Received) => void
  const received = new Promise<Received>(resolve => {
    tell = resolve
  })
  const server: Server = createServer(socket => {
    const say = (line: string): void => {
      socket.write(`${line}\r\n`)
    }
    const mail: Received = { from: '', to: '', text: '', login: '' }
    let body: string[] | undefined
    const hear = (line: string): void => {
      if (body !== undefined) {
        if (line !== '.') {
          body.push(line)
          return
        }
        tell({ ...mail, text: body.join('\n') })
        body = undefined
        say('250 kept')
        return
      }
      const [, command = '', rest = ''] = /^(MAIL FROM:|RCPT TO:|AUTH PLAIN|\w+)\s?(.*)$/i.exec(line) ?? []
      switch (command.toUpperCase()) {
        case 'EHLO':
          say('250-test')
          say('250 AUTH PLAIN')
          break
        case 'AUTH PLAIN':
          mail.login = Buffer.from(rest, 'base64').toString().replaceAll('\0', ' ')
          say('235 welcome')
          break
        case 'MAIL FROM:':
          mail.from = rest
          say(answerToMail)
          break
        case 'RCPT TO:':
          mail.to = rest
          say('250 fine')
          break
        case 'DATA':
          body = []
          say('354 go on')
          break
        case 'QUIT':
          say('221 bye')
          socket.end()
          break
        default:
          say('250 fine')
      }
    }
    let rest = ''
    socket.on('data', data => {
      const lines = `${rest}${data.toString()}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    socket.on('error', () => undefined)
    say('220 test')
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  stop = () => {
    server.close()
  }
  return { url: `smtp://ada:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const email = verificationEmail({
  email: 'ada@foldboard.example',
  page: 'http://localhost:7400/verify',
  token: 'T0ken_-',
})

test('a email goes to the mail server, from the sender that was set, with its link whole', async () => {
  const { url, received } = await startMailServer()
  const post = createSmtpTransport(url, 'Board <board@foldboard.example>')
  await post.send(email)
  const { from, to, text, login } = await received

  expect({ from, to, login }).toEqual({
    from: '<board@foldboard.example>',
    to: '<ada@foldboard.example>',
    login: ' ada pass word',
  })
  expect(text).toMatch(/^Subject: Confirm your email address$/m)
  expect(text).toMatch(/^From: Board <board@foldboard\.example>$/m)
  // Long lines are wrapped in transit and unwrapped by the reader.
  expect(text.replaceAll('=\n', '')).toContain('\n\nhttp://localhost:7400/verify/T0ken_-\n\n')
  expect(post.outbox).toBeUndefined()
  post.close()
})

const FROM = 'Foldboard <noreply@foldboard.example>'

test('an address cannot inject a second one, or a header line', async () => {
  const { url, received } = await startMailServer()
  const post = createSmtpTransport(url, FROM)
  await post.send({ ...email, to: 'ada@foldboard.example,eve@evil.example' }).catch(() => undefined)
  await post.send({ ...email, to: 'bob@foldboard.example\r\nBcc: eve@evil.example' }).catch(() => undefined)
  await post.send(email)
  const { to, text } = await received

  expect(to).not.toContain('>,')
  expect(text).not.toMatch(/^Bcc:/m)
  post.close()
})

test('a refusal or a missing server is an error', async () => {
  const { url } = await startMailServer('550 not from you')
  await expect(createSmtpTransport(url, FROM).send(email)).rejects.toThrow('550 not from you')
  stop?.()

  await expect(createSmtpTransport('smtp://127.0.0.1:1', FROM).send(email)).rejects.toThrow('ECONNREFUSED')
})

test('the reset link contains the address, escaped', () => {
  expect(resetEmail({ email: 'a+b&c@foldboard.example', page: 'http://localhost:7400/reset', token: 'abc' }).link).toBe(
    'http://localhost:7400/reset/abc?email=a%2Bb%26c%40foldboard.example',
  )
})
