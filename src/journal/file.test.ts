import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, encode, UnreadableRecording } from './codec.ts'
import { FORMAT, fromFile, toFile, VERSION, type FileFault } from './file.ts'
import { ActorLink } from './links.ts'
import type { Recording } from './recording.ts'

const options = { kinds: [], machines: 'these' }
const plain = { clean: (text: string) => text, usesPseudonyms: false }

function recordingOf(...events: readonly { type: string; [key: string]: unknown }[]): Recording {
  return {
    checkpoints: [
      {
        seq: 7,
        at: 1000,
        root: {
          src: '',
          id: 'app',
          systemId: 'app',
          snapshot: {
            status: 'active',
            machine: {
              value: 'on',
              context: { user: 'Ada', ref: new ActorLink('fleet') },
              historyValue: {},
              children: [],
            },
          },
        },
      },
    ],
    entries: events.map((event, index) => ({ seq: 7 + index, at: 1000 + index, to: 'fleet', event })),
  }
}

function gzip(text: string): Promise<Blob> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob()
}
const header = JSON.stringify({ format: FORMAT, version: VERSION, machines: 'these', entries: 1 })
const checkpointLine = JSON.stringify(encode(recordingOf().checkpoints[0], []))

describe('a file', () => {
  it('is read as it was written, and reports whether the machines are the same', async () => {
    const recording = recordingOf(
      { type: 'link.reported', facts: [{ positions: new Float32Array([1, 2.5, -3]) }], at: Number.NaN },
      { type: 'x', set: new Set([1, undefined]), map: new Map([['k', [null, -0]]]) },
    )
    const file = await toFile(recording, { ...options, ...plain })
    expect(await fromFile(file, options)).toEqual({ ok: true, recording, isExact: true })
    expect(await fromFile(file, { ...options, machines: 'others' })).toMatchObject({ ok: true, isExact: false })
  })

  it('keeps the elements and bonds of a molecule, and no other bytes, in which there may be names', async () => {
    const topology = { elements: Uint8Array.of(6, 7), bonds: Uint32Array.of(0, 1) }
    const events = [{ type: 'x', topology, lines: new TextEncoder().encode('attic') }]
    const read = await fromFile(await toFile(recordingOf(...events), { ...options, ...plain }), options)
    expect(read.ok && read.recording.entries[0]?.event).toEqual({ type: 'x', topology, lines: undefined })
  })

  it('keeps a mark, without the names in it, and opens files whose mark is none', async () => {
    const marked = {
      ...recordingOf({ type: 'x', info: { mach_name: 'attic desk' } }),
      mark: { at: 1000, text: 'on attic desk' },
    }
    expect(await fromFile(await toFile(marked, { ...options, ...plain }), options)).toEqual({
      ok: true,
      recording: marked,
      isExact: true,
    })
    const opened = await fromFile(await toFile(marked, { ...options, ...plain, usesPseudonyms: true }), options)
    expect(opened.ok && opened.recording.mark?.text).toMatch(/^on (?!attic)/)
    const lines = (mark: unknown): string =>
      `${JSON.stringify({ ...(JSON.parse(header) as object), entries: 0, mark })}\n${checkpointLine}\n`
    for (const mark of [null, 'here', { at: 'now', text: 'x' }, { at: 1, text: 'x'.repeat(501) }])
      expect(await fromFile(await gzip(lines(mark)), options)).toEqual({
        ok: true,
        recording: recordingOf(),
        isExact: true,
      })
  })

  it('replaces names and addresses consistently everywhere', async () => {
    const recording = recordingOf(
      { type: 'fleet.connect', address: 'attic.example.org:7396' },
      {
        type: 'link.reported',
        facts: [
          { data: { info: { mach_name: 'attic desk', version: '8.5.7' }, config: { user: 'Grace' } } },
          { changes: [['info', 'mach_name', 'cellar']] },
        ],
      },
      {
        type: 'dialogs.showMessage',
        text: 'Grace: attic desk, cellar, 192.168.1.7 and 127.0.0.1; write to grace@example.org, not to Graceland.',
      },
    )
    const opened = await fromFile(await toFile(recording, { ...options, ...plain, usesPseudonyms: true }), options)
    if (!opened.ok) return expect.fail(opened.fault)
    const text = JSON.stringify(opened.recording.entries)
    for (const name of ['attic', 'Grace:', '"Grace"', 'cellar', '192.168', 'grace@']) expect(text).not.toContain(name)
    expect(opened.recording.entries[2]?.event['text']).toMatch(
      /^user-2: machine-1, machine-2, host-\d\.example and 127\.0\.0\.1; write to person-1@foldboard\.example, not to Graceland\.$/,
    )
    expect(opened.recording.entries[0]?.event['address']).toMatch(/^host-1\.example:7396$/)
  })

  it.each<[string, string, FileFault]>([
    ['nothing', '', 'not-a-recording'],
    ['something else', '{"hello":1}\n', 'not-a-recording'],
    ['words', 'once upon a time\n', 'not-a-recording'],
    [
      'a newer format',
      `${JSON.stringify({ format: FORMAT, version: VERSION + 1, machines: '', entries: 0 })}\n`,
      'other-version',
    ],
    ...[1, 2].map((version): [string, string, FileFault] => [
      `the older format ${version}`,
      `${header.replace(`"version":${VERSION}`, `"version":${version}`)}\n${checkpointLine}\n[1,"fleet",{"type":"x"}]\n`,
      'older-version',
    ]),
    ['no checkpoint', `${header}\n`, 'damaged'],
    ['fewer events than it says', `${header}\n${checkpointLine}\n`, 'damaged'],
    ['an event without a type', `${header}\n${checkpointLine}\n[1,"fleet",{}]\n`, 'damaged'],
    ['an unsafe name', `${header}\n${checkpointLine}\n[1,"fleet",{"type":"x","a":{"__proto__":{"b":1}}}]\n`, 'damaged'],
    ['an unknown kind', `${header}\n${checkpointLine}\n[1,"fleet",{"type":"x","a":["k","eval","1"]}]\n`, 'damaged'],
    ['half a line', `${header}\n${checkpointLine}\n[1,"fleet",{"type":"x"`, 'damaged'],
    ['no actor', `${header}\n{"seq":0,"at":1,"root":{"src":1}}\n[1,"fleet",{"type":"x"}]\n`, 'damaged'],
  ])('with %s is refused', async (_, text, fault) => {
    expect(await fromFile(await gzip(text), options)).toEqual({ ok: false, fault })
  })

  it('that is not compressed is refused', async () => {
    expect(await fromFile(new Blob([header]), options)).toEqual({ ok: false, fault: 'not-a-recording' })
  })

  it('that is cut off is refused', async () => {
    const whole = await toFile(recordingOf({ type: 'a' }, { type: 'b' }), { ...options, ...plain })
    expect(await fromFile(whole.slice(0, whole.size - 12), options)).toMatchObject({ ok: false })
  })

  it('that expands beyond the limit is refused before it fills the memory', async () => {
    const bomb = await gzip(`${header}\n${' '.repeat(3_000_000)}`)
    expect(bomb.size).toBeLessThan(10_000)
    expect(await fromFile(bomb, { ...options, limits: { file: 100_000, text: 1_000_000 } })).toEqual({
      ok: false,
      fault: 'too-large',
    })
    expect(await fromFile(bomb, { ...options, limits: { file: 1000, text: 1_000_000 } })).toEqual({
      ok: false,
      fault: 'too-large',
    })
  })

  it('of one long line is refused in linear time', async () => {
    const file = await gzip(`${header}\n${checkpointLine}\n${'x'.repeat(50_000_000)}`)
    const begun = process.cpuUsage()
    expect(await fromFile(file, options)).toEqual({ ok: false, fault: 'damaged' })
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000)
  })

  it('with more events than its header reports is refused before they fill the memory', async () => {
    const event = '[1,"fleet",{"type":"x"}]\n'
    expect(await fromFile(await gzip(`${header}\n${checkpointLine}\n${event.repeat(3)}`), options)).toEqual({
      ok: false,
      fault: 'damaged',
    })
  })
})

