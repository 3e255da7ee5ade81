// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { areCasesHere, loadCases, receivedData } from '../../../../../test/cases/cases.ts'
import { openPage } from '../../../../../test/ui/page.tsx'
import { flushPromises, startTestSystem, START, type TestSystem } from '../../../../../test/ui/test-system.tsx'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import type { ClientData } from '../../../../protocol/client/client-data.ts'

/* Public reports of docs/field-reports.md that are about the settings, played on the screens. */

afterEach(cleanup)

const NAMES = ['accountWins', 'donorName', 'twoGroups', 'hipOn84']
const load: ReturnType<typeof loadCases> = areCasesHere ? loadCases(NAMES, START) : () => ({})

function dataOf(name: string): ClientData {
  return receivedData((load(name)[name] as () => unknown)())
}

async function openSettings(data: ClientData, testSystem = startTestSystem()): Promise<TestSystem> {
  testSystem.receiveSnapshot(data)
  openPage(testSystem, '/__direct__/settings')
  await screen.findAllByRole('slider', { name: 'CPUs' }, { timeout: 20_000 })
  return testSystem
}

function type(name: string, value: string): void {
  const field = screen.getByLabelText(name, { selector: 'input' })
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}
async function save(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await flushPromises()
  await flushPromises()
}
function outcome(): string {
  return screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('')
}
function tabs(): readonly string[] {
  return screen.getAllByRole('tab').map(({ textContent }) => textContent)
}

describe.skipIf(!areCasesHere)('reports from the field (skipped when ../shared/cases is absent)', () => {
  it('accountWins: the account’s values replace what is saved, which is never said to be confirmed', async () => {
    const { commands, receiveChanges, advance } = await openSettings(dataOf('accountWins'))
    expect(screen.getByText(/The account’s settings replace these when it next connects/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Account settings' }).getAttribute('href')).toBe('/account/settings')
    type('User name', 'Somebody')
    await save()
    expect(commands).toMatchObject([{ cmd: 'config', config: { user: 'Somebody' } }])
    act(() => receiveChanges(['config', 'user', 'Somebody']))
    await waitFor(() => expect(outcome()).toMatch(/user, team, passkey and cause of the account replace these/))
    act(() => {
      advance(15_000)
      receiveChanges(['config', 'user', 'AccountName'])
    })
    await waitFor(() => expect(outcome()).not.toMatch(/confirmed/))
    expect(screen.getByText(/^Changed on the machine since you opened this page: User name\./)).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('User name', { selector: 'input' }).value).toBe('AccountName')
  })

  it('donorName: the name is shown as it is', async () => {
    await openSettings(dataOf('donorName'))
    expect(screen.getByLabelText<HTMLInputElement>('User name', { selector: 'input' }).value).toBe(
      load('donorName')['DONOR'],
    )
  })

  it('hipOn84: a setting that the client does not know is not offered, and a save does not wait for it', async () => {
    const { commands, receiveChanges } = await openSettings(dataOf('hipOn84'))
    const boxes = screen.getAllByRole('checkbox').map(box => box.closest('label')?.textContent)
    expect(boxes.includes('Enable CUDA')).toBe(true)
    expect(boxes.includes('Enable HIP')).toBe(false)
    type('Number of CPUs', '4')
    await save()
    expect(commands).toHaveLength(1)
    expect(JSON.stringify(commands)).not.toMatch(/hip/)
    act(() => receiveChanges(['groups', '', 'config', 'cpus', 4]))
    await waitFor(() => expect(outcome()).toContain('Saved: confirmed by the machine.'))
  })

  it('twoGroups: both groups stay when one is paused, when the screen is left, and when the page is loaded again', async () => {
    const data = dataOf('twoGroups')
    const testSystem = await openSettings(data)
    expect(tabs()).toEqual(['Default', 'first', 'second'])
    cleanup()
    const { system, commands, receiveChanges } = testSystem
    const client = selectClientRef('__direct__')(system.fleet.getSnapshot())
    act(() => client?.send({ type: 'client.setState', state: 'pause', group: 'first' }))
    await flushPromises()
    expect(commands).toMatchObject([{ cmd: 'state', state: 'pause', group: 'first' }])
    act(() => receiveChanges(['groups', 'first', 'config', 'paused', true]))
    openPage(testSystem, '/__direct__/settings')
    await screen.findAllByRole('slider', { name: 'CPUs' }, { timeout: 20_000 })
    expect(tabs()).toEqual(['Default', 'first', 'second'])
    // A command names all groups: those that it leaves out would be deleted.
    type('Number of CPUs', '1')
    await save()
    const config = commands.find(({ cmd }) => cmd === 'config')
    expect(config).toMatchObject({ config: { groups: { '': { cpus: 1 }, first: {}, second: {} } } })
    cleanup()
    await openSettings({
      ...data,
      groups: { ...data.groups, first: { config: { ...data.groups['first']?.config, paused: true } } },
    })
    expect(tabs()).toEqual(['Default', 'first', 'second'])
  })
})
