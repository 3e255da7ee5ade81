import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { Holdings } from './lease.events.ts'
import { leaseMachine } from './lease.machine.ts'
import { selectHasOtherSettings, selectHolder, selectLease } from './lease.selectors.ts'

const DURATION = 10_000
function holdings(facts: Partial<Holdings> = {}): Holdings {
  return {
    server: 'one',
    servers: [{ id: 'one', url: 'http://one', settings: 'x' }],
    holders: new Map([['attic', 'one']]),
    releases: [],
    ...facts,
  }
}

type Answer = Holdings | undefined | 'fails' | 'hangs'

/** A lease whose calls have these answers, one after another; the last one repeats. */
function start(joins: readonly Answer[], renewals: readonly Answer[], release: 'works' | 'fails' = 'works') {
  const clock = new SimulatedClock()
  const calls: string[] = []
  const counts = { joins: 0, renewals: 0 }
  const answer = async (answers: readonly Answer[], at: number): Promise<Holdings | undefined> => {
    const scripted = answers[Math.min(at, answers.length - 1)]
    if (scripted === 'hangs') await new Promise(() => undefined)
    if (scripted === 'fails') throw new Error('The database does not answer')
    return scripted as Holdings | undefined
  }
  const actor = createActor(
    leaseMachine.provide({
      actors: {
        join: fromPromise<Holdings, undefined>(async () => {
          calls.push('join')
          return (await answer(joins, counts.joins++)) ?? holdings()
        }),
        renew: fromPromise<Holdings | undefined, { readonly server: string }>(({ input }) => {
          calls.push(`renew ${input.server}`)
          return answer(renewals, counts.renewals++)
        }),
        release: fromPromise<undefined, { readonly server: string; readonly resources: readonly string[] }>(
          ({ input }) => {
            calls.push(`release ${input.resources.join()}`)
            return release === 'fails'
              ? Promise.reject(new Error('The database does not answer'))
              : Promise.resolve(undefined)
          },
        ),
      },
    }),
    { clock, input: { duration: DURATION } },
  ).start()
  const pass = async (milliseconds: number) => {
    clock.increment(milliseconds)
    // Promises of the actors settle in a few microtasks.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { actor, calls, pass, holder: (resource: string) => selectHolder(actor.getSnapshot(), resource) }
}

test('a server joins, and renews its lease four times in its duration', async () => {
  const { actor, calls, pass, holder } = start([holdings()], [holdings()])
  expect(selectLease(actor.getSnapshot())).toBeUndefined()
  expect(holder('attic')).toBeUndefined()
  await pass(0)
  expect(selectLease(actor.getSnapshot())).toBe('one')
  expect(holder('attic')).toBe('here')
  expect(holder('cellar')).toBeUndefined()
  for (let at = 0; at < 8; at++) await pass(DURATION / 4)
  expect(calls).toEqual(['join', ...Array.from({ length: 8 }, () => 'renew one')])
})

test('a hint makes it look at once; what another server holds is reached there', async () => {
  const other = holdings({
    servers: [
      { id: 'one', url: 'http://one', settings: 'x' },
      { id: 'two', url: 'http://two', settings: 'y' },
    ],
    holders: new Map([['attic', 'two']]),
  })
  const { actor, calls, pass, holder } = start([holdings()], [other])
  await pass(0)
  expect(selectHasOtherSettings(actor.getSnapshot())).toBe(false)
  actor.send({ type: 'lease.hinted' })
  await pass(0)
  expect({ calls, holder: holder('attic') }).toEqual({ calls: ['join', 'renew one'], holder: 'http://two' })
  expect(selectHasOtherSettings(actor.getSnapshot())).toBe(true)
})

test('what is more than its share is held no more before it is given up', async () => {
  const { calls, pass, holder } = start([holdings({ releases: ['attic'] })], [holdings({ holders: new Map() })])
  await pass(0)
  expect(calls).toEqual(['join', 'release attic', 'renew one'])
  expect(holder('attic')).toBeUndefined()
})

test('a release that failed is made again after the next renewal', async () => {
  const more = holdings({ releases: ['attic'] })
  const { calls, pass } = start([more], [more], 'fails')
  await pass(0)
  await pass(DURATION / 4)
  expect(calls).toEqual(['join', 'release attic', 'renew one', 'release attic'])
})

test('without a renewal it holds nothing before others take over, and joins again', async () => {
  const { actor, calls, pass, holder } = start([holdings(), 'fails', holdings({ server: 'again' })], ['fails', 'hangs'])
  await pass(0)
  await pass(DURATION / 4)
  await pass(DURATION / 4)
  expect({ holder: holder('attic'), calls }).toEqual({ holder: 'here', calls: ['join', 'renew one', 'renew one'] })
  await pass(DURATION * 0.2)
  expect(selectLease(actor.getSnapshot())).toBeUndefined()
  expect(holder('attic')).toBeUndefined()
  await pass(500)
  expect(selectLease(actor.getSnapshot())).toBe('again')
  expect(calls.at(-1)).toBe('join')
})

test('a lease that the database has ended is lost at once', async () => {
  const { calls, pass } = start([holdings(), 'hangs'], [undefined])
  await pass(0)
  await pass(DURATION / 4)
  expect(calls).toEqual(['join', 'renew one', 'join'])
})

test('on all its paths it holds something only while it has a lease', () => {
  const { ends, unreached } = walkShortestPaths(leaseMachine, {
    input: { duration: DURATION },
    events: [
      { type: 'lease.hinted' },
      ...['join', 'renew', 'release'].flatMap((name, at) => {
        const id = `${at}.lease.${['joining', 'holding.renewing', 'holding.releasing'][at] ?? ''}`
        return [
          { type: `xstate.done.actor.0${id.slice(1)}`, output: name === 'release' ? undefined : holdings() },
          {
            type: `xstate.done.actor.0${id.slice(1)}`,
            output: name === 'join' ? holdings({ releases: ['a'] }) : undefined,
          },
          { type: `xstate.error.actor.0${id.slice(1)}`, error: new Error('The database does not answer') },
        ]
      }),
    ],
    context: ({ holdings: held, failures }) => [held?.releases, Math.min(failures, 1)],
  })
  expect(unreached).toEqual([])
  for (const { snapshot, path } of ends)
    expect(snapshot.matches('holding'), path).toEqual(selectLease(snapshot) !== undefined)
})
