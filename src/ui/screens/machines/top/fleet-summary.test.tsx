// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { FleetSummary } from './fleet-summary.tsx'

afterEach(cleanup)

it('counts the points per day of a machine for 5 minutes after it went, and says since when it is gone [2.11, 4.6]', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
    config: {},
    groups: { '': { config: { cpus: 8 } } },
    units: [{ id: 'u1', number: 1, group: '', state: 'RUN', cpus: 8, ppd: 1000 }],
  })
  renderScreen(testSystem, <FleetSummary />)
  const shownAfter = (seconds: number): string => {
    act(() => testSystem.advance(seconds * 1000))
    return screen.getByRole('table', { name: 'All machines' }).textContent
  }
  expect(shownAfter(0)).toMatch(/1,000$/)
  act(testSystem.disconnect)
  expect(shownAfter(180)).toMatch(/1,000includes 1 not seen for 3m 0s$/)
  expect(shownAfter(120)).not.toMatch(/1,000|includes/)
})

it('says as of when the totals are while the state of a machine is requested from time to time', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({ info: { version: '8.5.7', id: 'abc' }, config: {}, groups: {}, units: [] })
  renderScreen(testSystem, <FleetSummary />)
  const at = testSystem.system.clock.getSnapshot().context.now
  const date = (asOf: number | undefined): string => {
    act(() => testSystem.client().send({ type: 'link.dated', at, asOf }))
    act(() => testSystem.advance(1000))
    return screen.getByRole('table', { name: 'All machines' }).textContent
  }
  expect(date(at - 14_000)).toMatch(/as of 15 s ago$/)
  expect(date(undefined)).not.toContain('as of')
})

it('gives the focus of a count that goes to the screen', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
    config: {},
    groups: { '': { config: { cpus: 8 } } },
    units: [{ id: 'u1', number: 1, group: '', state: 'RUN', cpus: 8, ppd: 1000 }],
  })
  renderScreen(
    testSystem,
    <main id="main">
      <h1 tabIndex={-1}>Machines</h1>
      <FleetSummary />
    </main>,
  )
  act(() => screen.getByRole('button', { name: '1 running' }).focus())
  act(() => testSystem.receiveChanges(['units', 0, 'state', 'UPLOAD']))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Machines' })))
})

it('counts machines whose work units fail, not the failures of their groups', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
    config: {},
    groups: { '': { config: {}, failed_wus: 2 }, night: { config: {}, lost_wus: 3 } },
    units: [],
  })
  renderScreen(testSystem, <FleetSummary />)
  expect(screen.getByRole('button', { name: /failing$/ }).textContent).toBe('1 machine failing')
})
