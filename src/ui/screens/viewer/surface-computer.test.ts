// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { createSurfaceComputer, type SurfaceAnswer } from './surface-computer.ts'

class FakeWorker extends EventTarget {
  readonly posted: unknown[] = []
  isOpen = true
  postMessage(request: unknown): void {
    this.posted.push(request)
  }
  terminate(): void {
    this.isOpen = false
  }
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

it('surfaces are computed one after the other in one worker, which says how far it is, and ends with what it computes or with the viewer', async () => {
  const workers: FakeWorker[] = []
  const computer = createSurfaceComputer(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  })
  const shares: number[] = []
  const compute = (frame: Float32Array) =>
    computer.compute(frame, Float32Array.of(1), Uint32Array.of(0), share => shares.push(share))
  const none = { surface: undefined } satisfies SurfaceAnswer
  const first = compute(Float32Array.of(1, 2, 3))
  const [worker = new FakeWorker()] = workers
  expect(worker.posted).toEqual([])
  worker.say({ type: 'worker.ready' })
  worker.say({ share: 0.5 } satisfies SurfaceAnswer)
  worker.say(none)
  expect(await first).toBeUndefined()
  const second = compute(Float32Array.of(4, 5, 6))
  worker.say(none)
  await second
  expect(shares).toEqual([0.5])
  expect(worker.posted.length).toBe(2)
  expect(workers.length).toBe(1)
  void compute(Float32Array.of(7, 8, 9))
  const third = compute(Float32Array.of(1, 1, 1))
  expect(workers.length).toBe(2)
  expect(worker.isOpen).toBe(false)
  const [, other = new FakeWorker()] = workers
  other.say({ type: 'worker.ready' })
  other.say(none)
  await third
  computer.stop()
  expect(other.isOpen).toBe(false)
})
