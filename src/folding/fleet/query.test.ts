import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { emptySummary } from '../client/totals.ts'
import { clientFacts, NO_EXTRA_FACTS, type ClientFacts } from './client-facts.ts'
import {
  compileQuery,
  hasValue,
  isNarrower,
  LONGEST_QUERY,
  parseQuery,
  printQuery,
  queryFaultText,
  withoutTerm,
  withToggledValue,
  type QueryTerm,
} from './query.ts'
import { suggestionsAt, withSuggestion } from './query-suggestions.ts'
import { QUERY_TOKENS } from './query-tokens.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const HOUR = 3_600_000

const blank = clientFacts(
  { id: 'm', isDirect: false, isConnected: true, data: undefined },
  { name: 'm', account: undefined, isTooOld: false, problem: 0, summary: emptySummary },
  NO_EXTRA_FACTS,
  NOW,
)
function factsOf(more: Partial<ClientFacts>): ClientFacts {
  return { ...blank, ...more }
}

const desk = factsOf({
  id: 'd',
  name: 'Desk',
  state: 'folding',
  units: { ...blank.units, running: 2, waiting: 1 },
  unitCount: 3,
  gpus: ['NVIDIA GeForce RTX 4090', 'AMD Radeon'],
  gpusThere: 2,
  pausedAlone: ['GeForce RTX 3060'],
  cpusThere: 16,
  projects: [18_420, 18_500],
  ppd: 400_000,
  usualPpd: 1_000_000,
  pointsDay: 900_000,
  power: { watts: 450, isGuess: false, pointsPerKwh: 37_037, costDay: 3.2, currency: 'EUR' },
  nextFinish: NOW + HOUR / 2,
  deadlineRisk: 'timeout',
  version: '8.5.7',
  os: 'Linux',
  osVersion: '6.18',
  groups: ['', 'night shift'],
  tags: ['attic', 'Fast one'],
  account: 'own',
})
const shed = factsOf({
  id: 's',
  name: 'shed',
  isConnected: false,
  state: 'disconnected',
  problem: 2,
  isTooOld: true,
  offlineSince: NOW - 2 * HOUR,
  version: '8.1.19',
  os: 'Windows',
  cpusThere: 4,
  gpusThere: 0,
  account: 'none',
  incidents: ['unreachable'],
})
const never = factsOf({ id: 'n', name: 'never', isConnected: false, state: 'disconnected', problem: 2 })
const lab = factsOf({
  id: 'l',
  name: 'lab',
  state: 'failed',
  problem: 3,
  failedUnits: 5,
  failedGroups: 1,
  version: '8.4.9',
  ppd: 0,
  tags: ['lab'],
  incidents: ['stopped', 'stalled'],
})
const fleet = [desk, shed, never, lab]

function found(query: string): string {
  return fleet
    .filter(facts => compileQuery(query).matches(facts, NOW))
    .map(({ id }) => id)
    .join('')
}

