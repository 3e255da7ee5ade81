import { createActor, createMachine, fromPromise, sendTo, SimulatedClock, type AnyActorRef } from 'xstate'
import type { ApiResult } from '../../src/protocol/api/api-fault.ts'
import { dialogsMachine, type DialogsRef } from '../../src/machines/shared/dialogs/dialogs.machine.ts'
import { selectDialog } from '../../src/machines/shared/dialogs/dialogs.selectors.ts'
import type { DraftSaving } from '../../src/machines/shared/draft/draft.reducer.ts'
import { createDraftMachine, type DraftRef } from '../../src/machines/shared/draft/draft.machine.ts'

export type Settings = {
  readonly user: string
  readonly look: { readonly dark: boolean }
  readonly secrets: { readonly passkey: string }
}

export const ada: Settings = { user: 'Ada', look: { dark: false }, secrets: { passkey: '' } }
export const down: ApiResult<undefined> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }
export const good: ApiResult<undefined> = { ok: true, value: undefined }

export const machine = createDraftMachine<Settings>({
  id: 'settings',
  systemId: 'settingsDraft',
  validate: ({ user }) => (user === '' ? { user: 'Nobody' } : {}),
})

/** One that is saved when it is reported back. */
export const reported = createDraftMachine<Settings>({
  id: 'settings',
  systemId: 'settingsDraft',
  validate: ({ user }) => (user === '' ? { user: 'Nobody' } : {}),
  settle: draft => ({ ...draft, user: draft.user.trim() }),
  isReported: true,
})

function startDraft(kind: typeof machine, answers: (ApiResult<undefined> | Error)[]) {
  const sent: DraftSaving<Settings>[] = []
  const received: { readonly type: string }[] = []
  const said: string[] = []
  const clock = new SimulatedClock()
  const parent = createActor(
    createMachine({
      invoke: [
        { src: dialogsMachine, id: 'dialogs', systemId: 'dialogs' },
        {
          src: kind.provide({
            actors: {
              saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<Settings>>(({ input }) => {
                sent.push(input)
                const answer = answers.shift() ?? down
                return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
              }),
            },
          }),
          id: 'draft',
          systemId: 'settingsDraft',
          input: { value: undefined },
        },
      ],
      on: {
        '*': { actions: ({ event }) => received.push(event) },
        load: { actions: sendTo('draft', ({ event }) => ({ ...event, type: 'draft.loaded' })) },
      },
    }),
    { clock },
  ).start()
  const { draft, dialogs } = parent.getSnapshot().children
  const actor = draft as AnyActorRef as DraftRef<Settings>
  for (const type of ['draft.left', 'draft.stayed'] as const) actor.on(type, () => said.push(type))
  const question = () => {
    const dialog = selectDialog((dialogs as AnyActorRef as DialogsRef).getSnapshot())
    return dialog?.kind === 'confirm' ? dialog : undefined
  }
  return {
    actor,
    clock,
    sent,
    received,
    said,
    question,
    snapshot: () => actor.getSnapshot(),
    answer: (button: string) => dialogs?.send({ type: 'dialogs.answer', id: question()?.id ?? '', button }),
  }
}

export function startLoaded(...answers: (ApiResult<undefined> | Error)[]) {
  const started = startDraft(machine, answers)
  started.actor.send({ type: 'draft.loaded', value: ada })
  return started
}

export function startReported(...answers: (ApiResult<undefined> | Error)[]) {
  const started = startDraft(reported, answers)
  started.actor.send({ type: 'draft.loaded', value: ada })
  return started
}
