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

it('each surface is computed in a worker, which says how far it is, and ends with it, with the next one or with the viewer', async () => {
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
  expect(worker.posted.length).toBe(1)
  worker.say({ share: 0.5 } satisfies SurfaceAnswer)
  worker.say(none)
  expect(await first).toBeUndefined()
  expect(shares).toEqual([0.5])
  void compute(Float32Array.of(4, 5, 6))
  void compute(Float32Array.of(7, 8, 9))
  expect(workers.map(({ isOpen }) => isOpen)).toEqual([false, false, true])
  computer.stop()
  expect(workers.at(-1)?.isOpen).toBe(false)
})
