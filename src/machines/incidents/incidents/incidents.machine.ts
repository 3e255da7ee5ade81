import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { Condition } from '../../../folding/incidents/incident.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { IncidentEvent } from '../incident/incident.events.ts'
import type { StoredIncident } from '../../../folding/incidents/incident-schema.ts'
import type {
  AttentionPreferences,
  Handling,
  IncidentsEvent,
  IncidentStoreCommand,
  NotificationPermissionState,
  NotifierCommand,
  Observation,
  WatchCommand,
  WatchInput,
} from './incidents.events.ts'
import {
  noIncidents,
  withEvent,
  withObservations,
  withoutClients,
  withoutOthers,
  withStored,
  type IncidentChanges,
  type Incidents,
} from './incidents.reducer.ts'

export const defaultAttention: AttentionPreferences = {
  thresholds: {},
  disabled: [],
  notifies: false,
  notified: ['stopped', 'gpu-gone', 'stalled', 'deadline', 'unreachable', 'waiting'],
  quietHours: undefined,
  hasSound: false,
}

export type IncidentsContext = {
  readonly incidents: Incidents
  /** Waits that are normal for now, by client. */
  readonly waits: ReadonlyMap<string, readonly Condition[]>
  readonly preferences: AttentionPreferences
  /** Id of the signed-in account; null when signed out, undefined until known. */
  readonly account: string | null | undefined
  readonly permission: NotificationPermissionState | undefined
  /** Keys of incidents to notify of. */
  readonly pending: readonly string[]
  /** Those that the notifier was last sent. */
  readonly announced: readonly string[]
  /** Milliseconds until the quiet hours end. */
  readonly quietFor: number
  /** Why nothing is stored. */
  readonly storeFault: 'unavailable' | 'full' | undefined
  /** Why a notification could not be shown. */
  readonly trouble: string | undefined
}

/** A digest of what happens within this time. Milliseconds. */
const DIGEST_DELAY = 15_000
/** The longest time until the notifier answers. Milliseconds. */
const ANSWER_TIMEOUT = 30_000
/** The longest delay of a timer in browsers is 24.8 days; quiet hours end within a day. */
const LONGEST_QUIET = 24 * 3_600_000

type Observed = { readonly observations: readonly Observation[]; readonly at: number }

