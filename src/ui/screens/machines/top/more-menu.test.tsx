// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { selectPreferences } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { MoreMenu } from './more-menu.tsx'

afterEach(cleanup)

it('shows machines that were hidden again', async () => {
  const testSystem = startTestSystem()
  const { fleet, preferences } = testSystem.system
  testSystem.receiveSnapshot({ info: { version: '8.5.7', id: 'abc' }, config: {}, groups: {}, units: [] })
  act(() => testSystem.disconnect())
  const putAway = { abc: Number.MAX_SAFE_INTEGER }
  act(() => {
    preferences.send({ type: 'preferences.change', change: { putAway } })
    // As the app routes `preferences.saved`.
    fleet.send({ type: 'fleet.chosen', choices: { putAway } })
  })
  renderScreen(testSystem, <MoreMenu />)
  fireEvent.click(screen.getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Show hidden machines (1)' }))
  expect(selectPreferences(preferences.getSnapshot()).putAway).toEqual({})
})
