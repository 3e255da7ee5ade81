import { t } from '@lingui/core/macro'
import { assign, emit, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  hasNoErrors,
  definedErrors,
  newPassphraseErrors,
  type ValidationErrors,
} from '../../../folding/account/registration.ts'
import { checkEmail } from '../../../folding/shared/validation.ts'
import { isSessionOver } from '../../../protocol/api/api-fault.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { PassphraseGenerated } from '../sign-in/sign-in.events.ts'
import type {
  PassphraseTaskCommand,
  PassphraseEvent,
  PassphraseFailure,
  PassphraseForm,
  PassphraseNotification,
  PassphrasePurpose,
  PassphraseStep,
} from './passphrase.events.ts'

export type PassphraseErrors = ValidationErrors<'email' | 'current' | 'passphrase' | 'passphraseAgain'>

export type PassphraseInput = {
  /** Public key of the signed-in user: SPKI, base64. It does not change with the passphrase. */
  readonly publicKey: string
}

export type PassphraseContext = PassphraseInput & {
  readonly purpose: PassphrasePurpose
  readonly errors: PassphraseErrors
  readonly failure: PassphraseFailure | undefined
  readonly step: PassphraseStep
}

const initialForm = { errors: {}, failure: undefined, step: 'checking' } as const

export const passphraseMachine = setup({
  types: {
    context: {} as PassphraseContext,
    events: {} as PassphraseEvent,
    input: {} as PassphraseInput,
    emitted: {} as PassphraseGenerated,
  },
  actors: { passphraseTasks: actorPlaceholder<PassphraseTaskCommand, undefined>('passphraseTasks') },
  guards: {
    canBeCanceled: ({ context }) => context.step === 'checking',
  },
  actions: {
    showFailure: assign((_, failure: PassphraseFailure) => ({ failure })),
    submit: sendTo('tasks', ({ context }, { email, secrets }: PassphraseForm): PassphraseTaskCommand => ({
      type: context.purpose === 'change' ? 'task.change' : 'task.confirm',
      publicKey: context.publicKey,
      email,
      secrets,
    })),
    generatePassphrase: sendTo('tasks', { type: 'task.generate' } satisfies PassphraseTaskCommand),
    emitPassphrase: emit((_, { secrets }: PassphraseGenerated): PassphraseGenerated => ({
      type: 'passphrase.generated',
      secrets,
    })),
    stopTask: sendTo('tasks', { type: 'task.stop' } satisfies PassphraseTaskCommand),
    deleteAccount: sendParent({ type: 'account.delete' } satisfies PassphraseNotification),
    endSession: sendParent({ type: 'account.sessionEnded' } satisfies PassphraseNotification),
  },
}).createMachine({
  id: 'passphrase',
  description: 'Asks the signed-in user for the passphrase, to delete the account or to change the passphrase.',
  context: ({ input: { publicKey } }) => ({ publicKey, purpose: 'change', ...initialForm }),
  initial: 'closed',
  states: {
    closed: {
      on: {
        'passphrase.ask': {
          target: 'open',
          actions: assign(({ event }) => ({ purpose: event.purpose, ...initialForm })),
        },
      },
    },
    open: {
      tags: 'open',
      invoke: { src: 'passphraseTasks', id: 'tasks' },
      initial: 'editing',
      on: {
        'passphrase.cancel': 'closed',
        'passphrase.generate': { actions: 'generatePassphrase' },
        'passphrase.generated': { actions: { type: 'emitPassphrase', params: ({ event }) => event } },
        'passphrase.generationFailed': {
          actions: { type: 'showFailure', params: ({ event }) => ({ kind: 'notLoaded', fault: event.fault }) },
        },
      },
      states: {
        editing: {
          on: {
            'passphrase.submit': [
              {
                guard: ({ context, event }) => hasNoErrors(errorsOf(context.purpose, event)),
                target: 'submitting',
                actions: [assign(initialForm), { type: 'submit', params: ({ event }) => event }],
              },
              {
                actions: assign(({ context, event }) => ({
                  errors: errorsOf(context.purpose, event),
                  failure: undefined,
                })),
              },
            ],
          },
        },
        submitting: {
          tags: 'busy',
          on: {
            'passphrase.reached': { actions: assign(({ event }) => ({ step: event.step })) },
            'passphrase.confirmed': { target: '#passphrase.closed', actions: 'deleteAccount' },
            'passphrase.changed': 'changed',
            'passphrase.failed': [
              {
                guard: ({ event }) => event.failure.kind === 'refused' && isSessionOver(event.failure),
                target: '#passphrase.closed',
                actions: 'endSession',
              },
              { target: 'editing', actions: { type: 'showFailure', params: ({ event }) => event.failure } },
            ],
            // Saving cannot be canceled, and the user needs its result.
            'passphrase.cancel': [{ guard: 'canBeCanceled', target: 'editing', actions: 'stopTask' }, {}],
          },
        },
        changed: { tags: 'changed' },
      },
    },
  },
})

export type PassphraseRef = ActorRefFrom<typeof passphraseMachine>
export type PassphraseSnapshot = SnapshotFrom<typeof passphraseMachine>

function errorsOf(purpose: PassphrasePurpose, { email, secrets }: PassphraseForm): PassphraseErrors {
  return definedErrors({
    email: checkEmail(email),
    current: secrets.current === '' ? t`Enter your passphrase` : undefined,
    ...(purpose === 'change' ? newPassphraseErrors(secrets, secrets.current) : {}),
  })
}
