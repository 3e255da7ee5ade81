import { expect, test, type Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient } from '../end-to-end/scripted-client.ts'
import { folded } from '../log-lines.ts'
import { median, openGauge, pass, quantile, report } from './figures.ts'

const LINES = 100_000
const ROUNDS = 5
const UNFORESEEN_ROUNDS = 3
/** Until a page has fetched the screens that are opened most, whatever the pointer does. */
const SETTLED = 6000
const JUMPS = 40
const SECONDS = 15
const BATCH = 25
const BATCHES_EVERY = 250
const KEYS = 'line 77'

/** A client that sends its whole log on request. */
async function startWriter() {
  const client = await startScriptedClient(clientData())
  const lines = folded(LINES)
  const text = JSON.stringify(['log', lines])
  let isOver = false
  const answer = async (): Promise<void> => {
    while (!isOver) if ((await client.nextCommand())['enable'] === true) client.sayText(text)
  }
  void answer()
  return {
    ...client,
    found: lines.filter(line => line.toLowerCase().includes(KEYS)).length,
    stop: () => {
      isOver = true
      client.stop()
    },
  }
}

test(`log: ${LINES} lines`, async ({ browser }, info) => {
  const client = await startWriter()
  const host = await serveAlone({ port: 0, client: client.address })
  const open = async (rounds: number, prepare: (page: Page) => Promise<void>): Promise<number> => {
    const opened: number[] = []
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext()
      opened.push(await openLog(await context.newPage(), host.dashboardUrl, prepare))
      await context.close()
    }
    return median(opened)
  }
  const opened = await open(ROUNDS, comeNear)
  const openedUnforeseen = await open(UNFORESEEN_ROUNDS, page => page.waitForTimeout(SETTLED))
  const page = await browser.newPage()
  await openLog(page, host.dashboardUrl, comeNear)
  const gauge = await openGauge(page)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  const typed = await typeSearch(page, client.found)
  await page.keyboard.press('Escape')
  await expect(page.locator('footer')).toContainText('100,000 lines')
  const frames = await page.evaluate(jumpAbout, JUMPS)
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Go to the end' }).click()
  let written = LINES
  const busy = await gauge.busyShare(async () => {
    const end = Date.now() + SECONDS * 1000
    for (let due = Date.now(); due < end; due += BATCHES_EVERY) {
      if (due > Date.now()) await pass(due - Date.now())
      client.say(['log', -2, folded(BATCH, { from: written })])
      written += BATCH
    }
  })
  const heap = await gauge.heap()
  await report(info, [
    { name: 'open to the last line', value: opened, unit: 'ms', goal: 100 },
    { name: 'the same without prefetching', value: openedUnforeseen, unit: 'ms' },
    { name: 'search: result after the last key', value: typed.result, unit: 'ms', goal: 30 },
    { name: 'search: slowest key', value: typed.slowest, unit: 'ms', goal: 16 },
    { name: 'a jump is answered, 95th percentile', value: quantile(frames, 0.95), unit: 'frames', goal: 1 },
    { name: `${(BATCH * 1000) / BATCHES_EVERY} lines/s: main thread busy`, value: busy, unit: '%', goal: 3 },
    { name: 'heap', value: heap, unit: 'MiB', goal: 11.8 },
    { name: 'elements on the page', value: nodes, unit: '', goal: 249 },
  ])
  await page.close()
  client.stop()
  await host.stop()
})

/** What is pressed lies under the pointer before. */
async function comeNear(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for puppet' }).click()
  await page.getByRole('menuitem', { name: 'Log' }).hover()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
}

/** From leaving the machines view to the picture with the last line, in milliseconds. */
async function openLog(page: Page, url: string, prepare: (page: Page) => Promise<void>): Promise<number> {
  await page.goto(`${url}/machines`)
  await expect(page.getByRole('region', { name: 'puppet' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await prepare(page)
  return page.evaluate(
    last =>
      new Promise<number>(done => {
        const started = performance.now()
        new MutationObserver((_, observer) => {
          if (document.querySelector(`[data-line="${last}"]`) === null) return
          observer.disconnect()
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done(performance.now() - started)
            port2.postMessage(undefined)
          })
        }).observe(document.body, { subtree: true, childList: true })
        history.pushState(undefined, '', '/__direct__/log')
        dispatchEvent(new PopStateEvent('popstate'))
      }),
    LINES - 1,
  )
}

/** Milliseconds from the last key to the picture with what was found, and of the key that was answered last. */
async function typeSearch(page: Page, found: number): Promise<{ readonly result: number; readonly slowest: number }> {
  await page.keyboard.press('/')
  await page.waitForTimeout(500)
  await page.evaluate(count => {
    const watch = { keyAt: 0, shownAt: 0, durations: [] as number[] }
    Object.assign(globalThis, { watch })
    document.addEventListener('keydown', event => (watch.keyAt = event.timeStamp), { capture: true })
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) watch.durations.push(duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    const wanted = `lines${count.toLocaleString('en-US')} of `
    new MutationObserver(() => {
      if (document.querySelector('footer')?.textContent.includes(wanted) !== true) return
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => (watch.shownAt ||= performance.now())
      requestAnimationFrame(() => port2.postMessage(undefined))
    }).observe(document.querySelector('main') ?? document.body, { subtree: true, childList: true, characterData: true })
  }, found)
  await page.keyboard.type(KEYS, { delay: 120 })
  const watched = await page.waitForFunction(() => {
    const { watch } = globalThis as unknown as { watch: { keyAt: number; shownAt: number; durations: number[] } }
    return watch.shownAt > 0 ? watch : undefined
  })
  const { keyAt, shownAt, durations } = (await watched.jsonValue()) ?? { keyAt: Number.NaN, shownAt: 0, durations: [] }
  // Answers within 16 ms are not reported one by one.
  return { result: shownAt - keyAt, slowest: Math.max(16, ...durations) }
}

/** Runs in the page. Frames until the lines at each of many places are there. */
async function jumpAbout(jumps: number): Promise<readonly number[]> {
  const box = document.querySelector('[role=log]')
  if (box === null) throw new Error('There is no log.')
  const nextFrame = () => new Promise<void>(done => requestAnimationFrame(() => setTimeout(done)))
  const isFilled = (): boolean => {
    const { left, top, height } = box.getBoundingClientRect()
    return [0.05, 0.5, 0.95].every(share =>
      document.elementsFromPoint(left + 40, top + height * share).some(element => element.matches('[data-line]')),
    )
  }
  const frames: number[] = []
  for (let jump = 0; jump < jumps; jump++) {
    box.scrollTop = ((jump * 7919) % 1000) * (box.scrollHeight / 1000)
    let count = 0
    do {
      await nextFrame()
      count++
    } while (!isFilled())
    frames.push(count)
  }
  return frames
}
