// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { selectPassphraseDialog } from '../../../machines/account/account/account.selectors.ts'
import { selectDialog } from '../../../machines/shared/dialogs/dialogs.selectors.ts'
import { signedIn } from '../../../../test/machines/account.ts'
import { openPage } from '../../../../test/ui/page.tsx'
import { startTestSystem, type TestSystem } from '../../../../test/ui/test-system.tsx'

afterEach(cleanup)

/** Until the code of a screen is there. */
const LOADED = { timeout: 20_000 }

async function open(): Promise<TestSystem> {
  const testSystem = startTestSystem()
  testSystem.system.account.send({ type: 'account.sessionStarted', signedIn })
  openPage(testSystem, '/account/settings')
  await screen.findByRole('textbox', { name: 'User name' }, LOADED)
  return testSystem
}

function press(name: string): void {
  return void fireEvent.click(screen.getByRole('button', { name }))
}
function type(name: string, value: string): void {
  return void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
}
function canSave(): boolean {
  return screen.getByRole('button', { name: 'Save' }).ariaDisabled !== 'true'
}

it('hides the passkey and the token until they are shown, and keeps them from password managers [2.60]', async () => {
  await open()
  for (const name of ['Passkey', 'Account token']) {
    const field = screen.getByLabelText<HTMLInputElement>(name)
    expect(field.type).toBe('password')
    expect(field.autocomplete).toBe('new-password')
    expect(field.dataset['1pIgnore']).toBe('true')
    press(`Show ${name.toLowerCase()}`)
    expect(field.type).toBe('text')
  }
})

it.each([
  ['/account/teams', '/account/teams'],
  ['/account/anything', '/account/settings'],
  ['/account/', '/account/settings'],
])(
  '%s closes when nobody is signed in, asks to log in, and opens %s afterwards [2.6, 2.9, 2.59]',
  async (path, page) => {
    const testSystem = startTestSystem()
    const { system } = testSystem
    system.account.send({ type: 'account.sessionStarted', signedIn })
    system.account.send({ type: 'account.signedOutElsewhere' })
    const address = openPage(testSystem, path, true)
    await vi.waitFor(() => expect(address()).toBe('/machines'), LOADED)
    expect(system.signIn.getSnapshot().hasTag('open')).toBe(true)
    act(() => system.account.send({ type: 'account.sessionStarted', signedIn }))
    await vi.waitFor(() => expect(address()).toBe(page), LOADED)
    // The login dialog, when its code is there, hides what is behind it.
    const link = await screen.findByRole('link', { name: /^Account of/, hidden: true })
    expect(link.getAttribute('href')).toBe('/account/')
  },
)

it('needs a node, which may have a port, and spaces around it [5.14]', async () => {
  await open()
  type('Node', '')
  expect(await screen.findByText('A node is required to reach your machines')).toBeTruthy()
  expect(canSave()).toBe(false)
  type('Node', ' 127.0.0.1:7502 ')
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Node' }).value).toBe('127.0.0.1:7502'),
  )
  expect(canSave()).toBe(true)
})

it('asks before there is another token, before unsaved changes are lost, and for the passphrase before a deletion [2.60, 8.8]', async () => {
  const { system } = await open()
  const asked = () => selectDialog(system.dialogs.getSnapshot())
  const cancel = (): void =>
    act(() => system.dialogs.send({ type: 'dialogs.answer', id: asked()?.id ?? '', button: 'cancel' }))
  press('Generate a new token')
  await waitFor(() => expect(asked()).toMatchObject({ title: 'Generate a new token?' }))
  cancel()
  type('User name', 'Grace')
  press('Logout')
  await waitFor(() => expect(asked()).toMatchObject({ title: 'Log out without saving?' }))
  cancel()
  await waitFor(() => expect(asked()).toBeUndefined())
  press('Delete Account')
  const dialog = await waitFor(
    () => selectPassphraseDialog(system.account.getSnapshot())?.getSnapshot() ?? expect.fail('It is not asked for.'),
  )
  expect({ isOpen: dialog.hasTag('open'), purpose: dialog.context.purpose }).toEqual({
    isOpen: true,
    purpose: 'delete',
  })
})
