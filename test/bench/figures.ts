import type { CDPSession, Page, TestInfo } from '@playwright/test'

export const FIGURES = 'figures'

export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** At most this much is wanted. */
  readonly goal?: number
}

export const report = (info: TestInfo, figures: readonly Figure[]): Promise<void> =>
  info.attach(FIGURES, { body: JSON.stringify(figures), contentType: 'application/json' })

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const metric = async (session: CDPSession, name: string): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(entry => entry.name === name)?.value ?? Number.NaN
}

/** What the page's own thread does: its working time, and the heap that is left after collecting garbage. */
export const openGauge = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  // The thread's own processor time: what other programs do meanwhile does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('HeapProfiler.enable')
  return {
    session,
    /** Milliseconds of work of the main thread since the page began. */
    work: async () => (await metric(session, 'TaskDuration')) * 1000,
    /** MiB in use after a collection. */
    heap: async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await metric(session, 'JSHeapUsedSize')) / 1024 / 1024
    },
    /** Percent of the time that the main thread is busy while `during` lasts. */
    busyShare: async (during: () => Promise<void>) => {
      const [workBefore, timeBefore] = [await metric(session, 'TaskDuration'), performance.now()]
      await during()
      const [workAfter, timeAfter] = [await metric(session, 'TaskDuration'), performance.now()]
      return ((workAfter - workBefore) / ((timeAfter - timeBefore) / 1000)) * 100
    },
  }
}

export const pass = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))
