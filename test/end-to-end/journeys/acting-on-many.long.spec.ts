import { actingOnManyModel } from '../../../models/acting-on-many.model.ts'
import { otherController } from '../../other-controller.ts'
import { chooseFromMenu, expectState } from '../machines-view.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

const ONE = 'folder-0001'
const OTHER = 'folder-0002'

walkOnOnePage('acting on many', actingOnManyModel, { machines: 2 }, async (page, network) => {
  await signIn(page, network.account)
  const bar = page.getByRole('region', { name: 'Selection', exact: true })
  const result = page.getByRole('region', { name: 'Result of the action' })
  const dialog = page.getByRole('dialog')
  const select = (): Promise<void> => chooseFromMenu(page, /^More$/, 'Select machines')
  const closes = page.getByRole('button', { name: 'Close the result' })
  const tags = page.getByRole('main').getByRole('link', { name: 'attic', exact: true })
  const paused = () => network.clients().map(client => otherController(client).groups()['']?.['paused'] ?? false)
  const bothAre = async (state: 'Folding' | 'Paused'): Promise<void> => {
    await expectState(page, ONE, state)
    await expectState(page, OTHER, state)
    expect(paused()).toEqual([state === 'Paused', state === 'Paused'])
  }
  const effects = (text: string) => (): Promise<void> =>
    expect(dialog.getByRole('list', { name: 'Effects' })).toHaveText(text)
  const done = (text: string): Promise<void> => expect(result).toContainText(text)
  return {
    again: async () => {
      if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click()
      network.clients().forEach(client => client.revive())
      await network.online()
      if (await closes.isVisible()) await closes.click()
      if (await bar.isVisible()) await bar.getByRole('button', { name: 'Clear the selection' }).click()
      await expect(page.getByRole('main')).not.toContainText('Disconnected')
      if (paused().includes(true)) await page.getByRole('button', { name: 'Fold All' }).click()
      await bothAre('Folding')
      if (await closes.isVisible()) await closes.click()
      if ((await tags.count()) === 0) return
      await select()
      await bar.getByRole('button', { name: 'Select all (2)' }).click()
      await chooseFromMenu(page, 'More actions for the selected machines', 'Add or remove a tag…')
      await dialog.getByText('Remove', { exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Tag' }).fill('attic')
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('button', { name: /^Remove the tag/ }).click()
      await closes.click()
      await bar.getByRole('button', { name: 'Clear the selection' }).click()
    },
    does: {
      'select both': async () => {
        await select()
        await bar.getByRole('button', { name: 'Select all (2)' }).click()
      },
      'prepare to pause': () => bar.getByRole('button', { name: 'Pause' }).click(),
      'prepare a tag': async () => {
        await chooseFromMenu(page, 'More actions for the selected machines', 'Add or remove a tag…')
        await dialog.getByRole('textbox', { name: 'Tag' }).fill('attic')
        await dialog.getByRole('button', { name: 'Preview' }).click()
      },
      cancel: () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      confirm: () => dialog.getByRole('button', { name: /\(\d\)$/ }).click(),
      'one goes away': () => network.clients()[1]?.kill(),
      undo: () => result.getByRole('button', { name: 'Undo' }).click(),
    },
    sees: {
      folding: () => bothAre('Folding'),
      selected: () => expect(bar).toContainText('2 machines selected'),
      prepared: effects('2 changes'),
      cancelled: async () => {
        await expect(dialog).toHaveCount(0)
        await expect(bar).toContainText('2 machines selected')
        await bothAre('Folding')
      },
      incomplete: async () => {
        await expect(dialog.getByRole('list', { name: 'Effects' }).getByRole('listitem')).toHaveText([
          '1 change',
          '1 not connected',
        ])
      },
      onePaused: async () => {
        await done('Pause: 1 of 1 machine done')
        await expect(result).toContainText('Skipped: 1 not connected')
        await expectState(page, ONE, 'Paused')
      },
      paused: async () => {
        await done('Pause: 2 of 2 machines done')
        await bothAre('Paused')
      },
      resumed: async () => {
        await done('2 of 2 machines done')
        await bothAre('Folding')
      },
      taggable: effects('2 changes'),
      tagged: async () => {
        await done('Add the tag “attic”: 2 of 2 machines done')
        await expect(tags).toHaveCount(2)
      },
      untagged: async () => {
        await done('2 of 2 machines done')
        await expect(tags).toHaveCount(0)
      },
    },
  }
})
