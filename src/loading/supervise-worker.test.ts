import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { superviseWorker, type WorkerCondition, type WorkerNews } from './supervise-worker.ts'

class FakeWorker extends EventTarget {
  readonly posted: unknown[] = []
  isOpen = true
  onerror = null
  onmessage = null
  onmessageerror = null
  postMessage(command: unknown): void {
    this.posted.push(command)
  }
  terminate(): void {
    this.isOpen = false
  }
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  crash(): void {
    this.dispatchEvent(new Event('error'))
  }
}

const ready: WorkerNews = { type: 'worker.ready' }
function locked(lock: string): WorkerNews {
  return { type: 'worker.locked', lock }
}

function startSupervised() {
  const waiting = new Map<string, () => unknown>()
  const workers: FakeWorker[] = []
  const received: unknown[] = []
  const conditions: WorkerCondition[] = []
  const supervised = superviseWorker<string, string>(
    () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    {
      listen: message => received.push(message),
      follow: condition => conditions.push(condition),
      findFault: () => Promise.resolve('serverAway'),
      locks: { request: (name, use) => Promise.resolve(waiting.set(name, use)) },
    },
  )
  const latest = (): FakeWorker => {
    const worker = workers.at(-1)
    if (worker === undefined) throw new Error('No worker was opened.')
    return worker
  }
  return { supervised, workers, received, conditions, latest, release: (lock: string) => waiting.get(lock)?.() }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function pass(milliseconds: number) {
  return vi.advanceTimersByTimeAsync(milliseconds)
}

describe('a supervised worker', () => {
  it('gets commands also before its code runs, and its messages are received', () => {
    const { supervised, latest, received, conditions } = startSupervised()
    supervised.post('early')
    latest().say(ready)
    supervised.post('hello')
    latest().say('news')
    expect(latest().posted).toEqual(['early', 'hello'])
    expect(received).toEqual(['news'])
    expect(conditions).toEqual([{ type: 'opened' }, { type: 'started' }])
  })

  it('is restarted with increasing delays when its script does not load, with the reason', async () => {
    const { workers, conditions, latest } = startSupervised()
    latest().crash()
    await pass(499)
    expect(workers).toHaveLength(1)
    await pass(1)
    expect(workers.length).toBe(2)
    expect(conditions).toEqual([{ type: 'opened' }, { type: 'opened' }])
    latest().crash()
    await pass(999)
    expect(workers).toHaveLength(2)
    expect(conditions.at(-1)).toEqual({ type: 'failed', fault: 'serverAway' })
    await pass(1)
    latest().say(ready)
    expect(conditions.at(-1)).toEqual({ type: 'started' })
    expect(workers.map(({ isOpen }) => isOpen)).toEqual([false, false, true])
  })

  it('is restarted when it sends nothing', async () => {
    const { workers } = startSupervised()
    await pass(30_500)
    expect(workers.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  it('has twice as long to start after each start that was given up', async () => {
    const { workers, latest, conditions } = startSupervised()
    await pass(30_500)
    expect(workers).toHaveLength(2)
    await pass(45_000)
    latest().say(ready)
    expect(workers.length).toBe(2)
    expect(conditions.at(-1)).toEqual({ type: 'started' })
  })

  it('is restarted after a crash, or an unreadable message', async () => {
    const { conditions, latest } = startSupervised()
    latest().say(ready)
    latest().dispatchEvent(new Event('messageerror'))
    expect(conditions.slice(1)).toEqual([{ type: 'started' }, { type: 'lost' }])
    await pass(500)
    latest().say(ready)
    expect(conditions.at(-1)).toEqual({ type: 'started' })
  })

  it('is restarted when its lock is released, since the browser has ended it without an event', async () => {
    const { conditions, workers, latest, release } = startSupervised()
    latest().say(ready)
    latest().say(locked('one'))
    release('one')
    expect(conditions.slice(1)).toEqual([{ type: 'started' }, { type: 'lost' }])
    await pass(500)
    latest().say(ready)
    latest().say(locked('two'))
    // Of the worker before.
    release('one')
    expect(workers.length).toBe(2)
    expect(conditions.at(-1)).toEqual({ type: 'started' })
  })

  it('is not restarted after repeated crashes, until requested', async () => {
    const { supervised, workers, conditions, latest } = startSupervised()
    for (let crash = 0; crash < 5; crash++) {
      latest().say(ready)
      latest().crash()
      await pass(20_000)
    }
    expect(conditions.at(-1)).toEqual({ type: 'failed', fault: 'crashed' })
    const opened = workers.length
    await pass(600_000)
    expect(workers).toHaveLength(opened)
    supervised.restart()
    latest().say(ready)
    expect(workers.length).toEqual(opened + 1)
    expect(conditions.at(-1)).toEqual({ type: 'started' })
  })

  it('may crash occasionally', async () => {
    const { conditions, latest } = startSupervised()
    for (let crash = 0; crash < 12; crash++) {
      latest().say(ready)
      await pass(60_000)
      latest().crash()
      await pass(500)
    }
    expect(conditions.filter(({ type }) => type === 'failed')).toEqual([])
  })

  it('is not restarted after it was stopped', async () => {
    const { supervised, workers, latest } = startSupervised()
    latest().crash()
    supervised.stop()
    await pass(600_000)
    expect(workers).toHaveLength(1)
  })
})
