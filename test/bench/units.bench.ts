import { expect, test, type Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient } from '../end-to-end/scripted-client.ts'
import { endedUnits, GPUS } from './ended-units.ts'
import { median, openGauge, pass, report } from './figures.ts'

const UNITS = 5000
const OPENINGS = 5
const CHANGES = 9
const REST_SECONDS = 10

test(`history of ${UNITS} units`, async ({ page }, info) => {
  const client = await startScriptedClient(clientData({ info: { gpus: GPUS } }))
  const host = await serveAlone({ port: 0, client: client.address })
  const tellHistory = async (): Promise<void> => {
    for (;;) if ((await client.nextCommand())['cmd'] === 'wus') client.say(['wus', endedUnits(UNITS, Date.now())])
  }
  void tellHistory()
  await page.goto(`${host.dashboardUrl}/wus`)
  await expect(page.getByText('5,000 units')).toBeVisible({ timeout: 30_000 })

  // What was kept is written by the time the next page is opened. From here on the client is silent.
  await expect.poll(() => keptUnits(page), { timeout: 30_000 }).toBe(UNITS)
  client.stop()
  const openings: number[] = []
  for (let opening = 0; opening < OPENINGS; opening++) {
    await page.goto(`${host.dashboardUrl}/machines`)
    await page.waitForLoadState('networkidle')
    // What is pressed lies under the pointer before.
    await page.locator('a[href="/wus"]').first().hover()
    await page.waitForLoadState('networkidle')
    openings.push(await answerTime(page, 'a[href="/wus"]', '[role=cell][data-column=assign-time]'))
  }
  await expect(page.getByText('5,000 units')).toBeVisible()
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  const gauge = await openGauge(page)
  const heap = await gauge.heap()
  const busy = await gauge.busyShare(() => pass(REST_SECONDS * 1000))

  const sorts: number[] = []
  for (const id of ['ppd', 'machine', 'tpf', 'project', 'status', 'core', 'os', 'progress', 'assign-time']) {
    const heading = `[role=columnheader][data-column=${id}]`
    sorts.push(await answerTime(page, `${heading} button`, `${heading}:not([aria-sort=none])`))
  }
  await page.goto(`${host.dashboardUrl}/wus?core=0x26&complete=1`)
  await expect(page.getByText('of 5,000 units')).toBeVisible()
  const filters: number[] = []
  for (let change = 0; change < CHANGES; change++) filters.push(await answerTime(page, 'input[type=checkbox]'))
  const lifted = await answerTime(page, 'button:has-text("Reset stats filter")')

  await report(info, [
    { name: 'opened from the menu, median', value: median(openings), unit: 'ms', goal: 150 },
    { name: 'DOM elements', value: elements, unit: '', goal: 1500 },
    { name: 'heap', value: heap, unit: 'MiB', goal: 20 },
    { name: 'main thread busy at rest', value: busy, unit: '%', goal: 1 },
    { name: 'a sort change, median', value: median(sorts), unit: 'ms', goal: 50 },
    { name: 'a sort change, slowest', value: Math.max(...sorts), unit: 'ms' },
    { name: 'a filter change, median', value: median(filters), unit: 'ms', goal: 50 },
    { name: 'the filter lifted', value: lifted, unit: 'ms', goal: 50 },
  ])
  await host.stop()
})

function keptUnits(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const opening = indexedDB.open('foldboard-units')
        opening.onsuccess = () => {
          const reading = opening.result.transaction('units').objectStore('units').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result.flat().length)
          }
        }
      }),
  )
}

/**
 * Milliseconds from a press to the first task after the picture that answers it: the one with `sign` in it, or, without
 * one, that with another count of units.
 */
function answerTime(page: Page, pressed: string, sign?: string): Promise<number> {
  return page
    .locator(pressed)
    .first()
    .evaluate(
      (element, awaited) =>
        new Promise<number>(resolve => {
          const count = (): string => document.querySelector('main [role=status]')?.textContent ?? ''
          const before = count()
          const isThere = (): boolean =>
            awaited === null ? count() !== before : document.querySelector(awaited) !== null
          const afterPaint = (run: () => void): void => {
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = run
              port2.postMessage(undefined)
            })
          }
          const look = (start: number): void => {
            if (isThere()) resolve(performance.now() - start)
            else afterPaint(() => look(start))
          }
          const start = performance.now()
          const target = element as HTMLElement
          target.click()
          afterPaint(() => look(start))
        }),
      sign ?? null,
    )
}
