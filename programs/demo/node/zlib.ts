import { Buffer } from 'buffer'
import { gzipSync as compress } from 'fflate'

export function gzipSync(bytes: Uint8Array): Buffer {
  return Buffer.from(compress(bytes))
}
