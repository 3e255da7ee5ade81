import { describe, expect, it } from 'vitest'
import { assign, createActor, createMachine, sendParent, setup, type AnyActorRef, type AnyEventObject } from 'xstate'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { withoutEffects, startReplay } from '../../journal/replay.ts'
import { saveActor } from '../../journal/checkpoint.ts'
import { createMask } from '../../journal/mask.ts'
import {
  createCodeGroup,
  deferred,
  isDeferredLogic,
  loadedGroup,
  selectDeferral,
  selectLoadFailure,
  withoutLoading,
  type CodeGroup,
  type Deferral,
} from './deferred-logic.ts'

const counter = setup({
  types: { context: {} as { readonly count: number }, input: {} as { readonly from: number } },
}).createMachine({
  context: ({ input }) => ({ count: input.from }),
  initial: 'on',
  states: { on: { on: { stop: 'off' } }, off: {} },
  on: {
    add: { actions: assign({ count: ({ context }) => context.count + 1 }) },
    tell: { actions: sendParent(({ context }) => ({ type: 'told', count: context.count })) },
  },
})

type Code = { readonly counter: typeof counter }

/** A group whose loading the test ends. */
const controlled = () => {
  const attempts: { readonly resolve: (code: Code) => void; readonly reject: (error: unknown) => void }[] = []
  const group = createCodeGroup<Code>(() => new Promise((resolve, reject) => attempts.push({ resolve, reject })))
  return { group, attempts }
}

const start = (group: CodeGroup<Code>, deferral: Deferral = {}) => {
  const told: AnyEventObject[] = []
  const root = createActor(
    createMachine({
      invoke: { src: deferred(group, 'counter', deferral), id: 'counter', input: { from: 10 } },
      on: { told: { actions: ({ event }) => told.push(event) } },
    }),
  ).start()
  const ref = root.getSnapshot().children['counter'] as AnyActorRef
  const snapshot = () => ref.getSnapshot() as { readonly context: object; readonly hasTag: (tag: string) => boolean }
  return { root, ref, snapshot, told }
}

const settled = () => new Promise(resolve => setTimeout(resolve, 0))

describe('a deferred machine', () => {
  it('is loaded for the first event, starts in the same actor with its input, and takes what waited', async () => {
    const { group, attempts } = controlled()
    const { ref, snapshot, told } = start(group, { context: { count: 0 }, tags: ['ready'] })
    expect([selectDeferral(snapshot()), snapshot().context, snapshot().hasTag('ready')]).toMatchObject([
      'notLoaded',
      { count: 0 },
      true,
    ])
    const counts: unknown[] = []
    ref.subscribe(next => counts.push((next as { context: { count: number } }).context.count))
    ref.send({ type: 'add' })
    ref.send({ type: 'tell' })
    expect([selectDeferral(snapshot()), attempts.length, told]).toEqual(['loading', 1, []])
    attempts[0]?.resolve({ counter })
    await settled()
    expect([selectDeferral(snapshot()), snapshot().context, told]).toEqual([
      'loaded',
      { count: 11 },
      [{ type: 'told', count: 11 }],
    ])
    ref.send({ type: 'add' })
    expect(counts.at(-1)).toBe(12)
  })

  it('is not loaded for events that mean nothing yet, nor for those that only wait', async () => {
    const { group, attempts } = controlled()
    const { ref, snapshot } = start(group, { ignores: ['stop'], keeps: ['add'] })
    ref.send({ type: 'stop' })
    ref.send({ type: 'add' })
    expect([selectDeferral(snapshot()), attempts.length]).toEqual(['notLoaded', 0])
    ref.send({ type: 'deferred.want' })
    attempts[0]?.resolve({ counter })
    await settled()
    expect(snapshot()).toMatchObject({ value: 'on', context: { count: 11 } })
  })

  it('is loaded from the start where it is needed, and then drops nothing', async () => {
    const { group, attempts } = controlled()
    const { ref, snapshot } = start(group, { ignores: ['stop'], isNeeded: true })
    ref.send({ type: 'stop' })
    expect([selectDeferral(snapshot()), attempts.length]).toEqual(['loading', 1])
    attempts[0]?.resolve({ counter })
    await settled()
    expect(snapshot()).toMatchObject({ value: 'off' })
  })

  it('reports why it could not be loaded, and is loaded again when it is needed again', async () => {
    const { group, attempts } = controlled()
    const { ref, snapshot } = start(group)
    ref.send({ type: 'deferred.want' })
    attempts[0]?.reject(new LoadError('newVersion'))
    await settled()
    expect([selectDeferral(snapshot()), selectLoadFailure(snapshot())]).toEqual(['newVersion', undefined])
    ref.send({ type: 'add' })
    attempts[1]?.reject(new TypeError('a mistake of the code'))
    await settled()
    expect([selectDeferral(snapshot()), selectLoadFailure(snapshot())]).toEqual(['damaged', 'damaged'])
    ref.send({ type: 'add' })
    expect(selectLoadFailure(snapshot())).toBeUndefined()
    attempts[2]?.resolve({ counter })
    await settled()
    expect(snapshot()).toMatchObject({ context: { count: 12 } })
  })

  it('forgets what waited when that is no longer wanted', async () => {
    const { group, attempts } = controlled()
    const { ref, snapshot } = start(group)
    ref.send({ type: 'add' })
    attempts[0]?.reject(new LoadError('serverAway'))
    await settled()
    ref.send({ type: 'deferred.giveUp' })
    expect(selectLoadFailure(snapshot())).toBeUndefined()
    ref.send({ type: 'deferred.want' })
    attempts[1]?.resolve({ counter })
    await settled()
    expect(snapshot()).toMatchObject({ context: { count: 10 } })
  })

  it('starts at once when the code is there', () => {
    expect(start(loadedGroup({ counter })).snapshot()).toMatchObject({ context: { count: 10 } })
  })

  it('starts with the others of its group, and again after a stop', async () => {
    const { group, attempts } = controlled()
    const first = start(group)
    const second = start(group)
    first.ref.send({ type: 'add' })
    attempts[0]?.resolve({ counter })
    await settled()
    expect([first.snapshot().context, second.snapshot().context]).toEqual([{ count: 11 }, { count: 10 }])
    second.root.stop()
    expect(start(group).snapshot()).toMatchObject({ context: { count: 10 } })
    expect(attempts.length).toBe(1)
  })

  it('stops while it is not loaded', () => {
    const { group } = controlled()
    const { root, ref } = start(group)
    root.stop()
    expect(ref.getSnapshot()).toMatchObject({ status: 'stopped' })
  })
})

