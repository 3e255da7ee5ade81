import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LeaseLost } from './database.ts'
import { createKeeper } from './keeper.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function start(most = 10) {
  const written: string[] = []
  const errors: string[] = []
  const failing = new Map<string, Error>()
  const keeper = createKeeper({ most, onError: error => errors.push(error instanceof Error ? error.message : '') })
  const write = (what: string) => () => {
    const error = failing.get(what) ?? failing.get('all')
    if (error !== undefined) return Promise.reject(error)
    written.push(what)
    return Promise.resolve()
  }
  return { keeper, written, errors, failing, write, keep: (key: string, what = key) => keeper.keep(key, write(what)) }
}

test('a write that failed is tried again, the newest of each key and those that can be written first', async () => {
  const { keep, written, errors, failing } = start()
  failing.set('all', new Error('full'))
  await keep('a', 'a1')
  await keep('b')
  await keep('a', 'a2')
  expect({ written, errors }).toEqual({ written: [], errors: ['full', 'full', 'full'] })
  failing.clear()
  failing.set('a2', new Error('wrong'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(written).toEqual(['b'])
  failing.clear()
  await vi.advanceTimersByTimeAsync(5000)
  expect(written).toEqual(['b', 'a2'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(written).toEqual(['b', 'a2'])
})

test('a write in turn takes the place of one that waits, unless it fails', async () => {
  const { keeper, keep, write, written, failing } = start()
  failing.set('old', new Error('full'))
  await keep('a', 'old')
  await keep('b', 'old')
  failing.set('new b', new Error('full'))
  await keeper.inTurn(write('new a'), 'a')
  await expect(keeper.inTurn(write('new b'), 'b')).rejects.toThrow('full')
  failing.clear()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(written).toEqual(['new a', 'old'])
})

test('a write in turn passes all that wait, which are tried after it', async () => {
  const { keeper, write, written } = start()
  let finish = (): void => undefined
  void keeper.keep('a', () => new Promise<void>(resolve => (finish = resolve)))
  const others = ['b', 'c'].map(key => keeper.keep(key, write(key)))
  const first = keeper.inTurn(write('first'))
  const tried = keeper.tried()
  await vi.advanceTimersByTimeAsync(1)
  finish()
  await first
  expect(written).toEqual(['first'])
  await Promise.all([...others, tried])
  expect(written).toEqual(['first', 'b', 'c'])
})

test('writes in turn that never end do not keep those that wait from being tried', async () => {
  const { keeper, keep, written, write } = start()
  let [isOver, count] = [false, 0]
  const again = async (): Promise<void> => {
    await keeper.inTurn(write(`asked ${count++}`))
    if (!isOver) void again()
  }
  for (let each = 0; each < 3; each++) void again()
  await Promise.all([keep('a'), keep('b')])
  await keeper.tried()
  isOver = true
  expect(written.filter(what => !what.startsWith('asked'))).toEqual(['a', 'b'])
  await keeper.stop()
})

test('at the end what waits is tried once more, also after one that fails', async () => {
  const { keeper, keep, written, failing } = start()
  failing.set('all', new Error('full'))
  for (const key of ['a', 'b', 'c', 'd', 'e']) await keep(key)
  failing.clear()
  failing.set('b', new Error('wrong'))
  await keeper.stop()
  expect(written).toEqual(['a', 'c', 'd', 'e'])
})

test('at the end a database that takes nothing is not asked for ever', async () => {
  const { keeper, keep, errors, failing } = start()
  failing.set('all', new Error('full'))
  for (const key of ['a', 'b', 'c', 'd', 'e']) await keep(key)
  errors.length = 0
  await keeper.stop()
  expect(errors).toHaveLength(3)
})

test('a kept write resolves when it was tried, and when its place was taken', async () => {
  const { keeper, keep, write, failing } = start()
  failing.set('all', new Error('full'))
  const replaced = keep('a', 'a1')
  await Promise.all([replaced, keep('a', 'a2'), keep('b')])
  const inPlace = keep('c')
  failing.clear()
  await Promise.all([keeper.inTurn(write('new c'), 'c'), inPlace])
})

test('the same write that is asked for while it runs is done again', async () => {
  const { keeper } = start()
  let times = 0
  let finish = (): void => undefined
  const slow = (): Promise<void> => {
    times += 1
    return new Promise(resolve => (finish = resolve))
  }
  void keeper.keep('b', slow)
  await vi.advanceTimersByTimeAsync(1)
  void keeper.keep('b', slow)
  finish()
  // On a busy computer there is a pause between the two.
  await vi.waitFor(() => expect(times).toBe(2))
  finish()
})

test('a limited number of writes wait, and the oldest are dropped', async () => {
  const { keep, written, errors, failing } = start(2)
  failing.set('all', new Error('full'))
  for (const key of ['a', 'b', 'c']) await keep(key)
  failing.clear()
  await vi.advanceTimersByTimeAsync(5000)
  expect(written.toSorted()).toEqual(['b', 'c'])
  expect(errors).toContain('Too many writes wait for the database: the oldest one is given up.')
})

test('a write is dropped when the server has lost its lease', async () => {
  const { keep, written, failing } = start()
  failing.set('all', new LeaseLost())
  await keep('a')
  failing.clear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(written).toEqual([])
})

test('a write in turn that fails is not kept for later, but fails at once', async () => {
  const { keeper, keep, write, written, failing } = start()
  await keep('a')
  let finish = (): void => undefined
  const second = keeper.inTurn(async () => {
    await new Promise<void>(resolve => (finish = resolve))
    return write('b')()
  })
  void keep('c')
  await vi.advanceTimersByTimeAsync(1000)
  expect(written).toEqual(['a'])
  finish()
  await second
  await keeper.stop()
  expect(written).toEqual(['a', 'b', 'c'])
  failing.set('all', new Error('full'))
  await expect(keeper.inTurn(write('d'))).rejects.toThrow('full')
  await keep('e')
  failing.clear()
  // It was stopped.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(written).toEqual(['a', 'b', 'c'])
})

test('between many writes that wait, messages are handled', async () => {
  vi.useRealTimers()
  const { keeper } = start()
  let isHandled = false
  setImmediate(() => (isHandled = true))
  const handled: boolean[] = []
  const long = (): Promise<void> => {
    handled.push(isHandled)
    for (const began = performance.now(); performance.now() - began < 15;);
    return Promise.resolve()
  }
  await Promise.all(['a', 'b', 'c'].map(key => keeper.keep(key, long)))
  expect(handled).toEqual([false, true, true])
})
