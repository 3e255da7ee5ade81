import { execFileSync } from 'node:child_process'
import { sign } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Who may sign what: the client reads it from this extension of the certificate. */
const RIGHTS = '1.2.3.4.70.64.72=ASN1:IA5STRING:AS WS core coreaa'

const BEGIN = '-----BEGIN CERTIFICATE-----\n'
const END = '-----END CERTIFICATE-----\n'

export type WorkAuthority = {
  /** PEM, of the key that signs. */
  readonly certificate: string
  /** The signature of these parts together, as base64. */
  readonly sign: (...parts: readonly (string | Buffer)[]) => string
  /** A copy of this client that takes work of this authority only. */
  readonly trustedBy: (client: string) => string
  readonly stop: () => void
}

/**
 * An authority for work, made for one run. A client takes signed work only from the authority whose certificate stands in
 * the program itself, so a copy of it gets this one instead.
 */
export function createWorkAuthority(): WorkAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-authority-'))
  const pathOf = (name: string): string => join(folder, name)
  const certify = (name: string, ...words: readonly string[]): string => {
    const files = ['-keyout', pathOf(`${name}.key`), '-out', pathOf(`${name}.pem`)]
    const request = ['req', '-x509', '-nodes', '-sha256', '-days', '2', '-subj', `/CN=${name}`]
    execFileSync('openssl', [...request, ...files, ...words], { stdio: 'pipe' })
    return readFileSync(pathOf(`${name}.pem`), 'utf8')
  }
  // Of a curve: its certificate is short enough for the place of the other.
  const root = certify('root', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256')
  const issuer = ['-CA', pathOf('root.pem'), '-CAkey', pathOf('root.key')]
  const certificate = certify('signer', '-newkey', 'rsa:2048', ...issuer, '-addext', RIGHTS)
  const key = readFileSync(pathOf('signer.key'))
  return {
    certificate,
    sign: (...parts) => sign('sha256', Buffer.concat(parts.map(part => Buffer.from(part))), key).toString('base64'),
    trustedBy: client => {
      const program = readFileSync(client)
      const start = program.indexOf(BEGIN)
      const end = program.indexOf(END, start) + END.length
      if (start < 0 || end - start < root.length || program.includes(BEGIN, end))
        throw new Error(`${client} does not contain one certificate that can be replaced.`)
      program.fill('\n', start, end).write(root, start)
      const copy = pathOf('fah-client')
      writeFileSync(copy, program)
      chmodSync(copy, 0o755)
      return copy
    },
    stop: () => {
      rmSync(folder, { recursive: true })
    },
  }
}