describe('a query', () => {
  test.each([
    ['', 'dsnl'],
    ['desk', 'd'],
    ['RADEON', 'd'],
    ['18420', 'd'],
    ['night', 'd'],
    ['attic', 'd'],
    ['disconnected', 'sn'],
    ['linux 6.18', 'd'],
    ['linux windows', ''],
    ['-desk', 'snl'],
    ['"fast one"', 'd'],
    ['state:folding', 'd'],
    ['watts:>300', 'd'],
    ['watts:>500', ''],
    ['ppkwh:<50k', 'd'],
    ['state:waiting', 'd'],
    ['state:FAILED', 'l'],
    ['state:folding,failed', 'dl'],
    ['state:folding|disconnected', 'dsn'],
    ['-state:folding', 'snl'],
    ['state:disc', 'sn'],
    ['problem:any', 'snl'],
    ['problem:error', 'l'],
    ['incident:unreachable', 's'],
    ['incident:any', 'sl'],
    ['incident:none', 'dn'],
    ['problem:none', 'd'],
    ['name:es', 'd'],
    ['gpu:4090', 'd'],
    ['gpu:none', 'snl'],
    ['gpu:"rtx 4090"', 'd'],
    ['gpus:>1', 'd'],
    ['paused:3060', 'd'],
    ['paused:any', 'd'],
    ['-paused:none', 'd'],
    ['cpus:>=4', 'ds'],
    ['cpus:16', 'd'],
    ['project:18420', 'd'],
    ['project:>18490', 'd'],
    ['project:1842', ''],
    ['version:<8.5', 'sl'],
    ['version:8.5', 'd'],
    ['version:>8.5', ''],
    ['version:<=8.5', 'dsl'],
    ['version:8.4.9', 'l'],
    ['version:>=8.4.9', 'dl'],
    ['os:lin', 'd'],
    ['group:night', 'd'],
    ['group:default', 'd'],
    ['tag:ATTIC', 'd'],
    ['tag:att', ''],
    ['tag:"fast one"', 'd'],
    ['tag:none', 'sn'],
    ['tag:lab tag:attic', ''],
    ['tag:lab,attic', 'dl'],
    ['ppd:<50%', 'd'],
    ['ppd:>0.3M', 'd'],
    ['ppd:400k', 'd'],
    ['ppd:0', 'snl'],
    ['points:>=900k', 'd'],
    ['units:3', 'd'],
    ['failed:>0', 'l'],
    ['offline:>1h', 'sn'],
    ['offline:>3h', 'n'],
    ['offline:2h', 'sn'],
    ['offline:<3h', 's'],
    ['eta:1h', 'd'],
    ['eta:>1h', ''],
    ['deadline:any', 'd'],
    ['deadline:timeout', 'd'],
    ['account:none', 's'],
    ['account:own', 'dnl'],
    ['old:yes', 's'],
    ['state:', 'dsnl'],
    ['ppd:<', 'dsnl'],
    ['""', 'dsnl'],
    ['state:folding gpu:4090 project:18420 version:<8.6 tag:attic ppd:<50%', 'd'],
  ])('%s', (query, ids) => {
    expect({ faults: compileQuery(query).faults, found: found(query) }).toEqual({ faults: [], found: ids })
  })

  test.each([
    ['colour:red', 'unknownKey', ''],
    ['host:7396', 'unknownKey', ''],
    ['state:walking', 'badValue', ''],
    ['-ppd:many', 'badValue', 'dsnl'],
    ['version:new', 'badValue', ''],
    ['offline:soon', 'badValue', ''],
    ['units:50%', 'badValue', ''],
    ['constructor:x', 'unknownKey', ''],
    ['state:constructor', 'badValue', ''],
  ])('that says nothing is read as text, and says why: %s', (query, kind, ids) => {
    const { faults } = compileQuery(query)
    expect({ faults: faults.map(fault => fault.kind), found: found(query) }).toEqual({ faults: [kind], found: ids })
    expect(faults.map(queryFaultText).join()).toContain('is')
  })

  it('of a wrong key finds a client that is called so', () => {
    expect(compileQuery('host:7396').matches(factsOf({ name: 'host:7396' }), NOW)).toBe(true)
  })

  it('is read up to a length', () => {
    expect(parseQuery('a'.repeat(LONGEST_QUERY + 9)).map(({ values }) => values[0]?.length)).toEqual([LONGEST_QUERY])
  })
})

const termArbitrary = fc.record({
  key: fc.option(fc.stringMatching(/^[a-z]{1,8}$/), { nil: undefined }),
  values: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  isNegated: fc.boolean(),
})
function bare({ key, values, isNegated }: QueryTerm): QueryTerm {
  return { key, values, isNegated }
}

