// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createActor, fromCallback } from 'xstate'
import { appMachine } from '../../../../machines/app/app.machine.ts'
import type { ClientData } from '../../../../protocol/client/client-data.ts'
import { StateButtons } from '../client/fold-controls.tsx'
import { requestState, requestStates } from '../client/request-state.ts'
import { flushPromises, renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { FleetActions } from './fleet-actions.tsx'
// Loaded with the first tooltip.
import '../../../parts/overlays/tooltip-popup.tsx'

afterEach(cleanup)

const data: ClientData = {
  info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
  config: {},
  groups: { '': { config: { cpus: 8 } } },
  units: [{ id: 'u1', number: 1, group: '', state: 'RUN', cpus: 4 }],
}

function open(ids?: readonly string[]) {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot(data)
  renderScreen(testSystem, <FleetActions ids={ids} />)
  return testSystem
}

function buttons(): readonly HTMLElement[] {
  return within(screen.getByRole('group', { name: 'All machines' })).getAllByRole('button')
}
function blocked(): readonly (string | null)[] {
  return buttons().map(
    button => `${button.textContent || button.getAttribute('aria-label')} ${button.ariaDisabled ?? ''}`,
  )
}

it.each([
  ['Pause All', undefined, 1],
  ['Pause 1 Shown', ['__direct__'], 1],
  ['Pause 0 Shown', [], 0],
])('%s pauses those that are shown: %j [2.11]', async (name, ids, count) => {
  const testSystem = open(ids)
  fireEvent.click(screen.getByRole('button', { name }))
  await flushPromises()
  expect(testSystem.commands).toEqual(Array.from({ length: count }, () => ({ cmd: 'state', state: 'pause' })))
})

it('Fold All resumes all, and first names groups that were paused by hand [2.17]', async () => {
  const testSystem = open()
  const { bulk } = testSystem.system
  act(() => testSystem.receiveChanges(['groups', 'night', { config: { paused: true } }]))
  fireEvent.click(screen.getByRole('button', { name: 'Fold All' }))
  await flushPromises()
  expect(bulk.getSnapshot().context.plan?.entries[0]?.effect).toMatchObject({ kind: 'change', resumed: ['night'] })
  expect(testSystem.commands).toMatchObject([])
})

it('a viewer of a server may select clients, but fold, pause and finish none', async () => {
  const testSystem = open()
  expect(blocked()).toEqual(['Fold All ', 'Pause All ', 'Finish All '])
  act(() => testSystem.client().send({ type: 'client.limited', limit: { commands: [], because: 'role' } }))
  expect(blocked()).toEqual(['Fold All true', 'Pause All true', 'Finish All true'])
  const [fold] = buttons()
  if (fold === undefined) throw new Error('There are no buttons.')
  fireEvent.click(fold)
  expect((await screen.findByRole('tooltip', {}, { timeout: 10_000 })).textContent).toContain(
    'viewers send no commands',
  )
  await flushPromises()
  expect(testSystem.commands).toEqual([])
})

it('the pressed button shows that it was asked while the code of the action is on its way', () => {
  const testSystem = startTestSystem()
  const inert = fromCallback(() => undefined)
  const actors = Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, inert]))
  const { input } = testSystem.system.app.getSnapshot().context
  const app = createActor(appMachine.provide({ actors }), { input }).start()
  renderScreen(
    { ...testSystem, system: { ...testSystem.system, app } },
    <>
      <FleetActions ids={undefined} />
      <StateButtons
        name="Attic"
        state="fold"
        requested={undefined}
        blocked={undefined}
        onRequest={state => requestStates({ app }, state, ['attic'])}
      />
    </>,
  )
  act(() => testSystem.receiveSnapshot(data))
  fireEvent.click(screen.getByRole('button', { name: 'Pause Attic' }))
  expect(screen.getByRole('status').textContent).toBe('pausing…')
  fireEvent.click(screen.getByRole('button', { name: 'Fold All' }))
  expect(screen.getByRole('button', { name: 'Fold All' }).dataset['pending']).toBe('true')
})

it('what is pressed while the code that can undo is loaded waits for it in order', () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({ ...data, groups: { '': { config: { paused: true } } } })
  const inert = fromCallback(() => undefined)
  const actors = Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, inert]))
  const { input } = testSystem.system.app.getSnapshot().context
  const app = createActor(appMachine.provide({ actors }), { input }).start()
  const press = (state: 'fold' | 'pause', group?: string): void =>
    requestState(testSystem.client(), { ...testSystem.system, app }, state, group)
  press('fold')
  press('pause', 'night')
  const waiting = app.getSnapshot().context.waiting.bulk?.map(({ event }) => event)
  expect(waiting).toMatchObject([
    { type: 'bulk.quick', action: { state: 'fold' }, ids: ['__direct__'] },
    { type: 'bulk.quick', action: { state: 'pause' }, ids: ['__direct__'], group: 'night' },
  ])
  expect(testSystem.commands).toEqual([])
})
