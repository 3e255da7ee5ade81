import { connectingModel } from '../../../models/connecting.model.ts'
import { badgesOf, chooseFromHeader, chooseFromMenu, expectState, machineCalled } from '../machines-view.ts'
import { CLOSED_ADDRESS } from '../fixtures.ts'
import { expect, walkOnOnePage } from './walk.ts'

const NAME = 'this-computer'
const NO_ADDRESS = 'http://attic/'
const MENU = /^Actions for (?!unit)/
const FORGET = 'Remove this client'
const closedAddress = `${CLOSED_ADDRESS.host}:${CLOSED_ADDRESS.port}`

walkOnOnePage('connecting by address', connectingModel, { machines: 0 }, (page, { dashboardUrl, directAddress }) => {
  const dialog = page.getByRole('dialog', { name: 'Connect to a client' })
  const question = page.getByRole('alertdialog', { name: 'Connect to this client?' })
  const either = dialog.or(question)
  const field = either.getByRole('textbox', { name: 'Address' })
  const menus = page.getByRole('button', { name: MENU })
  const machines = page.getByRole('heading', { level: 2 })
  const press = (name: string): Promise<void> => either.getByRole('button', { name }).click()
  const follow = (address: string) => async (): Promise<void> => {
    await page.goto(`${dashboardUrl}/machines?connect=${encodeURIComponent(address)}`)
  }
  const type = (address: string) => async (): Promise<void> => {
    await field.fill(address)
    await press('Connect')
  }
  const expectNothing = async (): Promise<void> => {
    await expect(page.getByRole('main')).toContainText('No machines found')
    await expect(either).toHaveCount(0)
    expect(await page.evaluate(address => JSON.stringify(localStorage).includes(address), directAddress)).toBe(false)
  }
  const expectConnected = async (): Promise<void> => {
    await expect(either).toHaveCount(0)
    await expectState(page, NAME, 'Folding')
  }
  return {
    again: async () => {
      if (await either.isVisible()) await press('Cancel')
      for (const menu of await menus.all()) {
        await menu.click()
        await page.getByRole('menuitem', { name: FORGET }).click()
      }
      await expectNothing()
    },
    does: {
      'ask to connect': () => chooseFromHeader(page, 'Connect to a client'),
      'follow a link that names a client': follow(directAddress),
      'follow a link that names none': follow(NO_ADDRESS),
      'type what is no address': type(NO_ADDRESS),
      'type the address of a client': type(` ${directAddress} `),
      'type an address where no client is': type(closedAddress),
      agree: () => press('Connect'),
      cancel: () => press('Cancel'),
      reload: () => page.reload(),
      'stop connecting': () => chooseFromMenu(page, MENU, FORGET),
    },
    sees: {
      alone: expectNothing,
      asked: async () => {
        await expect(field).toHaveValue('')
        await expect(field).not.toHaveAttribute('aria-invalid', 'true')
      },
      proposed: async () => {
        await expect(question).toContainText('Connect only to machines that you know.')
        await expect(field).toHaveValue(directAddress)
        await expect(machines.filter({ hasText: NAME })).toHaveCount(0)
        await expect(page).toHaveURL(/\/machines$/)
      },
      proposedBadly: () => expect(field).toHaveValue(NO_ADDRESS),
      refused: async () => {
        await expect(either).toContainText('Enter a host name or IP address, optionally with :port')
        await expect(field).toHaveAttribute('aria-invalid', 'true')
      },
      corrected: expectConnected,
      connected: expectConnected,
      stillConnected: expectConnected,
      unreachable: async () => {
        await expect(machineCalled(page, `Direct client at ${closedAddress}`)).toBeVisible()
        await expect(badgesOf(page, `Direct client at ${closedAddress}`)).toHaveText(['Disconnected'])
      },
      forgotten: expectNothing,
      declined: expectNothing,
    },
  }
})
