import { expect, test } from 'vitest'
import { createOutlets, type Budget } from './outlets.ts'

function budget(bytes: number, each = 3): Budget {
  return { bytes, streams: { answer: each, events: each, socket: each } }
}

/** Streams whose readers take bytes only when the test says so. */
function start(forEach: Budget, forAll = budget(1_000, 100)) {
  const outlets = createOutlets(forEach, forAll)
  const ended: string[] = []
  return {
    ended,
    open: (name: string, title = name, kind: 'events' | 'socket' = 'socket') => {
      let waiting = 0
      const outlet = outlets.open(name, kind, { waiting: () => waiting, end: () => ended.push(title) })
      return outlet === undefined
        ? undefined
        : {
            write: (bytes: number) => {
              waiting += bytes
              outlet.wrote()
            },
            take: () => {
              waiting = 0
            },
            close: outlet.close,
          }
    },
  }
}

test('beyond the budget of an identity the stream for which most waits ends, and those of others stay', () => {
  const { open, ended } = start(budget(100))
  const [stalled, quick, other] = [open('ana', 'stalled'), open('ana', 'quick'), open('ben')]
  stalled?.write(90)
  other?.write(90)
  quick?.write(10)
  expect(ended).toEqual([])
  quick?.write(1)
  expect(ended).toEqual(['stalled'])
  // What waited for it is not counted any more.
  quick?.write(80)
  expect(ended).toEqual(['stalled'])
})

test('a reader that takes what is sent is never ended, however much that is', () => {
  const { open, ended } = start(budget(100))
  const [one, other] = [open('ana', 'one'), open('ana', 'other')]
  for (let round = 0; round < 50; round++) {
    one?.write(60)
    one?.take()
    other?.write(60)
    other?.take()
  }
  expect(ended).toEqual([])
})

test('all identities together have a budget too', () => {
  const { open, ended } = start(budget(100), budget(150, 100))
  open('ana')?.write(70)
  open('ben')?.write(60)
  const last = open('cleo')
  last?.write(20)
  expect(ended).toEqual([])
  last?.write(1)
  expect(ended).toEqual(['ana'])
})

test('one identity cannot take the streams of others, and gets back those that it closes', () => {
  const { open } = start(budget(100, 2), budget(100, 3))
  const first = open('ana')
  expect([open('ana'), open('ana'), open('ana', '', 'events')].filter(stream => stream === undefined)).toEqual([
    open('ana'),
  ])
  expect(open('ben')).toBeDefined()
  expect(open('ben')).toBeUndefined()
  first?.close()
  first?.close()
  expect(open('ben')).toBeDefined()
  expect(open('ana')).toBeUndefined()
})
