import { describe, expect, it } from 'vitest'
import { compareVersions, isAtLeast, parseVersion } from './version.ts'

describe('A version', () => {
  it.each<[unknown, unknown]>([
    ['8.5.7', [8, 5, 7]],
    ['v8.5.7', [8, 5, 7]],
    ['8.5.7-beta', [8, 5, 7]],
    [
      [8, 4, 9],
      [8, 4, 9],
    ],
    ['8.10.0', [8, 10, 0]],
    ['8.5', undefined],
    ['', undefined],
    ['x', undefined],
    [[8, 5], undefined],
    [[8, 5, '7'], undefined],
    [undefined, undefined],
    [8.5, undefined],
  ])('reads %j as %j', (text, version) => {
    expect(parseVersion(text)).toEqual(version)
  })

  it('is compared number by number', () => {
    const versions = ['8.10.0', '8.3.1', '8.4.9', '7.6.21'].map(text => parseVersion(text) ?? ([0, 0, 0] as const))
    expect(versions.sort(compareVersions)).toEqual([
      [7, 6, 21],
      [8, 3, 1],
      [8, 4, 9],
      [8, 10, 0],
    ])
  })

  it('is at least another when it is that one or newer; an unknown one never is', () => {
    expect(['8.3.0', '8.10.0', '8.2.9', undefined, '?'].filter(version => isAtLeast(version, '8.3.0'))).toEqual([
      '8.3.0',
      '8.10.0',
    ])
  })
})
