// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { tagCounts } from '../../../../folding/fleet/tags.ts'
import type { BulkAction } from '../../../../folding/fleet/bulk-action.ts'
import { selectTags } from '../../../../machines/fleet/tags/tags.selectors.ts'
import { DialogHost } from '../../../dialogs/dialog-host.tsx'
import { flushPromises, renderScreen, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { MachinesScreen } from '../machines-screen.tsx'

afterEach(cleanup)

function press(name: string | RegExp): void {
  return void fireEvent.click(screen.getByRole('button', { name }))
}

/** An action on a client that is there, and on one of the account that is not. */
async function open(action: BulkAction) {
  const testSystem = startTestSystem()
  const { bulk, fleet } = testSystem.system
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
    config: {},
    groups: { '': { config: {} } },
    units: [],
  })
  fleet.send({ type: 'fleet.machinesListed', account: 'account', machines: [{ id: 'away', name: 'Cellar' }] })
  renderScreen(
    testSystem,
    <>
      <MachinesScreen />
      <DialogHost />
    </>,
  )
  act(() => bulk.send({ type: 'bulk.open', action, ids: ['__direct__', 'away'] }))
  await flushPromises()
  const effects = async () =>
    within(await screen.findByRole('list', { name: 'Effects' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  return { ...testSystem, effects }
}

it('shows what an action would do, does it, and says what was left out', async () => {
  const { commands, receiveChanges, effects } = await open({ kind: 'state', state: 'pause', keepsPaused: true })
  expect(await effects()).toEqual(['1 change', '1 not connected'])
  expect(commands).toEqual([])
  press('Pause (1)')
  await flushPromises()
  expect(commands).toEqual([{ cmd: 'state', state: 'pause' }])
  act(() => receiveChanges(['groups', '', 'config', 'paused', true]))
  await flushPromises()
  const result = await screen.findByRole('region', { name: 'Result of the action' })
  expect(result.textContent).toContain('Pause: 1 of 1 machine doneSkipped: 1 not connected')
})

it('gives a tag to clients that are not connected too, and takes it back', async () => {
  const { system, effects } = await open({ kind: 'tags', mode: 'add', tag: '' })
  fireEvent.change(await screen.findByRole('textbox', { name: 'Tag' }), { target: { value: 'attic' } })
  press('Preview')
  expect(await effects()).toEqual(['2 changes'])
  press(/^Add the tag/)
  await flushPromises()
  const result = await screen.findByRole('region', { name: 'Result of the action' })
  expect(result.textContent).toContain('Add the tag “attic”: 2 of 2 machines done')
  const counts = () => tagCounts(selectTags(system.tags.getSnapshot()))
  expect(counts()).toEqual([{ tag: 'attic', machines: 2 }])
  press('Undo')
  await flushPromises()
  await waitFor(() => expect(counts()).toEqual([]))
})
