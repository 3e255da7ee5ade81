import { expect, test, type Page } from '@playwright/test'
import { startNetwork } from '../../programs/network/index.ts'
import { openGauge, pass, quantile, report, type Figure } from './figures.ts'
import { signIn } from '../end-to-end/sign-in.ts'

type Rate = {
  readonly name: string
  readonly changesEvery: number
  readonly busyGoals: Readonly<Record<number, number>>
}

const UNITS = 2
const SECONDS = 15
const CLICKS = 10
const rates: readonly Rate[] = [
  { name: 'a change a unit every 5 s', changesEvery: 5000, busyGoals: { 100: 8, 1000: 15 } },
  { name: '3 messages/s a machine', changesEvery: (UNITS * 1000) / 3, busyGoals: { 1000: 40 } },
]

for (const machines of [10, 100, 1000])
  for (const { name, changesEvery, busyGoals } of rates)
    test(`fleet: ${machines} machines, ${name}`, async ({ page }, info) => {
      const network = await startNetwork({
        port: 0,
        data: undefined,
        machines,
        uniform: true,
        changesEvery,
        relayPaceMs: 300,
        seed: 7,
      })
      await network.online()
      await page.goto(`${network.dashboardUrl}/machines`)
      const gauge = await openGauge(page)
      const started = Date.now()
      await signIn(page, network.account)
      await expect
        .poll(() => runningUnits(page), { timeout: 120_000, intervals: [50] })
        .toBeGreaterThanOrEqual(machines * UNITS)
      const connected = (Date.now() - started) / 1000
      const busy = await gauge.busyShare(() => pass(SECONDS * 1000))
      const clicks = await answerTimes(page)
      const heap = await gauge.heap()
      const busyGoal = busyGoals[machines]
      await report(info, [
        goal({ name: 'all connected after sign-in', value: connected, unit: 's' }, machines === 1000 ? 12 : undefined),
        goal({ name: 'main thread busy', value: busy, unit: '%' }, busyGoal),
        goal({ name: 'heap', value: heap, unit: 'MiB' }, machines === 1000 ? 120 : undefined),
        goal(
          { name: 'a click is answered, 95th percentile', value: quantile(clicks, 0.95), unit: 'ms' },
          machines === 1000 ? 100 : undefined,
        ),
      ])
      await network.stop()
    })

/** As the summary counts them. */
async function runningUnits(page: Page): Promise<number> {
  const words = await page.getByRole('list', { name: 'Work units by state' }).innerText()
  return Number(/([\d,]+) running/.exec(words)?.[1]?.replaceAll(',', '') ?? 0)
}

function goal(figure: Figure, at: number | undefined): Figure {
  return at === undefined ? figure : { ...figure, goal: at }
}

/** From the click, as the browser took it, to the picture that answers it. */
async function answerTimes(page: Page): Promise<readonly number[]> {
  await page.evaluate(() => {
    const durations: number[] = []
    Object.assign(globalThis, { clickDurations: durations })
    new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) if (name === 'click') durations.push(duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
  for (let click = 0; click < CLICKS; click++) {
    await page.keyboard.press('Control+Shift+L')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  const durations = await page.evaluate(() => (globalThis as unknown as { clickDurations: number[] }).clickDurations)
  // Answers within 16 ms are not reported one by one.
  return durations.length > 0 ? durations : [16]
}
