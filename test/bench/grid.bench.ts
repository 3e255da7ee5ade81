import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startNetwork } from '../../programs/network/index.ts'
import { openGauge, quantile, report, type Figure } from './figures.ts'
import { chooseFromMenu } from '../end-to-end/machines-view.ts'
import { signIn } from '../end-to-end/sign-in.ts'

/** The largest number is that of the embedded network. */
const FLEETS: readonly number[] = [40, 500, 2000, 5000]
/** Running units of each client, and how many messages a second all clients send together at most. */
const [UNITS, MESSAGES] = [2, 50]
/** A term of each kind, as the table of tokens gives them (src/folding/fleet/query-tokens.ts). */
const TERMS = [
  'state:waiting',
  'problem:error',
  'name:desk',
  'tag:attic',
  'gpu:4090',
  'project:18420',
  'version:<8.5',
  'os:linux',
  'group:night',
  'ppd:<50%',
  'points:>100k',
  'units:>4',
  'failed:>0',
  'offline:>1h',
  'eta:<1h',
  'deadline:any',
  'cpus:>=16',
  'gpus:>1',
  'account:none',
  'old:yes',
]
/** Headings that are in view in a window of 1,280 pixels. */
const SORTED = [
  ['PPD', 'ppd'],
  ['State', 'state'],
  ['TPF', 'tpf'],
  ['Machine', 'name'],
] as const

for (const machines of FLEETS)
  test(`grid: ${machines} machines`, async ({ page }, info) => {
    test.setTimeout(600_000)
    const network = await startNetwork({
      port: 0,
      // The keys of 5,000 clients take minutes: they are kept for the next run.
      data: join(import.meta.dirname, `../../test-results/fleets/${machines}`),
      machines,
      uniform: true,
      changesEvery: Math.max(5000, (machines * UNITS * 1000) / MESSAGES),
      relayPaceMs: 300,
      seed: 7,
    })
    await network.online()
    await page.goto(`${network.dashboardUrl}/machines?layout=grid`)
    const gauge = await openGauge(page)
    await signIn(page, network.account)
    const grid = page.getByRole('grid', { name: 'Machines' })
    // The head, and the client on this computer.
    await expect(grid).toHaveAttribute('aria-rowcount', String(machines + 2), { timeout: 300_000 })
    await expect(grid.locator('[data-key]').first()).toBeVisible()
    const clicks = await clickTimes(page)
    await expect.poll(() => loading(page), { timeout: 300_000, intervals: [250] }).toBe(0)
    const sorts = await sortTimes(page)
    const scroll = await scrollThrough(page)
    const filters = await filterTimes(page)
    const selected = await selectionTimes(page)
    const [heap, workers] = [await gauge.heap(), await gauge.workerHeap()]
    await report(info, [
      { name: 'sorted, 95th percentile', value: quantile(sorts, 0.95), unit: 'ms', goal: 100 },
      { name: 'filtered by a term, slowest', value: Math.max(...filters.terms), unit: 'ms', goal: 100 },
      { name: 'key to result, 95th percentile', value: quantile(filters.keys, 0.95), unit: 'ms', goal: 60 },
      { name: 'all selected', value: selected.all, unit: 'ms', goal: 100 },
      { name: 'preview opened', value: selected.preview, unit: 'ms', goal: 100 },
      { name: 'longest run of frames with a blank row', value: scroll.blank, unit: 'frames', goal: 1 },
      { name: 'frame while scrolling, 95th percentile', value: quantile(scroll.frames, 0.95), unit: 'ms' },
      { name: 'heap, of the page and its workers', value: heap + workers, unit: 'MiB', goal: 150 },
      { name: 'heap, of the workers alone', value: workers, unit: 'MiB' },
      { name: 'a click while machines connect, slowest', value: Math.max(...clicks), unit: 'ms', goal: 100 },
    ] satisfies readonly Figure[])
    await network.stop()
  })

type Timed = { eventDurations: [name: string, ms: number][] }

