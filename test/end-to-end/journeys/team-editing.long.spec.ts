import { teamEditingModel } from '../../../models/team-editing.model.ts'
import { makeAccount } from '../../new-account.ts'
import { loginDialogOf } from './login-dialog.ts'
import { expect, walkInBrowser } from './walk.ts'

walkInBrowser('team editing [7.19, 7.20, 7.21, 8.8]', teamEditingModel, async (page, network) => {
  const credentials = await makeAccount(network)
  await loginDialogOf(page).logIn(credentials)
  await page.getByRole('banner').getByRole('link', { name: 'Account of Ada' }).click()
  await page.getByRole('tab', { name: 'Teams' }).click()
  const name = `Folders of ${credentials.email.slice(0, 8)}`
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog', { name: /^(?:New|Edit) Team/ })
  const question = page.getByRole('alertdialog', { name: /^Delete Team \d+\?$/ })
  const save = dialog.getByRole('button', { name: 'Save' })
  const field = (label: string) => dialog.getByRole('textbox', { name: label })
  const expectNoTeam = (): Promise<void> => expect(main).toContainText('You do not currently own any')
  const expectInvalid = async (words: string): Promise<void> => {
    await expect(dialog).toContainText(words)
    await expect(save).toHaveAttribute('aria-disabled', 'true')
  }
  return {
    does: {
      'begin a team': () => page.getByRole('button', { name: 'New Team' }).click(),
      'type a name that is none': () => field('Name').fill('<'),
      'type an unsafe address': async () => {
        await field('Name').fill(name)
        await field('URL').fill('javascript:alert(1)')
      },
      'type a good team': async () => {
        await field('Name').fill(name)
        await field('URL').fill('folders.example')
      },
      save: () => save.click(),
      cancel: () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      'edit its name': async () => {
        await page.getByRole('button', { name: /^Edit team \d+$/ }).click()
        await field('Name').fill(`${name} II`)
        await save.click()
      },
      'delete it': () => page.getByRole('button', { name: /^Delete team \d+$/ }).click(),
      'keep it': () => question.getByRole('button', { name: 'Cancel' }).click(),
      confirm: () => question.getByRole('button', { name: 'Delete' }).click(),
    },
    sees: {
      none: expectNoTeam,
      empty: () => expect(save).toHaveAttribute('aria-disabled', 'true'),
      badName: () => expectInvalid('Team name must be between 2 and 100 characters'),
      badAddress: () => expectInvalid('Team URL must be a web address'),
      good: () => expect(save).not.toHaveAttribute('aria-disabled'),
      corrected: () => expect(save).not.toHaveAttribute('aria-disabled'),
      canceled: expectNoTeam,
      listed: async () => {
        await expect(dialog).toHaveCount(0)
        await expect(main.getByRole('row', { name }).getByRole('button', { name, exact: true })).toBeVisible()
      },
      renamed: () => expect(main.getByRole('button', { name: `${name} II`, exact: true })).toBeVisible(),
      asked: () => expect(question).toContainText('cannot be recovered'),
      kept: () => expect(main.getByRole('button', { name, exact: true })).toBeVisible(),
      deleted: expectNoTeam,
    },
  }
})
