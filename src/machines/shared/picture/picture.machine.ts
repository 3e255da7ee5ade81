import { assign, sendParent, setup, type ActorRefFrom, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { loadFaultOf } from '../../../folding/shared/load-fault.ts'
import { taskPlaceholder } from '../actor-placeholder.ts'
import type { PictureEvent, PictureFault, PictureNotification, PictureResult } from './picture.events.ts'

export type PictureInput = {
  /** Identifies this picture to the parent. */
  readonly id: string
}

export type PictureContext = PictureInput & { readonly fault: PictureFault | undefined }

type ScaleDone = DoneActorEvent<PictureResult>

export const pictureMachine = setup({
  types: { context: {} as PictureContext, events: {} as PictureEvent, input: {} as PictureInput },
  actors: { scalePicture: taskPlaceholder<PictureResult, { readonly file: Blob }>('scalePicture') },
  actions: {
    assignFault: assign((_, fault: PictureFault | undefined) => ({ fault })),
    notifyParent: sendParent(({ context: { id } }, data: string): PictureNotification => ({
      type: 'picture.made',
      id,
      data,
    })),
  },
}).createMachine({
  id: 'picture',
  description: 'Scales an image file that the user chose to a small picture.',
  context: ({ input }) => ({ id: input.id, fault: undefined }),
  initial: 'idle',
  on: { 'picture.choose': { target: '.scaling', reenter: true } },
  states: {
    idle: {},
    scaling: {
      tags: 'busy',
      entry: { type: 'assignFault', params: undefined },
      invoke: {
        src: 'scalePicture',
        input: ({ event }) => ({ file: event.file }),
        onDone: [
          {
            guard: ({ event }: { event: ScaleDone }) => event.output.ok,
            target: 'idle',
            actions: { type: 'notifyParent', params: ({ event }) => dataOf(event.output) },
          },
          { target: 'idle', actions: { type: 'assignFault', params: ({ event }) => faultOf(event.output) } },
        ],
        onError: {
          target: 'idle',
          actions: { type: 'assignFault', params: ({ event }) => loadFaultOf(event.error) ?? 'unreadable' },
        },
      },
    },
  },
})

export type PictureRef = ActorRefFrom<typeof pictureMachine>
export type PictureSnapshot = SnapshotFrom<typeof pictureMachine>

function dataOf(result: PictureResult): string {
  if (!result.ok) throw new Error('Only a successful result has data.')
  return result.data
}

function faultOf(result: PictureResult): PictureFault {
  if (result.ok) throw new Error('A successful result has no fault.')
  return result.fault
}