describe('parsing', () => {
  it('agrees with printing', () => {
    fc.assert(
      fc.property(fc.array(termArbitrary, { maxLength: 5 }), terms => {
        const printable = terms.map(term =>
          term.key === undefined ? { ...term, values: term.values.slice(0, 1) } : term,
        )
        const text = printQuery(printable)
        fc.pre(text.length <= LONGEST_QUERY)
        expect(parseQuery(text).map(bare)).toEqual(printable)
      }),
    )
  })

  it('reads any text, and prints what means the same', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('-', 'a', 'b', ':', '"', '\\', ',', '|', ' ', '<', '>', '=', '0', '9', '%'),
        maxLength: 40,
      }),
    )
    fc.assert(
      fc.property(texts, text => {
        const terms = parseQuery(text)
        expect(terms.every(({ start, end }) => start < end && end <= text.length)).toBe(true)
        const printed = printQuery(terms)
        fc.pre(printed.length <= LONGEST_QUERY)
        expect(parseQuery(printed).map(bare)).toEqual(terms.map(bare))
        for (const facts of fleet) compileQuery(text).matches(facts, NOW)
      }),
    )
  })

  it('knows where terms are', () => {
    const text = ' desk  -tag:"fast one",x '
    expect(parseQuery(text).map(({ start, end }) => text.slice(start, end))).toEqual(['desk', '-tag:"fast one",x'])
  })
})

describe('a token', () => {
  test.each([...QUERY_TOKENS.values()])('has an example and values that can be searched for: $key', token => {
    expect(compileQuery(token.example)).toMatchObject({ faults: [], terms: [{ key: token.key }] })
    const values = [...(token.choices ?? []).map(({ value }) => value), ...fleet.flatMap(token.valuesOf ?? (() => []))]
    expect(values.filter(value => token.compile(value) === undefined)).toEqual([])
  })

  test.each([...QUERY_TOKENS.values()].filter(({ valuesOf }) => valuesOf !== undefined))(
    'finds each client by the values it suggests: $key',
    token => {
      for (const facts of fleet)
        for (const value of token.valuesOf?.(facts) ?? [])
          expect(found(printQuery([{ key: token.key, values: [value], isNegated: false }]))).toContain(facts.id)
    },
  )
})

describe('changing a query by a button', () => {
  it('adds, joins and removes a value', () => {
    expect(withToggledValue('desk', 'state', 'paused')).toBe('desk state:paused')
    expect(withToggledValue('state:paused x', 'state', 'waiting')).toBe('state:paused,waiting x')
    expect(withToggledValue('state:Paused,waiting x', 'state', 'paused')).toBe('state:waiting x')
    expect(withToggledValue('state:paused x', 'state', 'paused')).toBe('x')
  })

  it('does not take an excluded value for a wanted one', () => {
    expect(hasValue('-state:paused', 'state', 'paused')).toBe(false)
    expect(withToggledValue('-state:paused', 'state', 'paused')).toBe('-state:paused state:paused')
  })

  it('removes one of two equal terms', () => {
    const [, second] = parseQuery('x tag:a tag:a')
    if (second === undefined) throw new Error('There is no second term.')
    expect(withoutTerm('x tag:a tag:a', second)).toBe('x tag:a')
  })
})

