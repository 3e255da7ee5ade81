import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWhenQuiet } from './when-quiet.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function start() {
  const target = new EventTarget()
  const ran = vi.fn<() => void>()
  const window = {
    addEventListener: target.addEventListener.bind(target),
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms) as unknown as number,
  } as unknown as Window
  const whenQuiet = createWhenQuiet({ window, now: () => Date.now(), whenIdle: run => run() })
  return { ran, whenQuiet, input: (type: string) => target.dispatchEvent(new Event(type)) }
}

it('runs at once on a page that was not used', () => {
  const { ran, whenQuiet } = start()
  whenQuiet(ran)
  expect(ran).toHaveBeenCalledOnce()
})

it.each(['keydown', 'pointerdown', 'wheel', 'touchmove'])('waits two seconds after the last %s', type => {
  const { ran, whenQuiet, input } = start()
  input(type)
  whenQuiet(ran)
  vi.advanceTimersByTime(1500)
  input(type)
  vi.advanceTimersByTime(1999)
  expect(ran).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(ran).toHaveBeenCalledOnce()
})

it('runs after half a minute on a page that is never quiet', () => {
  const { ran, whenQuiet, input } = start()
  input('keydown')
  whenQuiet(ran)
  for (let second = 1; second < 30; second++) {
    vi.advanceTimersByTime(1000)
    input('keydown')
  }
  expect(ran).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(ran).toHaveBeenCalledOnce()
})
