import { assign, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { parseAddress, socketUrl } from '../../../folding/address/address.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import { createInitialContext, type ClientContext } from './client.context.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { LinkTarget } from './client.events.ts'
import { clientSetup, stateCommand } from './client.setup.ts'

export const clientMachine = clientSetup.createMachine({
  id: 'client',
  description: 'One folding client: its connection, its data, and its command queue.',
  context: ({ input }) => createInitialContext(input),
  type: 'parallel',
  always: [
    { guard: 'hasSettingsUpdate', actions: 'notifySettings' },
    { guard: 'hasIgnoredSettings', actions: 'notifySettingsIgnored' },
    { guard: 'hasJobNews', actions: 'notifyJobs' },
  ],
  on: {
    'client.openSettings': { actions: 'openSettings' },
    'client.closeSettings': { actions: 'closeSettings' },
    'client.watch': { actions: 'addWatcher' },
    'client.unwatch': { actions: 'removeWatcher' },
    'client.reportHistory': { actions: 'markReportingHistory' },
    'client.subscribeMolecule': { actions: [{ type: 'assignViewed', params: ({ event }) => event }, 'notifyReader'] },
    'client.unsubscribeMolecule': {
      guard: { type: 'isViewed', params: ({ event }) => event },
      actions: 'clearViewed',
    },
    'client.subscribeLog': { actions: 'addReader' },
    'client.unsubscribeLog': { actions: 'removeReader' },
    'client.renamed': { actions: [assign(({ event }) => ({ name: event.name })), 'report'] },
    'client.compared': {
      actions: [assign(({ event }) => ({ comparison: event.comparison })), 'report'],
    },
    'client.limited': { actions: [assign(({ event }) => ({ limit: event.limit })), 'report'] },
    // The report is sent with the data that follow.
    'link.opened': { actions: assign(({ event }) => ({ openedIn: event.took })) },
    'client.pageSeen': { actions: assign(({ event }) => ({ isPageHidden: event.isHidden })) },
    'client.release': { actions: { type: 'noteReleased', params: true } },
    'client.resume': { actions: { type: 'noteReleased', params: false } },
    'client.restored': {
      guard: 'hasNoData',
      actions: [{ type: 'restoreRecord', params: ({ event }) => event }, 'report'],
    },
    'client.environmentChanged': {
      actions: [{ type: 'assignEnvironment', params: ({ event }) => event.environment }, 'report'],
    },
    'client.run': { actions: { type: 'refuseJob', params: ({ event }) => event.to } },
    'client.withdraw': { actions: { type: 'withdrawJob', params: ({ event }) => event.to } },
    'client.follow': { actions: { type: 'follow', params: ({ event }) => event } },
    'client.dismiss': { actions: { type: 'dismiss', params: ({ event }) => event.key } },
    'client.broadcastMissed': { actions: { type: 'enqueueMissedCommand', params: ({ event }) => event.state } },
    'client.restart': { actions: ['markRestartPending', 'report'] },
    'client.cancelRestart': { actions: ['clearRestartPending', 'report'] },
    'restart.sent': { actions: ['clearRestartPending', 'report'] },
    'xstate.error.actor.settings': { actions: assign({ settings: undefined, sentSettingsSources: [] }) },
    'command.overdue': { actions: { type: 'judgeCommand', params: ({ event }) => event.key } },
    'command.unknown': { actions: { type: 'giveUpCommand', params: ({ event }) => event.key } },
    'commands.outlived': { actions: { type: 'endOutlived', params: ({ event }) => event.keys } },
    'link.entered': { actions: assign(({ event }) => ({ sessionState: event.state })) },
    'client.longGone': { actions: ['forgetRecent', 'report'] },
  },
  states: {
    link: {
      initial: 'deciding',
      states: {
        deciding: {
          always: [
            { guard: 'hasFailed', target: 'waiting' },
            { guard: 'isDirect', target: 'reaching' },
            { target: 'offline' },
          ],
        },
        offline: {
          description: 'Not connected to the relay: the machine is off, or the relay is disconnected.',
          entry: 'report',
          on: {
            'client.joined': [
              {
                guard: 'isReleased',
                target: 'released',
                actions: { type: 'noteAtRelay', params: true },
              },
              { target: 'reaching', actions: { type: 'noteAtRelay', params: true } },
            ],
          },
        },
        released: {
          description:
            'The relay lists it, but the page has it directly. A session would only delay what others see of it.',
          entry: 'report',
          on: {
            'client.resume': { target: 'reaching', actions: { type: 'noteReleased', params: false } },
            'client.left': { target: 'offline', actions: { type: 'noteAtRelay', params: false } },
          },
        },
        reaching: {
          invoke: {
            src: 'clientLink',
            id: 'link',
            input: ({ context }) => targetOf(context),
            onError: { target: 'waiting', actions: { type: 'assignTrouble', params: 'failed' } },
          },
          initial: 'opening',
          on: {
            'client.watch': { actions: ['addWatcher', 'notifyLink'] },
            'client.unwatch': { actions: ['removeWatcher', 'notifyLink'] },
            // After sleep a socket may be dead without a close event.
            'client.check': { guard: 'isDirect', target: 'reaching', reenter: true },
            'client.release': [
              { guard: 'hasSettings', actions: { type: 'noteReleased', params: true } },
              { target: 'released', actions: { type: 'noteReleased', params: true } },
            ],
            'client.closeSettings': [
              { guard: 'isReleased', target: 'released', actions: 'closeSettings' },
              { actions: 'closeSettings' },
            ],
            'client.left': {
              target: 'offline',
              actions: [
                { type: 'noteAtRelay', params: false },
                { type: 'assignLostAt', params: ({ event }) => event.at },
              ],
            },
            'link.closed': {
              target: 'waiting',
              actions: [
                { type: 'assignTrouble', params: ({ event }) => event.trouble },
                assign(({ event }) => ({ excess: event.excess })),
                { type: 'assignLostAt', params: ({ event }) => event.at },
              ],
            },
          },
          states: {
            opening: {
              description: 'Connecting, then waiting for the first full message.',
              tags: 'loading',
              entry: [assign({ attempts: ({ context }) => context.attempts + 1, isOpening: true }), 'report'],
              exit: assign({ isOpening: false }),
              after: {
                connectTimeout: {
                  target: '#client.link.waiting',
                  actions: { type: 'assignTrouble', params: 'unreachable' },
                },
              },
              on: {
                'link.reported': [
                  {
                    guard: { type: 'includesSnapshot', params: ({ event }) => event.facts },
                    target: 'live',
                    actions: [
                      { type: 'assignReport', params: ({ event }) => event },
                      { type: 'notifyUnitsEnded', params: ({ event }) => event.facts },
                    ],
                  },
                  {
                    actions: {
                      type: 'assignReport',
                      params: ({ event }) => ({ at: event.at, facts: event.facts.filter(isFault) }),
                    },
                  },
                ],
              },
            },
            live: {
              tags: 'connected',
              entry: [
                'markConnected',
                'forgetRecent',
                'report',
                'awaitOutlived',
                'resumeHistory',
                'requestFrames',
                'resumeLog',
                'resumeRestart',
              ],
              exit: ['markDisconnected', 'rememberRecent'],
              initial: 'deciding',
              on: {
                'link.dated': { actions: [{ type: 'assignAsOf', params: ({ event }) => event.asOf }, 'report'] },
                'link.seen': { actions: { type: 'assignSeenUntil', params: ({ event }) => event.until } },
                'log.due': { actions: { type: 'enqueueCommand', params: { cmd: 'log', enable: true } } },
                'client.subscribeLog': [
                  {
                    guard: 'isFirstReader',
                    actions: ['addReader', { type: 'enqueueCommand', params: { cmd: 'log', enable: true } }],
                  },
                  { actions: 'addReader' },
                ],
                'client.unsubscribeLog': [
                  {
                    guard: 'isLastReader',
                    actions: ['removeReader', { type: 'enqueueCommand', params: { cmd: 'log', enable: false } }],
                  },
                  { actions: 'removeReader' },
                ],
                'history.due': {
                  guard: 'keepsHistory',
                  actions: [{ type: 'enqueueCommand', params: { cmd: 'wus', enable: true } }, 'notifyHistoryAsked'],
                },
                'client.reportHistory': [
                  { guard: 'reportsHistory' },
                  { actions: ['markReportingHistory', 'resumeHistory'] },
                ],
                'client.setState': [
                  {
                    guard: { type: 'isFinish', params: ({ event }) => event.state },
                    actions: { type: 'enqueueFinish', params: ({ event }) => event.group },
                  },
                  {
                    actions: { type: 'enqueueCommand', params: ({ event }) => stateCommand(event.state, event.group) },
                  },
                ],
                'client.broadcastApplied': [
                  {
                    guard: { type: 'mustResumeFor', params: ({ event }) => event.state },
                    actions: [
                      { type: 'reserveStateSecond', params: ({ event }) => event.at },
                      { type: 'enqueueFinish', params: undefined },
                    ],
                  },
                  {
                    guard: { type: 'isLaterThanLastState', params: ({ event }) => event.at },
                    actions: { type: 'enqueueSentCommand', params: ({ event }) => event },
                  },
                  { actions: { type: 'enqueueCommand', params: ({ event }) => stateCommand(event.state, undefined) } },
                ],
                'client.subscribeMolecule': {
                  actions: [{ type: 'assignViewed', params: ({ event }) => event }, 'notifyReader', 'requestFrames'],
                },
                'client.unsubscribeMolecule': {
                  guard: { type: 'isViewed', params: ({ event }) => event },
                  actions: ['clearViewed', { type: 'enqueueCommand', params: { cmd: 'viz', unit: '', frame: 0 } }],
                },
                'client.link': { actions: { type: 'sendLink', params: ({ event }) => event } },
                'client.configure': {
                  actions: {
                    type: 'enqueueCommand',
                    params: ({ event: { type: _, ...change } }) => ({ cmd: 'config', ...change }),
                  },
                },
                'client.run': { actions: { type: 'enqueueJob', params: ({ event }) => event } },
                'client.restart': {
                  actions: ['markRestartPending', 'report', { type: 'enqueueCommand', params: { cmd: 'restart' } }],
                },
                'restart.due': { actions: { type: 'enqueueCommand', params: { cmd: 'restart' } } },
                'client.dump': {
                  actions: { type: 'enqueueCommand', params: ({ event }) => ({ cmd: 'dump', unit: event.unit }) },
                },
              },
              states: {
                deciding: { always: [{ guard: 'sendsPings', target: 'monitored' }, { target: 'unmonitored' }] },
                monitored: {
                  description: 'It sends a ping every 15 s, so 30 s of silence mean that the connection is lost.',
                  after: {
                    silenceTimeout: {
                      target: '#client.link.waiting',
                      actions: { type: 'assignTrouble', params: 'silent' },
                    },
                  },
                  on: {
                    'link.reported': [
                      {
                        guard: { type: 'isMoreThanProgress', params: ({ event }) => event.facts },
                        target: 'monitored',
                        reenter: true,
                        actions: [
                          { type: 'assignReport', params: ({ event }) => event },
                          { type: 'notifyUnitsEnded', params: ({ event }) => event.facts },
                          { type: 'requestFirstFrames', params: ({ event }) => event.facts },
                          'notifyReader',
                        ],
                      },
                      {
                        target: 'monitored',
                        reenter: true,
                        actions: { type: 'assignReport', params: ({ event }) => event },
                      },
                    ],
                  },
                },
                unmonitored: {
                  description: 'The relay connection is monitored instead, or the client is too old to send pings.',
                  on: {
                    'link.reported': [
                      {
                        guard: { type: 'isMoreThanProgress', params: ({ event }) => event.facts },
                        actions: [
                          { type: 'assignReport', params: ({ event }) => event },
                          { type: 'notifyUnitsEnded', params: ({ event }) => event.facts },
                          { type: 'requestFirstFrames', params: ({ event }) => event.facts },
                          'notifyReader',
                        ],
                      },
                      { actions: { type: 'assignReport', params: ({ event }) => event } },
                    ],
                  },
                },
              },
            },
          },
        },
        waiting: {
          description: 'Disconnected; reconnects after a delay.',
          entry: 'report',
          initial: 'pausing',
          on: {
            'client.release': { target: 'released', actions: { type: 'noteReleased', params: true } },
            'client.left': { target: 'offline', actions: { type: 'noteAtRelay', params: false } },
            'client.joined': { target: 'reaching', actions: { type: 'noteAtRelay', params: true } },
            'client.reconnect': 'reaching',
            'client.check': 'reaching',
          },
          states: {
            pausing: {
              after: { reconnectDelay: [{ guard: 'isDirect', target: 'asking' }, { target: '#client.link.reaching' }] },
            },
            asking: {
              description:
                'A browser delays sockets to a host after failures, silently, but not requests: so its host is asked until it answers.',
              invoke: {
                src: 'pingHost',
                input: ({ context }) => ({ url: urlOf(context) }),
                onDone: { target: '#client.link.reaching', actions: assign({ unanswered: 0 }) },
                onError: [
                  { guard: 'mustTryAnyway', target: '#client.link.reaching', actions: 'countUnanswered' },
                  { target: 'pausing', actions: 'countUnanswered' },
                ],
              },
            },
          },
        },
      },
    },
    reports: {
      description: 'Reports to the fleet.',
      on: {
        'link.reported': { guard: { type: 'mayChangeReport', params: ({ event }) => event.facts }, actions: 'report' },
      },
    },
    commands: {
      initial: 'ready',
      states: {
        ready: { on: { 'commands.waiting': 'readingClock' } },
        readingClock: {
          description: 'The time decides whether the next command may be sent.',
          invoke: {
            src: 'readClock',
            onDone: [
              {
                guard: { type: 'hasCommandFor', params: ({ event }) => event.output },
                target: 'readingClock',
                reenter: true,
                actions: { type: 'sendNext', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'mustWaitAt', params: ({ event }) => event.output },
                target: 'spacing',
                actions: { type: 'assignSpacing', params: ({ event }) => event.output },
              },
              { target: 'ready' },
            ],
            onError: { target: 'spacing', actions: assign({ spacing: 1000 }) },
          },
        },
        spacing: {
          description: 'The client silently drops a second command within the same second (docs/protocol.md §5).',
          after: { commandSpacing: 'readingClock' },
          on: { 'commands.waiting': 'readingClock' },
        },
      },
    },
  },
})

export type ClientRef = ActorRefFrom<typeof clientMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly [client: `client:${string}`]: ClientRef
  }
}
export type ClientSnapshot = SnapshotFrom<typeof clientMachine>

function targetOf(context: ClientContext): LinkTarget {
  const isWatched = context.watchers > 0
  return context.kind === 'direct'
    ? { kind: 'direct', url: urlOf(context), isWatched }
    : { kind: 'session', client: context.id, isWatched }
}

/** The address of a direct client's own socket. */
export function urlOf({ address = '' }: ClientContext): SocketUrl {
  const parsed = parseAddress(address)
  if (parsed === undefined) throw new Error('A direct client has an address.')
  return socketUrl(parsed)
}

function isFault(fact: ClientFact): boolean {
  return fact.type === 'fault.found'
}
