import { afterEach, expect, test, vi } from 'vitest'
import { whenIdle } from './when-idle.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a browser with idle callbacks is asked for one, with the longest wait', () => {
  const requestIdleCallback = vi.fn()
  vi.stubGlobal('requestIdleCallback', requestIdleCallback)
  const run = (): void => undefined
  whenIdle(run, 500)
  expect(requestIdleCallback).toHaveBeenCalledWith(run, { timeout: 500 })
})

test('a browser without idle callbacks runs it in a later task', () => {
  vi.useFakeTimers()
  const run = vi.fn()
  whenIdle(run)
  expect(run).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(run).toHaveBeenCalledOnce()
})
