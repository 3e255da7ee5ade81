import { assign, emit, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  checkNewAccount,
  checkRegistration,
  checkSignIn,
  isClean,
  onlyComplaints,
  type Complaints,
  type RegistrationDraft,
} from '../../../folding/account/registration.ts'
import { checkPassphrase, checkPassphrases } from '../../../folding/shared/validation.ts'
import { emptySlot } from '../../shared/actor-placeholder.ts'
import type {
  DeskCommand,
  PassphraseMade,
  SignInEvent,
  SignInFact,
  SignInForm,
  SignInMode,
  SignInNews,
  SignInStep,
} from './sign-in.events.ts'

export type SignInErrors = Complaints<keyof RegistrationDraft>
export type SignInFailure = Extract<SignInFact, { type: 'signIn.failed' }>['fault']

/** An external identity provider. */
export type Provider = { readonly id: string; readonly name: string }

export type SignInContext = {
  readonly mode: SignInMode
  readonly providers: readonly Provider[]
  /** The email address that a provider confirmed. */
  readonly email: string
  readonly errors: SignInErrors
  readonly failure: SignInFailure | undefined
  readonly step: SignInStep
}

const untouched = { errors: {}, failure: undefined, step: 'deriving' } as const

type Returned = Extract<SignInEvent, { type: 'signIn.return' }>

export const signInMachine = setup({
  types: {
    context: {} as SignInContext,
    events: {} as SignInEvent,
    input: {} as { readonly providers: readonly Provider[] },
    emitted: {} as PassphraseMade,
  },
  actors: { signInDesk: emptySlot<DeskCommand, undefined>('signInDesk') },
  guards: {
    isComplete: ({ context }, form: SignInForm) => isClean(errorsOf(context.mode, form)),
  },
  actions: {
    resetForm: assign((_, mode: SignInMode | undefined) => ({ mode: mode ?? 'login', ...untouched })),
    requireMode: assign((_, { mode, email }: { mode: SignInMode; email: string }) => ({ mode, email, ...untouched })),
    showErrors: assign(({ context }, form: SignInForm) => ({
      errors: errorsOf(context.mode, form),
      failure: undefined,
    })),
    clearErrors: assign(untouched),
    showFailure: assign((_, failure: SignInFailure) => ({ failure })),
    assignStep: assign((_, step: SignInStep) => ({ step })),
    submitForm: sendTo('tasks', ({ context }, form: SignInForm): DeskCommand => ({
      type: 'desk.submit',
      mode: context.mode,
      email: context.mode === 'unlock' || context.mode === 'create' ? context.email : form.email,
      user: form.user,
      team: form.team,
      secrets: form.secrets,
    })),
    goToProvider: sendTo('tasks', (_, provider: string): DeskCommand => ({ type: 'desk.goToProvider', provider })),
    submitProviderReturn: sendTo('tasks', (_, { secrets }: Returned): DeskCommand => ({
      type: 'desk.return',
      secrets,
    })),
    generatePassphrase: sendTo('tasks', { type: 'desk.generate' } satisfies DeskCommand),
    emitPassphrase: emit((_, { secrets }: PassphraseMade): PassphraseMade => ({ type: 'passphrase.made', secrets })),
    stopTask: sendTo('tasks', { type: 'desk.stop' } satisfies DeskCommand),
    notifyParent: sendParent((_, news: SignInNews): SignInNews => news),
  },
}).createMachine({
  id: 'signIn',
  description: 'The login dialog: open until the user is signed in, registered, sent a reset email, or cancels.',
  context: ({ input }) => ({ mode: 'login', providers: input.providers, email: '', ...untouched }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'signIn.open': { target: 'open', actions: { type: 'resetForm', params: ({ event }) => event.mode } },
        'signIn.return': { target: 'open.submitting.returning', actions: { type: 'resetForm', params: 'login' } },
      },
    },
    open: {
      tags: 'open',
      invoke: { src: 'signInDesk', id: 'tasks' },
      initial: 'editing',
      on: {
        'signIn.cancel': 'closed',
        'signIn.generate': { actions: 'generatePassphrase' },
        'passphrase.made': { actions: { type: 'emitPassphrase', params: ({ event }) => event } },
        'passphrase.notMade': {
          actions: { type: 'showFailure', params: ({ event }) => ({ kind: 'notLoaded', fault: event.fault }) },
        },
      },
      states: {
        editing: {
          on: {
            'signIn.setMode': { actions: { type: 'resetForm', params: ({ event }) => event.mode } },
            'signIn.submit': [
              {
                guard: { type: 'isComplete', params: ({ event }) => event },
                target: 'submitting',
                actions: ['clearErrors', { type: 'submitForm', params: ({ event }) => event }],
              },
              { actions: { type: 'showErrors', params: ({ event }) => event } },
            ],
            'signIn.chooseProvider': {
              target: 'submitting',
              actions: ['clearErrors', { type: 'goToProvider', params: ({ event }) => event.provider }],
            },
          },
        },
        submitting: {
          tags: 'busy',
          initial: 'working',
          on: {
            'signIn.reached': { actions: { type: 'assignStep', params: ({ event }) => event.step } },
            'signIn.succeeded': {
              target: '#signIn.closed',
              actions: {
                type: 'notifyParent',
                params: ({ event }) => ({ type: 'account.entered', signedIn: event.signedIn }),
              },
            },
            'signIn.registered': {
              target: '#signIn.closed',
              actions: { type: 'notifyParent', params: ({ event }) => event },
            },
            'signIn.resetRequested': {
              target: '#signIn.closed',
              actions: { type: 'notifyParent', params: ({ event }) => event },
            },
            'signIn.mustUnlock': {
              target: 'editing',
              actions: { type: 'requireMode', params: ({ event }) => ({ mode: 'unlock', email: event.email }) },
            },
            'signIn.mustCreate': {
              target: 'editing',
              actions: { type: 'requireMode', params: ({ event }) => ({ mode: 'create', email: event.email }) },
            },
            'signIn.failed': {
              target: 'editing',
              actions: { type: 'showFailure', params: ({ event }) => event.fault },
            },
            'signIn.cancel': { target: 'editing', actions: 'stopTask' },
          },
          states: {
            working: {},
            returning: {
              description: 'A provider redirected back; its response is being verified.',
              entry: { type: 'submitProviderReturn', params: ({ event }) => returnedOf(event) },
            },
          },
        },
      },
    },
  },
})

export type SignInRef = ActorRefFrom<typeof signInMachine>
export type SignInSnapshot = SnapshotFrom<typeof signInMachine>

const returnedOf = (event: SignInEvent): Returned => {
  if (event.type !== 'signIn.return') throw new Error('Only signIn.return can be submitted here.')
  return event
}

const errorsOf = (mode: SignInMode, { email, user, team, secrets }: SignInForm): SignInErrors => {
  const { passphrase, passphraseAgain } = secrets
  switch (mode) {
    case 'login':
      return checkSignIn({ email, passphrase })
    case 'reset':
      return checkSignIn({ email, passphrase }, 'reset')
    case 'register':
      return checkRegistration({ email, user, team, ...secrets })
    case 'unlock':
      return onlyComplaints({ passphrase: checkPassphrase(passphrase) })
    case 'create': {
      const short = checkPassphrase(passphrase)
      const differ = short === undefined ? checkPassphrases(passphrase, passphraseAgain) : undefined
      return {
        ...checkNewAccount({ user, team, passkey: secrets.passkey }),
        ...onlyComplaints({ passphrase: short, passphraseAgain: differ }),
      }
    }
  }
}
