import { assign, emit, enqueueActions, sendParent, setup, type ActorRefFrom, type AnyActorRef, type DoneActorEvent, type SnapshotFrom } from 'xstate'
import { isSameValue, mergeEdits, patched, type Patch, type Path } from '../../../folding/edits.ts'
import { isClean, type Complaints } from '../../../folding/registration.ts'
import type { ApiFault, ApiResult } from '../../../protocol/api-fault.ts'
import { emptyTask } from '../../empty-slot.ts'
import type { DialogsEvent } from '../dialogs/dialogs.events.ts'
import type { DraftEmitted, DraftEvent, DraftNews } from './draft.events.ts'
import { unsavedChanges } from './draft.questions.ts'

export type DraftContext<T> = {
  /** What is saved outside; undefined until it is loaded. */
  readonly saved: T | undefined
  /** What is on the screen. Unsaved is never a flag: it is a difference, looked at when asked. */
  readonly draft: T | undefined
  /** What is being saved. */
  readonly sent: T | undefined
  /** Where something else was saved elsewhere than what is typed here. */
  readonly conflicts: readonly Path[]
  readonly fault: ApiFault | undefined
  /** Whether the person goes as soon as it is saved. */
  readonly isLeaving: boolean
}

/** What to save, and what it was made from. */
export type DraftSaving<T> = { readonly before: T; readonly value: T }

export type DraftInput<T> = {
  /** What is saved outside; undefined when that is not known from the start. */
  readonly value: T | undefined
}

export type DraftOptions<T> = {
  /** Tells the parent whose news it is. */
  readonly id: string
  /** Under which the question of leaving finds its way back. */
  readonly systemId: string
  readonly complaintsOf: (draft: T, saved: T) => Complaints<string>
}

type SaveDone = DoneActorEvent<ApiResult<unknown>>

