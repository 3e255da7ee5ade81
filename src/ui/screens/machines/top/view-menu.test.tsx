// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { FleetGrid, UnitGrid } from '../lazy-layouts.ts'
import { ViewMenu } from './view-menu.tsx'

afterEach(cleanup)

it('fetches the code of the grids when the pointer is on the button', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
    config: {},
    groups: { '': { config: { cpus: 8 } } },
    units: [],
  })
  renderScreen(testSystem, <ViewMenu />)
  const machines = vi.spyOn(FleetGrid, 'preload').mockReturnValue(undefined)
  const units = vi.spyOn(UnitGrid, 'preload').mockReturnValue(undefined)
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'View: Machine' }))
  expect(machines.mock.calls.length).toBe(1)
  expect(units.mock.calls.length).toBe(1)
})
