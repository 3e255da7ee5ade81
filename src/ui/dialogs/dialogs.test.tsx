// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { createActor, fromCallback, fromPromise } from 'xstate'
import { startChild } from '../../../test/child.ts'
import { refused } from '../../../test/machines/account.ts'
import type { TeamForm } from '../../folding/account/team-form.ts'
import { teamDraftMachine, teamsMachine } from '../../machines/account/teams/teams.machine.ts'
import type { DraftSaving } from '../../machines/shared/draft/draft.reducer.ts'
import type { ApiResult } from '../../protocol/api/api-fault.ts'
import { isPartAwaited } from '../../machines/app/app.selectors.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import type { QuestionDialog, DialogsEvent, Message } from '../../machines/shared/dialogs/dialogs.events.ts'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { renderScreen, startTestSystem, flushPromises, type TestSystem } from '../../../test/ui/test-system.tsx'
import { DialogHost } from './dialog-host.tsx'
import { TeamDialog } from './team-dialog.tsx'

afterEach(cleanup)

function open(): TestSystem {
  const testSystem = startTestSystem()
  renderScreen(testSystem, <DialogHost />)
  return testSystem
}

function press(name: string): void {
  const button = screen.getByRole('button', { name })
  fireEvent.click(button)
}

const dumped: DialogsEvent = {
  type: 'dialogs.showMessage',
  message: { level: 'info', title: 'Dumped', text: 'It is gone.' },
}

const dump: QuestionDialog = {
  kind: 'confirm',
  id: 'dump',
  title: 'Dump WU?',
  text: 'Dumped Work Units receive no points. Are you sure you want to dump this Work Unit?',
  buttons: [
    { id: 'cancel', name: 'Cancel' },
    { id: 'dump', name: 'Dump', tone: 'danger', sends: [{ to: 'dialogs', event: dumped }] },
  ],
}

/** A dialog moves the focus after it was rendered. */
function expectFocusOn(text: string): Promise<void> {
  return waitFor(() => expect(document.activeElement?.textContent).toBe(text))
}

function showMessage(testSystem: TestSystem, message: Message): void {
  return act(() => testSystem.system.dialogs.send({ type: 'dialogs.showMessage', message }))
}

