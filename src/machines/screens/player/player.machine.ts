import { assign, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { PlayerEvent, ProjectorCommand, Timeline } from './player.events.ts'
import { positionAt, positionAfter, positionBefore } from './player.timeline.ts'

export type PlayerContext = {
  readonly timeline: Timeline
  /** Number of events replayed. */
  readonly position: number
  /** Current time in the recording, in epoch milliseconds. */
  readonly at: number
  readonly speed: number
}

export const playerMachine = setup({
  types: { context: {} as PlayerContext, events: {} as PlayerEvent, input: {} as Timeline },
  actors: { projector: actorPlaceholder<ProjectorCommand, undefined>('projector') },
  delays: { noticeTime: 4000 },
  guards: { isAtEnd: ({ context: { position, timeline } }) => position >= timeline.times.length },
  actions: {
    setSpeed: assign((_, speed: number) => ({ speed })),
    go: sendTo('projector', (_, position: number): ProjectorCommand => ({ type: 'projector.go', position })),
    play: sendTo('projector', ({ context: { speed } }): ProjectorCommand => ({ type: 'projector.play', speed })),
    pause: sendTo('projector', { type: 'projector.pause' } satisfies ProjectorCommand),
  },
}).createMachine({
  id: 'player',
  description: 'Playback of a recording: play, pause, seek and step.',
  context: ({ input }) => ({ timeline: input, position: 0, at: input.from, speed: 1 }),
  invoke: { src: 'projector', id: 'projector', onError: '.motion.paused' },
  type: 'parallel',
  on: {
    'player.reached': { actions: assign(({ event }) => ({ position: event.position, at: event.at })) },
    'player.seek': { actions: { type: 'go', params: ({ context, event }) => positionAt(context.timeline, event.at) } },
  },
  states: {
    motion: {
      initial: 'paused',
      states: {
        paused: {
          on: {
            'player.play': [
              { guard: 'isAtEnd', target: 'playing', actions: { type: 'go', params: 0 } },
              { target: 'playing' },
            ],
            'player.setSpeed': { actions: { type: 'setSpeed', params: ({ event }) => event.speed } },
          },
        },
        playing: {
          tags: 'playing',
          entry: 'play',
          exit: 'pause',
          on: {
            'player.pause': 'paused',
            'player.ended': 'paused',
            'player.setSpeed': {
              target: 'playing',
              reenter: true,
              actions: { type: 'setSpeed', params: ({ event }) => event.speed },
            },
          },
        },
      },
      on: {
        'player.step': {
          target: '.paused',
          actions: {
            type: 'go',
            params: ({ context: { timeline, position }, event }) =>
              event.direction > 0
                ? positionAfter(timeline.steps, position, timeline.times.length)
                : positionBefore(timeline.steps, position),
          },
        },
        'player.nextFault': {
          target: '.paused',
          actions: {
            type: 'go',
            params: ({ context: { timeline, position } }) =>
              positionAfter(timeline.faults, position, timeline.times.length),
          },
        },
      },
    },
    notice: {
      initial: 'hidden',
      on: { 'player.ignored': { target: '.shown', reenter: true } },
      states: {
        hidden: {},
        shown: {
          description: 'A notice that the pressed control has no effect in a recording.',
          tags: 'notice',
          after: { noticeTime: 'hidden' },
        },
      },
    },
  },
})

export type PlayerRef = ActorRefFrom<typeof playerMachine>
export type PlayerSnapshot = SnapshotFrom<typeof playerMachine>
