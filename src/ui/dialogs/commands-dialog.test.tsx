// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { signedIn } from '../../../test/machines/account.ts'
import { openPage } from '../../../test/ui/page.tsx'
import { flushPromises, startTestSystem } from '../../../test/ui/test-system.tsx'

afterEach(cleanup)

function openMachines() {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
    config: {},
    groups: { '': { config: { cpus: 8 } } },
    units: [{ id: 'u1', number: 1, group: '', state: 'RUN', cpus: 4, assignment: { project: 18420 } }],
  })
  const address = openPage(testSystem, '/machines?layout=panels', true)
  return { ...testSystem, address }
}

async function find(text: string): Promise<HTMLElement> {
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const field = await screen.findByRole('textbox', { name: 'Find a command or a place' })
  fireEvent.change(field, { target: { value: text } })
  return field
}

async function choose(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('menuitem', { name }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

it('Ctrl+K finds commands of machines and of the page, pages of machines and units by words of their names [13.12]', async () => {
  const { commands, address, system } = openMachines()
  await find('attic pau')
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Pause Attic',
    'Attic: Pause, resume or finish…',
  ])
  await choose('Pause Attic')
  await waitFor(() => expect(commands).toContainEqual(expect.objectContaining({ cmd: 'state', state: 'pause' })))
  await find('hardware')
  await choose('Attic: Hardware')
  await waitFor(() => expect(address()).toBe('/__direct__/details'))
  await find('18420')
  await choose('Attic: Project 18420')
  await waitFor(() => expect(address()).toBe('/unit/u1'))
  await find('dark')
  await choose('Appearance: Dark')
  await find('perpetual motion')
  expect(await screen.findByText('No matches.')).toBeTruthy()
  expect(system.preferences.getSnapshot().context.shown.theme).toBe('dark')
})

it('Logout of the commands asks nothing where no change would be lost', async () => {
  const { system } = openMachines()
  act(() => system.account.send({ type: 'account.sessionStarted', signedIn }))
  await find('logout')
  await choose('Logout')
  expect(system.account.getSnapshot().hasTag('signedIn')).toBe(false)
})

it('letters act on the machine of a list that has the focus, until they are switched off [13.12]', async () => {
  const { commands, system } = openMachines()
  const name = await screen.findByRole('link', { name: 'Attic' })
  act(() => name.focus())
  fireEvent.keyDown(name, { key: 'x' })
  await waitFor(() => expect(system.selection.getSnapshot().context.ids).toEqual(['__direct__']))
  fireEvent.keyDown(name, { key: 'p' })
  await waitFor(() => expect(commands).toContainEqual(expect.objectContaining({ cmd: 'state', state: 'pause' })))
  fireEvent.keyDown(document.body, { key: '?' })
  fireEvent.click(await screen.findByRole('switch', { name: 'W, and the keys in lists of machines' }))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.keyDown(name, { key: 'x' })
  fireEvent.keyDown(name, { key: 'w' })
  await flushPromises()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(system.selection.getSnapshot().context.ids).toEqual(['__direct__'])
})
