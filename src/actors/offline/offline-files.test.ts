import { describe, expect, it } from 'vitest'
import { isSameVersion, outdatedCaches, textsOfLanguages } from './offline-files.ts'

function pageOf(script: string, settings = ''): string {
  return `<head>${settings}<script type="module" crossorigin src="${script}"></script></head>`
}

describe('a page', () => {
  it('is of the same version when it starts the same scripts, whatever its settings are', () => {
    const page = pageOf('/assets/index-a.js')
    expect(isSameVersion(pageOf('/assets/index-a.js', '<meta name="foldboard:api-url" content="x">'), page)).toBe(true)
    expect(isSameVersion(pageOf('/assets/index-b.js'), page)).toBe(false)
    expect(isSameVersion(page + pageOf('/assets/more.js'), page)).toBe(false)
  })

  it('without scripts, such as the login page of a network, is of no version', () => {
    expect(isSameVersion('<p>Log in</p>', '<p>Log in</p>')).toBe(false)
  })
})

it('keeps the stores of a version and of the one before it', () => {
  expect(outdatedCaches(['a', 'b', 'c'], 'c')).toEqual(['a'])
  expect(outdatedCaches(['a', 'b', 'c'], 'a')).toEqual(['b'])
  expect(outdatedCaches(['a', 'b'], 'b')).toEqual([])
  expect(outdatedCaches(['a'], 'a')).toEqual([])
})

it('stores the texts of the languages that another version stored, and of no other', () => {
  const files = ['de', 'pt-BR'].flatMap(code => ['first', 'rest'].map(group => `/assets/texts-${code}-${group}-b2.js`))
  const stored = ['https://host/assets/texts-pt-BR-first-a1.js', 'https://host/assets/index-c3.js']
  expect(textsOfLanguages(files, stored)).toEqual(['/assets/texts-pt-BR-first-b2.js', '/assets/texts-pt-BR-rest-b2.js'])
  expect(textsOfLanguages(files, [])).toEqual([])
})
