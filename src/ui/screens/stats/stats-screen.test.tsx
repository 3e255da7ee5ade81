// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { signedIn } from '../../../../test/machines/account.ts'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { StatsScreen } from './stats-screen.tsx'

afterEach(cleanup)

it.each([
  ['no team', 0],
  ['a team', 5],
])('leads whoever is signed in to the settings of teams, with %s [2.20]', (_, team) => {
  const { system, ...testSystem } = startTestSystem()
  system.donor.send({ type: 'donor.localChanged', donor: { user: 'Ada', team, secrets: { passkey: '' } } })
  renderScreen({ system, ...testSystem }, <StatsScreen />)
  expect(screen.queryByRole('link', { name: 'Team settings' })).toBeNull()
  act(() => system.account.send({ type: 'account.sessionStarted', signedIn }))
  expect(screen.getByRole('link', { name: 'Team settings' }).getAttribute('href')).toBe('/account/teams')
})
