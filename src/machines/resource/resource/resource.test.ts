import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { Fetched, StoredResource } from './resource.events.ts'
import { resourceMachine } from './resource.machine.ts'
import { selectResourceState } from './resource.selectors.ts'

const input = { key: 'version', secrets: undefined, freshFor: 1000, keptFor: 5000, retryDelay: 300 } as const
const down: Fetched = { ok: false, fault: { kind: 'unreachable', message: 'gone' } }
function fetched(value: unknown, at = 0): Fetched {
  return { ok: true, known: { isThere: true, value }, at }
}
function storedValue(value: unknown, age: number): StoredResource {
  return { known: { isThere: true, value }, at: -age, age }
}

type Answers = {
  readonly cached?: readonly (StoredResource | Error | undefined)[]
  readonly fetches?: readonly (Fetched | Error)[]
}

function startResource({ cached = [], fetches = [] }: Answers) {
  const stored = [...cached]
  const answers = [...fetches]
  const asked: (ResourceSecrets | undefined)[] = []
  const machine = resourceMachine.provide({
    actors: {
      loadResource: fromPromise<StoredResource | undefined, { readonly key: ResourceKey }>(() => {
        const answer = stored.shift()
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      }),
      fetchResource: fromPromise<Fetched, { readonly key: ResourceKey; readonly secrets: ResourceSecrets | undefined }>(
        ({ input: { secrets } }) => {
          asked.push(secrets)
          const answer = answers.shift() ?? down
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
        },
      ),
    },
  })
  const { actor, clock, received } = startChild(machine, input)
  return { actor, clock, asked, received, state: () => selectResourceState(actor.getSnapshot()) }
}

