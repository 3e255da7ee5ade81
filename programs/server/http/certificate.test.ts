import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test, vi } from 'vitest'
import { createLoopbackCertificate } from '../../network/certificate.ts'
import { openServer } from '../../host/server.ts'
import { StartError } from '../../host/start-error.ts'
import { configSchema } from '../config/schema.ts'
import * as v from 'valibot'
import { followCertificate, readCertificate } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'foldboard-certificate-'))
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
const { listen } = v.parse(configSchema, { listen: { certificate: cert, 'private-key': key } })

/** The certificate that a new connection gets. */
function servedAt(port: number) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '')
      socket.destroy()
    }).on('error', reject)
  })
}

test('a certificate that changes is used without another start, once it belongs to its key', async () => {
  const [first, second] = [createLoopbackCertificate(), createLoopbackCertificate()]
  expect(() => readCertificate(listen)).toThrow(StartError)
  writeFileSync(cert, first.cert)
  writeFileSync(key, first.key)
  const certificate = readCertificate(listen)
  if (certificate === undefined) throw new Error('There is no certificate.')
  const server = await openServer({
    place: { what: 'a test', port: 0, option: '--port' },
    answer: () => undefined,
    upgrade: () => 404,
    tls: certificate.tls,
  })
  const [onRenewed, onUnusable] = [vi.fn(), vi.fn()]
  const stop = followCertificate(certificate, server.setCertificate, { onRenewed, onUnusable }, 5)
  try {
    expect(await servedAt(server.port)).toBe(first.cert)
    writeFileSync(cert, second.cert)
    await vi.waitFor(() => expect(onUnusable).toHaveBeenCalledOnce(), 20_000)
    expect(await servedAt(server.port)).toEqual(first.cert)
    expect(onRenewed.mock.calls.length).toBe(0)
    writeFileSync(key, second.key)
    await vi.waitFor(() => expect(onRenewed).toHaveBeenCalledOnce(), 20_000)
    expect(await servedAt(server.port)).toBe(second.cert)
    // A file is emptied before it is written.
    writeFileSync(cert, '')
    await vi.waitFor(() => expect(onUnusable).toHaveBeenCalledTimes(2), 20_000)
    expect(await servedAt(server.port)).toBe(second.cert)
  } finally {
    stop()
    await server.close()
  }
})
