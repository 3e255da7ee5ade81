import { logModel } from '../../../models/log.model.ts'
import { startLogClient, type LogClient } from '../../log-client.ts'
import { test } from '../fixtures.ts'
import { expect, walkInBrowser } from './walk.ts'

const logClients: LogClient[] = []
test.afterAll(() => logClients.forEach(logClient => logClient.stop()))

walkInBrowser('reading a log', logModel, async page => {
  const logClient = await startLogClient()
  logClients.push(logClient)
  const line = (text: string | RegExp) => page.getByRole('log').locator('[data-line]').filter({ hasText: text })
  const footer = page.locator('footer')
  const type = (text: string): Promise<void> => page.getByRole('searchbox', { name: 'Search the log' }).fill(text)
  const expectCount = () => expect(footer).toContainText(`${logClient.count()} lines`)
  const expectNewest = async (): Promise<void> => {
    await expectCount()
    await expect(line(logClient.newest())).toBeInViewport()
  }
  const expectFollowing = async (): Promise<void> => {
    logClient.write()
    await expectNewest()
  }
  const expectAtStart = () => expect(line('a line of many letters')).toBeInViewport()
  return {
    does: {
      'open the log': async () => {
        await page.evaluate(
          address => localStorage.setItem('foldboard.addresses', JSON.stringify([address])),
          logClient.address,
        )
        await page.goto(new URL(`/${encodeURIComponent(`@${logClient.address}`)}/log`, page.url()).href)
        await logClient.wanted()
      },
      'go to the start': () => page.keyboard.press('Home'),
      'go to the end': () => page.getByRole('button', { name: /Go to the end|new line/ }).click(),
      search: () => type('Failed'),
      'search slowly': () => type('(a+)+$'),
      'search wrongly': () => type('Failed('),
      'show in context': async () => {
        await page.getByRole('button', { name: 'Next match' }).click()
        await page.getByRole('button', { name: 'Show in context' }).click()
      },
      'lose the connection': () => logClient.breakOff(),
    },
    sees: {
      machines: () => expect(page).toHaveURL(/\/machines$/),
      following: expectFollowing,
      reading: async () => {
        logClient.write()
        await expectCount()
        await expectAtStart()
      },
      atEnd: expectFollowing,
      again: async () => {
        await expectNewest()
        await expectFollowing()
      },
      readingOn: async () => {
        await expectCount()
        await expectAtStart()
      },
      found: () => expect(footer).toContainText(`4 of ${logClient.count()} lines`),
      slow: async () => {
        await expect(footer).toContainText('took longer than one second')
        await expect(footer).toContainText(`4 of ${logClient.count()} lines`)
      },
      context: async () => {
        await expect(page.getByRole('log').locator('[aria-current]')).toContainText('Failed')
        await expect(page.getByRole('button', { name: 'Show matches only' })).toBeVisible()
      },
      invalid: async () => {
        await expect(footer).toContainText('Not a valid regular expression')
        await expectCount()
      },
    },
  }
})
