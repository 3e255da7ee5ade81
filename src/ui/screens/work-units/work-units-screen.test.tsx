// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { openPage } from '../../../../test/ui/page.tsx'
import { startTestSystem } from '../../../../test/ui/test-system.tsx'

afterEach(cleanup)

it('says that there are no units only when each client has answered', async () => {
  const testSystem = startTestSystem()
  const { history } = testSystem.system
  openPage(testSystem, '/wus')
  expect(await screen.findByText('Loading history…', {}, { timeout: 20_000 })).toBeTruthy()
  await waitFor(() => expect(history.getSnapshot().hasTag('loading')).toBe(true))
  act(() => {
    history.send({ type: 'history.asked', connection: 'attic' })
    history.send({ type: 'store.loaded', excerpt: { units: [], machines: [] }, cutOffs: {} })
  })
  expect(screen.queryByText('Loading history…') !== null).toBe(true)
  expect(screen.queryByRole('search')).toBe(null)
  const machine = { id: 'attic', name: 'Attic', owner: undefined, info: {} }
  act(() => history.send({ type: 'history.reported', connection: 'attic', machine, units: [] }))
  expect(await screen.findByRole('heading', { name: 'No matching work units.' })).toBeTruthy()
})
