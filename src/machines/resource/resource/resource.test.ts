import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ApiResult } from '../../../protocol/api-fault.ts'
import { resourceMachine } from './resource.machine.ts'
import { isResourceLoading, selectResourceValue } from './resource.selectors.ts'

const input = { key: 'version', maxAge: 1000, retryDelay: 300 }
const down: ApiResult<unknown> = { ok: false, fault: { kind: 'unreachable', message: 'gone' } }

const startResource = (...answers: (ApiResult<unknown> | Error)[]) => {
  const asked: string[] = []
  const machine = resourceMachine.provide({
    actors: {
      fetchResource: fromPromise<ApiResult<unknown>, { readonly key: string }>(({ input: { key } }) => {
        asked.push(key)
        const answer = answers.shift() ?? down
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      }),
    },
  })
  const { actor, clock, heard } = startChild(machine, input)
  return { actor, clock, asked, heard, snapshot: () => actor.getSnapshot() }
}

describe('a remote value', () => {
  it('is fetched once however many want it, and again only when it is too old', async () => {
    const { actor, clock, asked, heard, snapshot } = startResource({ ok: true, value: '8.5.7' }, { ok: true, value: '8.6.0' })
    actor.send({ type: 'resource.want' })
    actor.send({ type: 'resource.want' })
    await settled()
    actor.send({ type: 'resource.want' })
    expect(asked).toEqual(['version'])
    expect(heard).toEqual([{ type: 'resource.fetched', key: 'version', value: '8.5.7' }])
    clock.increment(1000)
    actor.send({ type: 'resource.want' })
    expect([isResourceLoading(snapshot()), selectResourceValue(snapshot())]).toEqual([true, '8.5.7'])
    await settled()
    expect(selectResourceValue(snapshot())).toBe('8.6.0')
  })

  it('is tried again after a failure, and the old value stays', async () => {
    const { actor, clock, snapshot } = startResource({ ok: true, value: 1 }, down, new Error('crash'), { ok: true, value: 2 })
    actor.send({ type: 'resource.want' })
    await settled()
    actor.send({ type: 'resource.refresh' })
    await settled()
    expect(snapshot().context).toMatchObject({ value: 1, fault: { kind: 'unreachable', message: 'gone' } })
    clock.increment(300)
    await settled()
    expect(snapshot().context).toMatchObject({ value: 1, fault: { kind: 'unreachable', message: 'crash' } })
    clock.increment(300)
    await settled()
    expect(snapshot().context).toMatchObject({ value: 2, fault: undefined })
  })

  it('reaches all its states', () => {
    const id = '0.resource.fetching'
    const { unreached } = walkShortestPaths(resourceMachine, {
      input,
      events: [
        { type: 'resource.want' },
        { type: 'resource.refresh' },
        { type: `xstate.done.actor.${id}`, actorId: id, output: { ok: true, value: 1 } },
        { type: `xstate.done.actor.${id}`, actorId: id, output: down },
      ],
      silence: ['tellParent'],
      context: ({ value }) => value,
    })
    expect(unreached).toEqual([])
  })
})
