// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { openPage } from '../../../test/ui/page.tsx'
import { startTestSystem } from '../../../test/ui/test-system.tsx'
import { keepAwake } from './keep-awake.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('fills the page by one key with what folds now, and leaves by Escape [13.12]', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
    config: {},
    groups: { '': { config: {} } },
    units: [
      {
        id: 'u1',
        number: 1,
        group: '',
        state: 'RUN',
        wu_progress: 0.4,
        eta: '1h',
        ppd: 1000,
        assignment: { project: 18420 },
      },
    ],
  })
  openPage(testSystem, '/machines', true)
  fireEvent.keyDown(document.body, { key: 'w' })
  const wall = await screen.findByRole('dialog', { name: 'Wall display' }, { timeout: 20_000 })
  await waitFor(() => expect(wall.textContent).toContain('Attic'))
  expect(wall.textContent).toContain('Project 18420')
  expect(wall.textContent).toContain('40.0%')
  expect(wall.textContent).not.toContain('incident')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('keeps the screen on while the page is seen, again after it was hidden, and no longer', async () => {
  const release = vi.fn(() => Promise.resolve())
  const request = vi.fn(() => Promise.resolve({ release }))
  vi.stubGlobal('navigator', { wakeLock: { request } })
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const stop = keepAwake()
  hidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(1)
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(2)
  stop()
  document.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(release).toHaveBeenCalledTimes(2))
  expect(request).toHaveBeenCalledTimes(2)
})
