import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { parseAddress, socketUrl } from '../../../folding/shared/address.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import { unheard, type ClientContext } from './client.context.ts'
import type { LinkTarget } from './client.events.ts'
import { clientSetup, stateCommand } from './client.setup.ts'

export const clientMachine = clientSetup.createMachine({
  id: 'client',
  description: 'One folding client: its link, what it said, and what was asked of it.',
  context: ({ input }) => unheard(input),
  type: 'parallel',
  always: [
    { guard: 'hasNewsForSettings', actions: 'tellSettings' },
    { guard: 'hasIgnoredSettings', actions: 'tellIgnored' },
  ],
  on: {
    'client.openSettings': { actions: 'openSettings' },
    'client.closeSettings': { actions: 'closeSettings' },
    'client.watch': { actions: 'addWatcher' },
    'client.unwatch': { actions: 'removeWatcher' },
    'client.collect': { actions: 'noteCollecting' },
    'client.view': { actions: [{ type: 'view', params: ({ event }) => event }, 'tellViewer'] },
    'client.unview': { guard: { type: 'isViewed', params: ({ event }) => event.unit }, actions: 'unview' },
    'client.readLog': { actions: 'addReader' },
    'client.leaveLog': { actions: 'removeReader' },
    'client.renamed': { actions: [{ type: 'rename', params: ({ event }) => event.name }, 'report'] },
    'client.recalled': { guard: 'isUnheard', actions: [{ type: 'recall', params: ({ event }) => event }, 'report'] },
    'client.surroundingsChanged': {
      actions: [{ type: 'takeSurroundings', params: ({ event }) => event.surroundings }, 'report'],
    },
    'client.dismiss': { actions: { type: 'dismiss', params: ({ event }) => event.key } },
    'client.wasMissed': { actions: { type: 'noteMissed', params: ({ event }) => event.state } },
    'client.restart': { actions: ['noteRestart', 'report'] },
    'client.restartSettled': { actions: ['settleRestart', 'report'] },
    'restart.sent': { actions: ['settleRestart', 'report'] },
    'xstate.error.actor.settings': { actions: 'dropSettings' },
    'command.overdue': { actions: { type: 'noteOverdue', params: ({ event }) => event.key } },
  },
  states: {
    link: {
      initial: 'deciding',
      states: {
        deciding: {
          always: [
            { guard: 'hasFailed', target: 'waiting' },
            { guard: 'isDirect', target: 'reaching' },
            { target: 'away' },
          ],
        },
        away: {
          description: 'The relay does not have it: it is switched off, or the relay is out of reach.',
          entry: 'report',
          on: {
            'client.joined': 'reaching',
          },
        },
        reaching: {
          invoke: {
            src: 'clientLink',
            id: 'link',
            input: ({ context }) => targetOf(context),
            onError: { target: 'waiting', actions: { type: 'noteTrouble', params: 'failed' } },
          },
          initial: 'opening',
          on: {
            'client.watch': { actions: ['addWatcher', 'tellLink'] },
            'client.unwatch': { actions: ['removeWatcher', 'tellLink'] },
            // After sleep a socket may be dead without knowing it.
            'client.check': { guard: 'isDirect', target: 'reaching', reenter: true },
            'client.left': { target: 'away', actions: { type: 'noteClosing', params: ({ event }) => event.at } },
            'link.closed': {
              target: 'waiting',
              actions: [
                { type: 'noteTrouble', params: ({ event }) => event.trouble },
                { type: 'noteClosing', params: ({ event }) => event.at },
              ],
            },
          },
          states: {
            opening: {
              description: 'Connecting, then waiting for the first full message.',
              tags: 'loading',
              entry: ['noteAttempt', 'report'],
              exit: 'noteOpened',
              after: {
                connectTimeout: {
                  target: '#client.link.waiting',
                  actions: { type: 'noteTrouble', params: 'unreachable' },
                },
              },
              on: {
                'link.reported': [
                  {
                    guard: { type: 'bringsSnapshot', params: ({ event }) => event.facts },
                    target: 'live',
                    actions: [
                      { type: 'hear', params: ({ event }) => event },
                      { type: 'tellHistory', params: ({ event }) => event.facts },
                    ],
                  },
                  {
                    actions: {
                      type: 'hear',
                      params: ({ event }) => ({ at: event.at, facts: event.facts.filter(isFault) }),
                    },
                  },
                ],
              },
            },
            live: {
              tags: 'connected',
              entry: ['noteConnection', 'report', 'goOnCollecting', 'askForFrames', 'goOnReading', 'goOnRestarting'],
              exit: 'noteLoss',
              initial: 'deciding',
              on: {
                'log.due': { actions: { type: 'ask', params: { cmd: 'log', enable: true } } },
                'client.readLog': [
                  {
                    guard: 'isFirstReader',
                    actions: ['addReader', { type: 'ask', params: { cmd: 'log', enable: true } }],
                  },
                  { actions: 'addReader' },
                ],
                'client.leaveLog': [
                  {
                    guard: 'isLastReader',
                    actions: ['removeReader', { type: 'ask', params: { cmd: 'log', enable: false } }],
                  },
                  { actions: 'removeReader' },
                ],
                'client.collect': {
                  actions: ['noteCollecting', { type: 'ask', params: { cmd: 'wus', enable: true } }],
                },
                'client.setState': [
                  {
                    guard: { type: 'isFinish', params: ({ event }) => event.state },
                    actions: { type: 'finish', params: ({ event }) => event.group },
                  },
                  { actions: { type: 'ask', params: ({ event }) => stateCommand(event.state, event.group) } },
                ],
                'client.wasTold': [
                  {
                    guard: { type: 'mustResumeFor', params: ({ event }) => event.state },
                    actions: [
                      { type: 'noteStateSecond', params: ({ event }) => event.at },
                      { type: 'finish', params: undefined },
                    ],
                  },
                  {
                    guard: { type: 'wasHeard', params: ({ event }) => event.at },
                    actions: { type: 'noteTold', params: ({ event }) => event },
                  },
                  { actions: { type: 'ask', params: ({ event }) => stateCommand(event.state, undefined) } },
                ],
                'client.view': {
                  actions: [{ type: 'view', params: ({ event }) => event }, 'tellViewer', 'askForFrames'],
                },
                'client.unview': {
                  guard: { type: 'isViewed', params: ({ event }) => event.unit },
                  actions: ['unview', { type: 'ask', params: { cmd: 'viz', unit: '', frame: 0 } }],
                },
                'client.link': { actions: { type: 'bind', params: ({ event }) => event } },
                'client.configure': {
                  actions: {
                    type: 'ask',
                    params: ({ event: { config, secrets } }) => ({
                      cmd: 'config',
                      config,
                      ...(secrets === undefined ? {} : { secrets }),
                    }),
                  },
                },
                'client.restart': { actions: ['noteRestart', 'report', { type: 'ask', params: { cmd: 'restart' } }] },
                'restart.due': { actions: { type: 'ask', params: { cmd: 'restart' } } },
                'client.dump': { actions: { type: 'ask', params: ({ event }) => ({ cmd: 'dump', unit: event.unit }) } },
              },
              states: {
                deciding: { always: [{ guard: 'sendsPings', target: 'watched' }, { target: 'unwatched' }] },
                watched: {
                  description: 'It says something every 15 s at least, so silence means that it is gone.',
                  after: {
                    silence: { target: '#client.link.waiting', actions: { type: 'noteTrouble', params: 'silent' } },
                  },
                  on: {
                    'link.reported': [
                      {
                        guard: { type: 'isMoreThanNumbers', params: ({ event }) => event.facts },
                        target: 'watched',
                        reenter: true,
                        actions: [
                          { type: 'hear', params: ({ event }) => event },
                          { type: 'tellHistory', params: ({ event }) => event.facts },
                          { type: 'askForFirstFrames', params: ({ event }) => event.facts },
                          'tellViewer',
                        ],
                      },
                      { target: 'watched', reenter: true, actions: { type: 'hear', params: ({ event }) => event } },
                    ],
                  },
                },
                unwatched: {
                  description: 'Its relay connection is watched for it, or it is too old to send pings.',
                  on: {
                    'link.reported': [
                      {
                        guard: { type: 'isMoreThanNumbers', params: ({ event }) => event.facts },
                        actions: [
                          { type: 'hear', params: ({ event }) => event },
                          { type: 'tellHistory', params: ({ event }) => event.facts },
                          { type: 'askForFirstFrames', params: ({ event }) => event.facts },
                          'tellViewer',
                        ],
                      },
                      { actions: { type: 'hear', params: ({ event }) => event } },
                    ],
                  },
                },
              },
            },
          },
        },
        waiting: {
          description: 'The link is gone and will be tried again.',
          entry: 'report',
          after: { reconnectDelay: 'reaching' },
          on: {
            'client.left': 'away',
            'client.joined': 'reaching',
            'client.reconnect': 'reaching',
            'client.check': 'reaching',
          },
        },
      },
    },
    reports: {
      description: 'What the fleet is told. A client that is looked at says so much that its totals could not be read.',
      initial: 'fresh',
      states: {
        fresh: {
          on: {
            'link.reported': [
              {
                guard: { type: 'isNewsToAReader', params: ({ event }) => event.facts },
                target: 'resting',
                actions: 'report',
              },
              { guard: { type: 'isNews', params: ({ event }) => event.facts }, actions: 'report' },
            ],
          },
        },
        resting: {
          after: { reportPace: { target: 'fresh', actions: 'report' } },
        },
      },
    },
    commands: {
      initial: 'ready',
      states: {
        ready: { on: { 'commands.waiting': 'reading' } },
        reading: {
          description: 'What time it is decides whether the next command may go.',
          invoke: {
            src: 'readClock',
            onDone: [
              {
                guard: { type: 'hasCommandFor', params: ({ event }) => event.output },
                target: 'reading',
                reenter: true,
                actions: { type: 'send', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'mustWaitAt', params: ({ event }) => event.output },
                target: 'spacing',
                actions: { type: 'noteSpacing', params: ({ event }) => event.output },
              },
              { target: 'ready' },
            ],
            onError: { target: 'spacing', actions: 'spaceOneSecond' },
          },
        },
        spacing: {
          description:
            'A second command within this second would be dropped by the client without a word (docs/protocol.md §5).',
          after: { commandSpacing: 'reading' },
          on: { 'commands.waiting': 'reading' },
        },
      },
    },
  },
})

export type ClientRef = ActorRefFrom<typeof clientMachine>
export type ClientSnapshot = SnapshotFrom<typeof clientMachine>

const targetOf = ({ id, address, watchers }: ClientContext): LinkTarget => {
  const isWatched = watchers > 0
  const parsed = address === undefined ? undefined : parseAddress(address)
  return parsed === undefined
    ? { kind: 'session', client: id, isWatched }
    : { kind: 'direct', url: socketUrl(parsed), isWatched }
}

const isFault = (fact: ClientFact): boolean => fact.type === 'fault.found'
