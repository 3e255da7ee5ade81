import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecurely, createServer } from 'node:tls'
import { createLoopbackCertificate } from '../../programs/network/certificate.ts'
import { startProgram, type Program } from '../program.ts'
import { REAL_NODE } from './real-client.ts'

/** A file with a certificate, for `SSL_CERT_FILE`: a client takes a relay node only with one that it trusts. */
function fileFor(certificates: string): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-trust-'))
  const file = join(folder, 'trusted.pem')
  writeFileSync(file, certificates)
  return {
    file,
    remove: () => {
      rmSync(folder, { recursive: true })
    },
  }
}

/** The certificate that a server on this computer shows, as PEM. */
export function certificateAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const lines = socket
        .getPeerCertificate()
        .raw.toString('base64')
        .replaceAll(/(.{64})/g, '$1\n')
      socket.destroy()
      resolve(`-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`)
    })
    socket.on('error', reject)
  })
}

/** The only certificates that the real client trusts. */
export function trust(certificates: readonly string[]) {
  const { file, remove } = fileFor(certificates.join(''))
  return { environment: { SSL_CERT_FILE: file }, stop: remove }
}

export type RealNode = {
  /** host:port, as it stands in an account. */
  readonly host: string
  readonly certificate: string
  readonly printed: () => string
  readonly kill: () => Promise<unknown>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const PLAIN_PORT = 8080
/** The one that an account's node has when it names none. */
const SECURE_PORT = 443

/**
 * A real relay node, behind a port that adds TLS: the certificate that a node makes itself has expired by then,
 * and no client would take it.
 */
export async function startRealNode(securePort = SECURE_PORT): Promise<RealNode> {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-node-'))
  const words = ['--http-addresses', `127.0.0.1:${PLAIN_PORT}`, '--https-addresses', '127.0.0.1:8084']
  const begin = async (): Promise<Program> => {
    const started = startProgram(REAL_NODE ?? '', [...words, '--log-color=false'], { cwd: folder })
    await started.says(/Started/)
    return started
  }
  const { key, cert } = createLoopbackCertificate(Date.now(), 'The real relay node')
  const open = new Set<Socket>()
  const front = createServer({ key, cert }, outside => {
    const inside = connect({ host: '127.0.0.1', port: PLAIN_PORT })
    open.add(outside)
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  front.on('tlsClientError', () => undefined)
  front.listen(securePort, '127.0.0.1')
  await once(front, 'listening')
  let program = await begin()
  return {
    host: securePort === SECURE_PORT ? '127.0.0.1' : `127.0.0.1:${securePort}`,
    certificate: cert,
    printed: () => program.printed(),
    kill: () => program.stop(),
    start: async () => {
      program = await begin()
    },
    stop: async () => {
      for (const socket of open) socket.destroy()
      front.close()
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
