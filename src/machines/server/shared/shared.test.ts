import { describe, expect, test } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import type { Shared, SharedChange } from '../../../folding/fleet/shared.ts'
import { NO_NOTES } from '../../../folding/client/processor-notes.ts'
import { NO_POWER } from '../../../folding/power/power.ts'
import { NO_VIEWS } from '../../../folding/fleet/saved-views.ts'
import type { ChangeResult, SharedReply } from './shared.events.ts'
import { sharedMachine } from './shared.machine.ts'

function sharedAt(revision: string): Shared {
  return {
    revision,
    tags: { a: [`at ${revision}`] },
    views: NO_VIEWS,
    power: NO_POWER,
    processors: NO_NOTES,
  }
}
function knownReply(revision: string): SharedReply {
  return { kind: 'known', shared: sharedAt(revision) }
}
function change(tag: string): SharedChange {
  return { type: 'tags.add', machines: ['a'], tag }
}
const TAKEN: ChangeResult = { kind: 'taken' }

type Answer<T> = () => Promise<T>
function answer<T>(value: T): Answer<T> {
  return () => Promise.resolve(value)
}
const fail: Answer<never> = () => Promise.reject(new Error('broken'))

/** `replies` and `results` are given one after another; the last one again and again. */
function start(
  replies: readonly Answer<SharedReply>[],
  results: readonly Answer<ChangeResult>[] = [answer(TAKEN)],
  giveOwn: Answer<undefined> = answer(undefined),
) {
  const done: string[] = []
  const next = <T>(list: readonly Answer<T>[], kind: string): Promise<T> => {
    const index = done.filter(each => each.startsWith(kind)).length - 1
    return (list[Math.min(index, list.length - 1)] ?? fail)()
  }
  const child = startChild(
    sharedMachine.provide({
      actors: {
        giveOwn: fromPromise<undefined, undefined>(() => {
          done.push('give')
          return giveOwn()
        }),
        readShared: fromPromise<SharedReply, undefined>(() => {
          done.push('read')
          return next(replies, 'read')
        }),
        sendChange: fromPromise<ChangeResult, { readonly change: SharedChange | undefined }>(({ input }) => {
          done.push(`send ${input.change?.type === 'tags.add' ? input.change.tag : ''}`)
          return next(results, 'send')
        }),
      },
    }),
  )
  const announce = (revision: string, mayChange = true) =>
    child.actor.send({ type: 'shared.announced', revision, mayChange })
  return {
    ...child,
    done,
    announce,
    make: (tag: string) => child.actor.send({ type: 'shared.change', change: change(tag) }),
  }
}

describe('tags and views of the server', () => {
  test('are read after this browser gave its own, and again when they changed', async () => {
    const { actor, received, done, announce } = start([answer(knownReply('1')), answer(knownReply('2'))])
    announce('1')
    await settled()
    expect(done).toEqual(['give', 'read'])
    expect(received).toEqual([{ type: 'shared.received', shared: sharedAt('1'), isCopied: true }])
    announce('1')
    await settled()
    expect(done).toEqual(['give', 'read'])
    announce('2')
    await settled()
    expect(done).toEqual(['give', 'read', 'read'])
    expect(received[1]).toMatchObject({ shared: sharedAt('2') })
    actor.send({ type: 'shared.refresh' })
    await settled()
    expect(done).toEqual(['give', 'read', 'read', 'read'])
  })

  test('are only read by a viewer, whose browser keeps its own', async () => {
    const { received, done, announce } = start([answer(knownReply('1'))])
    announce('1', false)
    await settled()
    expect(done).toEqual(['read'])
    expect(received).toEqual([{ type: 'shared.received', shared: sharedAt('1'), isCopied: false }])
  })

  test('are read also when giving failed', async () => {
    const { done, announce } = start([answer(knownReply('1'))], undefined, fail)
    announce('1')
    await settled()
    expect(done).toEqual(['give', 'read'])
  })

  test('are changed in order, and received once all changes were taken', async () => {
    const { received, done, announce, make } = start([answer(knownReply('1')), answer(knownReply('3'))])
    // Before the server is known, and while it is asked.
    make('first')
    announce('1')
    make('second')
    await settled()
    expect(done).toEqual(['give', 'read', 'send first', 'send second', 'read'])
    expect(received).toEqual([{ type: 'shared.received', shared: sharedAt('3'), isCopied: true }])
  })

  test('take nothing that the server refused: what it has is shown', async () => {
    const { received, announce, make } = start(
      [answer(knownReply('1'))],
      [answer({ kind: 'refused', reason: 'no' } as const), fail],
    )
    announce('1')
    await settled()
    received.length = 0
    make('x')
    make('y')
    await settled()
    expect(received).toEqual([
      { type: 'shared.notKept', reason: 'no' },
      { type: 'shared.received', shared: sharedAt('1'), isCopied: true },
    ])
    received.length = 0
    make('z')
    await settled()
    expect(received[0]).toEqual({ type: 'shared.notKept', reason: undefined })
  })

  test('are asked for again while the server is away', async () => {
    const { actor, clock, received, done, announce } = start([
      answer({ kind: 'unreachable' } as const),
      fail,
      answer({ kind: 'unreachable' } as const),
      answer(knownReply('2')),
    ])
    announce('1', false)
    await settled()
    expect(actor.getSnapshot().value).toBe('unreachable')
    clock.increment(60_000)
    await settled()
    clock.increment(60_000)
    await settled()
    expect({ done: done.length, received }).toEqual({ done: 3, received: [] })
    announce('2', false)
    await settled()
    expect(received).toEqual([{ type: 'shared.received', shared: sharedAt('2'), isCopied: false }])
  })
})
