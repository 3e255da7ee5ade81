import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type Certificate = {
  /** PEM, for a TLS server. */
  key: string
  cert: string
  /** base64 SHA-256 of the public key: Chromium's --ignore-certificate-errors-spki-list takes it. */
  pin: string
}

const DAYS = 365
const OID_COMMON_NAME = '550403'
const OID_ECDSA_SHA256 = '2a8648ce3d040302'
const OID_BASIC_CONSTRAINTS = '551d13'
const OID_SUBJECT_ALTERNATIVE_NAME = '551d11'

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/** One DER element; X.690 gives the tags. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

function sequence(...content: readonly Buffer[]): Buffer {
  return der(0x30, ...content)
}
function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}
function octets(content: Buffer): Buffer {
  return der(0x04, content)
}
function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.from([0]), content)
}
function utcTime(at: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`, 'ascii'))
}
function name(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(OID_COMMON_NAME), der(0x0c, Buffer.from(text)))))
}

function extensions(): Buffer {
  const names = sequence(
    der(0x82, Buffer.from('localhost', 'ascii')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from('00000000000000000000000000000001', 'hex')),
  )
  return der(
    0xa3,
    sequence(
      sequence(oid(OID_BASIC_CONSTRAINTS), der(0x01, Buffer.from([0xff])), octets(sequence())),
      sequence(oid(OID_SUBJECT_ALTERNATIVE_NAME), octets(names)),
    ),
  )
}

function pem(label: string, content: Buffer): string {
  return `-----BEGIN ${label}-----\n${content
    .toString('base64')
    .replaceAll(/(.{64})/g, '$1\n')
    .trimEnd()}\n-----END ${label}-----\n`
}

/**
 * A self-signed P-256 certificate for localhost, 127.0.0.1 and ::1 (RFC 5280), never stored. Certificates that are
 * trusted together need different subjects, by which OpenSSL finds them.
 */
export function createLoopbackCertificate(now = Date.now(), subject = 'Foldboard on this computer'): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' })
  const serial = randomBytes(8)
  serial.writeUInt8(0x40 | (serial.readUInt8(0) & 0x3f), 0)
  const algorithm = sequence(oid(OID_ECDSA_SHA256))
  const issuer = name(subject)
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    issuer,
    sequence(utcTime(now - 3_600_000), utcTime(now + DAYS * 86_400_000)),
    issuer,
    spki,
    extensions(),
  )
  const signature = sign('sha256', body, privateKey)
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: pem('CERTIFICATE', sequence(body, algorithm, bits(signature))),
    pin: createHash('sha256').update(spki).digest('base64'),
  }
}