/** An edited copy of something that is saved elsewhere. */
export const createDraftMachine = <T extends object>({ id, systemId, complaintsOf }: DraftOptions<T>) =>
  setup({
    types: { context: {} as DraftContext<T>, events: {} as DraftEvent<T>, input: {} as DraftInput<T>, emitted: {} as DraftEmitted },
    actors: { saveDraft: emptyTask<ApiResult<unknown>, DraftSaving<T>>('saveDraft') },
    guards: {
      isLoaded: ({ context }) => context.draft !== undefined,
      isModified: ({ context }) => isDraftModified(context),
      canSave: ({ context: { draft, saved } }) =>
        draft !== undefined && saved !== undefined && !isSameValue(draft, saved) && isClean(complaintsOf(draft, saved)),
    },
    actions: {
      discard: assign(({ context: { saved } }) => ({ draft: saved, conflicts: [], fault: undefined })),
      noteSent: assign(({ context: { draft } }) => ({ sent: draft, fault: undefined })),
      takeSaved: assign(({ context: { sent } }) => ({ saved: sent, sent: undefined, conflicts: [] })),
      tellFault: sendParent(({ context: { fault } }): DraftNews<T> => ({ type: 'draft.failed', id, fault: fault ?? crash })),
      tellChange: sendParent(({ context }): DraftNews<T> => ({ type: 'draft.changed', id, value: loadedOf(context.draft), isModified: isDraftModified(context) })),
      tellSaved: sendParent(({ context }): DraftNews<T> => ({ type: 'draft.saved', id, before: loadedOf(context.saved), value: loadedOf(context.sent) })),
      askToLeave: enqueueActions(({ context: { draft, saved }, enqueue, system }) => {
        const dialogs = system.get('dialogs') as AnyActorRef | undefined
        const isFine = draft !== undefined && saved !== undefined && isClean(complaintsOf(draft, saved))
        if (dialogs !== undefined) enqueue.sendTo(dialogs, { type: 'dialogs.ask', dialog: unsavedChanges(systemId, isFine) } satisfies DialogsEvent)
      }),
      withdrawQuestion: enqueueActions(({ enqueue, system }) => {
        const dialogs = system.get('dialogs') as AnyActorRef | undefined
        if (dialogs !== undefined) enqueue.sendTo(dialogs, { type: 'dialogs.withdraw', id: unsavedChanges(systemId, true).id } satisfies DialogsEvent)
      }),
      noteLeaving: assign({ isLeaving: true }),
      /** Whoever waited for the saving goes when it is done, and stays when it failed. */
      answerLeaving: enqueueActions(({ context, enqueue }) => {
        if (context.isLeaving) enqueue.emit({ type: context.fault === undefined ? 'draft.left' : 'draft.stayed' })
        enqueue.assign({ isLeaving: false })
      }),
      letGo: emit({ type: 'draft.left' }),
      stay: emit({ type: 'draft.stayed' }),
    },
  }).createMachine({
    id: 'draft',
    description: 'An edited copy of something that is saved elsewhere.',
    context: ({ input: { value } }) => ({ saved: value, draft: value, sent: undefined, conflicts: [], fault: undefined, isLeaving: false }),
    initial: 'empty',
    on: { 'draft.loaded': { actions: [assign(({ context, event }) => withLoaded(context, event.value)), 'tellChange'] } },
    states: {
      empty: {
        description: 'What is saved is not known yet.',
        tags: 'loading',
        always: { guard: 'isLoaded', target: 'editing' },
        on: {
          'draft.loaded': { target: 'editing', actions: [assign(({ context, event }) => withLoaded(context, event.value)), 'tellChange'] },
          'draft.leave': { actions: 'letGo' },
        },
      },
      editing: {
        initial: 'quiet',
        states: {
          quiet: {
            on: {
              'draft.edit': { actions: [assign(({ context, event }) => withEdit(context, event.change)), 'tellChange'] },
              'draft.discard': { actions: ['discard', 'tellChange'] },
              'draft.save': { guard: 'canSave', target: '#draft.saving' },
              'draft.leave': [{ guard: 'isModified', target: 'asking' }, { actions: 'letGo' }],
            },
          },
          asking: {
            description: 'Leaving would lose what was typed, so it is asked what to do with it.',
            tags: 'asking',
            entry: 'askToLeave',
            exit: 'withdrawQuestion',
            on: {
              'draft.stay': { target: 'quiet', actions: 'stay' },
              'draft.discardAndLeave': { target: 'quiet', actions: ['discard', 'tellChange', 'letGo'] },
              'draft.saveAndLeave': [{ guard: 'canSave', target: '#draft.saving', actions: 'noteLeaving' }, { target: 'quiet', actions: 'stay' }],
            },
          },
        },
      },
      saving: {
        description: 'What was typed is on its way. One may go on typing.',
        tags: 'busy',
        entry: 'noteSent',
        invoke: {
          src: 'saveDraft',
          input: ({ context }) => ({ before: loadedOf(context.saved), value: loadedOf(context.sent) }),
          onDone: [
            {
              guard: ({ event }: { event: SaveDone }) => event.output.ok,
              target: 'editing',
              actions: ['tellSaved', 'takeSaved', 'tellChange', 'answerLeaving'],
            },
            {
              target: 'editing',
              actions: [assign(({ event }) => ({ fault: faultOf(event.output), sent: undefined })), 'tellFault', 'answerLeaving'],
            },
          ],
          onError: { target: 'editing', actions: [assign({ fault: crash, sent: undefined }), 'tellFault', 'answerLeaving'] },
        },
        on: {
          'draft.edit': { actions: [assign(({ context, event }) => withEdit(context, event.change)), 'tellChange'] },
          'draft.leave': { actions: 'noteLeaving' },
        },
      },
    },
  })

export type DraftLogic<T extends object> = ReturnType<typeof createDraftMachine<T>>
export type DraftRef<T extends object> = ActorRefFrom<DraftLogic<T>>
export type DraftSnapshot<T extends object> = SnapshotFrom<DraftLogic<T>>

/** Whether what is on the screen differs from what is saved. */
export const isDraftModified = <T>({ draft, saved }: Pick<DraftContext<T>, 'draft' | 'saved'>): boolean => !isSameValue(draft, saved)

const loadedOf = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('A draft that is not loaded cannot be saved or told of.')
  return value
}

const faultOf = (result: ApiResult<unknown>): ApiFault => {
  if (result.ok) throw new Error('A good answer has no fault.')
  return result.fault
}

const crash: ApiFault = { kind: 'unreachable', message: 'it could not be sent' }

const withLoaded = <T extends object>({ draft, saved }: DraftContext<T>, value: T): Partial<DraftContext<T>> => {
  if (draft === undefined || saved === undefined) return { draft: value, saved: value }
  const merge = mergeEdits(saved, draft, value)
  return { saved: value, draft: merge.value, conflicts: merge.conflicts }
}

const withEdit = <T extends object>({ draft }: DraftContext<T>, change: Patch<T>): Partial<DraftContext<T>> =>
  draft === undefined ? {} : { draft: patched(draft, change), fault: undefined }
