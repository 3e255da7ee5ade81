/*
 * A ZIP file of files that are compressed already (PKWARE APPNOTE 6.3.10), without compression.
 */

export type ZipEntry = { readonly name: string; readonly data: Uint8Array<ArrayBuffer> }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
/** January 1st, 1980: the first date that the format knows. */
const DATE = 0x21

export const zipOf = (entries: readonly ZipEntry[]): Blob => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, data } of entries) {
    const bytes = new TextEncoder().encode(name)
    const facts = [VERSION, FLAGS, 0, 0, DATE].map(value => [2, value] as const)
    const sizes = [
      [4, crcOf(data)],
      [4, data.length],
      [4, data.length],
      [2, bytes.length],
      [2, 0],
    ] as const
    const local = fields([[4, LOCAL], ...facts, ...sizes])
    parts.push(local, bytes, data)
    directory.push(
      fields([[4, CENTRAL], [2, VERSION], ...facts, ...sizes, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
      bytes,
    )
    offset += local.length + bytes.length + data.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = [2, entries.length] as const
  const end = fields([[4, END], [2, 0], [2, 0], count, count, [4, size], [4, offset], [2, 0]])
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

/** Little-endian numbers of two or four bytes. */
const fields = (values: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(values.reduce((sum, [size]) => sum + size, 0)))
  let at = 0
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return new Uint8Array(view.buffer)
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

const crcOf = (data: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of data) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
