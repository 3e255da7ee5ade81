// @vitest-environment jsdom
import { act, cleanup } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../test/ui/test-system.tsx'
import { useSeries } from './use-series.ts'

afterEach(cleanup)

it('subscribes to points while a component shows them, and not afterwards [10.9, 12.18]', () => {
  const testSystem = startTestSystem()
  const Points = () => <p>{useSeries('team-7').length}</p>
  const readers = () => testSystem.system.series.getSnapshot().context.series.get('team-7')?.readers
  const { unmount } = renderScreen(testSystem, <Points />)
  expect(readers()).toBe(1)
  act(unmount)
  expect(readers()).toBe(0)
})
