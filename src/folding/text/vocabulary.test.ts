import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedId, boundedKey, boundedText, LONGEST_NAME } from './vocabulary.ts'

const ids = ['Gc2-uk_vTzX0', 'puppet-id', 'gpu:01:00:00', '127.0.0.1:7396', '#7 2027-01-01T00:00:00Z']
const texts = fc.string({ unit: 'binary', maxLength: 500 })

test('what real clients send stays as it is', () => {
  for (const id of ids.slice(0, 4)) expect(boundedId(id)).toBe(id)
  for (const id of [...ids, '', 'night shift', 'тест 🧬', '<b>"/../']) {
    expect(boundedKey(id)).toBe(id)
    expect(boundedText(id)).toBe(id)
  }
})

test('any text becomes well-formed, without NUL, and short, and stays so when it is bounded again', () => {
  fc.assert(
    fc.property(texts, fc.string(), (text, more) => {
      for (const bound of [boundedText, boundedKey, boundedId]) {
        const once = bound(text.repeat(3) + more)
        expect(once.length).toBeLessThanOrEqual(LONGEST_NAME)
        expect(once).not.toContain('\0')
        expect(Buffer.from(once, 'utf8').toString('utf8')).toBe(once)
        expect(bound(once)).toBe(once)
      }
      expect(boundedId(text)).not.toMatch(/[\s~]/)
    }),
  )
})

test('different ids stay different, however long they are and wherever they differ', () => {
  const long = 'x'.repeat(6000)
  const all = [long, `${long}a`, `a${long}`, `${long}b`, 'a b', 'a-b', 'a~b', 'a\0', 'a', 'a\ud800', 'a\udc00']
  expect(new Set(all.map(boundedId)).size).toBe(all.length)
  expect(new Set(all.map(text => boundedKey(text))).size).toBe(all.length)
})