describe('suggestions', () => {
  const titles = (text: string, cursor = text.length) =>
    suggestionsAt(text, cursor, fleet).items.map(({ text: suggested, hint }) => `${suggested} ${hint}`)

  it('are keys with their help in an empty field and after a space', () => {
    expect(titles('')[0]).toBe('state: Machines in this state, or with a work unit in it.')
    expect(titles('desk ')[0]).toBe('state: Machines in this state, or with a work unit in it.')
  })

  it('are the values that clients have now, with counts, most frequent first', () => {
    expect(titles('version:')).toEqual([
      'version:8.1.19 1 machine',
      'version:8.4.9 1 machine',
      'version:8.5.7 1 machine',
    ])
    expect(titles('state:dis')).toEqual(['state:disconnected 2 machines'])
    expect(titles('tag:fa')).toEqual(['tag:"Fast one" 1 machine'])
  })

  it('count what the clients have after some of them changed, joined or left', () => {
    const counts = (clients: readonly ClientFacts[]) =>
      suggestionsAt('version:', 8, clients).items.map(({ text, hint }) => `${text} ${hint}`)
    const updated = factsOf({ ...desk, version: '8.4.9' })
    expect(counts(fleet)).toContain('version:8.5.7 1 machine')
    expect(counts(fleet.map(client => (client === desk ? updated : client)))).toEqual([
      'version:8.4.9 2 machines',
      'version:8.1.19 1 machine',
    ])
    expect(counts([desk, updated, desk, desk])).toEqual(['version:8.5.7 3 machines', 'version:8.4.9 1 machine'])
    expect(counts([])).toEqual([])
  })

  it('keep the alternatives that are written already', () => {
    expect(titles('state:failed,dis')).toEqual(['state:failed,disconnected 2 machines'])
    expect(titles('-tag:lab,la')).toEqual([])
  })

  it('find keys and values by a word', () => {
    expect(titles('ta')).toContain('tag: Machines with this tag; “none” for those without tags.')
    expect(titles('4090')).toEqual(['gpu:"NVIDIA GeForce RTX 4090" 1 machine'])
  })

  it('are for the term at the cursor, and replace it alone', () => {
    const text = 'desk sta x'
    const suggestions = suggestionsAt(text, 8, fleet)
    const [first] = suggestions.items
    if (first === undefined) throw new Error('Nothing is suggested.')
    expect(withSuggestion(text, suggestions, first)).toEqual({ text: 'desk state: x', cursor: 11 })
    const complete = { ...first, text: 'state:paused', isComplete: true }
    expect(withSuggestion(text, suggestions, complete)).toEqual({ text: 'desk state:paused x', cursor: 18 })
    expect(withSuggestion('st', { items: [], start: 0, end: 2 }, complete)).toEqual({
      text: 'state:paused ',
      cursor: 13,
    })
  })
})

describe('a query that is narrower than another', () => {
  const isNarrowerThan = (text: string, before: string): boolean => isNarrower(compileQuery(text), compileQuery(before))

  it('has longer words or more terms', () => {
    expect(isNarrowerThan('de', 'd')).toBe(true)
    expect(isNarrowerThan('state:folding desk', 'state:folding de')).toBe(true)
    expect(isNarrowerThan('desk -tag:attic', 'desk')).toBe(true)
  })

  it('has no other terms instead, and none that excludes less', () => {
    expect(isNarrowerThan('d', 'de')).toBe(false)
    expect(isNarrowerThan('-de', '-d')).toBe(false)
    expect(isNarrowerThan('state:folding', 'state:f')).toBe(false)
    expect(isNarrowerThan('state:paused,folding', 'state:paused')).toBe(false)
    expect(isNarrowerThan('desk', 'shed')).toBe(false)
  })

  test('finds nothing that the other does not find', () => {
    const words = fc.constantFrom(
      'd',
      'de',
      'desk',
      '-d',
      '-de',
      'tag:a',
      'tag:attic',
      'state:f',
      'state:folding',
      's',
      '',
    )
    const texts = fc.array(words, { maxLength: 3 }).map(parts => parts.join(' '))
    fc.assert(
      fc.property(texts, texts, (text, before) => {
        fc.pre(isNarrowerThan(text, before))
        for (const client of [desk, shed])
          expect(compileQuery(text).matches(client, NOW) && !compileQuery(before).matches(client, NOW)).toBe(false)
      }),
    )
  })
})

it('takes numbers in the digits of other scripts', () => {
  expect(found('project:۱۸۴۲۰ ppd:>=۳۰۰k eta:<۲h')).toBe('d')
  expect(found('project:۱۸۴۲۱')).toBe('')
})