describe('a question', () => {
  it('focuses the safe choice [13.7]', async () => {
    const testSystem = open()
    act(() => testSystem.system.dialogs.send({ type: 'dialogs.ask', dialog: dump }))
    expect((await screen.findByRole('alertdialog', { name: 'Dump WU?' })).textContent).toContain(dump.text)
    await expectFocusOn('Cancel')
  })

  it('takes Escape as the safe choice', async () => {
    const testSystem = open()
    act(() => testSystem.system.dialogs.send({ type: 'dialogs.ask', dialog: dump }))
    fireEvent.keyDown(await screen.findByRole('alertdialog'), { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(testSystem.system.dialogs.getSnapshot().context.messages).toEqual([])
  })

  it('runs the action of the pressed button', async () => {
    const testSystem = open()
    act(() => testSystem.system.dialogs.send({ type: 'dialogs.ask', dialog: dump }))
    await screen.findByRole('alertdialog')
    press('Dump')
    expect((await screen.findByRole('dialog')).textContent).toContain('Dumped')
  })
})

describe('messages', () => {
  it('that arrive together share one dialog [8.5]', async () => {
    const testSystem = open()
    showMessage(testSystem, { level: 'error', title: 'Save Failed', text: 'Failed to save account settings: no' })
    expect(await screen.findByRole('dialog', { name: 'Save Failed' })).toBeDefined()
    showMessage(testSystem, { level: 'info', title: 'Auto-linking client', text: 'Linked.' })
    const dialog = await screen.findByRole('dialog', { name: 'Multiple messages' })
    expect([...dialog.querySelectorAll('li')].map(item => item.textContent)).toEqual([
      'Save FailedFailed to save account settings: no',
      'Auto-linking clientLinked.',
    ])
    press('OK')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('the connect dialog', () => {
  it('shows an invalid address only after submit, and passes a valid one on', async () => {
    const testSystem = open()
    act(() => testSystem.system.connect.send({ type: 'connect.ask' }))
    const field = await screen.findByRole('textbox', { name: 'Address' })
    fireEvent.change(field, { target: { value: 'not an address' } })
    expect(field.getAttribute('aria-invalid')).toBeNull()
    press('Connect')
    fireEvent.submit(field.closest('form') ?? field)
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    fireEvent.change(field, { target: { value: '192.168.0.7' } })
    fireEvent.submit(field.closest('form') ?? field)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(testSystem.received.filter(type => type.startsWith('connect.'))).toEqual(['connect.agreed'])
  })

  it('reports that a link asked to connect, and then focuses Cancel', async () => {
    const testSystem = open()
    act(() => testSystem.system.connect.send({ type: 'connect.ask', address: '10.0.0.9:7396', isForeign: true }))
    await screen.findByRole('alertdialog', { name: 'Connect to this client?' })
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('10.0.0.9:7396')
    await expectFocusOn('Cancel')
  })
})

it('the dialog of a team cannot be left while the team is being saved', async () => {
  let answer: (result: ApiResult<unknown>) => void = () => undefined
  const teamDraft = teamDraftMachine.provide({
    actors: {
      saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<TeamForm>>(
        () => new Promise(resolve => (answer = resolve)),
      ),
    },
  })
  const { actor: teams } = startChild(teamsMachine.provide({ actors: { teamDraft } }))
  teams.send({ type: 'teams.create' })
  renderScreen(startTestSystem(), <TeamDialog teams={teams} />)
  const field = await screen.findByRole('textbox', { name: 'Name' })
  fireEvent.change(field, { target: { value: 'Folders' } })
  fireEvent.submit(field.closest('form') ?? field)
  press('Cancel')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(teams.getSnapshot().hasTag('open')).toBe(true)
  answer(refused)
  await flushPromises()
  press('Cancel')
  expect(teams.getSnapshot().hasTag('open')).toBe(false)
})

describe('the pause dialog', () => {
  const ask = async (groups: ClientData['groups']) => {
    const testSystem = open()
    testSystem.receiveSnapshot({ info: { version: '8.5.7', mach_name: 'Attic' }, config: {}, groups, units: [] })
    act(() =>
      testSystem.system.dialogs.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: 'p', client: '__direct__' } }),
    )
    expect(await screen.findByRole('dialog', { name: 'Fold, pause or finish Attic?' })).toBeDefined()
    return testSystem
  }

  it.each([
    ['Resume', 'fold'],
    ['Pause', 'pause'],
    ['Finish', 'finish'],
  ])('names the client; its %s is %s [4.1]', async (button, state) => {
    const testSystem = await ask({ '': { config: {} } })
    press(button)
    await flushPromises()
    expect(testSystem.commands).toEqual([{ cmd: 'state', state }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows what was paused by hand before it is resumed, as Fold does [2.17]', async () => {
    const testSystem = await ask({ '': { config: {} }, night: { config: { paused: true } } })
    press('Resume')
    await flushPromises()
    expect(testSystem.commands).toEqual([])
    await waitFor(() =>
      expect(testSystem.system.bulk.getSnapshot().context.plan?.entries).toMatchObject([
        { effect: { resumed: ['night'] } },
      ]),
    )
  })
})

describe('an action whose code is not loaded yet', () => {
  const awaitCode = () => {
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true
    }
    const { system } = startTestSystem()
    const inert = fromCallback(() => undefined)
    const app = createActor(
      appMachine.provide({
        actors: Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, inert])),
      }),
      { input: system.app.getSnapshot().context.input },
    ).start()
    renderScreen({ ...startTestSystem(), system: { ...system, app } }, <DialogHost />)
    const event = { type: 'bulk.open', action: { kind: 'unlink' }, ids: ['m'] } as const
    act(() => app.send({ type: 'app.want', part: 'bulk', first: { to: 'bulk', event } }))
    return app
  }

  it('says that it is loading, then why it failed, and tries again', () => {
    const app = awaitCode()
    expect(screen.getByRole('status').textContent).toBe('Loading…')
    act(() => app.send({ type: 'code.failed', part: 'bulk', fault: 'serverAway' }))
    expect(screen.getByRole('dialog').textContent).toContain('The preview of the action cannot be shown right now')
    fireEvent.click(screen.getByText('Try again'))
    expect(screen.getByRole('status').textContent).toBe('Loading…')
  })

  it('is given up when the user closes the failure', () => {
    const app = awaitCode()
    act(() => app.send({ type: 'code.failed', part: 'bulk', fault: 'serverAway' }))
    fireEvent.click(screen.getByText('Close'))
    expect(screen.queryByText('Try again')).toBe(null)
    expect(isPartAwaited('bulk')(app.getSnapshot())).toBe(false)
  })
})
