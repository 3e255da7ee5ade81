import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { areRecordingsHere, readRecording, recordingNames } from '../../test/recording.ts'
import { formsOf } from '../../test/end-to-end/leak-detector.ts'
import { toFile } from './file.ts'
import { createCollector, emailsIn } from './known-values.ts'
import { pseudonymsFor } from './pseudonyms.ts'
import { createReplacer } from './replacer.ts'
import type { Recording } from './recording.ts'

const MACHINE = '8NHZu4rlhNjNg76ZorJUhe0KbsBu5Mp3-UbemX_nA8E'

function renameIn(json: unknown, usesPseudonyms = true) {
  const collector = createCollector()
  collector.scan(json)
  return pseudonymsFor(collector, usesPseudonyms)
}

describe('a replacer', () => {
  const replace = createReplacer([
    ["Ada & Zoë O'Neil/+", 'user-1'],
    ['Émile', 'user-2'],
    ['attic desk', 'machine-1'],
    ['adam', 'user-3'],
  ])

  it.each([
    ['plain', `by Ada & Zoë O'Neil/+.`],
    ['in an address', "user/Ada%20%26%20Zo%C3%AB%20O'Neil%2F%2B/42"],
    ['in an address, in small letters', "user/Ada%20%26%20Zo%c3%ab%20O'Neil%2f%2b/42"],
    ['in a query', '?name=Ada+%26+Zo%C3%AB+O%27Neil%2F%2B&x=1'],
    ['twice in an address', "resource:user%2FAda%2520%2526%2520Zo%25C3%25AB%2520O'Neil%252F%252B%2F42"],
    ['in HTML', '<b>Ada &amp; Zoë O&#39;Neil/+</b>'],
    ['in JSON of ASCII', String.raw`{"user":"Ada & Zo\u00eb O'Neil/+"}`],
    ['in base64', Buffer.from("Ada & Zoë O'Neil/+").toString('base64')],
    ['in base64url', Buffer.from("Ada & Zoë O'Neil/+").toString('base64url')],
    ['in capital letters', "ADA & ZOË O'NEIL/+"],
  ])('finds a value that is written %s', (_, text) => {
    const replaced = replace(text)
    expect(replaced).not.toBe(text)
    for (const form of formsOf("Ada & Zoë O'Neil/+")) expect(replaced).not.toContain(form)
    for (const part of ['Neil', 'NEIL', 'Zo']) expect(replaced).not.toContain(part)
  })

  it('finds a value after the letters of an escape', () => {
    for (const before of ['%2F', '%252F', String.raw`\n`, String.raw`\u00e9`, '\u001b[93m', '&lt;', '/home/'])
      expect(replace(`${before}adam x`), before).toBe(`${before}user-3 x`)
    expect(replace('%C3%89mile')).toBe('user-2')
    expect(replace(String.raw`C:\Users\adam`)).toBe(String.raw`C:\Users\user-3`)
  })

  it('leaves other words alone', () => {
    const text = 'madam adamant adam_1 attic attic desks'
    expect(replace(text)).toBe(text)
  })

  it('accepts any value', () => {
    const odd = createReplacer([
      ['\ud800 half', 'user-1'],
      ['', 'user-2'],
      ['$&', 'user-3'],
    ])
    expect(odd('\ud800 half, $&')).toBe('user-1, user-3')
  })
})

describe('direct clients', () => {
  it.each([
    ['the list', { addresses: ['a', { address: 'attic.lan:7396', name: 'Upstairs' }, { address: '10.0.0.7:7396' }] }],
    ['defaults', { otherDefaults: ['a', 'attic.lan:7400/clients/2', '10.0.0.7:7396'], name: 'Upstairs' }],
    [
      'an import',
      {
        type: 'fleet.addClients',
        clients: ['a', { address: 'attic.lan:7396', name: 'Upstairs' }, { address: '10.0.0.7' }],
      },
    ],
    ['a name', ['a', { type: 'fleet.nameClient', address: 'attic.lan:7396', name: 'Upstairs' }, '10.0.0.7']],
    [
      'an address being typed',
      ['a', { type: 'directClients.add', addresses: ['a', 'attic.lan:7396'] }, { name: 'Upstairs' }, '10.0.0.7'],
    ],
  ])('have neither their names nor their addresses in a file: %s', (_, json) => {
    const { text } = renameIn(json)
    const renamed = text('client:@attic.lan:7396 Upstairs http://10.0.0.7:7396/')
    for (const secret of ['attic', 'Upstairs', ...(JSON.stringify(json).includes('10.0.0.7') ? ['10.0.0.7'] : [])])
      expect(renamed).not.toContain(secret)
  })
})

