import { columnsModel } from '../../../models/columns.model.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

const USUAL = ['Project', 'Type', 'Status', 'Progress', 'PPD']
const WITHOUT_STATUS = ['Project', 'Type', 'Progress', 'PPD']
const WITH_ETA = [...USUAL, 'ETA']

walkOnOnePage('columns', columnsModel, { machines: 0 }, async (page, network) => {
  await signIn(page, network.account)
  const open = async (): Promise<void> => {
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Account of / })
      .click()
    await page.getByRole('tab', { name: 'Appearance' }).click()
  }
  await open()
  const main = page.getByRole('main')
  const save = main.getByRole('button', { name: 'Save' })
  const reset = main.getByRole('button', { name: 'Reset to default' })
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
  const rowsOf = (name: 'Enabled' | 'Disabled') => page.getByRole('grid', { name: `${name} columns` }).getByRole('row')
  const namesIn = (list: 'Enabled' | 'Disabled'): Promise<readonly string[]> =>
    rowsOf(list).evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''))
  const expectShown = (columns: readonly string[]): Promise<void> =>
    expect.poll(() => namesIn('Enabled'), { intervals: [50] }).toEqual(columns)
  const expectSaveable = (canSave: boolean): Promise<void> =>
    canSave ? expect(save).not.toHaveAttribute('aria-disabled') : expect(save).toHaveAttribute('aria-disabled', 'true')
  const expectUsual = async (): Promise<void> => {
    await expectShown(USUAL)
    await expect(reset).toHaveAttribute('aria-disabled', 'true')
  }
  const expectStored = async (columns: readonly string[]): Promise<void> => {
    await expectShown(columns)
    await expectSaveable(false)
  }
  /** The columns after the next login. */
  const expectLeft = async (columns: readonly string[]): Promise<void> => {
    await expect(page).toHaveURL(/\/news$/)
    await open()
    await expectStored(columns)
  }
  return {
    again: async () => {
      if (await question.isVisible()) await question.getByRole('button', { name: 'Cancel' }).click()
      if ((await reset.getAttribute('aria-disabled')) === null) await reset.click()
      if ((await save.getAttribute('aria-disabled')) === null) await save.click()
      await expectStored(USUAL)
    },
    does: {
      'disable one': () => rowsOf('Enabled').getByRole('button', { name: 'Disable Status' }).click(),
      'disable all': async () => {
        for (const name of USUAL)
          await rowsOf('Enabled')
            .getByRole('button', { name: `Disable ${name}` })
            .click()
      },
      'enable one': () => rowsOf('Disabled').getByRole('button', { name: 'Enable ETA' }).click(),
      'put them back': () => reset.click(),
      save: async () => {
        if (await question.isVisible()) await question.getByRole('button', { name: 'Save' }).click()
        else await save.click()
      },
      leave: () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click(),
      discard: () => question.getByRole('button', { name: 'Discard' }).click(),
      cancel: () => question.getByRole('button', { name: 'Cancel' }).click(),
      reload: () => page.reload(),
    },
    sees: {
      usual: async () => {
        await expectUsual()
        await expectSaveable(false)
      },
      fewer: async () => {
        await expectShown(WITHOUT_STATUS)
        expect(await namesIn('Disabled')).toContain('Status')
        await expectSaveable(true)
      },
      one: () => expectShown(['PPD']),
      more: async () => {
        await expectShown(WITH_ETA)
        await expectSaveable(true)
      },
      restored: () => expectStored(USUAL),
      saved: () => expectStored(WITHOUT_STATUS),
      savedMore: () => expectStored(WITH_ETA),
      stillSaved: () => expectStored(WITHOUT_STATUS),
      asked: () => expect(question).toContainText('You have unsaved configuration changes.'),
      stayed: async () => {
        await expect(question).toHaveCount(0)
        await expectShown(WITHOUT_STATUS)
      },
      gone: () => expectLeft(USUAL),
      goneSaved: () => expectLeft(WITHOUT_STATUS),
    },
  }
})
