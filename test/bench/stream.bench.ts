import { expect, test, type Page, type TestInfo } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { chooseFromHeader, openHeaderMenu } from '../end-to-end/machines-view.ts'
import { startBusyClient } from './busy-client.ts'
import { median, openGauge, pass, quantile, report } from './figures.ts'
import { shareSpentIn } from './profile.ts'

const UNITS = 32
const SECONDS = 20
const WARM_UP_SECONDS = 5
const EVERY_MS = 5
// Not in step with the frames.
const PROBE_EVERY = 21
const PROBE_BASE = 100_000
const SEEKS = Array.from({ length: 12 }, () => [
  'Home',
  'PageUp',
  'PageUp',
  'PageUp',
  'ArrowLeft',
  'End',
  'PageDown',
  'ArrowRight',
]).flat()

/** Sends changes at an even pace; `say` receives the index of the change. */
function streamer(say: (count: number) => void) {
  let count = 0
  return async (seconds: number): Promise<void> => {
    const end = Date.now() + seconds * 1000
    for (let due = Date.now(); due < end; count++, due += EVERY_MS) {
      if (due > Date.now()) await pass(due - Date.now())
      say(count)
    }
  }
}

async function openBusy(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/machines`)
  await expect(page.getByRole('table', { name: 'Busy' }).getByRole('row')).toHaveCount(UNITS + 1)
}

test('recording: the same stream on two pages at once', async ({ browser }, info) => {
  const client = await startBusyClient(UNITS)
  const host = await serveAlone({ port: 0, client: client.address })
  // Of contexts of their own, so that each has a process of its own.
  const [without, recording] = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()))
  if (without === undefined || recording === undefined) throw new Error('There are no pages.')
  await recordNothing(without)
  await openBusy(without, host.dashboardUrl)
  await openBusy(recording, host.dashboardUrl)
  await openHeaderMenu(without)
  await expect(without.getByRole('menuitem', { name: 'Inspector' })).toBeVisible()
  await expect(without.getByRole('menuitem', { name: 'Recordings' })).toHaveCount(0)
  await without.keyboard.press('Escape')
  const [bare, full] = [await openGauge(without), await openGauge(recording)]
  const stream = streamer(count => client.say(changeAt(count)))
  // What is compiled and cached once is no growth.
  await stream(WARM_UP_SECONDS)
  const [heapBare, heapFull] = [await bare.heap(), await full.heap()]
  let busyBare = Number.NaN
  const busyFull = await full.busyShare(async () => {
    busyBare = await bare.busyShare(() => stream(SECONDS))
  })
  const grown = [(await bare.heap()) - heapBare, (await full.heap()) - heapFull] as const
  const spent = await shareSpentIn(full.session, /\/src\/journal\/(?!timers)/, () => stream(SECONDS))
  await report(info, [
    { name: 'spent in the recorder, of the main thread', value: spent, unit: '%', goal: 3 },
    { name: 'main thread busy, recording', value: busyFull, unit: '%' },
    { name: 'main thread busy, not recording', value: busyBare, unit: '%' },
    { name: 'recording costs, the difference', value: busyFull - busyBare, unit: '%', goal: 3 },
    { name: 'heap growth, not recording', value: grown[0], unit: 'MiB', goal: 0.5 },
    // What is recorded meanwhile is kept, up to the bounds of the settings.
    { name: 'heap growth, recording', value: grown[1], unit: 'MiB' },
  ])
  await without.context().close()
  await seekAbout(recording, info)
  await recording.context().close()
  client.stop()
  await host.stop()
})

/** Goes to and fro in what was recorded, by keys, and takes the time from each key to the first paint after it. */
async function seekAbout(page: Page, info: TestInfo): Promise<void> {
  await chooseFromHeader(page, 'Recordings', 'Replay this session')
  const slider = page.getByRole('region', { name: 'Recording', exact: true }).getByRole('slider')
  await slider.focus()
  await page.evaluate(() => {
    const waits: number[] = []
    Object.assign(globalThis, { waits })
    document.addEventListener(
      'keydown',
      () => {
        const begun = performance.now()
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => waits.push(performance.now() - begun)
          port2.postMessage(undefined)
        })
      },
      { capture: true },
    )
  })
  for (const key of SEEKS) {
    await page.keyboard.press(key)
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))
  }
  const waits = await page.evaluate(() => (globalThis as unknown as { waits: number[] }).waits)
  expect(waits.length).toBe(SEEKS.length)
  await report(info, [
    { name: 'to any moment and painted, median', value: median(waits), unit: 'ms' },
    { name: 'to any moment and painted, slowest', value: Math.max(...waits), unit: 'ms', goal: 100 },
  ])
}

test('stream: 32 units, 200 changes/s', async ({ page }, info) => {
  const client = await startBusyClient(UNITS)
  const host = await serveAlone({ port: 0, client: client.address })
  await openBusy(page, host.dashboardUrl)
  const gauge = await openGauge(page)
  await page.evaluate(watchFirstPpd, PROBE_BASE)
  const sentAt = new Map<number, number>()
  const stream = streamer(count => {
    if (count % PROBE_EVERY !== 0) client.say(changeAt(count))
    else {
      const value = PROBE_BASE + count / PROBE_EVERY
      sentAt.set(value, Date.now())
      client.say(['units', 0, 'ppd', value])
    }
  })
  await stream(WARM_UP_SECONDS)
  const busy = await gauge.busyShare(() => stream(SECONDS))
  const seen = await page.evaluate(() => (globalThis as unknown as { seenPpd: [number, number][] }).seenPpd)
  const delays = seen.map(([value, at]) => at - (sentAt.get(value) ?? Number.NaN)).filter(Number.isFinite)
  expect(delays.length).toBeGreaterThan(sentAt.size * 0.9)
  await report(info, [
    { name: 'main thread busy', value: busy, unit: '%', goal: 12 },
    { name: 'latency, median', value: median(delays), unit: 'ms' },
    { name: 'latency, 95th percentile', value: quantile(delays, 0.95), unit: 'ms', goal: 25 },
  ])
  client.stop()
  await host.stop()
})

/** The setting stands in the page itself, which is read before any module runs. */
function recordNothing(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const head = document.querySelector('head')
      if (head === null) return
      observer.disconnect()
      head.append(Object.assign(document.createElement('meta'), { name: 'foldboard:journal-events', content: '0' }))
    }).observe(document, { childList: true, subtree: true })
  })
}

function changeAt(count: number): readonly unknown[] {
  const unit = 1 + (count % (UNITS - 1))
  switch (count % 3) {
    case 0:
      return ['units', unit, 'eta', `${1 + (count % 9)}h ${count % 60}m`]
    case 1:
      return ['units', unit, 'wu_progress', Math.round((count * 7) % 1000) / 1000]
    default:
      return ['units', unit, 'ppd', 1000 + (count % 977)]
  }
}

/** Notes when each value of the first unit's PPD was painted, in epoch milliseconds. */
function watchFirstPpd(base: number): void {
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
