// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { MachinesScreen } from '../machines-screen.tsx'

afterEach(cleanup)

const open = (count: number) => {
  const testSystem = startTestSystem()
  const list = (clients: number): void =>
    testSystem.system.fleet.send({
      type: 'fleet.machinesListed',
      account: 'account',
      machines: Array.from({ length: clients }, (_, index) => ({ id: `id ${index}`, name: `Machine ${index}` })),
    })
  // The client that needs no account is shown too.
  list(count - 1)
  renderScreen(testSystem, <MachinesScreen />, '/machines?layout=panels')
  return { list }
}

const shown = (): number => screen.queryAllByRole('heading', { level: 2 }).length

it('renders all of eight clients at once', () => {
  open(8)
  expect(shown()).toBe(8)
})

it('renders only the clients in view of a longer list, also when it becomes longer', async () => {
  const { list } = open(8)
  act(() => list(199))
  await screen.findAllByRole('heading', { level: 2 })
  expect(shown()).toBeGreaterThan(0)
  expect(shown()).toBeLessThan(100)
})
