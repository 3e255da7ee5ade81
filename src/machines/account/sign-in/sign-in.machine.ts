import { assign, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { checkSignIn, isClean, type Complaints } from '../../../folding/registration.ts'
import { emptySlot } from '../../empty-slot.ts'
import type { DeskCommand, SignInEvent, SignInFact, SignInMode, SignInNews, SignInStep } from './sign-in.events.ts'

export type SignInErrors = Complaints<'email' | 'passphrase'>
export type SignInFailure = Extract<SignInFact, { type: 'signIn.failed' }>['fault']

export type SignInContext = {
  readonly mode: SignInMode
  readonly errors: SignInErrors
  readonly failure: SignInFailure | undefined
  readonly step: SignInStep
}

type Submitted = { readonly email: string; readonly secrets: { readonly passphrase: string } }

export const signInMachine = setup({
  types: { context: {} as SignInContext, events: {} as SignInEvent },
  actors: { signInDesk: emptySlot<DeskCommand, undefined>('signInDesk') },
  guards: { isComplete: (_, submitted: Submitted) => isClean(errorsOf(submitted)) },
  actions: {
    begin: assign((_, mode: SignInMode | undefined) => ({
      mode: mode ?? 'login',
      errors: {},
      failure: undefined,
      step: 'deriving' as const,
    })),
    showErrors: assign((_, submitted: Submitted) => ({ errors: errorsOf(submitted), failure: undefined })),
    clearErrors: assign({ errors: {}, failure: undefined, step: 'deriving' }),
    showFailure: assign((_, failure: SignInFailure) => ({ failure })),
    noteStep: assign((_, step: SignInStep) => ({ step })),
    handOver: sendTo('desk', (_, { email, secrets }: Submitted): DeskCommand => ({ type: 'desk.signIn', email, secrets })),
    stopWork: sendTo('desk', { type: 'desk.stop' } satisfies DeskCommand),
    tellParent: sendParent((_, signedIn: SignInNews['signedIn']): SignInNews => ({ type: 'account.entered', signedIn })),
  },
}).createMachine({
  id: 'signIn',
  description: 'The login dialog: it stays open until somebody is signed in or it is cancelled.',
  context: { mode: 'login', errors: {}, failure: undefined, step: 'deriving' },
  initial: 'closed',
  states: {
    closed: {
      on: { 'signIn.open': { target: 'open', actions: { type: 'begin', params: ({ event }) => event.mode } } },
    },
    open: {
      tags: 'open',
      invoke: { src: 'signInDesk', id: 'desk' },
      initial: 'editing',
      on: { 'signIn.cancel': 'closed' },
      states: {
        editing: {
          on: {
            'signIn.submit': [
              {
                guard: { type: 'isComplete', params: ({ event }) => event },
                target: 'submitting',
                actions: ['clearErrors', { type: 'handOver', params: ({ event }) => event }],
              },
              { actions: { type: 'showErrors', params: ({ event }) => event } },
            ],
          },
        },
        submitting: {
          tags: 'busy',
          on: {
            'signIn.reached': { actions: { type: 'noteStep', params: ({ event }) => event.step } },
            'signIn.succeeded': {
              target: '#signIn.closed',
              actions: { type: 'tellParent', params: ({ event }) => event.signedIn },
            },
            'signIn.failed': { target: 'editing', actions: { type: 'showFailure', params: ({ event }) => event.fault } },
            'signIn.cancel': { target: 'editing', actions: 'stopWork' },
          },
        },
      },
    },
  },
})

export type SignInRef = ActorRefFrom<typeof signInMachine>
export type SignInSnapshot = SnapshotFrom<typeof signInMachine>

const errorsOf = ({ email, secrets }: Submitted): SignInErrors =>
  checkSignIn({ email, passphrase: secrets.passphrase })
