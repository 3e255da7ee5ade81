import type { Bytes } from './crypto/bytes.ts'
import { MAX_MESSAGE_BYTES } from './json.ts'

/** The unzipped bytes; `undefined` when they exceed `limit`. Rejects for bytes that are not gzip. */
export function gunzip(bytes: Bytes, limit = MAX_MESSAGE_BYTES): Promise<Bytes | undefined> {
  return readAll(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), limit)
}

// The limit is checked while reading: a small message can unzip to more than fits in memory.
async function readAll(stream: ReadableStream<Uint8Array>, limit: number): Promise<Bytes | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > limit) {
      await reader.cancel()
      return undefined
    }
    chunks.push(next.value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
