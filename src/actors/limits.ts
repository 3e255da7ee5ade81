import { t } from '@lingui/core/macro'

/*
 * Size limits of input from outside the page. Those of socket messages are in `protocol/json` (MAX_MESSAGE_BYTES).
 */
const MEGABYTE = 1024 * 1024

/** Bytes of an HTTP response, uncompressed. The largest known one, the list of projects, has less than 1 MB. */
export const ANSWER_BYTES = 16 * MEGABYTE

/** Bytes of a file of units. The 50,000 that can be stored have about 30 MB. */
export const HISTORY_FILE_BYTES = 64 * MEGABYTE

/** Bytes of a picture's file: larger than any camera's. */
export const PICTURE_FILE_BYTES = 32 * MEGABYTE

/** Pixels of a picture. Each takes 4 bytes when decoded, however small the file is. */
export const PICTURE_PIXELS = 100_000_000

/** Stored molecules: about twenty of the usual size, or one of the largest. */
export const MOLECULE_BOUNDS = { units: 20, bytes: 192 * MEGABYTE } as const

/** The body as text; undefined when it exceeds `limit` bytes. Counted while reading, since the body may be compressed. */
export async function readBoundedText(response: Response, limit = ANSWER_BYTES): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const utf8 = new TextDecoder()
  const parts: string[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength
    if (size > limit) {
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    parts.push(utf8.decode(next.value, { stream: true }))
  }
  return parts.join('') + utf8.decode()
}

export const TOO_LARGE_ANSWER = t`The answer is larger than 16 MB.`
