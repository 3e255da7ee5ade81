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
      initial: 'unasked',
      on: {
        'log.expect': [
          {
            guard: { type: 'isSure', params: ({ event }) => event.isSure },
            target: 'open.attendance.expected',
            actions: { type: 'open', params: ({ event }) => event },
          },
          {
            guard: { type: 'isAnother', params: ({ event }) => event.client },
            target: '.nearing',
            actions: { type: 'open', params: ({ event }) => event },
          },
        ],
      },
      states: {
        unasked: { entry: 'forget' },
        nearing: {
          description: 'A hand is at what opens it. A machine is not asked for its log whenever one passes by.',
          tags: 'near',
          after: { dwell: '#log.open.attendance.expected' },
          on: { 'log.turnAway': 'unasked' },
        },
      },
    },
    open: {
      type: 'parallel',
      entry: 'beginReading',
      exit: 'endReading',
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
        attendance: {
          initial: 'attended',
          states: {
            attended: { tags: 'attended' },
            expected: {
              description: 'It is read already, since it is about to be opened. Where nobody comes, that ends.',
              after: { expectation: '#log.closed' },
              on: {
                'log.expect': [
                  {
                    guard: { type: 'isAnother', params: ({ event }) => event.client },
                    target: '#log.closed.nearing',
                    actions: { type: 'open', params: ({ event }) => event },
                  },
                  { target: 'expected', reenter: true },
                ],
                'log.open': {
                  guard: { type: 'isSame', params: ({ event }) => event.client },
                  target: 'attended',
                  actions: { type: 'seek', params: ({ event }) => event.text },
                },
              },
            },
          },
        },
        // Before those that follow, so that they hear of new lines when they are noted already.
        lines: {
          initial: 'unknown',
          on: { 'log.changed': { actions: { type: 'takeLog', params: ({ event }) => event } } },
          states: {
            unknown: {
              description: 'The client has not said its log yet.',
              tags: 'loading',
              on: {
                'log.changed': [
                  {
                    guard: { type: 'isKnown', params: ({ event }) => event.isKnown },
                    target: 'known',
                    actions: { type: 'takeLog', params: ({ event }) => event },
                  },
                  { actions: { type: 'takeLog', params: ({ event }) => event } },
                ],
              },
            },
            known: {},
          },
        },
        reader: {
          initial: 'following',
          on: {
            'log.choose': { actions: { type: 'choose', params: ({ event }) => event.number } },
            'log.see': { actions: { type: 'look', params: ({ event }) => event.sight } },
            'log.goToStart': { target: '.reading', actions: 'goToStart' },
            'log.goToEnd': '.following',
            'log.next': [
              {
                guard: { type: 'isSeen', params: ({ context }) => stepFrom(context, true) },
                actions: { type: 'choose', params: ({ context }) => stepFrom(context, true) },
              },
              {
                guard: { type: 'isThere', params: ({ context }) => stepFrom(context, true) },
                target: '.reading',
                actions: [{ type: 'choose', params: ({ context }) => stepFrom(context, true) }, 'reveal'],
              },
            ],
            'log.previous': [
              {
                guard: { type: 'isSeen', params: ({ context }) => stepFrom(context, false) },
                actions: { type: 'choose', params: ({ context }) => stepFrom(context, false) },
              },
              {
                guard: { type: 'isThere', params: ({ context }) => stepFrom(context, false) },
                target: '.reading',
                actions: [{ type: 'choose', params: ({ context }) => stepFrom(context, false) }, 'reveal'],
              },
            ],
            'log.showContext': {
              guard: 'hasChosenFound',
              target: '.reading',
              actions: [{ type: 'showContext', params: true }, 'reveal'],
            },
            'log.showFound': {
              guard: 'hasChosenFound',
              target: '.reading',
              actions: [{ type: 'showContext', params: false }, 'reveal'],
            },
          },
          states: {
            following: {
              description: 'The reader is at the end, and stays there while lines arrive.',
              tags: 'following',
              exit: 'leaveEnd',
              on: {
                'log.scroll': [
                  {
                    guard: { type: 'isAtEnd', params: ({ event }) => event.sight },
                    actions: { type: 'look', params: ({ event }) => event.sight },
                  },
                  { target: 'reading', actions: { type: 'look', params: ({ event }) => event.sight } },
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
                    actions: { type: 'look', params: ({ event }) => event.sight },
                  },
                  { actions: { type: 'look', params: ({ event }) => event.sight } },
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
              actions: { type: 'noteFailure', params: ({ event }) => event.fault },
            },
            'log.prepare': { actions: { type: 'tellSearch', params: { type: 'search.prepare' } } },
          },
          states: {
            deciding: {
              always: [{ guard: 'wantsEverything', target: 'idle', actions: 'showEverything' }, { target: 'pending' }],
            },
            idle: { description: 'All lines are shown.' },
            pending: {
              description: 'An answer is awaited. Lines that arrive meanwhile are tested too.',
              on: {
                'search.found': {
                  guard: { type: 'isLast', params: ({ event }) => event.id },
                  target: 'settled',
                  actions: { type: 'takeFound', params: ({ event }) => event },
                },
                'log.changed': { actions: { type: 'tellSearch', params: { type: 'search.grow' } } },
              },
              initial: 'asked',
              states: {
                asked: {
                  description: 'The search may still be at the line that it was at.',
                  tags: 'searching',
                  entry: { type: 'ask', params: ({ context }) => ({ query: queryOf(context), isAnew: false }) },
                  after: { patience: 'anew' },
                  on: {
                    'search.begun': { guard: { type: 'isLast', params: ({ event }) => event.id }, target: 'testing' },
                  },
                },
                anew: {
                  description: 'An earlier pattern holds the search up, so another search begins.',
                  tags: 'searching',
                  entry: { type: 'ask', params: ({ context }) => ({ query: queryOf(context), isAnew: true }) },
                  after: { startLimit: '#log.open.search.stopped' },
                  on: {
                    'search.begun': { guard: { type: 'isLast', params: ({ event }) => event.id }, target: 'testing' },
                  },
                },
                testing: { tags: 'searching', after: { searchLimit: '#log.open.search.overdue' } },
                returning: {
                  description:
                    'The search begins anew with what it had found before, so that new lines are tested by that.',
                  entry: { type: 'ask', params: ({ context }) => ({ query: context.answered, isAnew: true }) },
                  after: { startLimit: '#log.open.search.stopped' },
                },
              },
            },
            overdue: {
              description: 'The pattern takes too long: what was shown before stays.',
              entry: 'noteSlow',
              always: [{ guard: 'hasEarlier', target: 'pending.returning' }, { target: 'stopped' }],
            },
            settled: {
              description: 'What was found is shown. New lines are tested as they arrive.',
              initial: 'quiet',
              on: {
                'search.grew': {
                  guard: { type: 'isLast', params: ({ event }) => event.id },
                  actions: { type: 'takeMore', params: ({ event }) => event },
                },
                // The client has told another log, or more of its past: everything was tested again.
                'search.found': {
                  guard: { type: 'isLast', params: ({ event }) => event.id },
                  target: 'settled',
                  actions: { type: 'takeFound', params: ({ event }) => event },
                },
              },
              states: {
                quiet: {
                  always: { guard: 'hasUnmarked', target: 'awaited', actions: 'askForMarks' },
                  on: { 'log.changed': { target: 'awaited', actions: 'askForNew' } },
                },
                awaited: {
                  description: 'The search owes a reply, which a slow pattern may never give.',
                  after: { searchLimit: { target: '#log.open.search.stopped', actions: 'noteSlow' } },
                  on: {
                    'log.changed': { actions: 'askForNew' },
                    'search.grew': [
                      {
                        guard: { type: 'isLastOwed', params: ({ event }) => event.id },
                        target: 'quiet',
                        actions: { type: 'takeMore', params: ({ event }) => event },
                      },
                      {
                        guard: { type: 'isLast', params: ({ event }) => event.id },
                        target: 'awaited',
                        reenter: true,
                        actions: { type: 'takeMore', params: ({ event }) => event },
                      },
                    ],
                    'search.marked': [
                      {
                        guard: { type: 'isLastOwed', params: ({ event }) => event.id },
                        target: 'quiet',
                        actions: { type: 'takeMarks', params: ({ event }) => event.marks },
                      },
                      {
                        guard: { type: 'isLast', params: ({ event }) => event.id },
                        target: 'awaited',
                        reenter: true,
                        actions: { type: 'takeMarks', params: ({ event }) => event.marks },
                      },
                    ],
                  },
                },
              },
            },
            stopped: {
              description: 'What is shown stays as it is, and new lines are not tested.',
              tags: 'stopped',
              entry: { type: 'tellSearch', params: { type: 'search.stop' } },
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
              after: { keepDelay: { target: 'settled', actions: 'keep' } },
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
