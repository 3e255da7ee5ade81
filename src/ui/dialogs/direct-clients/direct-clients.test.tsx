// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { selectDirectClients } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { DialogHost } from '../dialog-host.tsx'

afterEach(cleanup)

function press(name: string): void {
  const button = screen.getByRole('button', { name })
  fireEvent.click(button)
}

async function open() {
  const stage = startTestSystem()
  renderScreen(stage, <DialogHost />)
  act(() =>
    stage.system.fleet.send({
      type: 'fleet.addClients',
      clients: ['a:7396', 'b:7396', 'c:7396'].map(address => ({ address, name: undefined })),
    }),
  )
  act(() => stage.system.directClients.send({ type: 'directClients.open' }))
  await screen.findByRole('dialog', { name: 'Direct clients' })
  return { stage, clients: () => selectDirectClients(stage.system.fleet.getSnapshot()) }
}

it('moves clients within the list, keeps the focus, and reports where they are', async () => {
  const { clients } = await open()
  press('Move a:7396 down')
  await waitFor(() => expect(clients().map(({ address }) => address)).toEqual(['b:7396', 'a:7396', 'c:7396']))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move a:7396 down')
  expect(screen.getByRole('status').textContent).toBe('a:7396 is now 2 of 3.')
  press('Move b:7396 up')
  await waitFor(() => expect(clients().map(({ address }) => address)).toEqual(['b:7396', 'a:7396', 'c:7396']))
})

it('names clients, and removes them with the focus on the next', async () => {
  const { clients } = await open()
  const field = screen.getByRole('textbox', { name: 'Name of b:7396' })
  fireEvent.change(field, { target: { value: ' Attic ' } })
  fireEvent.submit(field.closest('form') ?? field)
  await waitFor(() => expect(clients()[1]).toEqual({ address: 'b:7396', name: 'Attic' }))
  press('Remove Attic')
  await waitFor(() => expect(clients().map(({ address }) => address)).toEqual(['a:7396', 'c:7396']))
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove c:7396')
})

it('takes nothing over from an import without a line that is new', async () => {
  const { clients } = await open()
  press('Import')
  const field = await screen.findByRole('textbox', { name: 'List' })
  fireEvent.change(field, { target: { value: 'a\nx y\n["' } })
  const lines = within(await screen.findByRole('list', { name: 'Preview' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'Line 1a:7396In the list already',
    'Line 2x:7396yNew',
    'Line 3["Not a host name or IP address with an optional port',
  ])
  fireEvent.change(field, { target: { value: '{' } })
  expect((await screen.findByRole('alert')).textContent).toBe('This is not a JSON list of addresses.')
  expect(screen.getByRole('button', { name: 'Import' }).getAttribute('aria-disabled')).toBe('true')
  press('Back')
  expect(clients()).toHaveLength(3)
})

it('takes over what is new in an import, and nothing before [5.10]', async () => {
  const { clients } = await open()
  press('Import')
  const field = await screen.findByRole('textbox', { name: 'List' })
  fireEvent.change(field, { target: { value: 'attic Upstairs\nb' } })
  expect(clients()).toHaveLength(3)
  press('Import 1 client')
  await waitFor(() => expect(clients()[3]).toEqual({ address: 'attic:7396', name: 'Upstairs' }))
  expect(await screen.findByRole('textbox', { name: 'Name of attic:7396' })).toBeTruthy()
})
