import type { Locator, Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { endedUnits, GPUS } from '../bench/ended-units.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { machineCalled } from './machines-view.ts'
import { expect, test as base } from './fixtures.ts'

/** The history of units as a person finds their way in it. */

export const START = Date.parse('2026-11-20T12:00:00Z')

/** A machine with forty ended units, while no user is signed in. */
export const test = base.extend<{
  readonly home: {
    readonly url: string
    readonly say: (...contents: readonly unknown[]) => void
    readonly commands: () => readonly object[]
  }
}>({
  home: async ({ page, stopAfterTest }, use) => {
    const late = { ...unitData().assignment, deadline: 86_400, timeout: 3600 }
    const units = [
      unitData({ id: 'running', number: 21 }),
      unitData({ id: 'late', number: 22, eta: '20d 3h', assignment: late }),
    ]
    const client = stopAfterTest(await startScriptedClient(clientData({ info: { gpus: GPUS }, units })))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    const received: object[] = []
    const answer = async (): Promise<void> => {
      for (;;) {
        const command = await client.nextCommand()
        received.push(command)
        if (command['cmd'] === 'wus') client.say(['wus', endedUnits(40, START)])
      }
    }
    void answer()
    await page.goto(`${dashboardUrl}/machines`)
    await expect(machineCalled(page, 'puppet')).toContainText('Folding')
    await use({ url: dashboardUrl, say: client.say, commands: () => received })
  },
})

export function grid(page: Page): Locator {
  return page.getByRole('table', { name: 'Recent Work Unit History' })
}
export function filter(page: Page): Locator {
  return page.getByRole('search', { name: 'Work units' })
}
export function count(page: Page): Locator {
  return page.getByRole('main').getByRole('status').first()
}
export function column(page: Page, id: string): Locator {
  return grid(page).locator(`[role=cell][data-column="${id}"]`)
}

export async function open(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Units' }).click()
  await expect(count(page)).toHaveText('40 units')
}

export async function choose(page: Page, label: string, value: string): Promise<void> {
  await filter(page).getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}
