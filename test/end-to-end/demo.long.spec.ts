import { join } from 'node:path'
import { startFileHost } from './file-host.ts'
import { expect, test as base } from './fixtures.ts'
import { expectState, machineCalled, press } from './machines-view.ts'

const FOLDER = join(import.meta.dirname, '../../build/demo')

/** The folder of `npm run build:demo` on a static host, below a path. */
const test = base.extend<{ readonly demo: { readonly url: string; stop(): Promise<void> } }>({
  demo: async ({ stopAfterTest }, use) => {
    await use(stopAfterTest(await startFileHost(FOLDER, '/some/where/')))
  },
})

/** How many databases of the network this browser keeps. */
function countOfKept(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('foldboard-demo')
    opening.addEventListener('error', () => reject(new Error('The database of the demo was not opened.')))
    opening.addEventListener('success', () => {
      const counting = opening.result.transaction('files').objectStore('files').count()
      counting.addEventListener('success', () => {
        opening.result.close()
        resolve(counting.result)
      })
    })
  })
}

// Keys are made and secrets derived in the page.
test.slow()

test('machines appear and fold in the demo; one is paused, and its log and another address survive a reload', async ({
  page,
  demo,
  pageErrors,
}) => {
  pageErrors.expect(/ status of 404 /)
  await page.goto(demo.url)
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(machineCalled(page, 'atlas')).toBeVisible()
  await expect(page.getByText('Simulation', { exact: true }).filter({ visible: true })).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Use it with your own computer' })).toBeVisible()
  await expectState(page, 'atlas', 'Folding')
  await press(page, 'Pause', 'atlas')
  await expectState(page, 'atlas', 'Paused')
  // A reload before all of the network is made begins a new one.
  await expect.poll(() => page.evaluate(countOfKept)).toBe(1)

  await page.goto(`${demo.url}stats?locale=en#points`)
  await expect(page.getByRole('heading', { name: 'Stats', level: 1 })).toBeAttached()
  expect(page.url()).toBe(`${demo.url}stats?locale=en#points`)
  await page.getByRole('link', { name: 'Machines', exact: true }).click()
  await expect(machineCalled(page, 'atlas')).toBeVisible()

  await page.getByRole('link', { name: 'News', exact: true }).click()
  await expect(page.locator('article img').first()).toHaveJSProperty('naturalWidth', 600)
  await page.goto(`${demo.url}attention`)
  await page.getByRole('link', { name: 'Log', exact: true }).first().click()
  await expect(page.getByRole('log')).toBeVisible()
  const { pathname } = new URL(page.url())
  expect(pathname).toMatch(/^\/some\/where\/[\w-]+\/log$/)
  await page.reload()
  await expect(page.getByRole('log')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(pathname)
})

test('a tour leads to a molecule', async ({ page, demo }) => {
  await page.goto(`${demo.url}?tour=molecule`)
  await page.waitForURL(/\/view\//)
  await expect(page.getByRole('application').or(page.locator('canvas')).first()).toBeVisible()
})

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the demo opens after its host has gone', async ({ page, demo, pageErrors }) => {
    pageErrors.expect(/.*/)
    await page.goto(demo.url)
    await expect(machineCalled(page, 'this-computer')).toBeVisible()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await demo.stop()
    await page.goto(`${demo.url}news`)
    await expect(page.getByRole('heading', { name: 'News', level: 1 })).toBeAttached()
    await expect(page.getByText('Simulation', { exact: true }).filter({ visible: true })).toHaveCount(1)
  })
})
