// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { selectDialog } from '../../../../machines/shared/dialogs/dialogs.selectors.ts'
import type { ClientData } from '../../../../protocol/client/client-data.ts'
import { accountSettingKeys, groupFormKeys, settingsTable } from '../../../../protocol/client/settings-table.ts'
import { openPage } from '../../../../../test/ui/page.tsx'
import { flushPromises, startTestSystem, type TestSystem } from '../../../../../test/ui/test-system.tsx'

afterEach(cleanup)

const GPU = 'gpu:01:00:00'
const on = { enabled: true }
const config = {
  ...Object.fromEntries(groupFormKeys.map(key => [key, settingsTable[key].type === 'boolean' ? false : undefined])),
  cpus: 6,
  key: 0,
  gpus: {},
}
const data: ClientData = {
  info: { version: '8.5.7', id: 'abc', mach_name: 'Attic', cpus: 8 },
  config: { user: 'Ada', team: 0, passkey: '', cause: 'any' },
  groups: { '': { config } },
  units: [],
}

/** The settings of the client on this computer. */
async function open(reported: ClientData = data): Promise<TestSystem> {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot(reported)
  openPage(testSystem, '/__direct__/settings')
  await screen.findByRole('slider', { name: 'CPUs' }, { timeout: 20_000 })
  return testSystem
}

function type(role: string, name: string, value: string): void {
  const field = screen.getByRole(role, { name })
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}
function setCpus(count: number): void {
  return type('spinbutton', 'Number of CPUs', String(count))
}
function cpus(): string | null {
  return screen.getByRole('slider', { name: 'CPUs' }).getAttribute('aria-valuetext')
}
function press(name: string | RegExp): void {
  return void fireEvent.click(screen.getByRole('button', { name }))
}
function canSave(): boolean {
  return screen.getByRole('button', { name: 'Save' }).ariaDisabled !== 'true'
}
async function save(): Promise<void> {
  press('Save')
  await flushPromises()
  await flushPromises()
}
function outcome(): string {
  return screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('')
}
function unlock({ system }: TestSystem): void {
  press('Unlock advanced settings')
  const question = selectDialog(system.dialogs.getSnapshot())
  expect(question).toMatchObject({ title: 'Unlock Advanced Settings?' })
  act(() => system.dialogs.send({ type: 'dialogs.answer', id: question?.id ?? '', button: 'unlock' }))
}
function groups(): readonly string[] {
  return screen.getAllByRole('tab').map(({ textContent }) => textContent)
}

describe('what was saved', () => {
  it('is said to wait for the client, and to be confirmed by it [2.48]', async () => {
    const { commands, receiveChanges } = await open()
    expect(canSave()).toBe(false)
    expect(screen.queryByRole('button', { name: 'Cancel' }) === null).toBe(false)
    setCpus(3)
    await save()
    expect(commands).toMatchObject([{ cmd: 'config', config: { groups: { '': { cpus: 3 } } } }])
    await waitFor(() => expect(outcome()).toContain('waiting for the machine to confirm'))
    act(() => receiveChanges(['groups', '', 'config', 'cpus', 3]))
    await waitFor(() => expect(outcome()).toContain('Saved: confirmed by the machine.'))
  })

  it('is named where the client did not take it over, and stays as it was typed', async () => {
    const { advance } = await open()
    setCpus(3)
    await save()
    act(() => advance(10_000))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Not saved: CPUs of Default. The machine did not respond within 10 seconds.',
    )
    expect({ cpus: cpus(), canSave: canSave() }).toEqual({ cpus: '3 of 8', canSave: true })
  })
})

