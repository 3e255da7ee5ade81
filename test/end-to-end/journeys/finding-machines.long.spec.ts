import { findingMachinesModel } from '../../../models/finding-machines.model.ts'
import { expect, walkOnOnePage } from './walk.ts'

walkOnOnePage(
  'finding machines',
  findingMachinesModel,
  { machines: 0, hasLocalClient: true },
  async (page, network) => {
    const open = (): Promise<unknown> => page.goto(`${network.dashboardUrl}/machines`)
    await open()
    const field = page.getByRole('combobox', { name: 'Find machines' })
    const panels = page.getByRole('region').filter({ has: page.getByRole('heading', { level: 2 }) })
    const terms = page.getByRole('list', { name: 'What is searched for' }).getByRole('listitem')
    const menu = (name: string) => page.getByRole('button', { name: `Views: ${name}` })
    const dialog = page.getByRole('dialog', { name: 'Saved views' })
    const choose = async (from: string | RegExp, entry: string): Promise<void> => {
      await page.getByRole('button', { name: from }).click()
      await page
        .getByRole('menuitemradio', { name: entry })
        .or(page.getByRole('menuitem', { name: entry }))
        .click()
    }
    await expect(panels).toHaveCount(1)
    const all = async (): Promise<void> => {
      await expect(panels).toHaveCount(1)
      await expect(field).toHaveValue('')
      await expect(terms).toHaveCount(0)
    }
    const found = async (): Promise<void> => {
      await expect(panels).toHaveCount(1)
      await expect(field).toHaveValue('state:folding')
      await expect(terms).toHaveText(['State: Folding'])
      await expect(page.getByRole('status').filter({ hasText: '1 of 1 machine shown' })).toBeVisible()
    }
    return {
      again: async () => {
        await page.evaluate(() => {
          localStorage.clear()
        })
        await open()
        await all()
      },
      does: {
        'search for what holds': () => field.fill('state:folding'),
        'search for what does not hold': () => field.fill('state:disconnected'),
        'search for what is not understood': () => field.fill('colour:red'),
        'show all machines': async () => {
          const button = page.getByRole('button', { name: 'Show all machines' })
          await ((await button.isVisible()) ? button.click() : choose(/^Views: /, 'All machines'))
        },
        'leave and come back': async () => {
          const main = page.getByRole('navigation', { name: 'Main' })
          await main.getByRole('link', { name: 'Projects' }).click()
          await expect(page).toHaveURL(/\/projects/)
          await main.getByRole('link', { name: 'Machines' }).click()
        },
        'save it as a view': async () => {
          await choose('Views: none', 'Save or manage views…')
          await dialog.getByRole('textbox', { name: 'Save what is shown as' }).fill('Mine')
          await dialog.getByRole('button', { name: 'Save' }).click()
          await dialog.getByRole('button', { name: 'Done' }).click()
        },
        'choose the view': () => choose('Views: none', 'Mine'),
        'make it the first': async () => {
          await choose('Views: Mine', 'Save or manage views…')
          await dialog.getByText('Shown first').click()
        },
        'open the page again': open,
      },
      sees: {
        everything: all,
        found,
        stillFound: found,
        nothing: () => expect(page.getByRole('heading', { name: 'No machines match' })).toBeVisible(),
        refused: () =>
          expect(page.getByRole('list', { name: 'What is not understood' })).toContainText(
            '“colour:” cannot be searched for',
          ),
        lifted: all,
        saved: async () => {
          await found()
          await expect(menu('Mine')).toBeVisible()
        },
        left: async () => {
          await all()
          await expect(menu('none')).toBeVisible()
        },
        shown: async () => {
          await found()
          await expect(menu('Mine')).toBeVisible()
        },
        first: () => expect(dialog.getByRole('switch', { name: 'Shown first' })).toBeChecked(),
        begun: async () => {
          await found()
          await expect(menu('Mine')).toBeVisible()
        },
      },
    }
  },
)
