/*
 * A WebM file with one track of pictures (RFC 8794, RFC 9559). All is in memory, so every size is known.
 */

export type EncodedPicture = {
  readonly data: Uint8Array
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly isKey: boolean
}

export type WebmTrack = {
  readonly codec: 'V_VP8' | 'V_VP9'
  readonly width: number
  readonly height: number
  /** Milliseconds of each picture. */
  readonly every: number
}

type Bytes = readonly Uint8Array[]

/** The size of an element takes eight bytes, whatever it is. */
const SIZE_BYTES = 8
const FULL_SIZE = 0x01

const element = (id: number, ...content: readonly Bytes[]): Bytes => {
  const parts = content.flat()
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const head = new DataView(new ArrayBuffer(SIZE_BYTES))
  head.setBigUint64(0, BigInt(size))
  head.setUint8(0, FULL_SIZE)
  return [bytesOf(id), new Uint8Array(head.buffer), ...parts]
}

/** Big-endian, without leading zeros. */
const bytesOf = (value: number): Uint8Array => {
  const bytes: number[] = []
  for (let left = value; left > 0 || bytes.length === 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return Uint8Array.from(bytes)
}

const number = (id: number, value: number): Bytes => element(id, [bytesOf(value)])
const text = (id: number, value: string): Bytes => element(id, [new TextEncoder().encode(value)])
const float = (id: number, value: number): Bytes => {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return element(id, [new Uint8Array(view.buffer)])
}

const APP = 'Foldboard'

/** Clusters begin with a key picture. Times of pictures are relative to their cluster, in 16 bits. */
export const webmOf = (pictures: readonly EncodedPicture[], track: WebmTrack): Blob => {
  const duration = (pictures.at(-1)?.at ?? 0) + track.every
  const parts = [
    ...element(
      0x1a45dfa3,
      number(0x4286, 1),
      number(0x42f7, 1),
      number(0x42f2, 4),
      number(0x42f3, 8),
      text(0x4282, 'webm'),
      number(0x4287, 4),
      number(0x4285, 2),
    ),
    ...element(
      0x18538067,
      element(0x1549a966, number(0x2ad7b1, 1_000_000), float(0x4489, duration), text(0x4d80, APP), text(0x5741, APP)),
      element(0x1654ae6b, trackEntry(track)),
      ...clustersOf(pictures),
    ),
  ]
  return new Blob(
    parts.map(part => new Uint8Array(part)),
    { type: 'video/webm' },
  )
}

const trackEntry = ({ codec, width, height, every }: WebmTrack): Bytes =>
  element(
    0xae,
    number(0xd7, 1),
    number(0x73c5, 1),
    number(0x83, 1),
    number(0x9c, 0),
    text(0x86, codec),
    number(0x23e383, Math.round(every * 1_000_000)),
    element(0xe0, number(0xb0, width), number(0xba, height)),
  )

const clustersOf = (pictures: readonly EncodedPicture[]): readonly Bytes[] => {
  const clusters: EncodedPicture[][] = []
  for (const picture of pictures) {
    const last = clusters.at(-1)
    if (last === undefined || picture.isKey) clusters.push([picture])
    else last.push(picture)
  }
  return clusters.map(cluster => {
    const start = Math.round(cluster[0]?.at ?? 0)
    return element(0x1f43b675, number(0xe7, start), ...cluster.map(picture => blockOf(picture, start)))
  })
}

const KEY = 0x80

const blockOf = ({ data, at, isKey }: EncodedPicture, start: number): Bytes => {
  const head = new DataView(new ArrayBuffer(4))
  head.setUint8(0, 0x81)
  head.setInt16(1, Math.round(at) - start)
  head.setUint8(3, isKey ? KEY : 0)
  return element(0xa3, [new Uint8Array(head.buffer), data])
}
