import { describe, expect, it } from 'vitest'
import { ActorLink } from './links.ts'
import { createPackedEntries } from './packed-entries.ts'
import type { RecordedEntry } from './recording.ts'

function entry(seq: number, content: unknown): RecordedEntry {
  return {
    seq,
    at: seq * 10,
    to: 'client',
    event: { type: 'told', content },
  }
}

describe('packed entries', () => {
  it('are the entries that were added, in order, whatever they hold', () => {
    const contents: readonly unknown[] = [
      ['units', 3, 'ppd', 1.5],
      { name: 'Größe', isOn: true, nothing: null, list: [[]] },
      undefined,
      { missing: undefined },
      -0,
      NaN,
      new Map([['key', 1]]),
      new Float32Array([1, 2]),
      new ActorLink('fleet'),
      new Date(0),
      Object.create(null),
      '\ud800',
    ]
    const entries = Array.from({ length: 600 }, (_, seq) => entry(seq, contents[seq % contents.length]))
    const packed = createPackedEntries(run => run())
    for (const each of entries) packed.add(each, 100)
    expect(packed.count()).toBe(600)
    expect(packed.list()).toEqual(entries)
    expect(packed.list()[4 + 12]?.event).toStrictEqual(entries[4 + 12]?.event)
    expect(packed.list().flatMap(({ event }) => (event['content'] instanceof ActorLink ? [event] : []))).toHaveLength(
      50,
    )
  })

  it('count as the bytes of their text once they are packed', () => {
    const later: (() => void)[] = []
    const packed = createPackedEntries(run => later.push(run))
    const added = entry(1, 'x')
    for (let count = 0; count < 64; count++) packed.add(added, 1000)
    expect(packed.bytes()).toBe(64_000)
    later.shift()?.()
    const size = JSON.stringify(added).length
    expect(packed.bytes()).toBe(64 * (size + 1) + 1)
    packed.add(added, 1000)
    packed.pack()
    expect(packed.bytes()).toBe(65 * (size + 1) + 2)
    packed.pack()
    expect(packed.list()).toHaveLength(65)
  })

  it('keep their estimated size while they are objects', () => {
    const packed = createPackedEntries(run => run())
    for (let count = 0; count < 64; count++) packed.add(entry(count, new Float32Array(1)), 1000)
    expect(packed.bytes()).toBe(64_000)
  })
})
