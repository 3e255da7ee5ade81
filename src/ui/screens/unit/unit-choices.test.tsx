// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { selectPreferences } from '../../../machines/app/preferences/preferences.selectors.ts'
import { openPage } from '../../../../test/ui/page.tsx'
import { startTestSystem } from '../../../../test/ui/test-system.tsx'

afterEach(cleanup)

const machine = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
const ended = { id: 'u1', number: 1, result: 'credited', end_time: '2026-11-20T12:00:00Z', tpf_secs: 900 }

it('leaves a unit that ended out of benchmarks with a reason, and takes it in again [11.6]', async () => {
  const testSystem = startTestSystem()
  const { history } = testSystem.system
  openPage(testSystem, '/unit/u1')
  await waitFor(() => expect(history.getSnapshot().hasTag('loading')).toBe(true), { timeout: 20_000 })
  const unit = { key: 'attic u1', machine: 'attic', unit: ended }
  act(() => history.send({ type: 'store.loaded', excerpt: { units: [unit], machines: [machine] }, cutOffs: {} }))
  const field = await screen.findByRole('textbox', { name: 'Reason to leave it out of benchmarks' })
  const leaveOut = () => fireEvent.click(screen.getByRole('button', { name: 'Leave out' }))
  leaveOut()
  expect(screen.queryByText(/^Left out of benchmarks/)).toBeNull()
  fireEvent.change(field, { target: { value: ' the computer slept ' } })
  leaveOut()
  expect(await screen.findByText('Left out of benchmarks: the computer slept')).toBeTruthy()
  expect(screen.getByText('All frames')).toBeTruthy()
  const words = ['TPF', 'PPD'].map(word => screen.getByRole('link', { name: word }).getAttribute('href'))
  expect(words).toEqual(['/help/words#tpf', '/help/words#ppd'])
  fireEvent.click(screen.getByRole('button', { name: 'Include again' }))
  expect(await screen.findByRole('textbox', { name: 'Reason to leave it out of benchmarks' })).toBeTruthy()
})

it('chooses by which frames the speed of running units is measured', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
    config: {},
    groups: { '': { config: {} } },
    units: [{ id: 'u1', number: 1, group: '', state: 'RUN' }],
  })
  openPage(testSystem, '/unit/u1')
  fireEvent.click(await screen.findByRole('button', { name: /Speed of running units/ }, { timeout: 20_000 }))
  fireEvent.click(await screen.findByRole('option', { name: 'Last three frames' }))
  expect(selectPreferences(testSystem.system.preferences.getSnapshot()).speed).toBe('three')
})