describe('email addresses', () => {
  it('are found in all encodings', () => {
    expect(
      emailsIn('ada@example.org, <Zoë.L+x@ex-ample.co.uk>; mail=g%40b.example&x u%2Fada@h.example a@b @ x@ @y.z'),
    ).toEqual(['ada@example.org', 'Zoë.L+x@ex-ample.co.uk', 'g@b.example', 'ada@h.example'])
  })

  it.each([
    ['letters', 'a'.repeat(100_000)],
    ['signs', '@'.repeat(100_000)],
    ['letters and a sign', `${'a'.repeat(99_999)}@`],
    ['dots', `a@${'a.'.repeat(50_000)}`],
    ['many halves', 'a@a'.repeat(33_333)],
    ['escapes', '%40'.repeat(33_333)],
    ['colons', ':'.repeat(100_000)],
    ['hex', 'f:'.repeat(50_000)],
    ['digits and dots', '1.'.repeat(50_000)],
    ['key', 'MI'.repeat(50_000)],
    ['paths', '/home/'.repeat(16_666)],
    ['teams', 'team '.repeat(20_000)],
    ['users', 'user/a/'.repeat(14_000)],
    ['dashes', '-'.repeat(100_000)],
  ])('and other names are looked for in 100,000 characters of %s in less than a second', (_, text) => {
    const begun = process.cpuUsage()
    renameIn({ text, user: 'aa', name: 'a@a' }).text(text)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1000)
  })
})

