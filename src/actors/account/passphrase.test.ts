import { describe, expect, it } from 'vitest'
import { checkPassphrase } from '../../folding/shared/validation.ts'
import { generatePassphrase } from './passphrase.ts'
import { words } from './words.ts'

describe('the words of a passphrase', () => {
  it('are 2048 different ones of three to eight plain letters', () => {
    expect(words.length).toBe(2048)
    expect(new Set(words).size).toBe(2048)
    expect(words.filter(word => !/^[a-z]{3,8}$/.test(word))).toEqual([])
  })
})

describe('a generated passphrase', () => {
  it('is six of the words, another six each time, and long enough [5.11]', () => {
    const made = Array.from({ length: 200 }, generatePassphrase)
    const wordSet = new Set(words)
    for (const passphrase of made) {
      expect(passphrase.split(' ').filter(word => wordSet.has(word))).toHaveLength(6)
      expect(checkPassphrase(passphrase)).toBeUndefined()
    }
    expect(new Set(made).size).toBe(200)
  })
})