describe('what changes elsewhere', () => {
  it('and was changed here must be decided', async () => {
    const { receiveChanges } = await open()
    setCpus(3)
    act(() => receiveChanges(['groups', '', 'config', 'cpus', 5]))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'CPUs of Default was changed here and on the machine. Yours: 3. On the machine: 5.',
    )
    expect(canSave()).toBe(false)
    press('Keep mine')
    await waitFor(() => expect({ cpus: cpus(), canSave: canSave() }).toEqual({ cpus: '3 of 8', canSave: true }))
  })

  it('alone is named, such as a group, which is shown too', async () => {
    const { receiveChanges } = await open()
    act(() => receiveChanges(['groups', '<b>theirs</b>', { config }]))
    await waitFor(() => expect(groups()).toEqual(['Default', '<b>theirs</b>']))
    expect(screen.getByText(/^Changed on the machine since you opened this page: /).textContent).toContain(
      'Resource group “<b>theirs</b>”.',
    )
  })
})

describe('groups', () => {
  it('are listed by their own names, with GPUs that are not supported or not there [2.55]', async () => {
    const gpus = {
      [GPU]: { description: 'AD102', supported: true },
      'gpu:02:00:00': { description: 'Old card', supported: false },
    }
    const group = { config: { ...config, gpus: { [GPU]: on, 'gpu:65:00:00': on } } }
    const { commands } = await open({
      ...data,
      info: { ...data.info, gpus },
      groups: Object.fromEntries(['', 'my-gpu', ' ', '<b>night</b>'].map(name => [name, group])),
    })
    expect(groups()).toEqual(['Default', '“ ”', '<b>night</b>', 'my-gpu'])
    fireEvent.click(screen.getByRole('tab', { name: 'my-gpu' }))
    const row = (name: RegExp) => screen.getByRole('row', { name })
    const box = (name: RegExp) => within(row(name)).getByRole<HTMLInputElement>('checkbox')
    await screen.findByRole('row', { name: /Old card/ })
    expect(row(/Old card/).title).toBe('Unsupported GPU')
    expect(box(/Old card/).disabled).toBe(true)
    expect(box(/Undetected/).checked).toBe(true)
    fireEvent.click(box(/AD102/))
    await save()
    const sent = { [GPU]: { enabled: false }, 'gpu:02:00:00': { enabled: false }, 'gpu:65:00:00': on }
    expect(commands).toMatchObject([{ config: { groups: { 'my-gpu': { gpus: sent } } } }])
  })

  it('are added at once, start paused, and are deleted after a question [2.52, 8.8]', async () => {
    const testSystem = await open()
    unlock(testSystem)
    press('Add')
    fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: ' my-gpu ' } })
    press('Add')
    await waitFor(() => expect(groups()).toEqual(['Default', 'my-gpu']))
    expect(screen.getByText('This group is created when you save. It starts paused.')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = selectDialog(testSystem.system.dialogs.getSnapshot())
    expect(question).toMatchObject({
      title: 'Delete Resource Group?',
      text: 'Are you sure you want to delete resource group "my-gpu"?',
    })
    act(() => testSystem.system.dialogs.send({ type: 'dialogs.answer', id: question?.id ?? '', button: 'delete' }))
    await waitFor(() => expect(canSave()).toBe(false))
  })
})

