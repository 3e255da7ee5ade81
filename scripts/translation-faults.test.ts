import { expect, test } from 'vitest'
import { translationFaults } from './translation-faults.ts'

const units = '{count, plural, one {# work unit of {name}} other {# work units of {name}}}'

test.each([
  ['de', 'Group {group} waits', 'Gruppe {group} wartet'],
  ['de', units, '{count, plural, one {# Einheit von {name}} other {# Einheiten von {name}}}'],
  ['ja', units, '{name} のワークユニット {count, plural, other {#}} 件'],
  [
    'pl',
    '{n, plural, one {# day} other {# days}}',
    '{n, plural, one {# dzień} few {# dni} many {# dni} other {# dnia}}',
  ],
  ['fr', 'See <0>here</0>', 'Voir <0>ici</0>'],
  ['fa', '{n, plural, =0 {none} one {#} other {#}}', '{n, plural, =0 {هیچ} one {#} other {#}}'],
])('%s: %s may be %s', (locale, message, translation) => {
  expect(translationFaults(locale, message, translation)).toEqual([])
})

test.each([
  ['de', 'Group {group} waits', 'Gruppe wartet', 'placeholders: group became none'],
  ['de', 'Waits', 'Wartet auf {name}', 'placeholders: none became name'],
  ['de', 'See <0>here</0>', 'Siehe <0>hier', 'tags: </0> <0> became <0>'],
  ['de', 'Group {group}', "Gruppe '{group}'", 'an apostrophe before a brace quotes it: use ’'],
  ['de', 'Group {group}', 'Gruppe {group', 'no valid message'],
  ['de', 'Group', 'Gruppe }', 'no valid message'],
  ['pl', '{n, plural, one {# day} other {# days}}', '{n, plural, one {#} other {#}}', 'plural of n lacks few, many'],
  ['ja', '{n, plural, one {# day} other {# days}}', '{n, plural, one {#} other {#}}', 'plural of n has unknown one'],
  ['ja', '{n, plural, one {# day} other {# days}}', '{n, plural, other {日}}', 'plural of n lost its number (#)'],
  ['ja', '{n, plural, one {# day} other {# days}}', '{n} 日', 'plural of n is missing'],
  ['de', '{n} days', '{n, plural, one {#} other {#}}', 'plural of n is not in the original'],
  ['de', '{k, select, a {A} other {B}}', '{k, select, other {B}}', 'branches of k: a other became other'],
])('%s: %s may not be %s', (locale, message, translation, fault) => {
  expect(translationFaults(locale, message, translation)).toEqual([expect.stringContaining(fault)])
})
