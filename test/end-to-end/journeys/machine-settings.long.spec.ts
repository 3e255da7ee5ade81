import type { Page } from '@playwright/test'
import type { Network } from '../../../programs/network/index.ts'
import { machineSettingsModel } from '../../../models/machine-settings.model.ts'
import { otherController } from '../../other-controller.ts'
import { machineSettingsOf } from '../machine-settings-view.ts'
import { expect, walkBesideClient } from './walk.ts'

async function drive(page: Page, network: Network) {
  const elsewhere = otherController(network.local)
  const view = machineSettingsOf(page)
  await page.goto(`${network.dashboardUrl}/__direct__/settings`)
  const before = Number(elsewhere.groups()['']?.['cpus'])
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  const expectGone = (): Promise<void> => expect(page).toHaveURL(/\/news$/)
  const machineCpus = () => elsewhere.groups()['']?.['cpus']
  const expectBlocked = async (reason: string): Promise<void> => {
    await expect(question.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
    await question.getByRole('button', { name: 'Save' }).hover()
    await expect(page.getByRole('tooltip')).toHaveText(reason)
  }
  const undecided = 'The same setting was changed elsewhere. Choose which value to keep first.'
  const away = 'The machine is not connected. Your changes stay here until it is back.'
  return {
    does: {
      'change the CPUs': () => view.setCpus(3),
      'change them back': () => view.setCpus(before),
      'add a group': async () => {
        await view.unlock()
        await view.addGroup(' my-gpu ')
      },
      'delete it': () => view.deleteGroup('my-gpu'),
      save: async () => {
        if (await question.isVisible()) await question.getByRole('button', { name: 'Save' }).click()
        else await view.save()
      },
      'the CPUs change elsewhere': () => elsewhere.configure({ groups: { '': { cpus: 5 } } }),
      'a group is made elsewhere': () => elsewhere.configure({ groups: { '': {}, '<b>theirs</b>': { cpus: 1 } } }),
      'keep mine': () => page.getByRole('button', { name: 'Keep mine' }).click(),
      'take the machine’s': () => page.getByRole('button', { name: 'Use the machine’s' }).click(),
      'the machine goes away': () => network.direct.stop(),
      'it comes back': () => network.direct.start(),
      leave: () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click(),
      cancel: () => question.getByRole('button', { name: 'Cancel' }).click(),
      discard: () => question.getByRole('button', { name: 'Discard' }).click(),
    },
    sees: {
      unchanged: async () => {
        await view.expectCpus(before)
        await view.expectSaveable(false)
      },
      changed: () => view.expectSaveable(true),
      restored: () => view.expectSaveable(false),
      added: async () => {
        await view.expectGroups(['Default', 'my-gpu'])
        await expect(page.getByRole('tab', { name: 'my-gpu' })).toHaveAttribute('aria-selected', 'true')
        await expect(page.getByRole('main')).toContainText('This group is created when you save. It starts paused.')
        await view.expectSaveable(true)
      },
      made: async () => {
        await view.expectSaved()
        expect(elsewhere.groups()['my-gpu']).toMatchObject({ paused: true, cpus: 0 })
      },
      doomed: async () => {
        await view.expectNoGroup('my-gpu')
        await view.expectSaveable(true)
      },
      unmade: async () => {
        await view.expectSaved()
        expect(Object.keys(elsewhere.groups())).toEqual([''])
      },
      informed: async () => {
        await view.expectGroups(['Default', '<b>theirs</b>'])
        await expect(page.getByRole('main')).toContainText(
          'Changed on the machine since you opened this page: Resource group “<b>theirs</b>”.',
        )
        await view.expectSaveable(false)
      },
      joined: async () => {
        await view.expectGroups(['Default', '<b>theirs</b>'])
        await view.expectCpus(3)
      },
      savedBoth: async () => {
        await view.expectSaved()
        expect(elsewhere.groups()).toMatchObject({ '': { cpus: 3 }, '<b>theirs</b>': { cpus: 1 } })
      },
      conflicting: async () => {
        await expect(page.getByRole('alert')).toContainText(
          'CPUs of Default was changed here and on the machine. Yours: 3. On the machine: 5.',
        )
        await view.expectSaveable(false)
      },
      decidedMine: () => view.expectSaveable(true),
      decidedTheirs: async () => {
        await view.expectCpus(5)
        await view.expectSaveable(false)
      },
      askedTorn: () => expectBlocked(undecided),
      tornStill: async () => {
        await expect(question).toHaveCount(0)
        await expect(page.getByRole('alert')).toContainText('Yours: 3. On the machine: 5.')
      },
      goneTorn: async () => {
        await expectGone()
        expect(machineCpus()).toBe(5)
      },
      cutOff: async () => {
        await expect(page.getByRole('main')).toContainText('The machine is not connected.')
        await view.expectCpus(3)
        await view.expectSaveable(false)
      },
      reconnected: async () => {
        await view.expectSaveable(true)
        await view.expectCpus(3)
      },
      askedCutOff: () => expectBlocked(away),
      goneCutOff: expectGone,
      asked: () => expect(question).toContainText('You have unsaved configuration changes.'),
      stayed: async () => {
        await expect(question).toHaveCount(0)
        await view.expectCpus(3)
      },
      saved: async () => {
        await view.expectSaved()
        expect(machineCpus()).toBe(3)
      },
      gone: expectGone,
      goneUnchanged: async () => {
        await expectGone()
        expect(machineCpus()).toBe(before)
      },
      goneSaved: async () => {
        await expectGone()
        expect(machineCpus()).toBe(3)
      },
    },
  }
}

walkBesideClient('machine settings', machineSettingsModel, {}, drive)
walkBesideClient('machine settings of a client of 8.4.9', machineSettingsModel, { clientVersion: '8.4.9' }, drive)
