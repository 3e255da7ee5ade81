import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { parseAddress, socketUrl } from '../../../folding/address.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import {
  dropUnsent,
  emptyQueue,
  enqueue as queued,
  expire,
  forget,
  markSent,
  nextToSend,
  settle,
  type CommandQueue,
} from '../../../protocol/command-queue.ts'
import type { Command } from '../../../protocol/commands.ts'
import { refusalOf } from '../../../protocol/refusal.ts'
import { emptySlot, emptyTask } from '../../empty-slot.ts'
import type { ClientReported } from '../fleet/fleet.events.ts'
import type { ClientEvent, FoldingWord, LinkCommand, LinkTarget, LinkTrouble, Surroundings } from './client.events.ts'
import { emptyRecord, evolveRecord, type ClientRecord } from './client.fold.ts'
import { ignoredReason, mayChangeReport, reportOf, sendsPings, type ClientReport } from './client.meaning.ts'

export type ClientInput = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  /** host:port of a direct client. */
  readonly address?: string
  /** The name that the account knows it by. */
  readonly name?: string
  readonly surroundings: Surroundings
}

export type ClientContext = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  readonly address: string | undefined
  readonly name: string | undefined
  readonly surroundings: Surroundings
  readonly record: ClientRecord
  readonly queue: CommandQueue
  /** Commands that were asked for so far: the next one's key. */
  readonly asked: number
  /** Milliseconds until the second that the last command used up is over. */
  readonly spacing: number
  /** Since when it is connected, in epoch milliseconds; undefined when it is not. */
  readonly connectedAt: number | undefined
  /** When it was last connected; undefined while it is, or if it never was. */
  readonly lostAt: number | undefined
  readonly heardAt: number | undefined
  readonly trouble: LinkTrouble | undefined
  /** Tries since the last connection. */
  readonly attempts: number
  /** How many look at it. */
  readonly watchers: number
  readonly report: ClientReport | undefined
  /** Whether a connection is being made. */
  readonly isOpening: boolean
}

type Told = { readonly word: FoldingWord; readonly at: number }
type Bound = { readonly name: string; readonly secrets: { readonly token: string } }

