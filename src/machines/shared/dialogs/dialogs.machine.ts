import { enqueueActions, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { actorOf } from '../siblings.ts'
import type { QuestionDialog, AnswerEvent, DialogsEvent, Message } from './dialogs.events.ts'

export const MESSAGES_DIALOG = 'messages'

export type DialogsContext = {
  readonly messages: readonly Message[]
  /** The first one is shown; the others are queued. */
  readonly questions: readonly QuestionDialog[]
}

export const dialogsMachine = setup({
  types: { context: {} as DialogsContext, events: {} as DialogsEvent },
  actions: {
    addMessage: enqueueActions(({ context, enqueue }, message: Message) => {
      const isKnown = context.messages.some(({ title, text }) => title === message.title && text === message.text)
      if (!isKnown) enqueue.assign({ messages: [...context.messages, message] })
    }),
    clearMessages: enqueueActions(({ enqueue }) => enqueue.assign({ messages: [] })),
    addQuestion: enqueueActions(({ context, enqueue }, dialog: QuestionDialog) =>
      enqueue.assign({ questions: [...context.questions, dialog] }),
    ),
    withdraw: enqueueActions(({ context, enqueue }, id: string) => {
      const isMeant = (question: QuestionDialog): boolean => question.id === id || question.id.startsWith(`${id}:`)
      if (context.questions.some(isMeant))
        enqueue.assign({ questions: context.questions.filter(question => !isMeant(question)) })
    }),
    removeQuestion: enqueueActions(({ context, enqueue }) => enqueue.assign({ questions: context.questions.slice(1) })),
    sendEventsOfAnswer: enqueueActions(({ context, enqueue, system }, button: string) => {
      for (const { to, event } of consequencesOf(context, button)) {
        const receiver = actorOf(system, to)
        if (receiver !== undefined) enqueue.sendTo(receiver, event)
      }
    }),
  },
}).createMachine({
  id: 'dialogs',
  description: 'A queue of questions, shown one at a time, and messages, shown together.',
  context: { messages: [], questions: [] },
  on: {
    'dialogs.showMessage': { actions: { type: 'addMessage', params: ({ event }) => event.message } },
    'dialogs.ask': {
      guard: ({ context, event }) => !context.questions.some(({ id }) => id === event.dialog.id),
      actions: { type: 'addQuestion', params: ({ event }) => event.dialog },
    },
    'dialogs.withdraw': { actions: { type: 'withdraw', params: ({ event }) => event.id } },
    'dialogs.answer': [
      {
        guard: ({ event }) => event.id === MESSAGES_DIALOG,
        actions: [{ type: 'sendEventsOfAnswer', params: ({ event }) => event.button }, 'clearMessages'],
      },
      {
        guard: ({ context, event }) => context.questions[0]?.id === event.id,
        actions: [{ type: 'sendEventsOfAnswer', params: ({ event }) => event.button }, 'removeQuestion'],
      },
    ],
  },
})

export type DialogsRef = ActorRefFrom<typeof dialogsMachine>

declare module '../siblings.ts' {
  interface Siblings {
    readonly dialogs: DialogsRef
  }
}

export type DialogsSnapshot = SnapshotFrom<typeof dialogsMachine>

function consequencesOf({ messages, questions: [dialog] }: DialogsContext, button: string): readonly AnswerEvent[] {
  const buttons =
    messages.length > 0
      ? messages.flatMap(message => message.button ?? [])
      : dialog?.kind === 'confirm'
        ? dialog.buttons
        : []
  return buttons.find(({ id }) => id === button)?.sends ?? []
}
