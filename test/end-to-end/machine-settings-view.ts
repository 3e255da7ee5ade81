import { expect, type Page } from '@playwright/test'

/** The settings of a machine as a person finds their way in them. */
export function machineSettingsOf(page: Page) {
  const main = page.getByRole('main')
  const save = main.getByRole('button', { name: 'Save', exact: true })
  const cpus = main.getByRole('slider', { name: 'CPUs' })
  const unlock = main.getByRole('button', { name: 'Unlock advanced settings' })
  const tab = (name: string) => main.getByRole('tab', { name, exact: true })
  return {
    unlock: async (): Promise<void> => {
      await unlock.click()
      await page
        .getByRole('alertdialog', { name: 'Unlock Advanced Settings?' })
        .getByRole('button', { name: 'Unlock' })
        .click()
      await expect(tab('Default')).toBeVisible()
    },
    /** By the keyboard: to one end, and from there step by step. */
    setCpus: async (count: number): Promise<void> => {
      await cpus.press('Home')
      for (let step = 0; step < count; step++) await cpus.press('ArrowRight')
    },
    addGroup: async (name: string): Promise<void> => {
      await main.getByRole('button', { name: 'Add', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Add resource group' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog.getByRole('button', { name: 'Add' }).click()
    },
    deleteGroup: async (name: string): Promise<void> => {
      await tab(name).click()
      await main.getByRole('button', { name: 'Delete', exact: true }).click()
      const question = page.getByRole('alertdialog', { name: 'Delete Resource Group?' })
      await expect(question).toContainText(`Are you sure you want to delete resource group "${name}"?`)
      await question.getByRole('button', { name: 'Delete' }).click()
    },
    save: (): Promise<void> => save.click(),
    expectGroups: (names: readonly string[]): Promise<void> => expect(main.getByRole('tab')).toHaveText([...names]),
    expectNoGroup: (name: string): Promise<void> => expect(tab(name)).toHaveCount(0),
    expectCpus: (count: number): Promise<void> =>
      expect(main.getByText(new RegExp(`^${count} of \\d+$`))).toBeVisible(),
    expectSaveable: (isSaveable: boolean): Promise<void> =>
      isSaveable
        ? expect(save).not.toHaveAttribute('aria-disabled')
        : expect(save).toHaveAttribute('aria-disabled', 'true'),
    expectSaved: (): Promise<void> => expect(main.getByText('Saved: confirmed by the machine.')).toBeVisible(),
  }
}
