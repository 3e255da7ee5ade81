import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import {
  projectKey,
  teamKey,
  userKey,
  type ResourceKey,
  type ResourceSecrets,
} from '../../../folding/shared/resource-keys.ts'
import type { Fetched, StoredResource } from '../resource/resource.events.ts'
import { resourceMachine } from '../resource/resource.machine.ts'
import { selectResourceState, initialResourceState, type ResourceState } from '../resource/resource.selectors.ts'
import { queryCacheMachine } from './query-cache.machine.ts'
import { selectResource } from './query-cache.selectors.ts'

type Asked = { readonly key: ResourceKey; readonly secrets: ResourceSecrets | undefined }

function startLibrary(isDown = false) {
  const asked: Asked[] = []
  let cleared = 0
  let tick = 0
  const resource = resourceMachine.provide({
    actors: {
      loadResource: fromPromise<StoredResource | undefined, { readonly key: ResourceKey }>(() =>
        Promise.resolve(undefined),
      ),
      fetchResource: fromPromise<Fetched, Asked>(({ input }) => {
        asked.push(input)
        tick += 1
        if (isDown) return Promise.resolve({ ok: false, fault: { kind: 'unreachable', message: 'gone' } })
        return Promise.resolve({
          ok: true,
          known: { isThere: true, value: `${input.key} ${input.secrets?.passkey ?? ''}` },
          at: tick,
        })
      }),
    },
  })
  const machine = queryCacheMachine.provide({
    actors: { resource },
    actions: { clearPersonal: () => void (cleared += 1) },
  })
  const { actor, clock, received } = startChild(machine)
  return {
    actor,
    clock,
    received,
    keys: () => asked.map(({ key }) => key),
    asked,
    cleared: () => cleared,
    state: (key: ResourceKey): ResourceState<unknown> => {
      const ref = selectResource(key)(actor.getSnapshot())
      return ref === undefined ? initialResourceState : selectResourceState(ref.getSnapshot())
    },
  }
}

const ada = userKey('Ada', 7)

describe('the library', () => {
  it('fetches a value once for all readers, and reports it to the parent', async () => {
    const { actor, keys, received, state } = startLibrary()
    for (const key of ['causes', 'causes', 'version'] as const) actor.send({ type: 'queryCache.want', key })
    await settled()
    expect(keys()).toEqual(['causes', 'version'])
    expect(received.map(event => event['key'])).toEqual(['causes', 'version'])
    expect(state('causes').value).toBe('causes ')
    expect(state('news')).toBe(initialResourceState)
  })

  it('refreshes while there are readers [9.10]', async () => {
    const { actor, clock, keys } = startLibrary()
    actor.send({ type: 'queryCache.want', key: ada })
    actor.send({ type: 'queryCache.want', key: ada })
    await settled()
    actor.send({ type: 'queryCache.release', key: ada })
    const hour = async (): Promise<void> => {
      for (let minute = 0; minute < 60; minute++) {
        clock.increment(60_000)
        await settled()
      }
    }
    await hour()
    const before = keys().length
    expect(before).toBeGreaterThan(1)
    actor.send({ type: 'queryCache.release', key: ada })
    actor.send({ type: 'queryCache.release', key: ada })
    await hour()
    expect(keys()).toHaveLength(before)
  })

  it('has each value look at its age when the computer has slept', async () => {
    const { actor, keys } = startLibrary(true)
    for (const key of ['causes', 'version'] as const) actor.send({ type: 'queryCache.want', key })
    await settled()
    actor.send({ type: 'queryCache.check' })
    await settled()
    expect(keys()).toEqual(['causes', 'version', 'causes', 'version'])
  })

  it('fetches again with a changed passkey', async () => {
    const { actor, asked, state } = startLibrary()
    for (const passkey of ['old', 'old', 'new']) {
      actor.send({ type: 'queryCache.want', key: ada, secrets: { passkey } })
      await settled()
    }
    expect(asked.map(({ secrets }) => secrets?.passkey)).toEqual(['old', 'new'])
    expect(state(ada).value).toBe('user/Ada/7 new')
  })

  it('deletes all personal values when the user signs out, and nothing else', async () => {
    const { actor, asked, cleared, state } = startLibrary()
    actor.send({ type: 'queryCache.want', key: ada, secrets: { passkey: 'p' } })
    actor.send({ type: 'queryCache.want', key: teamKey(7) })
    actor.send({ type: 'queryCache.release', key: teamKey(7) })
    actor.send({ type: 'queryCache.want', key: projectKey(1) })
    await settled()
    actor.send({ type: 'queryCache.clearPersonal' })
    expect(cleared()).toBe(1)
    expect(state(ada).value).toBeUndefined()
    expect(state(teamKey(7)).value).toBeUndefined()
    expect(state(projectKey(1)).value).toBe('project/1 ')
    await settled()
    expect(asked.map(({ key }) => key)).toEqual([ada, projectKey(1)])
    expect(JSON.stringify([...actor.getSnapshot().context.entries])).not.toContain('"p"')
    // The remaining readers ask again, without the passkey of the previous user.
    expect(actor.getSnapshot().context.person).toBe(1)
    actor.send({ type: 'queryCache.release', key: ada })
    actor.send({ type: 'queryCache.want', key: ada })
    await settled()
    expect(asked.at(-1)).toEqual({ key: ada, secrets: undefined })
    expect(state(ada).value).toBe('user/Ada/7 ')
  })

  it('keeps the hundred entries that were released last', async () => {
    const { actor, state } = startLibrary()
    for (let project = 1; project <= 103; project++) {
      actor.send({ type: 'queryCache.want', key: projectKey(project) })
      await settled()
      actor.send({ type: 'queryCache.release', key: projectKey(project) })
    }
    expect([3, 4, 103].map(project => state(projectKey(project)).value)).toEqual([
      undefined,
      'project/4 ',
      'project/103 ',
    ])
    actor.send({ type: 'queryCache.release', key: projectKey(1) })
    actor.send({ type: 'queryCache.refresh', key: projectKey(1) })
    expect(state(projectKey(1))).toBe(initialResourceState)
  })
})
