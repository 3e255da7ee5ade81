import { assign, emit, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { isClean, onlyComplaints, type Complaints } from '../../../folding/account/registration.ts'
import { checkEmail, checkPassphrase, checkPassphrases } from '../../../folding/shared/validation.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import { emptySlot } from '../../shared/actor-placeholder.ts'
import type { NotLoaded, PassphraseMade } from '../sign-in/sign-in.events.ts'
import type { ResetDeskCommand, ResetEvent, ResetForm, ResetNews, ResetStep } from './reset.events.ts'

export type ResetErrors = Complaints<'email' | 'passphrase' | 'passphraseAgain'>

export type ResetContext = {
  readonly errors: ResetErrors
  readonly fault: ApiFault | NotLoaded | undefined
  readonly step: ResetStep
}

const untouched = { errors: {}, fault: undefined, step: 'deriving' } as const

export const resetMachine = setup({
  types: { context: {} as ResetContext, events: {} as ResetEvent, emitted: {} as PassphraseMade },
  actors: { resetDesk: emptySlot<ResetDeskCommand, undefined>('resetDesk') },
  guards: { isComplete: (_, form: ResetForm) => isClean(errorsOf(form)) },
  actions: {
    begin: assign(untouched),
    showErrors: assign((_, form: ResetForm) => ({ errors: errorsOf(form), fault: undefined })),
    showFault: assign((_, fault: ApiFault | NotLoaded) => ({ fault })),
    noteStep: assign((_, step: ResetStep) => ({ step })),
    handOver: sendTo('desk', (_, { email, secrets }: ResetForm): ResetDeskCommand => ({
      type: 'desk.reset',
      email,
      secrets,
    })),
    askForPassphrase: sendTo('desk', { type: 'desk.generate' } satisfies ResetDeskCommand),
    givePassphrase: emit((_, { secrets }: PassphraseMade): PassphraseMade => ({ type: 'passphrase.made', secrets })),
    tellFinished: sendParent({ type: 'reset.finished' } satisfies ResetNews),
    stopWork: sendTo('desk', { type: 'desk.stop' } satisfies ResetDeskCommand),
  },
}).createMachine({
  id: 'reset',
  description: 'The page that the link in a reset e-mail leads to: a new passphrase, and with it a new key.',
  context: untouched,
  invoke: { src: 'resetDesk', id: 'desk' },
  initial: 'form',
  on: {
    'passphrase.made': { actions: { type: 'givePassphrase', params: ({ event }) => event } },
    'passphrase.notMade': {
      actions: { type: 'showFault', params: ({ event }) => ({ kind: 'notLoaded', fault: event.fault }) },
    },
  },
  states: {
    form: {
      on: {
        'reset.open': { actions: 'begin' },
        'reset.generate': { actions: 'askForPassphrase' },
        'reset.submit': [
          {
            guard: { type: 'isComplete', params: ({ event }) => event },
            target: 'resetting',
            actions: ['begin', { type: 'handOver', params: ({ event }) => event }],
          },
          { actions: { type: 'showErrors', params: ({ event }) => event } },
        ],
      },
    },
    resetting: {
      tags: 'busy',
      on: {
        'reset.reached': { actions: { type: 'noteStep', params: ({ event }) => event.step } },
        'reset.done': { target: 'done', actions: 'tellFinished' },
        'reset.failed': { target: 'form', actions: { type: 'showFault', params: ({ event }) => event.fault } },
        'reset.cancel': { target: 'form', actions: 'stopWork' },
      },
    },
    done: { tags: 'done', on: { 'reset.open': { target: 'form', actions: 'begin' } } },
  },
})

export type ResetRef = ActorRefFrom<typeof resetMachine>
export type ResetSnapshot = SnapshotFrom<typeof resetMachine>

const errorsOf = ({ email, secrets: { passphrase, passphraseAgain } }: ResetForm): ResetErrors => {
  const short = checkPassphrase(passphrase)
  return onlyComplaints({
    email: checkEmail(email),
    passphrase: short,
    passphraseAgain: short === undefined ? checkPassphrases(passphrase, passphraseAgain) : undefined,
  })
}
