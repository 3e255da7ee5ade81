import { t } from '@lingui/core/macro'
import {
  assign,
  enqueueActions,
  sendParent,
  setup,
  type ActorRefFrom,
  type DoneActorEvent,
  type ErrorActorEvent,
  type SnapshotFrom,
} from 'xstate'
import { backOffDelay } from '../../../folding/shared/back-off.ts'
import { demandedWait, type ApiFault } from '../../../protocol/api/api-fault.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { CachePolicy, ResourceKey, ResourceSecrets } from '../../../folding/shared/resource-keys.ts'
import type { Fetched, Found, Known, StoredResource, ResourceEvent, ResourceNotification } from './resource.events.ts'

export type ResourceInput = Pick<CachePolicy, 'freshFor' | 'keptFor' | 'retryDelay'> & {
  readonly key: ResourceKey
  readonly secrets: ResourceSecrets | undefined
  /** Whether it is restarted after an error. */
  readonly hasFailed?: boolean
}

export type ResourceContext = Omit<ResourceInput, 'hasFailed'> & {
  readonly hasFailed: boolean
  readonly known: Known | undefined
  /** When it was fetched, in corrected epoch milliseconds. */
  readonly at: number | undefined
  /** Its age when that was last checked, in milliseconds. */
  readonly age: number
  readonly fault: ApiFault | undefined
  /** Failed calls in a row. */
  readonly failures: number
}

type LoadDone = DoneActorEvent<StoredResource | undefined>
type FetchDone = DoneActorEvent<Fetched>

export const resourceMachine = setup({
  types: { context: {} as ResourceContext, events: {} as ResourceEvent, input: {} as ResourceInput },
  actors: {
    /** The value that this browser stored; undefined when there is none. */
    loadResource: taskPlaceholder<StoredResource | undefined, { readonly key: ResourceKey }>('loadResource'),
    fetchResource: taskPlaceholder<
      Fetched,
      { readonly key: ResourceKey; readonly secrets: ResourceSecrets | undefined }
    >('fetchResource'),
  },
  delays: {
    /** The age is checked again: another tab may have fetched the value, and timers stop while the computer sleeps. */
    nextCheck: ({ context }) => Math.min(60_000, Math.max(0, context.freshFor - context.age)),
    retryDelay: ({ context }) => resourceWait(context),
  },
  guards: {
    hasFailed: ({ context }) => context.hasFailed,
    mayRetryNow: ({ context }) => demandedWait(context.fault) === 0,
    isFresh: ({ context: { freshFor } }, stored: StoredResource | undefined) =>
      stored !== undefined && stored.age >= 0 && stored.age < freshFor,
  },
  actions: {
    assignFetched: assign((_, found: Found | undefined) =>
      found === undefined ? {} : { known: found.known, at: found.at, age: 0, fault: undefined, failures: 0 },
    ),
    assignStored: assign(({ context }, stored: StoredResource | undefined) =>
      isUsable(context, stored) ? { ...stored, fault: undefined } : {},
    ),
    notifyStored: enqueueActions(({ context, enqueue }, stored: StoredResource | undefined) => {
      if (isUsable(context, stored) && stored.at !== context.at)
        enqueue.sendParent({
          type: 'resource.changed',
          key: context.key,
          known: stored.known,
        } satisfies ResourceNotification)
    }),
    clear: assign({ known: undefined, at: undefined, age: 0, fault: undefined, secrets: undefined }),
    assignCrash: assign(({ context }, error: unknown) => ({
      failures: context.failures + 1,
      fault: { kind: 'unreachable' as const, message: error instanceof Error ? error.message : t`The request failed.` },
    })),
    notifyParent: sendParent(({ context: { key, known } }): ResourceNotification => ({
      type: 'resource.changed',
      key,
      known: known ?? { isThere: false },
    })),
  },
}).createMachine({
  id: 'resource',
  description: 'A remote value with an expiry. An old value is shown while a new one is fetched.',
  context: ({ input }) => ({
    ...input,
    hasFailed: input.hasFailed ?? false,
    known: undefined,
    at: undefined,
    age: 0,
    failures: input.hasFailed === true ? 1 : 0,
    fault: input.hasFailed === true ? crash : undefined,
  }),
  initial: 'wanted',
  on: {
    'resource.refresh': {
      target: '.wanted.fetching',
      actions: assign(({ event }) => (event.secrets === undefined ? {} : { secrets: event.secrets })),
    },
  },
  states: {
    unwanted: { on: { 'resource.want': 'wanted', 'resource.clear': { actions: 'clear' } } },
    wanted: {
      initial: 'deciding',
      on: { 'resource.release': 'unwanted', 'resource.clear': { target: 'unwanted', actions: 'clear' } },
      states: {
        deciding: { always: [{ guard: 'hasFailed', target: 'failed' }, { target: 'loadingStored' }] },
        loadingStored: {
          description: 'Loading the value that this browser stored, and its age.',
          tags: 'loading',
          invoke: {
            src: 'loadResource',
            input: ({ context }) => ({ key: context.key }),
            onDone: [
              {
                guard: { type: 'isFresh', params: ({ event }: { event: LoadDone }) => event.output },
                target: 'fresh',
                actions: [
                  { type: 'notifyStored', params: ({ event }) => event.output },
                  { type: 'assignStored', params: ({ event }) => event.output },
                ],
              },
              {
                target: 'fetching',
                actions: [
                  { type: 'notifyStored', params: ({ event }) => event.output },
                  { type: 'assignStored', params: ({ event }) => event.output },
                ],
              },
            ],
            onError: 'fetching',
          },
        },
        fetching: {
          tags: 'loading',
          invoke: {
            src: 'fetchResource',
            input: ({ context: { key, secrets } }) => ({ key, secrets }),
            onDone: [
              {
                guard: ({ event }: { event: FetchDone }) => event.output.ok,
                target: 'fresh',
                actions: [
                  { type: 'assignFetched', params: ({ event }) => (event.output.ok ? event.output : undefined) },
                  'notifyParent',
                ],
              },
              {
                target: 'failed',
                actions: assign(({ context, event }) =>
                  event.output.ok ? {} : { fault: event.output.fault, failures: context.failures + 1 },
                ),
              },
            ],
            onError: {
              target: 'failed',
              actions: { type: 'assignCrash', params: ({ event }: { event: ErrorActorEvent }) => event.error },
            },
          },
        },
        fresh: { after: { nextCheck: 'loadingStored' }, on: { 'resource.check': 'loadingStored' } },
        failed: {
          exit: assign({ hasFailed: false }),
          after: { retryDelay: 'fetching' },
          on: { 'resource.check': { guard: 'mayRetryNow', target: 'fetching' } },
        },
      },
    },
  },
})

export type ResourceRef = ActorRefFrom<typeof resourceMachine>
export type ResourceSnapshot = SnapshotFrom<typeof resourceMachine>

const HOUR = 60 * 60_000

/** Milliseconds until the next call, without random jitter. */
export function resourceWait({ failures, retryDelay, fault }: ResourceContext): number {
  return backOffDelay(failures, { first: retryDelay, most: Math.max(HOUR, retryDelay) }, demandedWait(fault))
}

const crash: ApiFault = { kind: 'unreadable', message: t`The response could not be processed.` }

function isUsable({ keptFor }: ResourceContext, stored: StoredResource | undefined): stored is StoredResource {
  return stored !== undefined && stored.age <= keptFor
}
