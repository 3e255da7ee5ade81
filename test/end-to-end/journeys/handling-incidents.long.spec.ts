import type { Page } from '@playwright/test'
import { handlingIncidentsModel } from '../../../models/handling-incidents.model.ts'
import { serveAlone } from '../../../programs/network/index.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../journey.ts'
import { clientData, groupConfig, startScriptedClient } from '../scripted-client.ts'
import { expect, test } from '../fixtures.ts'

const MINUTE = 60_000

type Client = Awaited<ReturnType<typeof startScriptedClient>>

function dataWith(failed: string) {
  return clientData({ groups: { '': { config: groupConfig(), failed } } })
}

async function driverOf(page: Page, client: Client): Promise<Driver<typeof handlingIncidentsModel>> {
  const bell = page.getByRole('banner').getByRole('link', { name: /^Attention/ })
  const open = page.getByRole('list', { name: 'Open incidents' }).getByRole('listitem')
  const handled = page.getByRole('list', { name: 'Acknowledged and snoozed' }).getByRole('listitem')
  const ended = page.getByRole('row', { name: /Stopped after too many failures/ })
  const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).click()
  await bell.click()
  /** The page's clock goes on by seconds until something is seen; the client is heard of meanwhile. */
  const until = (sees: () => Promise<void>): Promise<void> =>
    expect(async () => {
      client.say(['info', 'hostname', `puppet-${Math.random()}`])
      await page.clock.fastForward(8000)
      await sees()
    }).toPass({ intervals: [200] })
  const becomes = (failed: string) => (): void => {
    client.greetWith(dataWith(failed))
    client.say(['groups', '', 'failed', failed])
  }
  const isOpen = (times: string) => (): Promise<void> =>
    until(async () => {
      await expect(open).toHaveCount(1, { timeout: 500 })
      await expect(open).toContainText(times, { timeout: 500 })
      await expect(bell).toHaveAccessibleName('Attention: 1 incident', { timeout: 500 })
    })
  const isHandled =
    (...texts: readonly string[]) =>
    (): Promise<void> =>
      until(async () => {
        await expect(handled).toHaveCount(1, { timeout: 500 })
        for (const text of texts) await expect(handled).toContainText(text, { timeout: 500 })
        await expect(bell).toHaveAccessibleName('Attention', { timeout: 500 })
      })
  const isOver = async (): Promise<void> => {
    await tab('History')
    await until(() => expect(ended).toHaveCount(1, { timeout: 500 }))
    await tab('Incidents')
    await expect(open).toHaveCount(0)
    await expect(handled).toHaveCount(0)
  }
  return {
    does: {
      'it begins': becomes('Paused due too many failed Work Units.'),
      'it begins again': becomes('Paused due too many failed Work Units.'),
      'it ends': becomes(''),
      'acknowledge it': () => open.getByRole('button', { name: 'Acknowledge' }).click(),
      'snooze it for an hour': async () => {
        await open.getByRole('button', { name: /^Snooze/ }).click()
        await page.getByRole('menuitem', { name: 'For an hour' }).click()
      },
      'reopen it': () => handled.getByRole('button', { name: 'Reopen' }).click(),
      'load the page again': () => page.reload(),
      'let an hour pass': () => page.clock.fastForward(61 * MINUTE),
    },
    sees: {
      well: () => expect(page.getByRole('heading', { name: 'Nothing needs attention' })).toBeVisible(),
      open: isOpen('Stopped after too many failures'),
      acknowledged: isHandled('Acknowledged'),
      reopened: isOpen('Stopped after too many failures'),
      stillAcknowledged: isHandled('Acknowledged'),
      handled: isOver,
      returnedAcknowledged: isHandled('Acknowledged', '2 times'),
      snoozed: isHandled('Until'),
      stillSnoozed: isHandled('Until'),
      due: isOpen('Stopped after too many failures'),
      over: isOver,
      returned: isOpen('2 times'),
    },
  }
}

test('handling incidents, in a browser', async ({ browser, pageErrors, stopAfterTest }) => {
  for (const journey of simpleJourneysOf(handlingIncidentsModel))
    await test.step(journey.title, async () => {
      const client = stopAfterTest(await startScriptedClient(dataWith('')))
      const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
      const context = await browser.newContext()
      const page = await context.newPage()
      await pageErrors.watch(page)
      await page.clock.install()
      await page.goto(`${dashboardUrl}/machines`)
      await walkJourney(await driverOf(page, client), journey)
      await context.close()
    })
})
