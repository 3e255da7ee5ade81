// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { AttentionSettings } from './attention-settings.tsx'

afterEach(cleanup)

function open() {
  const testSystem = startTestSystem()
  const { incidents } = testSystem.system
  incidents.send({ type: 'incidents.open' })
  incidents.send({ type: 'incidentStore.loaded', incidents: [], preferences: undefined })
  renderScreen(testSystem, <AttentionSettings />)
  return { incidents, preferences: () => incidents.getSnapshot().context.preferences }
}

it('a threshold counts as it is typed, and a rule until it is switched off', () => {
  const { preferences } = open()
  const field = screen.getByLabelText('Work units fail in a row: Failed units in a row')
  fireEvent.change(field, { target: { value: '1' } })
  expect(preferences().thresholds).toEqual({ 'failing.count': 1 })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Work units fail in a row' }))
  expect(preferences().disabled).toEqual(['failing'])
})

it('notifications need the permission of the browser, and can be tried then', () => {
  const { incidents, preferences } = open()
  const tries = () => screen.queryByRole('button', { name: 'Show one now' })
  fireEvent.click(screen.getByRole('switch', { name: 'Notify me of incidents' }))
  expect(preferences().notifies).toBe(true)
  expect(incidents.getSnapshot().hasTag('asking')).toBe(true)
  expect(tries()).toBe(null)
  act(() => incidents.send({ type: 'notifier.permission', permission: 'granted' }))
  expect(tries()).not.toBeNull()
  act(() => incidents.send({ type: 'notifier.permission', permission: 'denied' }))
  expect(screen.getByText(/^This browser was told not to show notifications/)).toBeTruthy()
})