describe('the form', () => {
  it('has a checkbox for each setting that is on or off, which is sent', async () => {
    const testSystem = await open()
    unlock(testSystem)
    const flags = groupFormKeys.filter(key => settingsTable[key].type === 'boolean')
    await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(flags.length))
    const boxes = screen.getAllByRole('checkbox')
    for (const box of boxes) fireEvent.click(box)
    await save()
    const sent = Object.fromEntries(flags.map(key => [key, true]))
    expect(testSystem.commands).toMatchObject([{ config: { groups: { '': sent } } }])
  })

  it('has advanced settings only while they are unlocked, and help for each field [2.52, 2.56, 6.6, 8.8]', async () => {
    const testSystem = await open()
    const beta = () => screen.queryByRole('checkbox', { name: 'Beta Projects' })
    expect(beta()).toBeNull()
    unlock(testSystem)
    await screen.findByRole('checkbox', { name: 'Beta Projects' })
    const helps = screen.getAllByRole('button', { name: /^Help: / })
    expect(helps).toHaveLength(accountSettingKeys.length + groupFormKeys.length + ['Resource groups'].length)
    press('Lock advanced settings')
    await waitFor(() => expect(beta()).toBeNull())
  })

  it('leaves out what a version does not know, and says what is missing', async () => {
    await open({ ...data, info: { version: '8.3.1', gpus: { [GPU]: {} } } })
    expect(cpus()).toBe('6 of ???')
    expect(screen.getByRole('row', { name: /\?\?\?/ })).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: 'While On Battery' })).toBeNull()
  })

  it('sends whom the client folds for, and hides the passkey [2.51]', async () => {
    const { commands } = await open()
    type('textbox', 'User name', 'Grace')
    type('textbox', 'Team', '5000000000')
    expect(await screen.findByText('A team number can be at most 2,147,483,647')).toBeTruthy()
    type('textbox', 'Team', '0042')
    const passkey = screen.getByLabelText<HTMLInputElement>('Passkey')
    fireEvent.change(passkey, { target: { value: 'not hexadecimal' } })
    expect(passkey.type).toBe('password')
    expect(screen.queryByText('Invalid passkey') === null).toBe(false)
    expect(canSave()).toBe(false)
    press('Help: Passkey')
    expect((await screen.findByRole('link', { name: 'Help' })).getAttribute('href')).toBe('/help/words#passkey')
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    press('Show passkey')
    await waitFor(() => expect(passkey.type).toBe('text'))
    const valid = '0123456789abcdef0123456789abcdef'
    fireEvent.change(passkey, { target: { value: valid } })
    await save()
    expect(commands).toEqual([{ cmd: 'config', config: { user: 'Grace', team: 42 }, secrets: { passkey: valid } }])
  })
})

describe('the config.xml of an older client', () => {
  async function choose(text: string): Promise<TestSystem> {
    const testSystem = await open()
    const input = document.querySelector('input[accept=".xml"]') ?? document
    fireEvent.change(input, { target: { files: [new File([text], 'config.xml')] } })
    return testSystem
  }

  it('fills in whom it folded for, which is sent with Save, and says what has become of each line', async () => {
    const { commands } = await choose(
      '<config>\n<user v="Grace"/>\n<passkey v="0123456789abcdef0123456789abcdef"/>\n<slot id="1" type="GPU"/>\n<power v="full"/>\n</config>',
    )
    const lines = (await screen.findByText('Line 2')).closest('ol')
    expect([...(lines?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Line 2 user GraceFilled in above',
      'Line 3 passkeyFilled in above',
      'Line 4 slot 1 GPUA resource group with this GPU',
      'Line 5 power fullNot imported',
    ])
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'User name' }).value).toBe('Grace')
    expect(commands).toEqual([])
    await save()
    expect(commands).toMatchObject([
      { config: { user: 'Grace' }, secrets: { passkey: '0123456789abcdef0123456789abcdef' } },
    ])
  })

  it('is refused when it is another file', async () => {
    await choose('<html></html>')
    expect(await screen.findByText('This is not the configuration of a client.')).toBeTruthy()
    expect(canSave()).toBe(false)
  })
})

describe('a unit that waits', () => {
  it('leads to the setting that decides, and the page shows it', async () => {
    const card = { type: 'nvidia', description: 'RTX 4070', supported: true }
    const held = { id: 'u', number: 4, group: 'lab', state: 'RUN', cpus: 1, gpus: [GPU] }
    const testSystem = startTestSystem()
    testSystem.receiveSnapshot({
      ...data,
      info: { ...data.info, gpus: { [GPU]: card } },
      groups: { '': { config }, lab: { config: { ...config, gpus: { [GPU]: { enabled: false } } } } },
      units: [{ ...held, paused: true, pause_reason: 'Resources not available' }],
    })
    openPage(testSystem, '/unit/u')
    const link = await screen.findByRole('link', { name: 'Settings' }, { timeout: 20_000 })
    expect(link.getAttribute('href')).toMatch(/\/__direct__\/settings\?group=lab&setting=gpus/)
    fireEvent.click(link)
    const box = await screen.findByRole('checkbox', { name: /Enable RTX 4070/ }, { timeout: 20_000 })
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('lab')
    expect(document.activeElement).toBe(box)
  })
})
