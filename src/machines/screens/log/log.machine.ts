import { assign, type SnapshotFrom } from 'xstate'
import { emptyLog } from '../../../folding/log/log-lines.ts'
import { queryOf, stepFrom, initialContext } from './log.context.ts'
import { logSetup } from './log.setup.ts'

export const logMachine = logSetup.createMachine({
  id: 'log',
  description: 'The log screen of one machine: prefetching, scroll position and search.',
  context: initialContext,
  initial: 'closed',
  on: { 'log.open': { target: '.open', actions: { type: 'open', params: ({ event }) => event } } },
  states: {
    closed: {
      initial: 'idle',
      on: {
        'log.prefetch': [
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
          description: 'The pointer is on a control that opens the log. The log is requested only if it stays there.',
          tags: 'hoverIntent',
          after: { hoverDelay: '#log.open.presence.prefetching' },
          on: { 'log.cancelPrefetch': 'idle' },
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
          // Nothing of a partial log is searched: the result would be replaced at once.
          input: ({ context: { client } }) => ({
            readLog: () => {
              const snapshot = client?.getSnapshot()
              return snapshot !== undefined && snapshot.context.record.isLogWhole
                ? snapshot.context.record.log
                : emptyLog
            },
          }),
        },
      ],
      on: { 'log.close': 'closed' },
      states: {
        presence: {
          initial: 'present',
          states: {
            present: { tags: 'present' },
            prefetching: {
              description: 'The log is streamed already because it may be opened soon; stopped after a timeout.',
              after: { prefetchTimeout: '#log.closed' },
              on: {
                'log.prefetch': [
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
                  actions: [
                    { type: 'setText', params: ({ event }) => event.text },
                    assign(({ event }) => ({ target: event.at, located: undefined })),
                  ],
                },
              },
            },
          },
        },
        lines: {
          initial: 'unknown',
          on: { 'log.changed': { actions: { type: 'assignLog', params: ({ event }) => event } } },
          states: {
            unknown: {
              description: 'Not all of the log is there yet.',
              tags: 'loading',
              on: {
                'log.changed': [
                  {
                    guard: { type: 'isWhole', params: ({ event }) => event.isWhole },
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
            'log.select': { actions: { type: 'select', params: ({ event }) => event.number } },
            'log.rendered': { actions: { type: 'assignViewport', params: ({ event }) => event.viewport } },
            // All lines are shown, so that the line is seen with what happened around it.
            'log.located': {
              guard: { type: 'isFinding', params: ({ event }) => event.finding },
              target: '.reading',
              actions: [
                { type: 'select', params: ({ event }) => event.finding?.number },
                { type: 'showContext', params: true },
                'scrollToSelected',
              ],
            },
            'log.goToStart': {
              target: '.reading',
              actions: assign(({ context }) => ({ place: { number: context.first, offset: 0 } })),
            },
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
              description: 'Scrolled to the end; stays there while lines arrive.',
              tags: 'following',
              exit: assign(({ context }) => ({ seenEnd: context.end })),
              on: {
                'log.scroll': [
                  {
                    guard: { type: 'isAtEnd', params: ({ event }) => event.viewport },
                    actions: { type: 'assignViewport', params: ({ event }) => event.viewport },
                  },
                  { target: 'reading', actions: { type: 'assignViewport', params: ({ event }) => event.viewport } },
                ],
              },
            },
            reading: {
              description: 'Scrolled elsewhere; the position is kept while lines arrive or are trimmed.',
              on: {
                'log.scroll': [
                  {
                    guard: { type: 'isAtEnd', params: ({ event }) => event.viewport },
                    target: 'following',
                    actions: { type: 'assignViewport', params: ({ event }) => event.viewport },
                  },
                  { actions: { type: 'assignViewport', params: ({ event }) => event.viewport } },
                ],
              },
            },
          },
        },
        search: {
          initial: 'deciding',
          on: {
            'log.setText': { target: '.deciding', actions: { type: 'type', params: ({ event }) => event.text } },
            'log.filter': {
              target: '.deciding',
              actions: { type: 'filter', params: ({ event: { type: _, ...only } }) => only },
            },
            'log.reset': { target: '.deciding', actions: 'reset' },
            'search.failed': {
              target: '.stopped',
              actions: assign(({ event }) => ({ searchFault: event.fault, pendingReplies: 0 })),
            },
            'log.prepareSearch': { actions: { type: 'sendToSearch', params: { type: 'search.prepare' } } },
          },
          states: {
            deciding: {
              description: 'A text that is not valid yet is left alone while the user types on.',
              always: [
                { guard: 'isSearchNeeded', target: 'pending' },
                { guard: 'isTypingPaused', target: 'idle', actions: 'clearFound' },
              ],
            },
            idle: { description: 'All lines are shown.' },
            pending: {
              description: 'Waiting for the result. Lines that arrive meanwhile are searched too.',
              on: {
                'search.found': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  target: 'held',
                  actions: assign(({ event: { numbers, end, marks } }) => ({ held: { numbers, end, marks } })),
                },
                'log.assigned': { actions: { type: 'sendToSearch', params: { type: 'search.update' } } },
              },
              initial: 'starting',
              states: {
                starting: {
                  description: 'The worker may still be busy with the previous search.',
                  tags: 'searching',
                  entry: {
                    type: 'startSearch',
                    params: ({ context }) => ({ query: queryOf(context), restarts: false }),
                  },
                  after: { busyTimeout: 'restarting' },
                  on: {
                    'search.started': {
                      guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                      target: 'testing',
                    },
                  },
                },
                restarting: {
                  description: 'The previous search blocks the worker, so a new worker is started.',
                  tags: 'searching',
                  entry: {
                    type: 'startSearch',
                    params: ({ context }) => ({ query: queryOf(context), restarts: true }),
                  },
                  after: { startTimeout: '#log.open.search.stopped' },
                  on: {
                    'search.started': {
                      guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                      target: 'testing',
                    },
                  },
                },
                testing: { tags: 'searching', after: { searchTimeout: '#log.open.search.timedOut' } },
                restoring: {
                  description:
                    'A new worker repeats the last successful query, so that new lines are searched with it.',
                  entry: {
                    type: 'startSearch',
                    params: ({ context }) => ({ query: context.foundQuery, restarts: true }),
                  },
                  after: { startTimeout: '#log.open.search.stopped' },
                },
              },
            },
            held: {
              description: 'A result is there. It is shown when the user does not type on at once.',
              tags: 'searching',
              always: { guard: 'isTypingPaused', target: 'settled', actions: 'showHeld' },
              // Searched again together with the new lines.
              on: { 'log.assigned': 'deciding' },
            },
            timedOut: {
              description: 'The pattern takes too long. The previous result stays visible.',
              entry: 'markPatternSlow',
              always: [{ guard: 'hasEarlierResult', target: 'pending.restoring' }, { target: 'stopped' }],
            },
            settled: {
              description: 'The result is shown. New lines are searched as they arrive.',
              initial: 'idle',
              on: {
                'search.updated': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  actions: { type: 'addFound', params: ({ event }) => event },
                },
                // The client sent another log or older lines: everything was searched again.
                'search.found': {
                  guard: { type: 'isLatestRequest', params: ({ event }) => event.id },
                  target: 'settled',
                  actions: { type: 'assignFound', params: ({ event }) => event },
                },
              },
              states: {
                idle: {
                  always: { guard: 'hasUnmarked', target: 'awaitingReply', actions: 'requestMarks' },
                  on: { 'log.assigned': { target: 'awaitingReply', actions: 'requestUpdate' } },
                },
                awaitingReply: {
                  description: 'Waiting for a reply, which may never come for a slow pattern.',
                  after: { searchTimeout: { target: '#log.open.search.stopped', actions: 'markPatternSlow' } },
                  on: {
                    'log.assigned': { actions: 'requestUpdate' },
                    'search.updated': [
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
              description: 'The result stays visible; new lines are not searched.',
              tags: 'stopped',
              entry: { type: 'sendToSearch', params: { type: 'search.stop' } },
            },
          },
        },
        target: {
          initial: 'none',
          states: {
            none: { always: { guard: 'hasTarget', target: 'awaited' } },
            awaited: {
              description: 'The address names a line by its time: wait for the log, and for the search.',
              initial: 'waiting',
              on: {
                'log.goToStart': { target: 'none', actions: 'clearTarget' },
                'log.goToEnd': { target: 'none', actions: 'clearTarget' },
              },
              states: {
                waiting: { always: { guard: 'canLocate', target: 'locating' } },
                locating: {
                  entry: 'locate',
                  on: {
                    'log.located': {
                      target: '#log.open.target.none',
                      actions: { type: 'assignLocated', params: ({ event }) => event.finding },
                    },
                  },
                },
              },
            },
          },
        },
        typing: {
          initial: 'settled',
          on: { 'log.setText': '.typing', 'log.reset': '.paused' },
          states: {
            settled: {},
            typing: {
              description: 'Further keys may wait in the browser.',
              after: {
                typingPause: { target: 'paused', actions: assign(({ context }) => ({ settledText: context.text })) },
              },
            },
            paused: {
              description: 'The address is not updated yet: the user may type on.',
              after: {
                addressDelay: { target: 'settled', actions: assign(({ context }) => ({ addressText: context.text })) },
              },
            },
          },
        },
      },
    },
  },
})

export type LogSnapshot = SnapshotFrom<typeof logMachine>
