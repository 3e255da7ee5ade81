import { assign, sendParent, setup, type ActorRefFrom, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { loadFaultOf } from '../../../folding/shared/load-fault.ts'
import { emptyTask } from '../actor-placeholder.ts'
import type { PictureEvent, PictureFault, PictureNews, PictureResult } from './picture.events.ts'

export type PictureInput = {
  /** Tells the parent which picture it is. */
  readonly id: string
}

export type PictureContext = PictureInput & { readonly fault: PictureFault | undefined }

type ScaleDone = DoneActorEvent<PictureResult>

export const pictureMachine = setup({
  types: { context: {} as PictureContext, events: {} as PictureEvent, input: {} as PictureInput },
  actors: { scalePicture: emptyTask<PictureResult, { readonly file: Blob }>('scalePicture') },
  guards: { isMade: (_, result: PictureResult) => result.ok },
  actions: {
    takeFault: assign((_, fault: PictureFault | undefined) => ({ fault })),
    tellParent: sendParent(({ context: { id } }, data: string): PictureNews => ({ type: 'picture.made', id, data })),
  },
}).createMachine({
  id: 'picture',
  description: 'A file that a person chose becomes a small picture.',
  context: ({ input }) => ({ id: input.id, fault: undefined }),
  initial: 'waiting',
  on: { 'picture.choose': { target: '.scaling', reenter: true } },
  states: {
    waiting: {},
    scaling: {
      tags: 'busy',
      entry: { type: 'takeFault', params: undefined },
      invoke: {
        src: 'scalePicture',
        input: ({ event }) => ({ file: event.file }),
        onDone: [
          {
            guard: { type: 'isMade', params: ({ event }: { event: ScaleDone }) => event.output },
            target: 'waiting',
            actions: { type: 'tellParent', params: ({ event }) => dataOf(event.output) },
          },
          { target: 'waiting', actions: { type: 'takeFault', params: ({ event }) => faultOf(event.output) } },
        ],
        onError: {
          target: 'waiting',
          actions: { type: 'takeFault', params: ({ event }) => loadFaultOf(event.error) ?? 'unreadable' },
        },
      },
    },
  },
})

export type PictureRef = ActorRefFrom<typeof pictureMachine>
export type PictureSnapshot = SnapshotFrom<typeof pictureMachine>

const dataOf = (result: PictureResult): string => {
  if (!result.ok) throw new Error('Only a picture that was made has data.')
  return result.data
}

const faultOf = (result: PictureResult): PictureFault => {
  if (result.ok) throw new Error('A picture that was made has no fault.')
  return result.fault
}
