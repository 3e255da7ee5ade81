import { assign, setup, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { faultOf, type ApiFault, type ApiResult } from '../../../protocol/api/api-fault.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { VerifyEvent } from './verify.events.ts'

export type VerifyContext = { readonly fault: ApiFault | undefined }

type VerifyDone = DoneActorEvent<ApiResult<unknown>>

export const verifyMachine = setup({
  types: { context: {} as VerifyContext, events: {} as VerifyEvent },
  actors: {
    verifyEmail: taskPlaceholder<ApiResult<unknown>, { readonly secrets: { readonly token: string } }>('verifyEmail'),
  },
  actions: { assignFault: assign((_, fault: ApiFault | undefined) => ({ fault })) },
}).createMachine({
  id: 'verify',
  description: 'The page of the link in a verification email.',
  context: { fault: undefined },
  initial: 'idle',
  states: {
    idle: { tags: 'pending', on: { 'verify.begin': 'verifying' } },
    verifying: {
      tags: 'pending',
      entry: { type: 'assignFault', params: undefined },
      invoke: {
        src: 'verifyEmail',
        input: ({ event }) => ({ secrets: event.secrets }),
        onDone: [
          {
            guard: ({ event }: { event: VerifyDone }) => event.output.ok,
            target: 'verified',
          },
          { target: 'failed', actions: { type: 'assignFault', params: ({ event }) => faultOf(event.output) } },
        ],
        onError: 'failed',
      },
    },
    verified: { on: { 'verify.begin': 'verifying' } },
    failed: { on: { 'verify.begin': 'verifying' } },
  },
})

export type VerifySnapshot = SnapshotFrom<typeof verifyMachine>