/** Notes how long the browser takes from each event to the picture that answers it. */
function watchEvents(page: Page): Promise<void> {
  return page.evaluate(() => {
    const durations: Timed['eventDurations'] = []
    Object.assign(globalThis, { eventDurations: durations })
    new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) durations.push([name, duration])
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
}

/** The durations of these events since the last call. What takes less than 16 ms is not reported one by one. */
async function takeDurations(page: Page, events: readonly string[]): Promise<readonly number[]> {
  // Entries are reported after the picture.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100))))
  const all = await page.evaluate(() => (globalThis as unknown as Timed).eventDurations.splice(0))
  const durations = all.flatMap(([name, ms]) => (events.includes(name) ? [ms] : []))
  return durations.length > 0 ? durations : [16]
}

/** Clients whose connection is being opened, as the summary counts them. */
async function loading(page: Page): Promise<number> {
  const words = await page.getByRole('list', { name: 'Work units by state' }).innerText()
  return Number(/([\d,]+) loading/.exec(words)?.[1]?.replaceAll(',', '') ?? 0)
}

/** From clicks to the pictures that answer them, while clients connect. */
async function clickTimes(page: Page): Promise<readonly number[]> {
  await watchEvents(page)
  const toggle = page.getByRole('button', { name: 'Compact rows' })
  for (let click = 0; click < 10; click++) await toggle.click()
  return takeDurations(page, ['click'])
}

/**
 * From a click on a button to the picture in which there is an element with this selector, which may be later than the first
 * picture after the click.
 */
function answerTime(button: Locator, answer: string): Promise<number> {
  return button.evaluate(
    (element: HTMLElement, selector) =>
      new Promise<number>(done => {
        const begun = performance.now()
        const look = (): void => {
          if (document.querySelector(selector) === null) {
            requestAnimationFrame(look)
            return
          }
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => done(performance.now() - begun)
          port2.postMessage(undefined)
        }
        element.click()
        requestAnimationFrame(look)
      }),
    answer,
  )
}

/** From the click on a heading to the picture of the sorted rows. */
async function sortTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = []
  for (const [title, column] of SORTED) {
    const heading = page.getByRole('grid').getByRole('button', { name: title, exact: true })
    times.push(await answerTime(heading, `[role=columnheader][data-column=${column}]:not([aria-sort=none])`))
  }
  return times
}

/** From a key to the picture of the rows that match: of whole terms that are pasted, and of words that are typed. */
async function filterTimes(
  page: Page,
): Promise<{ readonly terms: readonly number[]; readonly keys: readonly number[] }> {
  const field = page.getByRole('combobox', { name: 'Find machines' })
  const totals = page.getByRole('status').filter({ hasText: /machines? shown/ })
  // Loads the code that reads queries.
  await field.fill('state:folding')
  await expect(totals).toBeVisible()
  const terms: number[] = []
  for (const term of TERMS) {
    await field.fill('')
    await field.focus()
    // A pasted text is one input event, which event timing does not report: the page itself looks for the next picture.
    terms.push(
      await field.evaluate(
        (input: HTMLInputElement, text) =>
          new Promise<number>(done => {
            const begun = performance.now()
            // As the browser does: React does not see a value that is set on the element itself.
            Reflect.set(HTMLInputElement.prototype, 'value', text, input)
            input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste', data: text }))
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = () => done(performance.now() - begun)
              port2.postMessage(undefined)
            })
          }),
        term,
      ),
    )
    await expect(totals).toBeVisible()
  }
  await field.fill('')
  await takeDurations(page, [])
  await field.pressSequentially('folder-001 linux', { delay: 120 })
  const keys = await takeDurations(page, ['keydown', 'keypress', 'keyup'])
  await field.fill('')
  return { terms, keys }
}

/** From the click to the picture that answers it. */
async function selectionTimes(page: Page): Promise<{ readonly all: number; readonly preview: number }> {
  await chooseFromMenu(page, /^More$/, 'Select machines')
  const bar = page.getByRole('region', { name: 'Selection' })
  const all = await answerTime(bar.getByRole('button', { name: /^Select all/ }), '[data-action=select-all]:checked')
  await expect(bar.getByRole('status')).toHaveText(/^[1-9][\d,]* machines selected/)
  const preview = await answerTime(bar.getByRole('button', { name: 'Pause', exact: true }), '[role=dialog]')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  return { all, preview }
}

/** Scrolls by most of a box's height with each frame, as fast as a thrown wheel, and looks where rows should be. */
function scrollThrough(page: Page): Promise<{ readonly blank: number; readonly frames: readonly number[] }> {
  return page.evaluate(
    () =>
      new Promise(done => {
        const box = document.querySelector('[data-scroller]')
        if (box === null) throw new Error('There is no grid.')
        const { left, top, width, height } = box.getBoundingClientRect()
        const frames: number[] = []
        let last = performance.now()
        let run = 0
        let blank = 0
        let steps = 0
        const isBlank = (y: number): boolean =>
          document.elementFromPoint(left + width / 2, top + y)?.closest('[data-key]') === null
        const step = (): void => {
          const now = performance.now()
          frames.push(now - last)
          last = now
          run = isBlank(height / 2) || isBlank(height * 0.9) ? run + 1 : 0
          blank = Math.max(blank, run)
          const isEnd = box.scrollTop + height >= box.scrollHeight - 1
          if (isEnd || ++steps > 300) done({ blank, frames })
          else {
            box.scrollTop += 240
            requestAnimationFrame(step)
          }
        }
        requestAnimationFrame(step)
      }),
  )
}
