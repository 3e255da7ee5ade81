import type { Browser, CDPSession, Page, TestInfo } from '@playwright/test'

export const FIGURES = 'figures'

export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** At most this much is wanted. */
  readonly goal?: number
}

export function report(info: TestInfo, figures: readonly Figure[]): Promise<void> {
  return info.attach(FIGURES, { body: JSON.stringify(figures), contentType: 'application/json' })
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(entry => entry.name === name)?.value ?? Number.NaN
}

/** MiB in use in each worker of the page, after a collection. Workers are isolates of their own, which a page's metrics leave out. */
async function workerHeaps(session: CDPSession): Promise<readonly number[]> {
  const workers = new Set<string>()
  const answers = new Map<string, (used: number) => void>()
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.add(sessionId)
  })
  session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const { id, result } = JSON.parse(message) as { readonly id?: number; readonly result?: { usedSize?: number } }
    if (id === USAGE) answers.get(sessionId)?.(result?.usedSize ?? Number.NaN)
  })
  // Reports workers that are there before it answers.
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const heaps = [...workers].map(async sessionId => {
    const sendToTarget = (id: number, method: string) =>
      session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
    const used = new Promise<number>(done => answers.set(sessionId, done))
    await sendToTarget(USAGE + 1, 'HeapProfiler.collectGarbage')
    await sendToTarget(USAGE, 'Runtime.getHeapUsage')
    return (await used) / 1024 / 1024
  })
  return Promise.all(heaps)
}

const USAGE = 1

/** What the page's own thread does: its working time, and the heap that is left after collecting garbage. */
export async function openGauge(page: Page) {
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
    /** MiB in use in all its workers after a collection. Called once. */
    workerHeap: async () => (await workerHeaps(session)).reduce((sum, heap) => sum + heap, 0),
    /** Percent of the time that the main thread is busy while `during` lasts. */
    busyShare: async (during: () => Promise<void>) => {
      const [workBefore, timeBefore] = [await metric(session, 'TaskDuration'), performance.now()]
      await during()
      const [workAfter, timeAfter] = [await metric(session, 'TaskDuration'), performance.now()]
      return ((workAfter - workBefore) / ((timeAfter - timeBefore) / 1000)) * 100
    },
  }
}

/** Milliseconds of processor time of all threads of all pages. */
export async function openProcessorGauge(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession()
  return async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { type, cpuTime }) => (type === 'renderer' ? sum + cpuTime * 1000 : sum), 0)
  }
}

export function pass(ms: number): Promise<void> {
  return new Promise(done => setTimeout(done, ms))
}
