import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import {
  accountSetup,
  failed,
  formOf,
  signedInOf,
  untried,
  valueOf,
  type CallDone,
  type RefreshDone,
  type RestoreDone,
} from './account.setup.ts'

export const accountMachine = accountSetup.createMachine({
  id: 'account',
  description: 'Whether somebody is signed in, and who.',
  context: {
    signedIn: undefined,
    leaving: 'signedOut',
    trouble: undefined,
    isUnsure: false,
    settingsFailures: 0,
    ...untried,
  },
  initial: 'restoring',
  on: {
    'account.entered': {
      target: '.signedIn',
      actions: [{ type: 'takeSignedIn', params: ({ event }) => event.signedIn }, 'tellChange', 'tellLogin'],
    },
  },
  states: {
    restoring: {
      description: 'Looking for a session that this browser kept.',
      tags: 'loading',
      invoke: {
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isDone', params: ({ event }: { event: RestoreDone }) => event.output },
            target: 'signedIn',
            actions: [{ type: 'takeSignedIn', params: ({ event }) => valueOf(event.output) }, 'tellChange'],
          },
          {
            guard: { type: 'isNothingKept', params: ({ event }) => event.output },
            target: 'signedOut',
            actions: 'tellNobody',
          },
          {
            guard: { type: 'isOver', params: ({ event }) => event.output },
            target: 'leaving',
            actions: { type: 'forget', params: 'sessionEnded' },
          },
          {
            target: 'unreachable',
            actions: [
              { type: 'noteTrouble', params: ({ event }) => event.output },
              { type: 'noteFailure', params: ({ event }) => event.output },
            ],
          },
        ],
        onError: { target: 'signedOut', actions: 'tellNobody' },
      },
      initial: 'hopeful',
      states: {
        hopeful: { after: { patience: 'slow' } },
        slow: { description: 'The account server takes so long that a person wants to know.', tags: 'slow' },
      },
      on: {
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.enteredElsewhere': { target: 'restoring', reenter: true },
        'account.leftElsewhere': {
          target: 'signedOut',
          actions: [{ type: 'forget', params: 'elsewhere' }, 'tellNobody'],
        },
      },
    },
    unreachable: {
      description: 'A session is kept, but the account server gives no account for it.',
      tags: 'loading',
      after: { retryDelay: 'restoring' },
      on: {
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.refresh': 'restoring',
        'account.retry': { guard: 'mayAskNow', target: 'restoring' },
        'account.leftElsewhere': {
          target: 'signedOut',
          actions: [{ type: 'forget', params: 'elsewhere' }, 'tellNobody'],
        },
      },
    },
    signedOut: {
      on: {
        'account.enteredElsewhere': 'restoring',
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
            description: 'Nobody is logged out by an error in what they edit.',
            guard: 'mayRestartSettings',
            target: 'signedIn',
            reenter: true,
            actions: 'noteSettingsFailure',
          },
          {},
        ],
        'account.signOut': { target: 'leaving', actions: { type: 'forget', params: 'signedOut' } },
        'account.sessionEnded': { target: 'leaving', actions: { type: 'forget', params: 'sessionEnded' } },
        'account.leftElsewhere': { target: 'leaving', actions: { type: 'forget', params: 'elsewhere' } },
        'account.entered': {
          description: 'Somebody signed in over somebody else, as from the page of a letter.',
          target: 'signedIn',
          reenter: true,
          actions: [
            { type: 'forget', params: 'elsewhere' },
            'tellLeaving',
            { type: 'takeSignedIn', params: ({ event }) => event.signedIn },
            'tellChange',
            'tellLogin',
          ],
        },
        'account.enteredElsewhere': {
          guard: { type: 'isAnother', params: ({ event }) => event.id },
          target: 'restoring',
          actions: [{ type: 'forget', params: 'elsewhere' }, 'tellLeaving'],
        },
        'account.refresh': '.refreshing',
        'account.changedElsewhere': {
          guard: { type: 'isNews', params: ({ event }) => event.time },
          target: '.refreshing',
        },
        'account.renewToken': '.renewing',
        'account.delete': '.ending',
        'account.linkClient': { actions: { type: 'tellLink', params: ({ event }) => event } },
        'settings.previewed': { actions: { type: 'tellPreview', params: ({ event }) => event } },
        'settings.outdated': { target: '.refreshing' },
        'settings.saved': [
          {
            guard: { type: 'movesNode', params: ({ event }) => event },
            target: '.moving',
            actions: [{ type: 'tellLooks', params: ({ event }) => event }, 'tellMachinesToMove'],
          },
          {
            target: '.refreshing',
            actions: [
              { type: 'tellLooks', params: ({ event }) => event },
              { type: 'tellMachines', params: ({ event }) => event },
            ],
          },
        ],
        'settings.failed': [
          {
            guard: { type: 'isEnded', params: ({ event }) => event.fault },
            target: 'leaving',
            actions: { type: 'forget', params: 'sessionEnded' },
          },
          {
            guard: { type: 'mayHaveWorked', params: ({ event }) => event.fault },
            target: '.refreshing',
            actions: ['doubt', { type: 'tellFailure', params: ({ event }) => event }],
          },
          { actions: { type: 'tellFailure', params: ({ event }) => event } },
        ],
      },
      states: {
        settled: {},
        refreshing: {
          description: 'One call at a time: what changes meanwhile is asked for afterwards.',
          entry: 'noteCurrent',
          on: {
            'account.refresh': { actions: 'noteOutdated' },
            'account.changedElsewhere': {
              guard: { type: 'isNews', params: ({ event }) => event.time },
              actions: 'noteOutdated',
            },
            'settings.outdated': { actions: 'noteOutdated' },
          },
          invoke: {
            src: 'fetchAccount',
            onDone: [
              {
                guard: { type: 'isRefreshedTooEarly', params: ({ event }: { event: RefreshDone }) => event.output },
                target: 'pausing',
                actions: [
                  { type: 'takeState', params: ({ event }) => valueOf(event.output) },
                  'loadSettings',
                  'tellChange',
                ],
              },
              {
                guard: { type: 'isRefreshed', params: ({ event }: { event: RefreshDone }) => event.output },
                target: 'settled',
                actions: [
                  { type: 'takeState', params: ({ event }) => valueOf(event.output) },
                  'loadSettings',
                  'tellChange',
                ],
              },
              {
                guard: { type: 'isOver', params: ({ event }) => event.output },
                target: '#account.leaving',
                actions: { type: 'forget', params: 'sessionEnded' },
              },
              {
                guard: 'isUnsure',
                target: 'unsure',
                actions: { type: 'noteFailure', params: ({ event }) => event.output },
              },
              {
                target: 'unsure',
                actions: [
                  'doubt',
                  { type: 'noteFailure', params: ({ event }) => event.output },
                  { type: 'tellFailure', params: ({ event }) => failed('refresh', event.output) },
                ],
              },
            ],
            onError: 'settled',
          },
        },
        unsure: {
          description:
            'The account may be another one than is known here. It is asked for again and again, without telling of every failure.',
          after: { retryDelay: 'refreshing' },
          on: { 'account.retry': { guard: 'mayAskNow', target: 'refreshing' } },
        },
        pausing: {
          description: 'It changed while it was being fetched, so it is fetched once more.',
          after: { refreshPause: 'refreshing' },
          on: { 'account.refresh': {}, 'account.changedElsewhere': {}, 'settings.outdated': {} },
        },
        moving: {
          description: 'The machines were told to ask for their new node. This page follows when they have heard it.',
          after: { farewell: 'refreshing' },
        },
        renewing: {
          tags: 'renewing',
          invoke: {
            src: 'renewToken',
            onDone: [
              {
                guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output },
                target: 'refreshing',
              },
              {
                guard: { type: 'isOver', params: ({ event }) => event.output },
                target: '#account.leaving',
                actions: { type: 'forget', params: 'sessionEnded' },
              },
              {
                guard: { type: 'isUncertain', params: ({ event }) => event.output },
                target: 'refreshing',
                actions: ['doubt', { type: 'tellFailure', params: ({ event }) => failed('token', event.output) }],
              },
              {
                target: 'settled',
                actions: { type: 'tellFailure', params: ({ event }) => failed('token', event.output) },
              },
            ],
            onError: 'settled',
          },
        },
        ending: {
          description: 'The account is being deleted. Nothing may come between that and the leaving.',
          tags: 'deleting',
          initial: 'asking',
          on: {
            'account.refresh': {},
            'account.changedElsewhere': {},
            'account.renewToken': {},
            'settings.saved': {},
            'settings.outdated': {},
            'settings.failed': { actions: { type: 'tellFailure', params: ({ event }) => event } },
          },
          states: {
            asking: {
              invoke: {
                src: 'deleteAccount',
                onDone: [
                  {
                    guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output },
                    target: 'deleted',
                    actions: 'tellMachinesToMove',
                  },
                  {
                    guard: { type: 'isOver', params: ({ event }) => event.output },
                    target: '#account.leaving',
                    actions: { type: 'forget', params: 'sessionEnded' },
                  },
                  {
                    guard: { type: 'isUncertain', params: ({ event }) => event.output },
                    target: '#account.signedIn.refreshing',
                    actions: [
                      'doubt',
                      { type: 'tellFailure', params: ({ event }) => failed('deletion', event.output) },
                    ],
                  },
                  {
                    target: '#account.signedIn.settled',
                    actions: { type: 'tellFailure', params: ({ event }) => failed('deletion', event.output) },
                  },
                ],
                onError: '#account.signedIn.settled',
              },
            },
            deleted: {
              description: 'Its machines are told before the relay is left.',
              after: { farewell: { target: '#account.leaving', actions: { type: 'forget', params: 'deleted' } } },
            },
          },
        },
      },
    },
    leaving: {
      description: 'The page forgets first; the server is told as well as it can be.',
      entry: 'tellLeaving',
      invoke: {
        src: 'endSession',
        input: ({ context }) => ({ reason: context.leaving }),
        onDone: 'signedOut',
        onError: 'signedOut',
      },
    },
  },
})

export type AccountRef = ActorRefFrom<typeof accountMachine>
export type AccountSnapshot = SnapshotFrom<typeof accountMachine>
