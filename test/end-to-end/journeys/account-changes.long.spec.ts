import { accountChangesModel } from '../../../models/account-changes.model.ts'
import { makeAccount } from '../../new-account.ts'
import { loginDialogOf, readMessage } from './login-dialog.ts'
import { expect, walkOnOnePage } from './walk.ts'

walkOnOnePage('unsaved account changes [7.13, 8.6]', accountChangesModel, { machines: 0 }, async (page, network) => {
  const login = loginDialogOf(page)
  await login.logIn(await makeAccount(network))
  const link = page.getByRole('banner').getByRole('link', { name: /^Account of / })
  await link.click()
  const user = page.getByRole('textbox', { name: 'User name' })
  const save = page.getByRole('main').getByRole('button', { name: 'Save' })
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  const answer = (name: string): Promise<void> => question.getByRole('button', { name }).click()
  const theme = () => page.locator('html').getAttribute('data-theme')
  const expectSaveable = (isSaveable: boolean): Promise<void> =>
    isSaveable
      ? expect(save).not.toHaveAttribute('aria-disabled')
      : expect(save).toHaveAttribute('aria-disabled', 'true')
  const expectNews = (): Promise<void> => expect(page).toHaveURL(/\/news$/)
  const expectUser = async (name: string): Promise<void> => {
    await expect(page.getByRole('banner').getByRole('link', { name: `Account of ${name}`, exact: true })).toBeVisible()
  }
  const leave = (): Promise<void> =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
  return {
    again: async () => {
      if (!(await question.isVisible()) && !page.url().endsWith('/news')) await leave()
      // The question comes a moment after the click.
      await expect.poll(async () => (await question.isVisible()) || page.url().endsWith('/news')).toBe(true)
      if (await question.isVisible()) await answer('Discard')
      await expectNews()
      await link.click()
      if ((await user.inputValue()) !== 'Ada') {
        await user.fill('Ada')
        await save.click()
        await expectUser('Ada')
      }
    },
    does: {
      'change the user name': () => user.fill('Grace'),
      'change it back': () => user.fill('Ada'),
      'type a user name that is none': () => user.fill('A'),
      'switch to dark mode': async () => {
        await page.getByRole('tab', { name: 'Appearance' }).click()
        await page.getByText('Dark mode').click()
      },
      save: async () => {
        if (await question.isVisible()) await answer('Save')
        else await save.click()
      },
      'save while the server is down': async () => {
        await page.route(`${network.apiUrl}/account`, route => route.abort())
        await save.click()
        await expect(page.getByRole('dialog', { name: 'Save Failed' })).toBeVisible()
        await page.unroute(`${network.apiUrl}/account`)
      },
      leave,
      cancel: () => answer('Cancel'),
      discard: () => answer('Discard'),
    },
    sees: {
      unchanged: async () => {
        await expect(user).toHaveValue('Ada')
        await expectSaveable(false)
      },
      changed: () => expectSaveable(true),
      restored: () => expectSaveable(false),
      failed: async () => {
        await readMessage(page, 'Save Failed', 'Failed to save account settings: API error')
        await expect(user).toHaveValue('Grace')
      },
      invalid: async () => {
        await expect(page.getByRole('main')).toContainText('User name must be empty or between 2 and 100 characters')
        await expectSaveable(false)
      },
      previewed: () => expect.poll(theme).toBe('dark'),
      asked: () => expect(question).toContainText('You have unsaved configuration changes.'),
      askedInvalid: () =>
        expect(question.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true'),
      askedPreviewed: () => expect(question).toBeVisible(),
      stayed: async () => {
        await expect(question).toHaveCount(0)
        await expect(user).toHaveValue('Grace')
      },
      saved: async () => {
        await expectSaveable(false)
        await expectUser('Grace')
      },
      gone: expectNews,
      goneUnchanged: async () => {
        await expectNews()
        await expectUser('Ada')
        expect(await theme()).toBe('auto')
      },
      goneSaved: async () => {
        await expectNews()
        await expectUser('Grace')
      },
    },
  }
})
