import { expect, test, type Page } from '@playwright/test'
import { serveAlone } from '../../network/index.ts'
import { startBusyClient } from './busy-client.ts'
import { median, openGauge, pass, quantile, report } from './figures.ts'

const UNITS = 32
const SECONDS = 20
const WARM_UP_SECONDS = 5
const EVERY_MS = 5
// Not in step with the frames.
const PROBE_EVERY = 21
const PROBE_BASE = 100_000

/** Of the same stream without a journal. */
let busyWithout = Number.NaN

test('stream: 32 units, 200 changes/s, no journal', async ({ page }, info) => {
  await recordNothing(page)
  const client = await startBusyClient(UNITS)
  const host = await serveAlone({ port: 0, client: client.address })
  await page.goto(`${host.dashboardUrl}/machines`)
  await expect(page.getByRole('table', { name: 'Busy' }).getByRole('row')).toHaveCount(UNITS + 1)
  await expect(page.getByRole('button', { name: 'Recordings' })).toHaveCount(0)
  const gauge = await openGauge(page)
  let count = 0
  const stream = async (seconds: number): Promise<void> => {
    const end = Date.now() + seconds * 1000
    for (let due = Date.now(); due < end; count++, due += EVERY_MS) {
      if (due > Date.now()) await pass(due - Date.now())
      client.say(changeAt(count))
    }
  }
  await stream(WARM_UP_SECONDS)
  const heapBefore = await gauge.heap()
  busyWithout = await gauge.busyShare(() => stream(SECONDS))
  await report(info, [
    { name: 'main thread busy', value: busyWithout, unit: '%' },
    { name: 'heap growth', value: (await gauge.heap()) - heapBefore, unit: 'MiB', goal: 0.5 },
  ])
  client.stop()
  await host.stop()
})

test('stream: 32 units, 200 changes/s', async ({ page }, info) => {
  const client = await startBusyClient(UNITS)
  const host = await serveAlone({ port: 0, client: client.address })
  await page.goto(`${host.dashboardUrl}/machines`)
  await expect(page.getByRole('table', { name: 'Busy' }).getByRole('row')).toHaveCount(UNITS + 1)
  const gauge = await openGauge(page)
  await page.evaluate(watchFirstPpd, PROBE_BASE)
  const sentAt = new Map<number, number>()
  let count = 0
  const stream = async (seconds: number): Promise<void> => {
    const end = Date.now() + seconds * 1000
    for (let due = Date.now(); due < end; count++, due += EVERY_MS) {
      if (due > Date.now()) await pass(due - Date.now())
      if (count % PROBE_EVERY !== 0) client.say(changeAt(count))
      else {
        const value = PROBE_BASE + count / PROBE_EVERY
        sentAt.set(value, Date.now())
        client.say(['units', 0, 'ppd', value])
      }
    }
  }
  // What is compiled and cached once is no growth.
  await stream(WARM_UP_SECONDS)
  const heapBefore = await gauge.heap()
  const busy = await gauge.busyShare(() => stream(SECONDS))
  const heapAfter = await gauge.heap()
  const seen = await page.evaluate(() => (globalThis as unknown as { seenPpd: [number, number][] }).seenPpd)
  const delays = seen.map(([value, at]) => at - (sentAt.get(value) ?? Number.NaN)).filter(Number.isFinite)
  expect(delays.length).toBeGreaterThan(sentAt.size * 0.9)
  await report(info, [
    { name: 'main thread busy', value: busy, unit: '%', goal: 12 },
    { name: 'latency, median', value: median(delays), unit: 'ms' },
    { name: 'latency, 95th percentile', value: quantile(delays, 0.95), unit: 'ms', goal: 25 },
    { name: 'recording costs', value: busy - busyWithout, unit: '% of the main thread', goal: 3 },
    // What is recorded meanwhile is kept, up to the bounds of the settings.
    { name: 'heap growth, recording kept', value: heapAfter - heapBefore, unit: 'MiB' },
  ])
  client.stop()
  await host.stop()
})

/** The setting stands in the page itself, which is read before any module runs. */
const recordNothing = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const head = document.querySelector('head')
      if (head === null) return
      observer.disconnect()
      head.append(Object.assign(document.createElement('meta'), { name: 'foldboard:journal-events', content: '0' }))
    }).observe(document, { childList: true, subtree: true })
  })

const changeAt = (count: number): readonly unknown[] => {
  const unit = 1 + (count % (UNITS - 1))
  switch (count % 3) {
    case 0: return ['units', unit, 'eta', `${1 + (count % 9)}h ${count % 60}m`]
    case 1: return ['units', unit, 'wu_progress', Math.round(((count * 7) % 1000)) / 1000]
    default: return ['units', unit, 'ppd', 1000 + (count % 977)]
  }
}

/** Notes when each value of the first unit's PPD was painted, in epoch milliseconds. */
const watchFirstPpd = (base: number): void => {
  const seen: [number, number][] = []
  Object.assign(globalThis, { seenPpd: seen })
  const cell = document.querySelector('[role=row] [data-column=ppd]')
  if (cell === null) throw new Error('No PPD is shown.')
  new MutationObserver(() => {
    const value = Number(cell.textContent.replaceAll(/\D/g, ''))
    if (value < base) return
    // React has rendered within a frame's callback: the first task after it is the first after the paint.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => seen.push([value, Date.now()])
    port2.postMessage(undefined)
  }).observe(cell, { subtree: true, childList: true, characterData: true })
}
