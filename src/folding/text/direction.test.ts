import { i18n, setupI18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'
import { isolated, isolateValues, isRightToLeft } from './direction.ts'

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

describe('the direction of the chosen locale', () => {
  it.each([
    ['fa', true],
    ['fa-IR', true],
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

  it('have a direction of their own [13.4]', () => {
    expect(texts._('greet', { name: 'node-1 (a)', count: 3 })).toBe(`سلام ${isolated('node-1 (a)')}، 3`)
    expect(texts._({ id: 'greet', values: { name: 'x', count: 3 } })).toBe(`سلام ${isolated('x')}، 3`)
  })

  it('beside numbers, which have the digits of the locale and choose the plural', () => {
    i18n.loadAndActivate({ locale: 'fa', messages: {} })
    expect(texts._('greet', { name: 'x', count: 1234.5 })).toBe(`سلام ${isolated('x')}، ۱۲۳۴٫۵`)
    const plural = '{count, plural, =0 {none of {all}} one {# of {all}} other {# of them all, {all}}}'
    const shown = [0, 1, 5].map(count => texts._({ id: 'many', message: plural, values: { count, all: 20 } }))
    expect(shown).toEqual(['none of ۲۰', '۱ of ۲۰', '۵ of them all, ۲۰'])
  })

  it('are as they are when they are empty or a number', () => {
    expect(texts._('greet', { name: '', count: 3 })).toBe('سلام ، 3')
    expect(texts._('greet', { name: '۱٬۲۳۴٫۵', count: 3 })).toBe('سلام ۱٬۲۳۴٫۵، 3')
  })
})
