import { assign, enqueueActions, setup } from 'xstate'
import { donorConfigOf } from '../../../folding/account/donor.ts'
import { userToSend } from '../../../folding/shared/validation.ts'
import {
  CREDIT_PACE,
  MOST_CREDIT_REQUESTS,
  nextQuestion,
  type CreditAnswer,
  type CreditQuestion,
} from '../../../folding/unit/credits.ts'
import { rowsOf } from '../../../folding/unit/unit-rows.ts'
import { viewOf } from '../../connection/client/client.report.ts'
import { selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling, siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import type { CreditsEvent } from './credits.events.ts'

export type CreditTask = CreditQuestion & {
  /** Names of the donors that the machines fold for. */
  readonly donors: readonly string[]
}

export type CreditFound = Omit<CreditAnswer, 'key'>

type CreditsContext = {
  readonly task: CreditTask | undefined
  /** Answers that the history does not have yet. */
  readonly answers: readonly CreditAnswer[]
  /** Requests since it was opened. */
  readonly count: number
}

/** The history is changed for this many answers at once: its table is made anew then. */
const ANSWERS_AT_ONCE = 5

function donorsOf(system: SiblingSystem): readonly string[] {
  const fleet = siblingOf(system, 'fleet')?.getSnapshot()
  const donor = siblingOf(system, 'donor')?.getSnapshot().context
  const configs = (fleet === undefined ? [] : selectShownIds('usual')(fleet)).flatMap(id => {
    const client = siblingOf(system, `client:${id}`)?.getSnapshot()
    const config = client === undefined ? undefined : viewOf(client.context).data?.config
    return config === undefined ? [] : [donorConfigOf(config)]
  })
  const known = [donor?.account, donor?.local, ...configs].flatMap(config => config ?? [])
  return [...new Set(known.map(({ user }) => userToSend(user)))]
}

function taskOf({ answers, count }: CreditsContext, now: number, system: SiblingSystem): CreditTask | undefined {
  const history = siblingOf(system, 'history')?.getSnapshot().context.history
  if (history === undefined || count >= MOST_CREDIT_REQUESTS) return undefined
  const question = nextQuestion(rowsOf(history), new Set(answers.map(({ key }) => key)), now)
  const donors = donorsOf(system)
  return question === undefined || donors.length === 0 ? undefined : { ...question, donors }
}

export const creditsMachine = setup({
  types: { context: {} as CreditsContext, events: {} as CreditsEvent },
  actors: {
    /** Undefined when the API does not answer. */
    askCredit: taskPlaceholder<CreditFound | undefined, CreditTask>('askCredit'),
    readClock: taskPlaceholder<number, undefined>('readClock'),
  },
  delays: { pace: CREDIT_PACE.request, rest: 5000, failurePause: CREDIT_PACE.failure },
  actions: {
    deliver: enqueueActions(({ context: { answers }, enqueue, system }) => {
      if (answers.length === 0) return
      sendToSibling({ enqueue, system }, 'history', { type: 'history.credited', answers })
      enqueue.assign({ answers: [] })
    }),
  },
}).createMachine({
  id: 'credits',
  description: 'Asks the API what units of the history were credited with, while a screen shows it.',
  context: { task: undefined, answers: [], count: 0 },
  initial: 'closed',
  states: {
    closed: { on: { 'credits.open': { target: 'open', actions: assign({ count: 0 }) } } },
    open: {
      on: { 'credits.close': 'closed' },
      exit: 'deliver',
      initial: 'choosing',
      states: {
        choosing: {
          invoke: {
            src: 'readClock',
            onDone: {
              target: 'chosen',
              actions: assign(({ context, event, system }) => ({ task: taskOf(context, event.output, system) })),
            },
            onError: 'resting',
          },
        },
        chosen: {
          always: [
            { guard: ({ context }) => context.task !== undefined, target: 'asking' },
            { target: 'resting', actions: 'deliver' },
          ],
        },
        asking: {
          entry: assign({ count: ({ context }) => context.count + 1 }),
          invoke: {
            src: 'askCredit',
            input: ({ context: { task } }) => {
              if (task === undefined) throw new Error('No unit is chosen.')
              return task
            },
            onDone: [
              {
                guard: ({ event }) => event.output !== undefined,
                target: 'pausing',
                actions: assign(({ context: { task, answers }, event }) => ({
                  answers:
                    task === undefined || event.output === undefined
                      ? answers
                      : [...answers, { ...event.output, key: task.key }],
                })),
              },
              { target: 'failed', actions: 'deliver' },
            ],
            onError: { target: 'failed', actions: 'deliver' },
          },
        },
        pausing: {
          always: {
            guard: ({ context }) => context.answers.length >= ANSWERS_AT_ONCE,
            actions: 'deliver',
          },
          after: { pace: 'choosing' },
        },
        resting: {
          description: 'Nothing is due, enough was asked, or the history is not loaded yet.',
          after: { rest: 'choosing' },
        },
        failed: { after: { failurePause: 'choosing' } },
      },
    },
  },
})
