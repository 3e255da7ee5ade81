// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { filterChoices } from '../../../folding/unit/unit-rows.ts'
import { FilterRow } from './filter-row.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('on a phone stays open while it is edited, also when nothing is set any more', () => {
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: true, ...listeners }))
  renderScreen(startTestSystem(), <FilterRow choices={filterChoices([])} />, '/wus?days=7')
  const filter = screen.getByText('Filter').closest('details')
  expect(filter?.open).toBe(true)
  fireEvent.change(screen.getByRole('textbox', { name: 'Within' }), { target: { value: '' } })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Within' }).value).toBe('')
  expect(filter?.open).toBe(true)
})
