import { t } from '@lingui/core/macro'
/*
 * How much is read of what comes from outside this page, beside sockets, whose messages are bounded by
 * `protocol/json` (MAX_MESSAGE_BYTES).
 */
const MEGABYTE = 1024 * 1024

/** Bytes of an answer over HTTP, unpacked. The largest that is known is the list of projects, with less than one. */
export const ANSWER_BYTES = 16 * MEGABYTE

/** Bytes of a file of units: 50,000 of them, of which more are not kept, have some 30 MB. */
export const HISTORY_FILE_BYTES = 64 * MEGABYTE

/** Bytes of a picture's file: more than any camera makes. */
export const PICTURE_FILE_BYTES = 32 * MEGABYTE

/** Pixels of a picture. Decoded each takes 4 bytes, however small the file is. */
export const PICTURE_PIXELS = 100_000_000

/** Molecules that this browser keeps: some twenty units of the usual size, or one of the largest. */
export const MOLECULE_BOUNDS = { units: 20, bytes: 192 * MEGABYTE } as const

/** The text of an answer; undefined when it is larger than `limit` bytes. Counted while it comes, as it may be packed. */
export const boundedText = async (response: Response, limit = ANSWER_BYTES): Promise<string | undefined> => {
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

export const TOO_LARGE_ANSWER = t`The answer is larger than 16 MB, so it was not read.`
