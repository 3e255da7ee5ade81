import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { emptyLog } from '../../../folding/log/log-lines.ts'
import { queryOf, stepFrom, unread } from './log.context.ts'
import { logSetup } from './log.setup.ts'

export const logMachine = logSetup.createMachine({
  id: 'log',
  description: 'The log of one machine as a person reads it: where they are in it, and what they search for.',
  context: unread,
  initial: 'closed',
  on: { 'log.open': { target: '.open', actions: { type: 'open', params: ({ event }) => event } } },
  states: {
    closed: {
      initial: 'idle',
      on: {
        'log.expect': [
          {
            guard: { type: 'isSure', params: ({ event }) => event.isSure },
            target: 'open.presence.prefetching',
            actions: { type: 'open', params: ({ event }) => event },
          },
          {
            guard: { type: 'isOtherClient', params: ({ event }) => event.client },
            target: '.hoverIntent',
            actions: { type: 'open', params: ({ event }) => event },
          },
        ],
      },
      states: {
        idle: { entry: 'clearAll' },
        hoverIntent: {
          description: 'A hand is at what opens it. A machine is not asked for its log whenever one passes by.',
          tags: 'hoverIntent',
          after: { hoverDelay: '#log.open.presence.prefetching' },
          on: { 'log.turnAway': 'idle' },
        },
      },
    },
    open: {
      type: 'parallel',
      entry: 'subscribeLog',
      exit: 'unsubscribeLog',
      invoke: [
        { src: 'followLog', id: 'lines', input: ({ context }) => ({ client: context.client }) },
        {
          src: 'logSearch',
          id: 'search',
          input: ({ context: { client } }) => ({ readLog: () => client?.getSnapshot().context.record.log ?? emptyLog }),
        },
      ],
      on: { 'log.close': 'closed' },
      states: {
        presence: {
          initial: 'present',
          states: {
            present: { tags: 'present' },
            prefetching: {
              description: 'It is read already, since it is about to be opened. Where nobody comes, that ends.',
              after: { prefetchTimeout: '#log.closed' },
              on: {
                'log.expect': [
                  {
                    guard: { type: 'isOtherClient', params: ({ event }) => event.client },
                    target: '#log.closed.hoverIntent',
                    actions: { type: 'open', params: ({ event }) => event },
                  },
                  { target: 'prefetching', reenter: true },
                ],
                'log.open': {
                  guard: { type: 'isSameClient', params: ({ event }) => event.client },
                  target: 'present',
                  actions: { type: 'setText', params: ({ event }) => event.text },
                },
              },
            },
          },
        },
        // Before those that follow, so that they hear of new lines when they are noted already.
        lines: {
          initial: 'unknown',
          on: { 'log.changed': { actions: { type: 'assignLog', params: ({ event }) => event } } },
          states: {
            unknown: {
              description: 'The client has not said its log yet.',
              tags: 'loading',
              on: {
                'log.changed': [
                  {
                    guard: { type: 'isKnown', params: ({ event }) => event.isKnown },
                    target: 'known',
                    actions: { type: 'assignLog', params: ({ event }) => event },
                  },
                  { actions: { type: 'assignLog', params: ({ event }) => event } },
                ],
              },
            },
            known: {},
          },
        },
        reader: {
          initial: 'following',
          on: {
            'log.choose': { actions: { type: 'select', params: ({ event }) => event.number } },
            'log.see': { actions: { type: 'assignViewport', params: ({ event }) => event.sight } },
            'log.goToStart': { target: '.reading', actions: 'goToStart' },
            'log.goToEnd': '.following',
            'log.next': [
              {
                guard: { type: 'isSeen', params: ({ context }) => stepFrom(context, true) },
                actions: { type: 'select', params: ({ context }) => stepFrom(context, true) },
              },
              {
                guard: { type: 'isDefined', params: ({ context }) => stepFrom(context, true) },
                target: '.reading',
                actions: [{ type: 'select', params: ({ context }) => stepFrom(context, true) }, 'scrollToSelected'],
              },
            ],
            'log.previous': [
              {
                guard: { type: 'isSeen', params: ({ context }) => stepFrom(context, false) },
                actions: { type: 'select', params: ({ context }) => stepFrom(context, false) },
              },
              {
                guard: { type: 'isDefined', params: ({ context }) => stepFrom(context, false) },
                target: '.reading',
                actions: [{ type: 'select', params: ({ context }) => stepFrom(context, false) }, 'scrollToSelected'],
              },
            ],
            'log.showContext': {
              guard: 'hasSelectedMatch',
              target: '.reading',
              actions: [{ type: 'showContext', params: true }, 'scrollToSelected'],
            },
            'log.showFound': {
              guard: 'hasSelectedMatch',
              target: '.reading',
              actions: [{ type: 'showContext', params: false }, 'scrollToSelected'],
            },
          },
          states: {
            following: {
              description: 'The reader is at the end, and stays there while lines arrive.',
              tags: 'following',
              exit: 'assignSeenEnd',
              on: {
                'log.scroll': [
                  {
                    guard: { type: 'isAtEnd', params: ({ event }) => event.sight },
                    actions: { type: 'assignViewport', params: ({ event }) => event.sight },
                  },
                  { target: 'reading', actions: { type: 'assignViewport', params: ({ event }) => event.sight } },
                ],
              },
            },
            reading: {
              description: 'The reader is somewhere, and stays there whatever arrives or is trimmed.',
              on: {
                'log.scroll': [
                  {
                    guard: { type: 'isAtEnd', params: ({ event }) => event.sight },
                    target: 'following',
                    actions: { type: 'assignViewport', params: ({ event }) => event.sight },
                  },
                  { actions: { type: 'assignViewport', params: ({ event }) => event.sight } },
                ],
              },
            },
          },
        },
        search: {
          initial: 'deciding',
          on: {
            'log.type': { target: '.deciding', actions: { type: 'type', params: ({ event }) => event.text } },
            'log.filter': {
              target: '.deciding',
              actions: { type: 'filter', params: ({ event: { type: _, ...only } }) => only },
            },
            'log.reset': { target: '.deciding', actions: 'reset' },
            'search.failed': {
              target: '.stopped',
              actions: { type: 'assignSearchFault', params: ({ event }) => event.fault },
            },
            'log.prepare': { actions: { type: 'sendToSearch', params: { type: 'search.prepare' } } },
          },
          states: {
            deciding: {
              always: [{ guard: 'isQueryEmpty', target: 'idle', actions: 'clearFound' }, { target: 'pending' }],
            },
            idle: { description: 'All lines are shown.' },
            pending: {
              description: 'An answer is awaited. Lines that arrive meanwhile are tested too.',
              on: {
                'search.found': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  target: 'settled',
                  actions: { type: 'assignFound', params: ({ event }) => event },
                },
                'log.changed': { actions: { type: 'sendToSearch', params: { type: 'search.grow' } } },
              },
              initial: 'starting',
              states: {
                starting: {
                  description: 'The search may still be at the line that it was at.',
                  tags: 'searching',
                  entry: { type: 'startSearch', params: ({ context }) => ({ query: queryOf(context), isAnew: false }) },
                  after: { busyTimeout: 'restarting' },
                  on: {
                    'search.begun': {
                      guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                      target: 'testing',
                    },
                  },
                },
                restarting: {
                  description: 'An earlier pattern holds the search up, so another search begins.',
                  tags: 'searching',
                  entry: { type: 'startSearch', params: ({ context }) => ({ query: queryOf(context), isAnew: true }) },
                  after: { startTimeout: '#log.open.search.stopped' },
                  on: {
                    'search.begun': {
                      guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                      target: 'testing',
                    },
                  },
                },
                testing: { tags: 'searching', after: { searchTimeout: '#log.open.search.timedOut' } },
                restoring: {
                  description:
                    'The search begins anew with what it had found before, so that new lines are tested by that.',
                  entry: {
                    type: 'startSearch',
                    params: ({ context }) => ({ query: context.foundQuery, isAnew: true }),
                  },
                  after: { startTimeout: '#log.open.search.stopped' },
                },
              },
            },
            timedOut: {
              description: 'The pattern takes too long: what was shown before stays.',
              entry: 'markPatternSlow',
              always: [{ guard: 'hasEarlierResult', target: 'pending.restoring' }, { target: 'stopped' }],
            },
            settled: {
              description: 'What was found is shown. New lines are tested as they arrive.',
              initial: 'idle',
              on: {
                'search.grew': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  actions: { type: 'addFound', params: ({ event }) => event },
                },
                // The client has told another log, or more of its past: everything was tested again.
                'search.found': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  target: 'settled',
                  actions: { type: 'assignFound', params: ({ event }) => event },
                },
              },
              states: {
                idle: {
                  always: { guard: 'hasUnmarked', target: 'awaitingReply', actions: 'requestMarks' },
                  on: { 'log.changed': { target: 'awaitingReply', actions: 'requestUpdate' } },
                },
                awaitingReply: {
                  description: 'The search owes a reply, which a slow pattern may never give.',
                  after: { searchTimeout: { target: '#log.open.search.stopped', actions: 'markPatternSlow' } },
                  on: {
                    'log.changed': { actions: 'requestUpdate' },
                    'search.grew': [
                      {
                        guard: { type: 'isLastReply', params: ({ event }) => event.id },
                        target: 'idle',
                        actions: { type: 'addFound', params: ({ event }) => event },
                      },
                      {
                        guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                        target: 'awaitingReply',
                        reenter: true,
                        actions: { type: 'addFound', params: ({ event }) => event },
                      },
                    ],
                    'search.marked': [
                      {
                        guard: { type: 'isLastReply', params: ({ event }) => event.id },
                        target: 'idle',
                        actions: { type: 'assignMarks', params: ({ event }) => event.marks },
                      },
                      {
                        guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                        target: 'awaitingReply',
                        reenter: true,
                        actions: { type: 'assignMarks', params: ({ event }) => event.marks },
                      },
                    ],
                  },
                },
              },
            },
            stopped: {
              description: 'What is shown stays as it is, and new lines are not tested.',
              tags: 'stopped',
              entry: { type: 'sendToSearch', params: { type: 'search.stop' } },
            },
          },
        },
        address: {
          initial: 'settled',
          states: {
            settled: {
              on: { 'log.type': 'changing', 'log.reset': 'changing' },
            },
            changing: {
              description: 'While somebody types, the address stays as it is.',
              after: { addressDelay: { target: 'settled', actions: 'assignAddressText' } },
              on: {
                'log.type': { target: 'changing', reenter: true },
                'log.reset': { target: 'changing', reenter: true },
              },
            },
          },
        },
      },
    },
  },
})

export type LogRef = ActorRefFrom<typeof logMachine>
export type LogSnapshot = SnapshotFrom<typeof logMachine>
