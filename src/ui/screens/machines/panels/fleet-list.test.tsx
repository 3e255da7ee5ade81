// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { MachinesScreen } from '../machines-screen.tsx'

afterEach(cleanup)

function open(count: number) {
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

function shown(): number {
  return screen.queryAllByRole('heading', { level: 2 }).length
}

it('renders all of eight clients at once', () => {
  open(8)
  expect(shown()).toBe(8)
})

it('renders only the clients in view of a longer list, also when it becomes longer [12.16]', async () => {
  const { list } = open(8)
  act(() => list(199))
  await screen.findAllByRole('heading', { level: 2 })
  expect(shown()).toBeGreaterThan(0)
  expect(shown()).toBeLessThan(100)
})

it('sorts units by the heading that is pressed, the other way round, and as they were', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', mach_name: 'Attic' },
    config: {},
    groups: { '': { config: {} } },
    units: [30, 4, 100].map((project, number) => ({ id: `u${number}`, number, state: 'RUN', assignment: { project } })),
  })
  renderScreen(testSystem, <MachinesScreen />, '/machines?layout=panels')
  const projects = () =>
    [...document.querySelectorAll('[role=cell][data-column=project]')].map(({ textContent }) => Number(textContent))
  const orders = [projects()]
  for (let press = 0; press < 3; press++) {
    fireEvent.click(screen.getByRole('button', { name: /^Sort by Project/ }))
    orders.push(projects())
  }
  expect(orders).toEqual([
    [30, 4, 100],
    [100, 30, 4],
    [4, 30, 100],
    [30, 4, 100],
  ])
})

it('says that it looks for clients until the first attempt has failed, and then what can be done [13.8]', async () => {
  const testSystem = startTestSystem()
  testSystem.system.account.send({ type: 'account.signOut' })
  renderScreen(testSystem, <MachinesScreen />)
  expect(screen.getByText('Looking for machines…')).toBeTruthy()
  act(() => testSystem.disconnect())
  expect(await screen.findByRole('region', { name: 'No machines found' })).toBeTruthy()
  expect(screen.queryByText('Looking for machines…')).toBeNull()
})
