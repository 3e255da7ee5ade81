import { assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { decodeTeam, type TeamStats } from '../../../protocol/api.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import type { ResourceNews } from '../../resource/resource/resource.events.ts'
import { resourceMachine, type ResourceRef } from '../../resource/resource/resource.machine.ts'
import type { TeamEvent } from './team.events.ts'

const HOUR = 60 * 60 * 1000

export type TeamContext = {
  /** The team that is folded for; 0 is none. */
  readonly team: number
  /** What the project's statistics say of it; undefined while that is not known. */
  readonly stats: TeamStats | undefined
  readonly source: ResourceRef | undefined
}

const keyOf = (team: number): string => `team:${team}`

export const teamMachine = setup({
  types: { context: {} as TeamContext, events: {} as TeamEvent },
  actors: { teamSource: resourceMachine },
  /** A little after the source has found its value too old. */
  delays: { staleTime: HOUR + 60_000 },
  guards: {
    isAnother: ({ context }, team: number) => context.team !== team,
    isNone: ({ context }) => context.team === 0,
    isOurs: ({ context }, key: string) => key === keyOf(context.team),
  },
  actions: {
    choose: enqueueActions(({ context, enqueue }, team: number) => {
      if (context.source !== undefined) enqueue.stopChild(context.source)
      enqueue.assign({ team, stats: undefined, source: undefined })
    }),
    open: assign(({ context, spawn }) => ({
      source: spawn('teamSource', { input: { key: keyOf(context.team), maxAge: HOUR, retryDelay: HOUR } }),
    })),
    want: enqueueActions(({ context, enqueue }) => {
      if (context.source !== undefined) enqueue.sendTo(context.source, { type: 'resource.want' })
    }),
    take: assign((_, value: unknown) => {
      const decoded = isJsonObject(value) ? decodeTeam(value) : undefined
      return decoded?.ok === true ? { stats: decoded.value } : {}
    }),
  },
}).createMachine({
  id: 'team',
  description: 'The team that is folded for, as the header shows it.',
  context: { team: 0, stats: undefined, source: undefined },
  initial: 'deciding',
  on: {
    'team.choose': {
      guard: { type: 'isAnother', params: ({ event }) => event.team },
      target: '.deciding',
      actions: { type: 'choose', params: ({ event }) => event.team },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isNone', target: 'none' }, { target: 'known', actions: 'open' }] },
    none: {},
    known: {
      entry: 'want',
      after: { staleTime: { target: 'known', reenter: true } },
      on: {
        'resource.fetched': {
          guard: { type: 'isOurs', params: ({ event }: { event: ResourceNews }) => event.key },
          actions: { type: 'take', params: ({ event }: { event: ResourceNews }) => event.value },
        },
      },
    },
  },
})

export type TeamRef = ActorRefFrom<typeof teamMachine>
export type TeamSnapshot = SnapshotFrom<typeof teamMachine>
