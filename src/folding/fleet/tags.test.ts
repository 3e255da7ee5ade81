import { describe, expect, it } from 'vitest'
import {
  LONGEST_TAG,
  MAX_TAGGED_CLIENTS,
  MAX_TAGS,
  MAX_TAGS_PER_MACHINE,
  namedGroup,
  nameKey,
  ownNamesIn,
  parseTags,
  readTagsFile,
  tagCounts,
  tagOf,
  tagsOfClient,
  type Tags,
  withImportedTags,
  withoutTag,
  withTag,
  withTagRenamed,
  writeTagsFile,
} from './tags.ts'

function many(count: number): Tags {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, ['t']]))
}

describe('tags', () => {
  it('are trimmed and shortened', () => {
    expect(tagOf('  top\tshelf ')).toBe('top shelf')
    expect(tagOf('x'.repeat(99))?.length).toBe(LONGEST_TAG)
    expect(tagOf(' ')).toBeUndefined()
  })

  it('and own names of GPUs and groups are apart, in one file', () => {
    const [gpu, group] = [nameKey('m', 'gpu:01:00:00'), nameKey('m', namedGroup(''))]
    const tags = { m: ['left'], [gpu]: ['Left'], [group]: ['Day and night'] }
    const names = [
      { of: 'gpu:01:00:00', tag: 'Left' },
      { of: 'group:', tag: 'Day and night' },
    ]
    expect(ownNamesIn(tags)).toEqual({ m: names })
    expect(ownNamesIn(tags)).toBe(ownNamesIn(tags))
    expect(tagCounts(tags)).toEqual([{ tag: 'left', machines: 1 }])
    expect(withTagRenamed(tags, 'left', 'right')).toEqual({ ...tags, m: ['right'] })
    expect(readTagsFile(writeTagsFile(tags))).toEqual(tags)
  })

  it('of a client without any are always the same list', () => {
    expect(tagsOfClient({}, 'constructor')).toBe(tagsOfClient({ a: ['x'] }, undefined))
  })

  it('are limited per client and in all', () => {
    const tags = Array.from({ length: MAX_TAGS_PER_MACHINE + 3 }).reduce<Tags>(
      (all, _, index) => withTag(all, ['m'], `tag ${index}`),
      {},
    )
    expect(tags['m']?.length).toBe(MAX_TAGS_PER_MACHINE)
    const full = many(MAX_TAGGED_CLIENTS)
    expect(withTag(full, ['new'], 'x')).toBe(full)
    expect(withTag(full, ['m0'], 'x')['m0']).toEqual(['t', 'x'])
  })

  it('of all clients together have a bound: what is beyond it is left out', () => {
    const each = Array.from({ length: MAX_TAGS_PER_MACHINE }, (_, index) => `t${index}`)
    const file = Object.fromEntries(Array.from({ length: MAX_TAGS / each.length + 1 }, (_, at) => [`m${at}`, each]))
    const { [`m${MAX_TAGS / each.length}`]: beyond, ...full } = file
    expect(beyond).toEqual(each)
    expect(parseTags(file)).toEqual(full)
    expect(withTag(full, ['new'], 'x')).toBe(full)
    expect(withTag(withoutTag(full, ['m0'], 't0'), ['new', 'newer'], 'x')).toHaveProperty('new', ['x'])
    expect(withTag(withoutTag(full, ['m0'], 't0'), ['new', 'newer'], 'x')).not.toHaveProperty('newer')
  })

  it('are counted regardless of case', () => {
    expect(tagCounts({ a: ['Lab', 'x'], b: ['lab'] })).toEqual([
      { tag: 'Lab', machines: 2 },
      { tag: 'x', machines: 1 },
    ])
  })

  it('of thousands of clients are merged', () => {
    const file = many(5000)
    expect(withImportedTags({ m0: ['a'] }, file, 'merge')).toEqual({ ...file, m0: ['a', 't'] })
  })
})

describe('files of tags', () => {
  it('hold what was exported', () => {
    const tags = { a: ['attic', 'fast one'], b: ['x'] }
    expect(readTagsFile(writeTagsFile(tags))).toEqual(tags)
  })

  it('hold only what is valid', () => {
    const tags = JSON.parse('{"a":["x","X",7,""," y "],"b":[],"c":"text","__proto__":["z"],"":["z"]}') as unknown
    expect(readTagsFile(JSON.stringify({ format: 'foldboard-tags', tags }))).toEqual({ a: ['x', 'y'] })
  })

  it('of another kind are refused', () => {
    for (const each of ['', '[]', '{"tags":{}}', '{"format":"foldboard-tags","tags":[]}'])
      expect(readTagsFile(each), each).toBeUndefined()
    expect(readTagsFile(' '.repeat(6_000_000))).toBeUndefined()
    expect(parseTags(null)).toBeUndefined()
  })
})
