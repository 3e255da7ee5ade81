import { expect, it } from 'vitest'
import { isWithin } from './section.ts'

it.each([
  ['/', '/machines'],
  ['/machines', '/machines'],
  ['/abc', '/machines'],
  ['/abc/settings', '/machines'],
  ['/unit/abc', '/wus'],
  ['/stats/power', '/stats'],
  ['/account/teams', undefined],
  ['/attention', undefined],
])('%s belongs to %s in the main menu', (path, section) => {
  const current = ['/machines', '/wus', '/stats', '/projects', '/news'].filter(entry => isWithin(entry, path))
  expect(current).toEqual(section === undefined ? [] : [section])
})
