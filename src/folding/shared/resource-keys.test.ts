import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditsKey, partsOfKey, cachePolicyOf, projectKey, userKey } from './resource-keys.ts'

describe('the key of a remote value', () => {
  it('round-trips any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (name, team) => {
        expect(partsOfKey(userKey(name, team))).toEqual(['user', name, String(team)])
      }),
      { examples: ['.', '..', 'a/b', '%2F', ''].map(name => [name, 0]) },
    )
    expect(partsOfKey(creditsKey({ project: 1, run: 2, clone: 3, gen: 4 }))).toEqual(['credits', '1', '2', '3', '4'])
    expect(partsOfKey('news')).toEqual(['news'])
  })

  it('has a cache policy [7.2, 7.3, 7.24, 7.25, 9.10, 9.11, 9.12, 9.13]', () => {
    expect(cachePolicyOf(projectKey(1))).toMatchObject({ freshFor: 86_400_000, isPersonal: false })
    const hours = (['version', 'causes', 'team/5', userKey('Ada', 0)] as const).map(
      key => cachePolicyOf(key).freshFor / 3_600_000,
    )
    expect(hours).toEqual([24, 24, 1, 1])
    expect(cachePolicyOf('credits/1/2/3/4').freshFor).toBe(600_000)
    expect(cachePolicyOf(userKey('Ada', 0))).toMatchObject({ freshFor: 3_600_000, isPersonal: true })
    expect(cachePolicyOf('news')).toMatchObject({ freshFor: 3_600_000, keptFor: 86_400_000, retryDelay: 3_600_000 })
  })
})
