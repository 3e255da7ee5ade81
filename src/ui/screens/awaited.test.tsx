// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { packLines } from '../../protocol/client/packed-lines.ts'
import { openPage } from '../../../test/ui/page.tsx'
import { renderScreen, START, startTestSystem, type TestSystem } from '../../../test/ui/test-system.tsx'
import { useFleetFacts } from '../hooks/use-fleet-facts.ts'
// Loaded with the first tooltip.
import '../parts/overlays/tooltip-popup.tsx'

afterEach(cleanup)

const WAIT = { timeout: 20_000 }

/** The account is being restored, and a machine of it is known from before. */
function open(): TestSystem {
  const testSystem = startTestSystem()
  const { fleet } = testSystem.system
  fleet.send({ type: 'fleet.machinesListed', account: 'account', machines: [{ id: 'away', name: 'Cellar' }] })
  return testSystem
}
/** It is known that no relay lists it any more. */
function settle({ system }: TestSystem): void {
  act(() => system.account.send({ type: 'account.signedOutElsewhere' }))
}

describe('a machine that its relay has not listed yet is loading, not disconnected', () => {
  it.each([
    ['details', 'Connecting to the machine.', /^Disconnected\. The machine has not reported anything yet/],
    ['settings', 'Connecting to the machine.', /^The machine is not connected\. Its settings appear/],
    ['log', 'Loading log...', /^The machine is disconnected\. Its log loads/],
    ['view/u1', 'Loading the molecule…', 'The machine is not connected'],
  ])('in its %s [4.12]', async (path, loading, disconnected) => {
    const testSystem = open()
    openPage(testSystem, `/away/${path}`)
    expect(await screen.findByText(loading, {}, WAIT)).toBeTruthy()
    expect(screen.queryByText(disconnected)).toBeNull()
    settle(testSystem)
    await waitFor(() => {
      // The viewer reads what is stored, and begins with that when its code is there.
      act(() => testSystem.advance(5000))
      expect(screen.getByText(disconnected)).toBeTruthy()
    }, WAIT)
  })

  it('in the grid, the map and searches [4.12]', async () => {
    const testSystem = open()
    const ids = ['away']
    function States() {
      return <p>{useFleetFacts(ids).map(({ state, problem }) => `${state} ${problem}`)}</p>
    }
    const { container } = renderScreen(testSystem, <States />)
    expect(container.textContent).toBe('loading 0')
    settle(testSystem)
    await act(() => Promise.resolve())
    await waitFor(() => expect(container.textContent).toBe('disconnected 2'))
  })
})

it('what cannot be done with a machine that its relay has not listed yet waits for it, and it is no problem [4.12, 6.5]', async () => {
  const testSystem = open()
  openPage(testSystem, '/')
  // Until the page has all of its code, it may render another button in its place: that has to get the focus again.
  await waitFor(
    () => {
      if (screen.queryByRole('tooltip') === null)
        act(() => {
          const button = screen.getByRole('button', { name: 'Fold Cellar' })
          button.blur()
          // A tooltip opens for a focus that the keyboard gave; files before this one may have pressed with a pointer.
          fireEvent.keyDown(document.body, { key: 'Tab' })
          button.focus()
          fireEvent.keyUp(button, { key: 'Tab' })
        })
      expect(screen.getByRole('tooltip').textContent).toBe('The machine is loading.')
    },
    { ...WAIT, interval: 500 },
  )
  settle(testSystem)
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toBe('The machine is not connected.'), WAIT)
})

it('the log of a machine whose messages are late says how old it is', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({ info: { version: '8.5.7', id: 'abc' }, config: {}, groups: {}, units: [] })
  openPage(testSystem, '/__direct__/log')
  await screen.findByText('Loading log...', {}, WAIT)
  const client = testSystem.client()
  const late = { type: 'link.dated', at: START, asOf: START - 42_000 } as const
  act(() => client.send(late))
  const lines = packLines(['12:00:00:A line'])
  act(() => client.send({ type: 'link.reported', at: START, facts: [{ type: 'log.received', replace: true, lines }] }))
  // At the head of the machine and at its log.
  await waitFor(() =>
    expect(screen.getAllByText(/^as of/).map(({ textContent }) => textContent)).toEqual([
      'as of 42 s ago',
      'as of 42 s ago',
    ]),
  )
})