export const clientMachine = setup({
  types: { context: {} as ClientContext, events: {} as ClientEvent, input: {} as ClientInput },
  actors: {
    clientLink: emptySlot<LinkCommand, LinkTarget>('clientLink'),
    /** Corrected epoch milliseconds: what a command is stamped with. */
    readClock: emptyTask<number, undefined>('readClock'),
  },
  delays: {
    connectTimeout: 20_000,
    reconnectDelay: 1000,
    silence: 30_000,
    commandSpacing: ({ context }) => context.spacing,
    confirmationTime: 10_000,
  },
  guards: {
    isDirect: ({ context }) => context.kind === 'direct',
    bringsSnapshot: (_, facts: readonly ClientFact[]) => facts.some(({ type }) => type === 'snapshot.received'),
    sendsPings: ({ context }) => context.kind === 'direct' && sendsPings(context.record.data),
    hasCommandFor: ({ context }, now: number) => isCommand(nextToSend(context.queue, now)),
    // A machine drops what is not later, in whole seconds, than what it was told last.
    wasHeard: ({ context }, at: number) => Math.floor(at / 1000) > (context.queue.lastSecond.state ?? 0),
    mustWaitAt: ({ context }, now: number) => nextToSend(context.queue, now) !== undefined,
  },
  actions: {
    hear: assign(({ context }, { facts, at }: { facts: readonly ClientFact[]; at: number }) => {
      const record = evolveRecord(context.record, facts, at)
      const queue = record.data === undefined ? context.queue : settle(context.queue, record.data)
      return { record, heardAt: at, queue }
    }),
    noteConnection: assign(({ context }) => ({
      connectedAt: context.heardAt,
      lostAt: undefined,
      trouble: undefined,
      attempts: 0,
    })),
    noteAttempt: assign({ attempts: ({ context }) => context.attempts + 1, isOpening: true }),
    noteOpened: assign({ isOpening: false }),
    noteTrouble: assign((_, trouble: LinkTrouble) => ({ trouble })),
    noteClosing: assign(({ context }, at: number | undefined) =>
      // Only the end of a connection is a loss; a failed attempt changes nothing of when it was last there.
      at === undefined || context.attempts > 0 ? {} : { lostAt: at },
    ),
    noteLoss: assign({
      connectedAt: undefined,
      lostAt: ({ context }) => context.heardAt,
      queue: ({ context }) => dropUnsent(context.queue),
    }),
    addWatcher: assign({ watchers: ({ context }) => context.watchers + 1 }),
    removeWatcher: assign({ watchers: ({ context }) => Math.max(0, context.watchers - 1) }),
    tellLink: sendTo('link', ({ context }): LinkCommand => ({ type: 'link.watch', isWatched: context.watchers > 0 })),
    rename: assign((_, name: string) => ({ name })),
    takeSurroundings: assign((_, surroundings: Surroundings) => ({ surroundings })),
    report: enqueueActions(({ context, enqueue }) => {
      const report = reportOf(context)
      if (report === context.report) return
      enqueue.assign({ report })
      enqueue.sendParent({ type: 'client.reported', id: context.id, report } satisfies ClientReported)
    }),
    reportHearing: enqueueActions(({ context, enqueue }, facts: readonly ClientFact[]) => {
      const report = mayChangeReport(facts) ? reportOf(context) : context.report
      if (report === undefined || report === context.report) return
      enqueue.assign({ report })
      enqueue.sendParent({ type: 'client.reported', id: context.id, report } satisfies ClientReported)
    }),
    ask: enqueueActions(({ context, enqueue }, command: Command) => {
      const key = String(context.asked)
      const queue = queued(context.queue, command, key)
      const refusal = refusalOf(command, context.record.data)
      enqueue.assign({ asked: context.asked + 1, queue: refusal === undefined ? queue : expire(queue, key, refusal) })
      if (refusal === undefined) enqueue.raise({ type: 'commands.waiting' })
    }),
    send: enqueueActions(({ context, enqueue }, now: number) => {
      const next = nextToSend(context.queue, now)
      if (!isCommand(next)) return
      enqueue.assign({ queue: markSent(context.queue, next.key, now, context.record.data) })
      enqueue.sendTo('link', { type: 'link.send', command: next.command, at: now } satisfies LinkCommand)
      enqueue.raise({ type: 'command.overdue', key: next.key }, { delay: 'confirmationTime', id: `overdue:${next.key}` })
    }),
    noteTold: enqueueActions(({ context, enqueue }, { word, at }: Told) => {
      const key = String(context.asked)
      const queue = queued(context.queue, stateCommand(word, undefined), key)
      enqueue.assign({ asked: context.asked + 1, queue: markSent(queue, key, at, context.record.data) })
      enqueue.raise({ type: 'command.overdue', key }, { delay: 'confirmationTime', id: `overdue:${key}` })
    }),
    // Nothing of it is kept: neither the queue nor a recording may hold a token.
    bind: enqueueActions(({ context, enqueue }, { name, secrets }: Bound) => {
      if (refusalOf({ cmd: 'link', token: secrets.token, name }, context.record.data) === undefined)
        enqueue.sendTo('link', { type: 'link.bind', name, secrets } satisfies LinkCommand)
    }),
    noteSpacing: assign(({ context }, now: number) => {
      const next = nextToSend(context.queue, now)
      return { spacing: next !== undefined && 'waitMs' in next ? next.waitMs : 0 }
    }),
    noteOverdue: assign(({ context }, key: string) => ({ queue: expire(context.queue, key, ignoredReason(context)) })),
    dismiss: assign(({ context }, key: string) => ({ queue: forget(context.queue, key) })),
  },
}).createMachine({
  id: 'client',
  description: 'One folding client: its link, what it said, and what was asked of it.',
  context: ({ input }) => ({
    id: input.id,
    kind: input.kind,
    address: input.address,
    name: input.name,
    surroundings: input.surroundings,
    record: emptyRecord,
    queue: emptyQueue,
    asked: 0,
    spacing: 0,
    connectedAt: undefined,
    lostAt: undefined,
    heardAt: undefined,
    trouble: undefined,
    attempts: 0,
    watchers: 0,
    report: undefined,
    isOpening: false,
  }),
  type: 'parallel',
  on: {
    'client.watch': { actions: 'addWatcher' },
    'client.unwatch': { actions: 'removeWatcher' },
    'client.renamed': { actions: [{ type: 'rename', params: ({ event }) => event.name }, 'report'] },
    'client.surroundingsChanged': {
      actions: [{ type: 'takeSurroundings', params: ({ event }) => event.surroundings }, 'report'],
    },
    'client.dismiss': { actions: { type: 'dismiss', params: ({ event }) => event.key } },
    'command.overdue': { actions: { type: 'noteOverdue', params: ({ event }) => event.key } },
  },
  states: {
    link: {
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'isDirect', target: 'reaching' }, { target: 'away' }] },
        away: {
          description: 'The relay does not have it: it is switched off, or the relay is out of reach.',
          entry: 'report',
          on: {
            'client.joined': 'reaching',
          },
        },
        reaching: {
          invoke: { src: 'clientLink', id: 'link', input: ({ context }) => targetOf(context) },
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
                connectTimeout: { target: '#client.link.waiting', actions: { type: 'noteTrouble', params: 'unreachable' } },
              },
              on: {
                'link.reported': [
                  {
                    guard: { type: 'bringsSnapshot', params: ({ event }) => event.facts },
                    target: 'live',
                    actions: { type: 'hear', params: ({ event }) => event },
                  },
                  { actions: { type: 'hear', params: ({ event }) => ({ at: event.at, facts: event.facts.filter(isFault) }) } },
                ],
              },
            },
            live: {
              tags: 'connected',
              entry: ['noteConnection', 'report'],
              exit: 'noteLoss',
              initial: 'deciding',
              on: {
                'client.fold': { actions: { type: 'ask', params: ({ event }) => stateCommand('fold', event.group) } },
                'client.pause': { actions: { type: 'ask', params: ({ event }) => stateCommand('pause', event.group) } },
                'client.finish': { actions: { type: 'ask', params: ({ event }) => stateCommand('finish', event.group) } },
                'client.wasTold': [
                  { guard: { type: 'wasHeard', params: ({ event }) => event.at }, actions: { type: 'noteTold', params: ({ event }) => event } },
                  { actions: { type: 'ask', params: ({ event }) => stateCommand(event.word, undefined) } },
                ],
                'client.link': { actions: { type: 'bind', params: ({ event }) => event } },
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
                    'link.reported': {
                      target: 'watched',
                      reenter: true,
                      actions: [
                        { type: 'hear', params: ({ event }) => event },
                        { type: 'reportHearing', params: ({ event }) => event.facts },
                      ],
                    },
                  },
                },
                unwatched: {
                  description: 'Its relay connection is watched for it, or it is too old to send pings.',
                  on: { 'link.reported': { actions: [
                        { type: 'hear', params: ({ event }) => event },
                        { type: 'reportHearing', params: ({ event }) => event.facts },
                      ] } },
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
            'client.reconnect': 'reaching',
            'client.check': 'reaching',
          },
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
          },
        },
        spacing: {
          description: 'A second command within this second would be dropped by the client without a word (wire.md §5).',
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
  return parsed === undefined ? { kind: 'session', client: id, isWatched } : { kind: 'direct', url: socketUrl(parsed), isWatched }
}

const stateCommand = (state: FoldingWord, group: string | undefined): Command =>
  group === undefined ? { cmd: 'state', state } : { cmd: 'state', state, group }

const isFault = (fact: ClientFact): boolean => fact.type === 'fault.found'

const isCommand = (next: ReturnType<typeof nextToSend>): next is { key: string; command: Command } =>
  next !== undefined && 'command' in next
