import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { webmOf } from './webm.ts'
import { zipOf } from './zip.ts'

const bytesOf = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer())

const idLength = (first: number): number => Math.clz32(first) - 23

type Node = { readonly id: string; readonly from: number; readonly to: number }

/** The elements between two places of an EBML file. */
const elementsOf = (view: DataView, from: number, to: number): readonly Node[] => {
  const found: Node[] = []
  for (let at = from; at < to;) {
    const length = idLength(view.getUint8(at))
    const id = Array.from({ length }, (_, byte) =>
      view
        .getUint8(at + byte)
        .toString(16)
        .padStart(2, '0'),
    ).join('')
    const start = at + length
    const sizeLength = idLength(view.getUint8(start))
    let size = view.getUint8(start) & (0xff >> sizeLength)
    for (let byte = 1; byte < sizeLength; byte++) size = size * 256 + view.getUint8(start + byte)
    found.push({ id, from: start + sizeLength, to: start + sizeLength + size })
    at = start + sizeLength + size
  }
  return found
}

describe('a WebM file', () => {
  it('has a cluster for each key picture, with the times and bytes of its pictures', async () => {
    const pictures = [0, 40, 80, 120].map((at, index) => ({
      data: Uint8Array.of(index, 7),
      at,
      isKey: index % 2 === 0,
    }))
    const view = await bytesOf(webmOf(pictures, { codec: 'V_VP9', width: 640, height: 360, every: 40 }))
    const [head, segment] = elementsOf(view, 0, view.byteLength)
    expect([head?.id, segment?.id, segment?.to]).toEqual(['1a45dfa3', '18538067', view.byteLength])
    const parts = elementsOf(view, segment?.from ?? 0, segment?.to ?? 0)
    expect(parts.map(({ id }) => id)).toEqual(['1549a966', '1654ae6b', '1f43b675', '1f43b675'])
    const info = elementsOf(view, parts[0]?.from ?? 0, parts[0]?.to ?? 0)
    expect(view.getFloat64(info.find(({ id }) => id === '4489')?.from ?? 0)).toBe(160)
    const blocks = parts.slice(2).flatMap(cluster => {
      const [time, ...others] = elementsOf(view, cluster.from, cluster.to)
      const start = view.getUint8(time?.from ?? 0)
      return others.map(({ id, from, to }) => ({
        id,
        at: start + view.getInt16(from + 1),
        isKey: view.getUint8(from + 3) === 0x80,
        data: Array.from({ length: to - from - 4 }, (_, byte) => view.getUint8(from + 4 + byte)),
      }))
    })
    expect(blocks).toEqual(pictures.map(({ data, at, isKey }) => ({ id: 'a3', at, isKey, data: [...data] })))
  })
})

describe('a ZIP file', () => {
  it('has its files, as they are, and a directory that finds them', async () => {
    const entries = ['a.png', 'ü.png'].map((name, at) => ({ name, data: Uint8Array.of(1, 2, 3, at) }))
    const view = await bytesOf(zipOf(entries))
    const end = view.byteLength - 22
    expect([view.getUint32(end, true), view.getUint16(end + 10, true)]).toEqual([0x06054b50, 2])
    let at = view.getUint32(end + 16, true)
    const found = entries.map(() => {
      const [crc, size, nameLength] = [
        view.getUint32(at + 16, true),
        view.getUint32(at + 24, true),
        view.getUint16(at + 28, true),
      ]
      const local = view.getUint32(at + 42, true)
      const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameLength))
      const data = new Uint8Array(view.buffer, local + 30 + view.getUint16(local + 26, true), size)
      const signatures = [view.getUint32(at, true), view.getUint32(local, true)]
      at += 46 + nameLength
      return { name, data: [...data], isWhole: crc === crc32(data), signatures }
    })
    expect(found).toEqual(
      entries.map(({ name, data }) => ({
        name,
        data: [...data],
        isWhole: true,
        signatures: [0x02014b50, 0x04034b50],
      })),
    )
    expect(at).toBe(end)
  })
})
