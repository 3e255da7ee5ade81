// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MachineFacts } from '../../folding/fleet/machine-facts.ts'
import { DIRECT_ID } from '../../folding/machine/client.ts'
import { renderScreen, startTestSystem, type TestSystem } from '../testing/test-system.tsx'
import { useFleetFacts } from './use-fleet-facts.ts'

const data = (eta: string) => ({
  info: { id: 'own-id', version: '8.5.7' },
  config: {},
  groups: { '': { config: { cpus: 4 } } },
  units: [{ id: 'u', state: 'RUN', ppd: 10, eta }],
})

let testSystem: TestSystem
let renders: (readonly MachineFacts[])[]

const Reader = ({ ids }: { ids: readonly string[] }) => {
  const facts = useFleetFacts(ids)
  renders.push(facts)
  return <output>{facts.map(({ name, state }) => `${name} ${state}`).join()}</output>
}

const ids = [DIRECT_ID, 'gone']
const tick = (milliseconds = 250) => act(() => testSystem.advance(milliseconds))
const shown = () => screen.getByRole('status').textContent

afterEach(cleanup)
beforeEach(() => {
  testSystem = startTestSystem()
  renders = []
  renderScreen(testSystem, <Reader ids={ids} />)
})

describe('the facts of a fleet', () => {
  it('follow its machines with the clock, and leave out those that are not there', () => {
    act(() => testSystem.receiveSnapshot(data('1h 0m')))
    expect(shown()).toMatch(/loading$/)
    tick()
    expect(shown()).toMatch(/folding$/)
    act(() => testSystem.disconnect())
    tick()
    expect(shown()).toMatch(/disconnected$/)
  })

  it('render nothing again while nothing changed', () => {
    act(() => testSystem.receiveSnapshot(data('1h 0m')))
    tick()
    const before = renders.length
    tick()
    tick(20_000)
    expect(renders.length).toBe(before)
  })
})