describe('pseudonyms', () => {
  it.each(['8', '_', '__', '-'])(
    'replace ids in every saved recording by others of the same form and order, also one that begins with %s',
    beginning => {
      const id = `${beginning}${MACHINE.slice(beginning.length)}`
      const other = `z${MACHINE.slice(1)}`
      const { text } = renameIn({ info: { id, mach_name: 'attic' }, unit: other }, false)
      expect(text(id)).toMatch(/^[\w-]{43}$/)
      expect(text(id) < text(other)).toBe(true)
      expect(text(`fleet/${id}/link`)).toBe(`fleet/${text(id)}/link`)
      expect(text('attic')).toBe('attic')
      const standard = id.replaceAll('-', '+').replaceAll('_', '/')
      for (const form of [
        `${standard}=`,
        encodeURIComponent(`${standard}=`),
        Buffer.from(id, 'base64url').toString('hex'),
        Buffer.from(id).toString('base64'),
      ])
        expect(text(`x ${form} y`), form).not.toContain(form)
    },
  )

  it('keep the ids of connections of this page', () => {
    const ids = ['__direct__', '__direct__2', '@host:7396']
    const { text } = renameIn(
      ids.map(id => ({ id, mach_name: 'attic' })),
      false,
    )
    expect(ids.map(id => text(id))).toEqual(ids)
  })

  it('replace an id of any form that a client gives itself', () => {
    const { text } = renameIn({ info: { id: 'my-machine', mach_name: 'attic' } }, false)
    expect(text('client:my-machine')).toMatch(/^client:id-0+10$/)
  })

  it('replace the public key, which determines an account’s id', () => {
    const pubkey = `MIGfMA0GCSqGSIb3DQEBAQUAA4GN${'ab+/'.repeat(40)}AQAB`
    const { text } = renameIn({ account: { pubkey } }, false)
    expect(text(pubkey)).toBe('public-key-1')
    expect(text(`key=${encodeURIComponent(pubkey)}`)).not.toContain('MIGf')
  })

  it('replaces a public key in a text though a part of it has the length of an id', () => {
    const part = 'x'.repeat(43)
    const pubkey = `MIGfMA0GCSqGSIb3DQEBAQUAA4GN/${part}/${'ab+/'.repeat(20)}AQAB`
    const { text } = renameIn({ account: { id: MACHINE, pubkey } }, false)
    for (const written of [pubkey, `key ${pubkey}, and so on`, `key=${encodeURIComponent(pubkey)}`])
      expect(text(written).replace(/public-key-1/, ''), written).not.toMatch(/MIGf|ab|xxx|id-0/)
    expect(text(`at ${MACHINE}`)).toBe(`at id-${'10'.padStart(40, '0')}`)
  })

  it('replace names of teams, groups, folders, GPUs, and users in paths', () => {
    const { text } = renameIn({
      facts: ['a', { changes: ['a', ['a', 'groups', 'night shift', { paused: true }]] }],
      data: { groups: { Überstunden: {} }, info: { cwd: '/home/lovelace/fah', gpus: {} } },
      teams: [
        'a',
        { team: 42, name: 'Babbage Friends', url: 'https://babbage.example/x', wus: 1, score: 2, logo: 'L' },
      ],
      gpu: { uuid: 'GPU-9d1f0c2e-0000-4000-8000-0000744c0000' },
    })
    for (const [before, after] of [
      ['group night shift paused', 'group group-1 paused'],
      ['Überstunden', 'group-2'],
      ['/home/lovelace/fah', '/path-1'],
      ['in /home/lovelace/other', 'in /home/user-1/other'],
      ['Babbage Friends', 'team-1'],
      ['https://babbage.example/y', 'https://host-1.example/y'],
      ['9d1f0c2e-0000-4000-8000-0000744c0000', '00000000-0000-4000-8000-000000000001'],
    ] as const)
      expect(text(before)).toBe(after)
    expect(text('L', 'logo')).toBe('')
  })

  it('replace numbers of teams, people and runs, which are in public lists', () => {
    const { text, number } = renameIn({})
    expect(number(4242, 'team')).toBe(1)
    expect(number(0, 'team')).toBe(0)
    expect(number(4242, 'team')).toBe(1)
    expect(number(4242, 'cpus')).toBe(4242)
    expect(number(77, 'run')).toBe(1)
    expect(number(12, 'clone')).toBe(1)
    expect(number(5, 'gen')).toBe(5)
    expect(text('team/4242 user/user-1/4242 resource:user%2Fuser-1%2F4242')).toBe(
      'team/1 user/user-1/1 resource:user%2Fuser-1%2F1',
    )
    expect(text('credits/18201/77/12/5')).toBe('credits/18201/1/1/5')
    expect(text('Received P18201 R77 C12 G5; Run 77, Clone 12, Gen 5')).toBe(
      'Received P18201 R1 C1 G5; Run 1, Clone 1, Gen 5',
    )
  })

  it.skipIf(!areRecordingsHere)('leave nothing of a real client or account in a file', async () => {
    const raw = recordingNames().flatMap(name =>
      readRecording(name).flatMap(({ raw: text }) => {
        const json = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : text
        return [{ type: 'link.reported', facts: [{ changes: [json] }], text }]
      }),
    )
    const recording: Recording = {
      checkpoints: [{ seq: 0, at: 0, root: { src: '', id: 'app', systemId: 'app', snapshot: { status: 'active' } } }],
      entries: raw.map((event, seq) => ({ seq, at: seq, to: 'fleet/link', event })),
    }
    const all = JSON.stringify(raw)
    const save = async (usesPseudonyms: boolean): Promise<string> => {
      const file = await toFile(recording, { kinds: [], machines: '', clean: text => text, usesPseudonyms })
      return gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    }
    const ids = new Set(
      [...all.matchAll(/(?:"|\\")(?:id|account)(?:"|\\"):(?:"|\\")([\w-]{43})/g)].map(([, id]) => id ?? ''),
    )
    expect(ids.size).toBeGreaterThan(1)
    const named = await save(false)
    for (const id of ids) expect(formsOf(id).filter(form => named.includes(form))).toEqual([])
    const values = new Set(
      [...all.matchAll(/(?:"|\\")(?:user|cwd|uuid|group)(?:"|\\"):(?:"|\\")([^"\\]{3,})/g)].map(
        ([, value]) => value ?? '',
      ),
    )
    values.delete('Anonymous')
    expect(values.size).toBeGreaterThan(3)
    const unnamed = await save(true)
    for (const value of values) expect(formsOf(value).filter(form => unnamed.includes(form))).toEqual([])
  })
})