describe('the codec', () => {
  it('restores every value that a recording can hold', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.float32Array({ maxLength: 5 }),
    )
    const key = fc.string().filter(name => !['__proto__', 'constructor', 'prototype'].includes(name))
    const value = fc.letrec(tie => ({
      any: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('any')),
        fc.dictionary(key, tie('any'), { noNullPrototype: true }),
        fc.array(fc.tuple(leaf, tie('any'))).map(pairs => new Map(pairs)),
        fc.array(leaf).map(items => new Set(items)),
      ),
    })).any
    fc.assert(
      fc.property(value, input => {
        expect(decode(JSON.parse(JSON.stringify(encode(input, []))), [])).toEqual(input)
      }),
    )
  })

  it('throws nothing but UnreadableRecording', () => {
    fc.assert(
      fc.property(fc.jsonValue(), json => {
        try {
          decode(json, [])
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableRecording)
        }
      }),
    )
  })

  it.each(['A', 'A===', '==', 'AA=', 'AAAAA', 'AA AA', 'AAAA'])('refuses %j as a list of numbers', text => {
    for (const kind of ['f', 'w']) expect(() => decode([kind, text], [])).toThrow(UnreadableRecording)
  })

  it('refuses deep nesting', () => {
    expect(() => decode(JSON.parse(`${'["a",'.repeat(500)}1${']'.repeat(500)}`), [])).toThrow(UnreadableRecording)
  })
})
