import { assign, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  accountSetup,
  failed,
  formOf,
  signedInOf,
  initialAttempts,
  valueOf,
  type CallDone,
  type RefreshDone,
  type RestoreDone,
} from './account.setup.ts'

export const accountMachine = accountSetup.createMachine({
  id: 'account',
  description: 'The signed-in account: restores the session, refreshes, signs out.',
  context: {
    signedIn: undefined,
    signOutReason: 'signedOut',
    restoreFault: undefined,
    isStale: false,
    settingsFailures: 0,
    ...initialAttempts,
  },
  initial: 'restoring',
  on: {
    'account.sessionStarted': {
      target: '.signedIn',
      actions: [{ type: 'assignSignedIn', params: ({ event }) => event.signedIn }, 'notifyChanged', 'notifyLoggedIn'],
    },
  },
  states: {
    restoring: {
      description: 'Restoring the session that this browser stored.',
      tags: 'loading',
      invoke: {
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isDone', params: ({ event }: { event: RestoreDone }) => event.output },
            target: 'signedIn',
            actions: [{ type: 'assignSignedIn', params: ({ event }) => valueOf(event.output) }, 'notifyChanged'],
          },
          {
            guard: { type: 'hasNoStoredSession', params: ({ event }) => event.output },
            target: 'signedOut',
            actions: 'notifyNoSession',
          },
          {
            guard: { type: 'hasSessionEnded', params: ({ event }) => event.output },
            target: 'signingOut',
            actions: { type: 'clearSession', params: 'sessionEnded' },
          },
          {
            target: 'unreachable',
            actions: [
              assign(({ event }) => ({
                restoreFault: event.output?.ok === false ? event.output.fault : undefined,
              })),
              { type: 'countFailure', params: ({ event }) => event.output },
            ],
          },
        ],
        onError: { target: 'signedOut', actions: 'notifyNoSession' },
      },
      initial: 'prompt',
      states: {
        prompt: { after: { slowAfter: 'slow' } },
        slow: { description: 'The account server takes long to answer; the page says so.', tags: 'slow' },
      },
      on: {
        'account.signOut': { target: 'signingOut', actions: { type: 'clearSession', params: 'signedOut' } },
        'account.signedInElsewhere': { target: 'restoring', reenter: true },
        'account.signedOutElsewhere': {
          target: 'signedOut',
          actions: [{ type: 'clearSession', params: 'elsewhere' }, 'notifyNoSession'],
        },
      },
    },
    unreachable: {
      description: 'A session is stored, but its account could not be fetched. Retried after a delay.',
      tags: 'loading',
      after: { retryDelay: 'restoring' },
      on: {
        'account.signOut': { target: 'signingOut', actions: { type: 'clearSession', params: 'signedOut' } },
        'account.refresh': 'restoring',
        'account.retry': { guard: 'mayRetryNow', target: 'restoring' },
        'account.signedOutElsewhere': {
          target: 'signedOut',
          actions: [{ type: 'clearSession', params: 'elsewhere' }, 'notifyNoSession'],
        },
      },
    },
    signedOut: {
      on: {
        'account.signedInElsewhere': 'restoring',
      },
    },
    signedIn: {
      tags: 'signedIn',
      invoke: [
        { src: 'settings', id: 'settings', input: ({ context }) => ({ value: formOf(signedInOf(context)) }) },
        {
          src: 'passphrase',
          id: 'passphrase',
          input: ({ context }) => ({ publicKey: signedInOf(context).keys.publicKey }),
        },
      ],
      initial: 'settled',
      on: {
        'xstate.error.actor.settings': [
          {
            description: 'An error in the settings must not sign the user out.',
            guard: 'mayRestartSettings',
            target: 'signedIn',
            reenter: true,
            actions: assign({ settingsFailures: ({ context }) => context.settingsFailures + 1 }),
          },
          {},
        ],
        'account.signOut': { target: 'signingOut', actions: { type: 'clearSession', params: 'signedOut' } },
        'account.sessionEnded': { target: 'signingOut', actions: { type: 'clearSession', params: 'sessionEnded' } },
        'account.signedOutElsewhere': { target: 'signingOut', actions: { type: 'clearSession', params: 'elsewhere' } },
        'account.sessionStarted': {
          description: 'Another user signed in, for example from the link in an email.',
          target: 'signedIn',
          reenter: true,
          actions: [
            { type: 'clearSession', params: 'elsewhere' },
            'notifySignedOut',
            { type: 'assignSignedIn', params: ({ event }) => event.signedIn },
            'notifyChanged',
            'notifyLoggedIn',
          ],
        },
        'account.signedInElsewhere': {
          guard: { type: 'isOtherAccount', params: ({ event }) => event.id },
          target: 'restoring',
          actions: [{ type: 'clearSession', params: 'elsewhere' }, 'notifySignedOut'],
        },
        'account.refresh': '.refreshing',
        'account.changedElsewhere': {
          guard: { type: 'isNewer', params: ({ event }) => event.time },
          target: '.refreshing',
        },
        'account.renewToken': '.renewing',
        'account.delete': '.deleting',
        'account.linkClient': { actions: { type: 'requestLink', params: ({ event }) => event } },
        'settings.previewed': { actions: { type: 'notifyAppearancePreviewed', params: ({ event }) => event } },
        'settings.outdated': { target: '.refreshing' },
        'settings.saved': [
          {
            guard: { type: 'changesNode', params: ({ event }) => event },
            target: '.changingNode',
            actions: [{ type: 'notifyAppearanceSaved', params: ({ event }) => event }, 'requestRestartBroadcast'],
          },
          {
            target: '.refreshing',
            actions: [
              { type: 'notifyAppearanceSaved', params: ({ event }) => event },
              { type: 'requestConfigBroadcast', params: ({ event }) => event },
            ],
          },
        ],
        'settings.failed': [
          {
            guard: { type: 'isSessionEnded', params: ({ event }) => event.fault },
            target: 'signingOut',
            actions: { type: 'clearSession', params: 'sessionEnded' },
          },
          {
            guard: { type: 'mayHaveWorked', params: ({ event }) => event.fault },
            target: '.refreshing',
            actions: ['markStale', { type: 'notifyFailed', params: ({ event }) => event }],
          },
          { actions: { type: 'notifyFailed', params: ({ event }) => event } },
        ],
      },
      states: {
        settled: {
          description: 'It is fetched from time to time. Nobody waits for that, so a failure is not reported.',
          after: { refreshInterval: { target: 'refreshing', actions: 'markStale' } },
        },
        refreshing: {
          description: 'One call at a time. Changes during the call trigger another one afterwards.',
          entry: assign({ isOutdated: false }),
          on: {
            'account.refresh': { actions: 'markOutdated' },
            'account.changedElsewhere': {
              guard: { type: 'isNewer', params: ({ event }) => event.time },
              actions: 'markOutdated',
            },
            'settings.outdated': { actions: 'markOutdated' },
          },
          invoke: {
            src: 'fetchAccount',
            onDone: [
              {
                guard: { type: 'isRefreshedButOutdated', params: ({ event }: { event: RefreshDone }) => event.output },
                target: 'throttled',
                actions: [
                  { type: 'assignAccountState', params: ({ event }) => valueOf(event.output) },
                  'loadSettings',
                  'notifyChanged',
                ],
              },
              {
                guard: { type: 'isRefreshed', params: ({ event }: { event: RefreshDone }) => event.output },
                target: 'settled',
                actions: [
                  { type: 'assignAccountState', params: ({ event }) => valueOf(event.output) },
                  'loadSettings',
                  'notifyChanged',
                ],
              },
              {
                guard: { type: 'hasSessionEnded', params: ({ event }) => event.output },
                target: '#account.signingOut',
                actions: { type: 'clearSession', params: 'sessionEnded' },
              },
              {
                guard: 'isStale',
                target: 'stale',
                actions: { type: 'countFailure', params: ({ event }) => event.output },
              },
              {
                target: 'stale',
                actions: [
                  'markStale',
                  { type: 'countFailure', params: ({ event }) => event.output },
                  { type: 'notifyFailed', params: ({ event }) => failed('refresh', event.output) },
                ],
              },
            ],
            onError: 'settled',
          },
        },
        stale: {
          description:
            'The account shown here may be outdated. It is fetched again until that works; only the first failure is reported.',
          after: { retryDelay: 'refreshing' },
          on: { 'account.retry': { guard: 'mayRetryNow', target: 'refreshing' } },
        },
        throttled: {
          description: 'It changed while it was being fetched, so it is fetched again after a pause.',
          after: { refreshPause: 'refreshing' },
          on: { 'account.refresh': {}, 'account.changedElsewhere': {}, 'settings.outdated': {} },
        },
        changingNode: {
          description:
            'The machines were sent a restart so that they ask for their new node. This page follows when they received it.',
          after: { broadcastGrace: 'refreshing' },
        },
        renewing: {
          description:
            'The account is fetched afterwards, so that the answer is not lost to a fetch that is wanted meanwhile.',
          tags: 'renewing',
          on: {
            'account.refresh': {},
            'account.changedElsewhere': {},
            'account.renewToken': {},
            'settings.outdated': {},
          },
          invoke: {
            src: 'renewToken',
            onDone: [
              {
                guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output },
                target: 'refreshing',
              },
              {
                guard: { type: 'hasSessionEnded', params: ({ event }) => event.output },
                target: '#account.signingOut',
                actions: { type: 'clearSession', params: 'sessionEnded' },
              },
              {
                target: 'refreshing',
                actions: ['markStale', { type: 'notifyFailed', params: ({ event }) => failed('token', event.output) }],
              },
            ],
            onError: 'refreshing',
          },
        },
        deleting: {
          description: 'The account is being deleted. Other account calls are ignored until then.',
          tags: 'deleting',
          initial: 'asking',
          on: {
            'account.refresh': {},
            'account.changedElsewhere': {},
            'account.renewToken': {},
            'settings.saved': {},
            'settings.outdated': {},
            'settings.failed': { actions: { type: 'notifyFailed', params: ({ event }) => event } },
          },
          states: {
            asking: {
              invoke: {
                src: 'deleteAccount',
                onDone: [
                  {
                    guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output },
                    target: 'deleted',
                    actions: 'requestRestartBroadcast',
                  },
                  {
                    guard: { type: 'hasSessionEnded', params: ({ event }) => event.output },
                    target: '#account.signingOut',
                    actions: { type: 'clearSession', params: 'sessionEnded' },
                  },
                  {
                    guard: { type: 'mayHaveSucceeded', params: ({ event }) => event.output },
                    target: '#account.signedIn.refreshing',
                    actions: [
                      'markStale',
                      { type: 'notifyFailed', params: ({ event }) => failed('deletion', event.output) },
                    ],
                  },
                  {
                    target: '#account.signedIn.settled',
                    actions: { type: 'notifyFailed', params: ({ event }) => failed('deletion', event.output) },
                  },
                ],
                onError: '#account.signedIn.settled',
              },
            },
            deleted: {
              description: 'The broadcast to its machines is sent before the relay is disconnected.',
              after: {
                broadcastGrace: { target: '#account.signingOut', actions: { type: 'clearSession', params: 'deleted' } },
              },
            },
          },
        },
      },
    },
    signingOut: {
      description: 'The local session is deleted first; the server is notified on a best-effort basis.',
      entry: 'notifySignedOut',
      invoke: {
        src: 'endSession',
        input: ({ context }) => ({ reason: context.signOutReason }),
        onDone: 'signedOut',
        onError: 'signedOut',
      },
    },
  },
})

export type AccountRef = ActorRefFrom<typeof accountMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly account: AccountRef
  }
}
export type AccountSnapshot = SnapshotFrom<typeof accountMachine>
