import { linkingModel } from '../../../models/linking.model.ts'
import { machineSettingsOf } from '../machine-settings-view.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

const OFTEN = { intervals: [50] }

walkOnOnePage('linking [2.50, 6.2]', linkingModel, { machines: 0 }, async (page, network) => {
  const { dashboardUrl, directAddress, local, relay } = network
  await signIn(page, network.account)
  await page.addInitScript(
    stored => localStorage.setItem('foldboard.addresses', JSON.stringify([stored])),
    directAddress,
  )
  await page.goto(`${dashboardUrl}/${encodeURIComponent(`@${directAddress}`)}/settings`)
  const main = page.getByRole('main')
  const view = machineSettingsOf(page)
  const name = page.getByRole('textbox', { name: 'Machine name' })
  const link = page.getByRole('button', { name: 'Link', exact: true })
  const unlink = page.getByRole('button', { name: 'Unlink', exact: true })
  const question = page.getByRole('alertdialog', { name: 'Unlink machine?' })
  const answer = (button: string) => (): Promise<void> => question.getByRole('button', { name: button }).click()
  const expectUnowned = async (): Promise<void> => {
    await expect(main).toContainText('This machine does not belong to your account.')
    await expect(link).not.toHaveAttribute('aria-disabled')
    await expect.poll(() => relay.clientCount(), OFTEN).toBe(0)
  }
  const expectLinked = async (called: string): Promise<void> => {
    await expect(unlink).toBeVisible()
    await expect(name).toHaveValue(called)
    await expect.poll(() => relay.clientCount(), OFTEN).toBe(1)
    await expect.poll(() => local.client.name(), OFTEN).toBe(called)
    await view.expectSaveable(false)
  }
  return {
    again: async () => {
      if (await question.isVisible()) await answer('No')()
      if (await unlink.isVisible()) {
        await unlink.click()
        await answer('Yes')()
        await expectUnowned()
      } else await name.fill('attic')
    },
    does: {
      'type a name that is none': () => name.fill('not a name'),
      'link it': async () => {
        await name.fill('attic')
        await link.click()
      },
      'rename it': async () => {
        await name.fill('cellar')
        await view.save()
      },
      'unlink it': () => unlink.click(),
      no: answer('No'),
      yes: answer('Yes'),
    },
    sees: {
      unowned: expectUnowned,
      badName: async () => {
        await expect(main).toContainText('Machine name can contain only letters, digits, underscores, dashes and dots')
        await expect(link).toHaveAttribute('aria-disabled', 'true')
      },
      linked: () => expectLinked('attic'),
      renamed: async () => {
        await view.expectSaved()
        await expectLinked('cellar')
      },
      asked: () =>
        expect(question).toContainText(
          'If you unlink this machine you will lose remote access. Are you sure you want to unlink?',
        ),
      kept: () => expectLinked('attic'),
      unlinked: expectUnowned,
    },
  }
})