describe('a remote value', () => {
  it('is fetched once however many want it, and again when it is too old', async () => {
    const { actor, clock, asked, received, state } = startResource({
      fetches: [fetched('8.5.7'), fetched('8.6.0', 1000)],
    })
    actor.send({ type: 'resource.want' })
    await settled()
    actor.send({ type: 'resource.want' })
    await settled()
    expect(asked).toHaveLength(1)
    expect(received).toEqual([{ type: 'resource.changed', key: 'version', known: { isThere: true, value: '8.5.7' } }])
    clock.increment(1000)
    expect(state()).toMatchObject({ value: '8.5.7', isLoading: true })
    await settled()
    expect(state()).toMatchObject({ value: '8.6.0', isLoading: false, at: 1000 })
  })

  it('is shown as this browser kept it, at once when it is fresh and until a new one comes when it is old [9.18]', async () => {
    const fresh = startResource({ cached: [storedValue('kept', 999)] })
    await settled()
    expect(fresh.asked).toMatchObject([])
    expect(fresh.state()).toMatchObject({ value: 'kept', at: -999, isLoading: false })
    const old = startResource({ cached: [storedValue('kept', 1000)], fetches: [down] })
    await settled()
    expect(old.state()).toMatchObject({ value: 'kept', fault: { message: 'gone' } })
    expect(old.asked).toHaveLength(1)
    const tooOld = startResource({ cached: [storedValue('kept', 5001)], fetches: [down] })
    await settled()
    expect(tooOld.state().value).toBeUndefined()
    const fromTheFuture = startResource({ cached: [storedValue('kept', -1)], fetches: [fetched('now')] })
    await settled()
    expect(fromTheFuture.state().value).toBe('now')
  })

  it('is fetched when this browser cannot say what it kept', async () => {
    const { state } = startResource({ cached: [new Error('The disk is gone.')], fetches: [fetched(1)] })
    await settled()
    expect(state()).toMatchObject({ value: 1, fault: undefined })
  })

  it('that another tab has fetched is used when its age is checked, and reported once', async () => {
    const { clock, asked, received, state } = startResource({
      cached: [storedValue('first', 990), storedValue('second', 0), { ...storedValue('second', 0), age: 500 }],
    })
    await settled()
    clock.increment(10)
    await settled()
    clock.increment(1000)
    await settled()
    expect(asked).toEqual([])
    expect(state().value).toBe('second')
    expect(received.map(event => event['known'])).toEqual([
      { isThere: true, value: 'first' },
      { isThere: true, value: 'second' },
    ])
  })

  it('is not asked for before the server allows it, whatever happens', async () => {
    const busy = { ok: false, fault: { kind: 'refused', status: 429, message: 'Busy', retryAfter: 9000 } } as const
    const { actor, clock, asked } = startResource({ fetches: [busy, fetched(1)] })
    await settled()
    actor.send({ type: 'resource.check' })
    clock.increment(8999)
    await settled()
    expect(asked).toHaveLength(1)
    clock.increment(1)
    await settled()
    expect(asked).toHaveLength(2)
  })

  it('is tried again after a failure, and the old value stays [8.11]', async () => {
    const { actor, clock, state } = startResource({ fetches: [fetched(1), down, new Error('crash'), fetched(2, 9)] })
    await settled()
    actor.send({ type: 'resource.refresh' })
    await settled()
    expect(state()).toMatchObject({ value: 1, fault: { kind: 'unreachable', message: 'gone' } })
    clock.increment(300)
    await settled()
    expect(state()).toMatchObject({ value: 1, fault: { kind: 'unreachable', message: 'crash' } })
    clock.increment(599)
    await settled()
    expect(state()).toMatchObject({ value: 1 })
    clock.increment(1)
    await settled()
    expect(state()).toMatchObject({ value: 2, fault: undefined })
  })

  it('that failed is tried at once when the network comes back', async () => {
    const { actor, state } = startResource({ fetches: [down, fetched(1)] })
    await settled()
    actor.send({ type: 'resource.check' })
    await settled()
    expect(state().value).toBe(1)
  })

  it('that is not there is known not to be', async () => {
    const { state } = startResource({ fetches: [{ ok: true, known: { isThere: false }, at: 7 }] })
    await settled()
    expect(state()).toEqual({ value: undefined, isAbsent: true, isLoading: false, fault: undefined, at: 7 })
  })

  it('is not fetched without readers', async () => {
    const { actor, clock, asked } = startResource({ fetches: [fetched(1), fetched(2, 2000)] })
    await settled()
    actor.send({ type: 'resource.release' })
    clock.increment(100_000)
    await settled()
    expect(asked).toHaveLength(1)
    actor.send({ type: 'resource.want' })
    await settled()
    expect(asked).toHaveLength(2)
  })

  it('is asked for with the newest secrets, and keeps nothing of who has left', async () => {
    const { actor, asked, state } = startResource({ fetches: [fetched('Ada'), fetched('Ada', 5)] })
    await settled()
    actor.send({ type: 'resource.refresh', secrets: { passkey: 'p' } })
    await settled()
    actor.send({ type: 'resource.clear' })
    expect(JSON.stringify(actor.getSnapshot().context)).not.toMatch(/Ada|"p"/)
    await settled()
    expect(asked).toEqual([undefined, { passkey: 'p' }])
    expect(state().value).toBeUndefined()
  })

  it('reaches all its states', () => {
    const done = (name: string, output: unknown) => {
      const id = `0.resource.wanted.${name}`
      return { type: `xstate.done.actor.${id}`, actorId: id, output }
    }
    const { ends, unreached } = walkShortestPaths(resourceMachine, {
      input,
      events: [
        ...(['resource.want', 'resource.release', 'resource.refresh', 'resource.check', 'resource.clear'] as const).map(
          type => ({ type }),
        ),
        ...[undefined, storedValue('old', 2000), storedValue('fresh', 1)].map(output => done('loadingStored', output)),
        ...[fetched('new'), down].map(output => done('fetching', output)),
      ],
      silence: ['notifyParent', 'notifyStored'],
      context: ({ known, fault }) => [known, fault],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      if (snapshot.matches({ wanted: 'fresh' })) expect(snapshot.context.known, path).toBeDefined()
  })
})