export const incidentsMachine = setup({
  types: { context: {} as IncidentsContext, events: {} as IncidentsEvent },
  actors: {
    incidentStore: actorPlaceholder<IncidentStoreCommand, undefined>('incidentStore'),
    incidentWatch: actorPlaceholder<WatchCommand, WatchInput>('incidentWatch'),
    notifier: actorPlaceholder<NotifierCommand, undefined>('notifier'),
    askPermission: taskPlaceholder<NotificationPermissionState, undefined>('askPermission'),
  },
  delays: {
    digestDelay: DIGEST_DELAY,
    answerTimeout: ANSWER_TIMEOUT,
    quietEnd: ({ context }) => Math.min(LONGEST_QUIET, Math.max(1000, context.quietFor)),
  },
  guards: {
    hasPending: ({ context }) => pendingOf(context).length > 0,
  },
  actions: {
    loadStored: sendTo('incidentStore', { type: 'incidentStore.load' } satisfies IncidentStoreCommand),
    assignStored: assign(
      (
        { context },
        stored: { incidents: readonly StoredIncident[]; preferences: AttentionPreferences | undefined },
      ) => {
        const incidents = withStored(context.incidents, stored.incidents)
        return {
          incidents: context.account === undefined ? incidents : withoutOthers(incidents, context.account ?? undefined),
          preferences: stored.preferences ?? context.preferences,
        }
      },
    ),
    observe: enqueueActions(({ context, enqueue }, { observations, at }: Observed) => {
      const ownObservations = observations.filter(({ owner }) => !isForeign(context, owner))
      const changes = changesKept(context, withObservations(context.incidents, ownObservations, at))
      enqueue.assign({ ...changes.assigned, waits: waitsAfter(context.waits, ownObservations) })
      for (const command of changes.saves) enqueue.sendTo('incidentStore', command)
      enqueue.sendTo('notifier', changes.count)
    }),
    advance: enqueueActions(
      ({ context, enqueue }, { event, keys }: { event: IncidentEvent; keys: readonly string[] | undefined }) => {
        const changes = changesKept(context, withEvent(context.incidents, event, keys))
        enqueue.assign(changes.assigned)
        for (const command of changes.saves) enqueue.sendTo('incidentStore', command)
        enqueue.sendTo('notifier', changes.count)
      },
    ),
    /** Here, and in the other tabs. */
    handle: enqueueActions(
      ({ context, enqueue }, { handling, keys }: { handling: Handling; keys: readonly string[] }) => {
        const changes = changesKept(context, withEvent(context.incidents, handling, keys))
        enqueue.assign(changes.assigned)
        for (const command of changes.saves) enqueue.sendTo('incidentStore', command)
        enqueue.sendTo('incidentStore', { type: 'incidentStore.share', handling, keys } satisfies IncidentStoreCommand)
        enqueue.sendTo('notifier', changes.count)
      },
    ),
    endIncidentsOfClients: enqueueActions(
      ({ context, enqueue }, { machines: clients, at }: { machines: readonly string[]; at: number }) => {
        const changes = changesKept(context, withoutClients(context.incidents, clients, at))
        const left = new Set(clients)
        enqueue.assign({
          ...changes.assigned,
          waits: new Map([...context.waits].filter(([client]) => !left.has(client))),
        })
        for (const command of changes.saves) enqueue.sendTo('incidentStore', command)
        enqueue.sendTo('notifier', changes.count)
      },
    ),
    showCount: sendTo('notifier', ({ context }) => countCommand(context.incidents)),
    clearHistory: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ incidents: { ...context.incidents, ended: [] } })
      enqueue.sendTo('incidentStore', { type: 'incidentStore.clearHistory' } satisfies IncidentStoreCommand)
    }),
    assignPreferences: enqueueActions(({ enqueue }, preferences: AttentionPreferences) => {
      enqueue.assign({ preferences, ...(preferences.notifies ? {} : { pending: [], announced: [] }) })
      enqueue.sendTo('incidentWatch', { type: 'watch.configure', preferences } satisfies WatchCommand)
    }),
    savePreferences: sendTo('incidentStore', ({ context }): IncidentStoreCommand => ({
      type: 'incidentStore.savePreferences',
      preferences: context.preferences,
    })),
    changeAccount: enqueueActions(({ context, enqueue }, account: string | null) => {
      if (context.account === account) return
      const owner = account ?? undefined
      const incidents = withoutOthers(context.incidents, owner)
      enqueue.assign({ account, incidents })
      enqueue.sendTo('incidentStore', {
        type: 'incidentStore.deleteOthers',
        account: owner,
      } satisfies IncidentStoreCommand)
      enqueue.sendTo('notifier', countCommand(incidents))
    }),
    forgetOthers: sendTo('incidentWatch', (_, account: string | undefined): WatchCommand => ({
      type: 'watch.forgetOthers',
      account,
    })),
    assignPermission: assign((_, permission: NotificationPermissionState) => ({ permission })),
    assignTrouble: assign((_, trouble: IncidentsContext['trouble']) => ({ trouble })),
    clearPending: assign({ pending: [] }),
    notify: enqueueActions(({ context, enqueue }) => {
      const { quietHours, hasSound } = context.preferences
      enqueue.sendTo('notifier', {
        type: 'notifier.notify',
        incidents: pendingOf(context),
        quietHours,
        hasSound,
      } satisfies NotifierCommand)
      enqueue.assign({ pending: [], announced: context.pending })
    }),
    tryNotification: sendTo('notifier', ({ context }): NotifierCommand => ({
      type: 'notifier.try',
      hasSound: context.preferences.hasSound,
    })),
  },
}).createMachine({
  id: 'incidents',
  description: 'What needs a person: incidents of all machines, stored ones and those that the watch finds.',
  context: {
    incidents: noIncidents,
    waits: new Map(),
    preferences: defaultAttention,
    account: undefined,
    permission: undefined,
    pending: [],
    announced: [],
    quietFor: 0,
    storeFault: undefined,
    trouble: undefined,
  },
  invoke: [
    { src: 'incidentStore', id: 'incidentStore' },
    { src: 'notifier', id: 'notifier' },
  ],
  type: 'parallel',
  on: {
    'incidents.accountSignedIn': { actions: { type: 'changeAccount', params: ({ event }) => event.account } },
    'incidents.accountSignedOut': { actions: { type: 'changeAccount', params: null } },
    'incidentStore.failed': { actions: assign(({ event }) => ({ storeFault: event.trouble })) },
    'notifier.permission': { actions: { type: 'assignPermission', params: ({ event }) => event.permission } },
    'notifier.failed': {
      actions: { type: 'assignTrouble', params: ({ event }) => event.reason },
    },
    'incidents.tryNotification': { actions: [{ type: 'assignTrouble', params: undefined }, 'tryNotification'] },
  },
  states: {
    watching: {
      initial: 'notLoaded',
      states: {
        notLoaded: { on: { 'incidents.open': 'loading' } },
        loading: {
          description: 'Loading stored incidents, so that known ones are not found again.',
          tags: 'loading',
          entry: 'loadStored',
          on: {
            'incidentStore.loaded': {
              target: 'watched',
              actions: [{ type: 'assignStored', params: ({ event }) => event }, 'showCount'],
            },
          },
        },
        watched: {
          invoke: {
            src: 'incidentWatch',
            id: 'incidentWatch',
            input: ({ context: { preferences, incidents } }) => ({
              preferences,
              machines: [...new Set([...incidents.active.values()].map(({ machine: client }) => client))],
            }),
          },
          on: {
            'watch.observed': { actions: { type: 'observe', params: ({ event }) => event } },
            'watch.machinesLeft': { actions: { type: 'endIncidentsOfClients', params: ({ event }) => event } },
            'watch.ticked': {
              actions: {
                type: 'advance',
                params: ({ event }) => ({ event: { type: 'incident.timePassed', at: event.at }, keys: undefined }),
              },
            },
            'incidents.accountSignedIn': {
              actions: [
                { type: 'changeAccount', params: ({ event }) => event.account },
                { type: 'forgetOthers', params: ({ event }) => event.account },
              ],
            },
            'incidents.accountSignedOut': {
              actions: [
                { type: 'changeAccount', params: null },
                { type: 'forgetOthers', params: undefined },
              ],
            },
            'incidents.acknowledge': {
              actions: {
                type: 'handle',
                params: ({ event }) => ({ handling: { type: 'incident.acknowledge' }, keys: event.keys }),
              },
            },
            'incidents.snooze': {
              actions: {
                type: 'handle',
                params: ({ event }) => ({
                  handling: { type: 'incident.snooze', until: event.until },
                  keys: event.keys,
                }),
              },
            },
            'incidents.reopen': {
              actions: {
                type: 'handle',
                params: ({ event }) => ({ handling: { type: 'incident.reopen' }, keys: event.keys }),
              },
            },
            'incidentStore.handledElsewhere': {
              actions: {
                type: 'advance',
                params: ({ event }) => ({ event: event.handling, keys: event.keys }),
              },
            },
            'incidents.clearHistory': { actions: 'clearHistory' },
            'incidents.change': {
              actions: [
                {
                  type: 'assignPreferences',
                  params: ({ context, event }) => ({ ...context.preferences, ...event.change }),
                },
                'savePreferences',
              ],
            },
            'incidentStore.preferencesChanged': {
              actions: { type: 'assignPreferences', params: ({ event }) => event.preferences },
            },
          },
        },
      },
    },
    permission: {
      initial: 'settled',
      states: {
        settled: { on: { 'incidents.askPermission': 'asking' } },
        asking: {
          description: 'The browser asks its user.',
          tags: 'asking',
          invoke: {
            src: 'askPermission',
            onDone: {
              target: 'settled',
              actions: { type: 'assignPermission', params: ({ event }) => event.output },
            },
            onError: 'settled',
          },
        },
      },
    },
    notifications: {
      initial: 'idle',
      states: {
        idle: { always: { guard: 'hasPending', target: 'gathering' } },
        gathering: {
          description: 'What happens meanwhile is in the same notification.',
          after: {
            digestDelay: [
              { guard: 'hasPending', target: 'notifying' },
              { target: 'idle', actions: 'clearPending' },
            ],
          },
        },
        notifying: {
          entry: 'notify',
          on: {
            'notifier.done': 'idle',
            'notifier.failed': {
              target: 'idle',
              actions: { type: 'assignTrouble', params: ({ event }) => event.reason },
            },
            'notifier.quiet': {
              target: 'quiet',
              actions: assign(({ context: { announced, pending }, event }) => ({
                quietFor: event.remaining,
                pending: [...new Set([...announced, ...pending])],
              })),
            },
          },
          after: { answerTimeout: 'idle' },
        },
        quiet: {
          description: 'Quiet hours: what still lasts at their end is in one notification.',
          after: {
            quietEnd: [
              { guard: 'hasPending', target: 'notifying' },
              { target: 'idle', actions: 'clearPending' },
            ],
          },
        },
      },
    },
  },
})

