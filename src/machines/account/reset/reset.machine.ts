import { assign, emit, sendParent, sendTo, setup, type SnapshotFrom } from 'xstate'
import {
  hasNoErrors,
  definedErrors,
  newPassphraseErrors,
  type ValidationErrors,
} from '../../../folding/account/registration.ts'
import { checkEmail } from '../../../folding/shared/validation.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { NotLoaded, PassphraseGenerated } from '../sign-in/sign-in.events.ts'
import type { ResetTaskCommand, ResetEvent, ResetForm, ResetNotification, ResetStep } from './reset.events.ts'

export type ResetErrors = ValidationErrors<'email' | 'passphrase' | 'passphraseAgain'>

export type ResetContext = {
  readonly errors: ResetErrors
  readonly fault: ApiFault | NotLoaded | undefined
  readonly step: ResetStep
}

const initialForm = { errors: {}, fault: undefined, step: 'deriving' } as const

export const resetMachine = setup({
  types: { context: {} as ResetContext, events: {} as ResetEvent, emitted: {} as PassphraseGenerated },
  actors: { resetTasks: actorPlaceholder<ResetTaskCommand, undefined>('resetTasks') },
  actions: {
    resetForm: assign(initialForm),
    showFault: assign((_, fault: ApiFault | NotLoaded) => ({ fault })),
    submitForm: sendTo('tasks', (_, { email, secrets }: ResetForm): ResetTaskCommand => ({
      type: 'task.reset',
      email,
      secrets,
    })),
    generatePassphrase: sendTo('tasks', { type: 'task.generate' } satisfies ResetTaskCommand),
    emitPassphrase: emit((_, { secrets }: PassphraseGenerated): PassphraseGenerated => ({
      type: 'passphrase.generated',
      secrets,
    })),
    notifyFinished: sendParent({ type: 'reset.finished' } satisfies ResetNotification),
    stopTask: sendTo('tasks', { type: 'task.stop' } satisfies ResetTaskCommand),
  },
}).createMachine({
  id: 'reset',
  description: 'The page of the link in a reset email: sets a new passphrase and generates a new key pair.',
  context: initialForm,
  invoke: { src: 'resetTasks', id: 'tasks' },
  initial: 'form',
  on: {
    'passphrase.generated': { actions: { type: 'emitPassphrase', params: ({ event }) => event } },
    'passphrase.generationFailed': {
      actions: { type: 'showFault', params: ({ event }) => ({ kind: 'notLoaded', fault: event.fault }) },
    },
  },
  states: {
    form: {
      on: {
        'reset.open': { actions: 'resetForm' },
        'reset.generate': { actions: 'generatePassphrase' },
        'reset.submit': [
          {
            guard: ({ event }) => hasNoErrors(errorsOf(event)),
            target: 'resetting',
            actions: ['resetForm', { type: 'submitForm', params: ({ event }) => event }],
          },
          { actions: assign(({ event }) => ({ errors: errorsOf(event), fault: undefined })) },
        ],
      },
    },
    resetting: {
      tags: 'busy',
      on: {
        'reset.reached': { actions: assign(({ event }) => ({ step: event.step })) },
        'reset.done': { target: 'done', actions: 'notifyFinished' },
        'reset.failed': { target: 'form', actions: { type: 'showFault', params: ({ event }) => event.fault } },
        'reset.cancel': { target: 'form', actions: 'stopTask' },
      },
    },
    done: { tags: 'done', on: { 'reset.open': { target: 'form', actions: 'resetForm' } } },
  },
})

export type ResetSnapshot = SnapshotFrom<typeof resetMachine>

function errorsOf({ email, secrets }: ResetForm): ResetErrors {
  return definedErrors({ email: checkEmail(email), ...newPassphraseErrors(secrets) })
}
