import { i18n } from '@lingui/core'
import { afterEach, expect, it } from 'vitest'
import { UNIT_COLUMNS } from '../unit/unit-columns.ts'
import { causeTitle, originalOf, withOriginal } from './client-words.ts'

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

it('known causes have a name, and others are shown as they came', () => {
  expect(['any', 'cancer', 'COVID-19', 'lung fibrosis'].map(causeTitle)).toEqual([
    'Any',
    'Cancer',
    'Covid-19',
    'Lung fibrosis',
  ])
})

it('the original of a translated word is told, except in English', () => {
  expect(withOriginal('Paused.', 'Paused')).toBe('Paused.')
  expect(originalOf('Paused')).toBeUndefined()
  i18n.loadAndActivate({ locale: 'de', messages: {} })
  expect(withOriginal('Angehalten.', 'Paused')).toBe('Angehalten. (Paused)')
  expect(originalOf('Paused')).toBe('Paused')
})

it('the tooltip of a state has the words of the client in other languages', () => {
  const detail = UNIT_COLUMNS.find(({ id }) => id === 'status')?.detail
  const unit = { id: 'u', state: 'RUN', pause_reason: 'Pausing on battery' }
  const context = { data: undefined, now: 0, locale: undefined, machine: 'm' }
  expect(detail?.(unit, context)).toBe('The computer runs on battery, and its group does not fold on battery.')
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
  expect(detail?.(unit, context)).toMatch(/\(RUN, Pausing on battery\)$/)
})