const counterIn = (root: AnyActorRef) => {
  const { children } = root.getSnapshot() as { readonly children: Readonly<Record<string, AnyActorRef>> }
  return children['counter']?.getSnapshot() as { readonly context: object }
}

describe('a recording of a deferred machine', () => {
  const app = (group: CodeGroup<Code>) =>
    setup({ actors: { counter: deferred(group, 'counter') } }).createMachine({
      invoke: { src: 'counter', id: 'counter', input: { from: 10 } },
    })

  it('is replayed from before it was loaded, without loading anything', () => {
    const { group, attempts } = controlled()
    const live = createActor(app(group), { id: 'app' }).start()
    const ref = live.getSnapshot().children['counter'] as AnyActorRef
    ref.send({ type: 'add' })
    const root = saveActor(live, createMask(new Set())).saved
    const replay = startReplay(withoutEffects(app(loadedGroup({ counter }))), { seq: 0, at: 0, root })
    const replayed = () => counterIn(replay.root)
    expect(selectDeferral(replayed())).toBe('loading')
    replay.deliver({ seq: 0, at: 0, to: 'counter', event: { type: 'deferred.loaded' } })
    replay.deliver({ seq: 1, at: 0, to: 'counter', event: { type: 'add' } })
    expect([selectDeferral(replayed()), replayed().context, attempts.length]).toEqual(['loaded', { count: 12 }, 1])
  })

  it('is replayed from after it was loaded', () => {
    const live = createActor(app(loadedGroup({ counter })), { id: 'app' }).start()
    const root = saveActor(live, createMask(new Set())).saved
    const replay = startReplay(withoutEffects(app(loadedGroup({ counter }))), { seq: 0, at: 0, root })
    replay.deliver({ seq: 0, at: 0, to: 'counter', event: { type: 'stop' } })
    expect(counterIn(replay.root)).toMatchObject({ value: 'off' })
  })

  it('needs the code', () => {
    const { group } = controlled()
    const logic: unknown = deferred(group, 'counter')
    if (!isDeferredLogic(logic)) return expect.fail()
    expect(withoutLoading(logic, machine => machine).loader.machine()).toBeUndefined()
  })
})
