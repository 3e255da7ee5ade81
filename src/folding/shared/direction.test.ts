import { setupI18n } from '@lingui/core'
import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'
import { isolated, isolateValues, isRightToLeft } from './direction.ts'

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

describe('the direction of the chosen locale', () => {
  it.each([
    ['fa', true],
    ['fa-IR', true],
    ['he', true],
    ['ar-XB', true],
    ['de', false],
    ['fil', false],
    ['en-US', false],
  ])('%s', (locale, expected) => {
    i18n.loadAndActivate({ locale, messages: {} })
    expect(isRightToLeft()).toBe(expected)
  })

  it('is that of the first one for formats', () => {
    i18n.loadAndActivate({ locale: 'en', locales: ['fa', 'en'], messages: {} })
    expect(isRightToLeft()).toBe(true)
  })
})

describe('texts within messages', () => {
  const texts = setupI18n({ locale: 'fa', messages: { fa: { greet: 'سلام {name}، {count}' } } })
  isolateValues(texts)

  it('have a direction of their own, and numbers have none to keep', () => {
    expect(texts._('greet', { name: 'node-1 (a)', count: 3 })).toBe(`سلام ${isolated('node-1 (a)')}، 3`)
    expect(texts._({ id: 'greet', values: { name: 'x', count: 3 } })).toBe(`سلام ${isolated('x')}، 3`)
  })

  it('are as they are when they are empty or a number', () => {
    expect(texts._('greet', { name: '', count: 3 })).toBe('سلام ، 3')
    expect(texts._('greet', { name: '۱٬۲۳۴٫۵', count: 3 })).toBe('سلام ۱٬۲۳۴٫۵، 3')
  })
})
