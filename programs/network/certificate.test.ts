import { X509Certificate } from 'node:crypto'
import { get } from 'node:https'
import { expect, test } from 'vitest'
import { createLoopbackCertificate } from './certificate.ts'
import { openServer } from '../host/server.ts'

test('the certificate is for loopback only, and self-signed', () => {
  const certificate = new X509Certificate(createLoopbackCertificate().cert)

  expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.ca).toBe(false)
})

test('a client that trusts the certificate connects to its server by name', async () => {
  const { key, cert } = createLoopbackCertificate()
  const server = await openServer({
    place: { what: 'a test', port: 0, option: '--port' },
    answer: (_request, response) => {
      response.end('folded')
    },
    upgrade: () => 404,
    tls: { key, cert },
  })
  const { port } = server

  const answer = await new Promise<string>((resolve, reject) => {
    get({ host: 'localhost', family: 4, port, ca: cert }, response => {
      response.setEncoding('utf8').once('data', resolve)
    }).once('error', reject)
  })

  expect(answer).toBe('folded')
  await server.close()
})
