import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { CertifiedKey } from '../../host/server.ts'
import { StartError } from '../../host/start-error.ts'
import type { Config } from '../config/schema.ts'

/** The certificate of the settings, as it was read at the start. */
export type Certificate = {
  readonly files: { readonly cert: string; readonly key: string }
  readonly tls: CertifiedKey
}

/** Throws if they do not belong together. TLS would also start with an empty certificate, and refuse every connection. */
function checked(tls: CertifiedKey): CertifiedKey {
  if (!new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key)))
    throw new Error('it does not belong to the private key')
  return tls
}

/** Throws a StartError when it cannot be read or used. */
export function readCertificate(listen: Config['listen']): Certificate | undefined {
  const { certificate: cert, 'private-key': key } = listen
  if (cert === undefined || key === undefined) return undefined
  try {
    return { files: { cert, key }, tls: checked({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }) }
  } catch (error) {
    throw new StartError(`The certificate cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}`)
  }
}

export type CertificateNews = {
  readonly onRenewed: () => void
  /** The files changed, and cannot be used as they are: the certificate before them stays. */
  readonly onUnusable: (error: unknown) => void
}

const LOOK_MS = 60_000

/** Reads the files again and again, and uses what they have when it changed. Returns what stops that. */
export function followCertificate(
  { files, tls }: Certificate,
  use: (tls: CertifiedKey) => void,
  { onRenewed, onUnusable }: CertificateNews,
  everyMs = LOOK_MS,
): () => void {
  let tried = tls
  const look = async (): Promise<void> => {
    const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')])
    if (cert === tried.cert && key === tried.key) return
    // The two files change one after the other: what cannot be used yet is tried again when the other one has changed.
    tried = { cert, key }
    use(checked(tried))
    onRenewed()
  }
  const timer = setInterval(() => {
    look().catch(onUnusable)
  }, everyMs)
  return () => clearInterval(timer)
}