export type IncidentsRef = ActorRefFrom<typeof incidentsMachine>
export type IncidentsSnapshot = SnapshotFrom<typeof incidentsMachine>

function isForeign({ account }: IncidentsContext, owner: string | undefined): boolean {
  return account !== undefined && owner !== undefined && owner !== account
}

/** Incidents to notify of: those of the chosen kinds that still ask for attention. */
function pendingOf({ pending, incidents, preferences, permission }: IncidentsContext): readonly StoredIncident[] {
  return !preferences.notifies || permission !== 'granted'
    ? []
    : pending.flatMap(key => {
        const incident = incidents.active.get(key)
        return incident?.state === 'open' && preferences.notified.includes(incident.kind) ? [incident] : []
      })
}

/** What the result of a reducer changes, and what is stored of it. */
function changesKept(
  { incidents: before, pending, preferences }: IncidentsContext,
  { incidents, put, removed, opened }: IncidentChanges,
): {
  readonly assigned: Pick<IncidentsContext, 'incidents' | 'pending'>
  readonly saves: readonly IncidentStoreCommand[]
  readonly count: NotifierCommand
} {
  const isSame = put.length === 0 && removed.length === 0
  return {
    assigned: {
      incidents: isSame ? before : incidents,
      pending: preferences.notifies && opened.length > 0 ? [...new Set([...pending, ...opened])] : pending,
    },
    saves: isSame ? [] : [{ type: 'incidentStore.save', put, removed }],
    count: countCommand(isSame ? before : incidents),
  }
}

function waitsAfter(waits: IncidentsContext['waits'], observations: readonly Observation[]): IncidentsContext['waits'] {
  const after = new Map(waits)
  for (const { machine: client, waits: some } of observations) {
    if (some.length === 0) after.delete(client)
    else after.set(client, some)
  }
  return after
}

function countCommand({ active }: Incidents): NotifierCommand {
  let count = 0
  for (const { state, gravity } of active.values()) if (state === 'open' && gravity !== 'notice') count += 1
  return { type: 'notifier.count', count }
}
