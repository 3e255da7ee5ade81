import { assign, emit, sendParent, sendTo, setup, type SnapshotFrom } from 'xstate'
import {
  checkNewAccount,
  checkRegistration,
  checkSignIn,
  hasNoErrors,
  definedErrors,
  newPassphraseErrors,
  type ValidationErrors,
  type RegistrationDraft,
} from '../../../folding/account/registration.ts'
import { checkPassphrase } from '../../../folding/shared/validation.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type {
  SignInTaskCommand,
  PassphraseGenerated,
  SignInEvent,
  SignInFact,
  SignInForm,
  SignInMode,
  SignInNotification,
  SignInStep,
} from './sign-in.events.ts'

export type SignInErrors = ValidationErrors<keyof RegistrationDraft>
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

const initialForm = { errors: {}, failure: undefined, step: 'deriving' } as const

type Returned = Extract<SignInEvent, { type: 'signIn.return' }>

export const signInMachine = setup({
  types: {
    context: {} as SignInContext,
    events: {} as SignInEvent,
    input: {} as { readonly providers: readonly Provider[] },
    emitted: {} as PassphraseGenerated,
  },
  actors: { signInTasks: actorPlaceholder<SignInTaskCommand, undefined>('signInTasks') },
  actions: {
    resetForm: assign((_, mode: SignInMode | undefined) => ({ mode: mode ?? 'login', ...initialForm })),
    requireMode: assign((_, { mode, email }: { mode: SignInMode; email: string }) => ({ mode, email, ...initialForm })),
    clearErrors: assign(initialForm),
    showFailure: assign((_, failure: SignInFailure) => ({ failure })),
    submitForm: sendTo('tasks', ({ context }, form: SignInForm): SignInTaskCommand => ({
      type: 'task.submit',
      mode: context.mode,
      email: context.mode === 'unlock' || context.mode === 'create' ? context.email : form.email,
      user: form.user,
      team: form.team,
      secrets: form.secrets,
    })),
    goToProvider: sendTo('tasks', (_, provider: string): SignInTaskCommand => ({
      type: 'task.goToProvider',
      provider,
    })),
    submitProviderReturn: sendTo('tasks', (_, { secrets }: Returned): SignInTaskCommand => ({
      type: 'task.return',
      secrets,
    })),
    generatePassphrase: sendTo('tasks', { type: 'task.generate' } satisfies SignInTaskCommand),
    emitPassphrase: emit((_, { secrets }: PassphraseGenerated): PassphraseGenerated => ({
      type: 'passphrase.generated',
      secrets,
    })),
    stopTask: sendTo('tasks', { type: 'task.stop' } satisfies SignInTaskCommand),
    notifyParent: sendParent((_, notification: SignInNotification): SignInNotification => notification),
  },
}).createMachine({
  id: 'signIn',
  description: 'The login dialog: open until the user is signed in, registered, sent a reset email, or cancels.',
  context: ({ input }) => ({ mode: 'login', providers: input.providers, email: '', ...initialForm }),
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
      invoke: { src: 'signInTasks', id: 'tasks' },
      initial: 'editing',
      on: {
        'signIn.cancel': 'closed',
        'signIn.generate': { actions: 'generatePassphrase' },
        'passphrase.generated': { actions: { type: 'emitPassphrase', params: ({ event }) => event } },
        'passphrase.generationFailed': {
          actions: { type: 'showFailure', params: ({ event }) => ({ kind: 'notLoaded', fault: event.fault }) },
        },
      },
      states: {
        editing: {
          on: {
            'signIn.setMode': { actions: { type: 'resetForm', params: ({ event }) => event.mode } },
            'signIn.submit': [
              {
                guard: ({ context, event }) => hasNoErrors(errorsOf(context.mode, event)),
                target: 'submitting',
                actions: ['clearErrors', { type: 'submitForm', params: ({ event }) => event }],
              },
              {
                actions: assign(({ context, event }) => ({
                  errors: errorsOf(context.mode, event),
                  failure: undefined,
                })),
              },
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
            'signIn.reached': { actions: assign(({ event }) => ({ step: event.step })) },
            'signIn.succeeded': {
              target: '#signIn.closed',
              actions: {
                type: 'notifyParent',
                params: ({ event }) => ({ type: 'account.sessionStarted', signedIn: event.signedIn }),
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

export type SignInSnapshot = SnapshotFrom<typeof signInMachine>

function returnedOf(event: SignInEvent): Returned {
  if (event.type !== 'signIn.return') throw new Error('Only signIn.return can be submitted here.')
  return event
}

function errorsOf(mode: SignInMode, { email, user, team, secrets }: SignInForm): SignInErrors {
  const { passphrase } = secrets
  switch (mode) {
    case 'login':
      return checkSignIn({ email, passphrase })
    case 'reset':
      return checkSignIn({ email, passphrase }, 'reset')
    case 'register':
      return checkRegistration({ email, user, team, ...secrets })
    case 'unlock':
      return definedErrors({ passphrase: checkPassphrase(passphrase) })
    case 'create':
      return {
        ...checkNewAccount({ user, team, passkey: secrets.passkey }),
        ...definedErrors(newPassphraseErrors(secrets)),
      }
  }
}
