import { assign, sendParent, setup, type ActorRefFrom, type DoneActorEvent, type ErrorActorEvent, type SnapshotFrom } from 'xstate'
import type { ApiFault, ApiResult } from '../../../protocol/api-fault.ts'
import { emptyTask } from '../../empty-slot.ts'
import type { ResourceEvent, ResourceNews } from './resource.events.ts'

export type ResourceInput = {
  /** What the fetcher knows it by, such as 'version'. */
  readonly key: string
  /** How long a value is good, in milliseconds. */
  readonly maxAge: number
  /** How long to wait after a failure, in milliseconds. */
  readonly retryDelay: number
}

export type ResourceContext = ResourceInput & {
  readonly value: unknown
  readonly fault: ApiFault | undefined
}

type FetchDone = DoneActorEvent<ApiResult<unknown>>

export const resourceMachine = setup({
  types: { context: {} as ResourceContext, events: {} as ResourceEvent, input: {} as ResourceInput },
  actors: { fetchResource: emptyTask<ApiResult<unknown>, { readonly key: string }>('fetchResource') },
  delays: {
    maxAge: ({ context }) => context.maxAge,
    retryDelay: ({ context }) => context.retryDelay,
  },
  guards: { isFetched: (_, result: ApiResult<unknown>) => result.ok },
  actions: {
    takeValue: assign((_, result: ApiResult<unknown>) => (result.ok ? { value: result.value, fault: undefined } : {})),
    tellParent: sendParent(({ context: { key, value } }): ResourceNews => ({ type: 'resource.fetched', key, value })),
    takeFault: assign((_, result: ApiResult<unknown>) => (result.ok ? {} : { fault: result.fault })),
    takeCrash: assign((_, error: unknown) => ({
      fault: { kind: 'unreachable' as const, message: error instanceof Error ? error.message : 'The request failed.' },
    })),
  },
}).createMachine({
  id: 'resource',
  description: 'A remote value with an expiry. An old value is shown while a new one is fetched.',
  context: ({ input }) => ({ ...input, value: undefined, fault: undefined }),
  initial: 'unwanted',
  states: {
    unwanted: { on: { 'resource.want': 'fetching', 'resource.refresh': 'fetching' } },
    fetching: {
      tags: 'loading',
      invoke: {
        src: 'fetchResource',
        input: ({ context }) => ({ key: context.key }),
        onDone: [
          {
            guard: { type: 'isFetched', params: ({ event }: { event: FetchDone }) => event.output },
            target: 'fresh',
            actions: [{ type: 'takeValue', params: ({ event }) => event.output }, 'tellParent'],
          },
          { target: 'failed', actions: { type: 'takeFault', params: ({ event }) => event.output } },
        ],
        onError: { target: 'failed', actions: { type: 'takeCrash', params: ({ event }: { event: ErrorActorEvent }) => event.error } },
      },
    },
    fresh: {
      after: { maxAge: 'unwanted' },
      on: { 'resource.refresh': 'fetching' },
    },
    failed: {
      after: { retryDelay: 'fetching' },
      on: { 'resource.refresh': 'fetching' },
    },
  },
})

export type ResourceRef = ActorRefFrom<typeof resourceMachine>
export type ResourceSnapshot = SnapshotFrom<typeof resourceMachine>
