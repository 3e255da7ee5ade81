import { t } from '@lingui/core/macro'
import {
  assign,
  emit,
  enqueueActions,
  sendParent,
  setup,
  type ActorRefFrom,
  type DoneActorEvent,
  type SnapshotFrom,
} from 'xstate'
import { missingEdits } from '../../../folding/shared/edits.ts'
import { faultOf, type ApiFault, type ApiResult } from '../../../protocol/api/api-fault.ts'
import { taskPlaceholder } from '../actor-placeholder.ts'
import { sendToSibling } from '../siblings.ts'
import type { DraftEmitted, DraftEvent, DraftNotification } from './draft.events.ts'
import {
  isDraftModified,
  saveBlockerOf,
  createInitialDraft,
  withDecision,
  withEdit,
  withLoaded,
  withRefusal,
  withTakenOver,
  type ValidateDraft,
  type DraftContext,
  type DraftSaving,
} from './draft.reducer.ts'
import { unsavedChanges } from './draft.questions.ts'

export type DraftInput<T> = {
  /** The saved value; undefined when it is not known at the start. */
  readonly value: T | undefined
  /** Overrides the system id when several drafts of a kind exist. */
  readonly systemId?: string
}

export type DraftOptions<T> = {
  /** Identifies this draft to the parent. */
  readonly id: string
  /** System id to which the answers of the leave dialog are sent. */
  readonly systemId: string
  readonly validate: ValidateDraft<T>
  /** The draft as it will be reported back after saving. */
  readonly settle?: (draft: T, saved: T) => T
  /** Whether it counts as saved only when the new value is reported back, not when the save call returns. */
  readonly isReported?: boolean
}

/** Long enough for a client to log in at its relay again before it reports the change. */
const REPORT_TIME = 45_000

type SaveDone = DoneActorEvent<ApiResult<unknown>>

/** An edited copy of something that is saved elsewhere. */
export function createDraftMachine<T extends object>({
  id,
  systemId,
  validate,
  settle = same,
  isReported = false,
}: DraftOptions<T>) {
  return setup({
    types: {
      context: {} as DraftContext<T>,
      events: {} as DraftEvent<T>,
      input: {} as DraftInput<T>,
      emitted: {} as DraftEmitted,
    },
    actors: { saveDraft: taskPlaceholder<ApiResult<unknown>, DraftSaving<T>>('saveDraft') },
    delays: { reportTime: REPORT_TIME },
    guards: {
      isLoaded: ({ context }) => context.draft !== undefined,
      isModified: ({ context }) => isDraftModified(context),
      canSave: ({ context }) => isDraftModified(context) && saveBlockerOf(context, validate) === undefined,
      isTakenOver: ({ context: { sent, saved } }) =>
        sent !== undefined && missingEdits(sent.before, sent.value, saved).length === 0,
    },
    actions: {
      discard: assign(({ context: { saved } }) => ({
        draft: saved,
        base: saved,
        conflicts: [],
        fault: undefined,
        refusal: undefined,
      })),
      assignSent: assign(({ context }) => {
        const before = loadedOf(context.saved)
        const value = settle(loadedOf(context.draft), before)
        return { draft: value, sent: { before, value }, wasSaved: false, fault: undefined, refusal: undefined }
      }),
      assignSaved: assign(({ context: { sent } }) => ({
        saved: sent?.value,
        base: sent?.value,
        sent: undefined,
        conflicts: [],
        wasSaved: true,
      })),
      assignRefusal: assign(({ context }, because: string) => withRefusal(context, because)),
      notifySent: sendParent(({ context: { sent } }): DraftNotification<T> => ({
        type: 'draft.sent',
        id,
        ...loadedOf(sent),
      })),
      notifyFailed: sendParent(({ context: { fault } }): DraftNotification<T> => ({
        type: 'draft.failed',
        id,
        fault: fault ?? crash,
      })),
      notifyChanged: sendParent(({ context }): DraftNotification<T> => ({
        type: 'draft.changed',
        id,
        value: loadedOf(context.draft),
        isModified: isDraftModified(context),
      })),
      notifySaved: sendParent(({ context: { sent } }): DraftNotification<T> => ({
        type: 'draft.saved',
        id,
        ...loadedOf(sent),
      })),
      askBeforeLeaving: enqueueActions(({ context, enqueue, system }) => {
        const dialog = unsavedChanges(context.systemId, saveBlockerOf(context, validate))
        sendToSibling({ enqueue, system }, 'dialogs', { type: 'dialogs.ask', dialog })
      }),
      withdrawQuestion: enqueueActions(({ context, enqueue, system }) => {
        const { id } = unsavedChanges(context.systemId, undefined)
        sendToSibling({ enqueue, system }, 'dialogs', { type: 'dialogs.withdraw', id })
      }),
      markLeaving: assign({ isLeaving: true }),
      /** If the user wanted to leave while saving: leave when it succeeded, stay when it failed. */
      resolveLeaving: enqueueActions(({ context, enqueue }) => {
        const isSaved = context.fault === undefined && context.refusal === undefined
        if (context.isLeaving) enqueue.emit({ type: isSaved ? 'draft.left' : 'draft.stayed' })
        enqueue.assign({ isLeaving: false })
      }),
      emitLeft: emit({ type: 'draft.left' }),
      emitStayed: emit({ type: 'draft.stayed' }),
    },
  }).createMachine({
    id: 'draft',
    description: 'An edited copy of something that is saved elsewhere.',
    context: ({ input: { value, systemId: draftId = systemId } }) => createInitialDraft(value, draftId),
    initial: 'empty',
    on: {
      'draft.loaded': { actions: [assign(({ context, event }) => withLoaded(context, event.value)), 'notifyChanged'] },
      'draft.blocked': { actions: assign(({ event }) => ({ saveBlocker: event.because })) },
    },
    states: {
      empty: {
        description: 'The saved value is not loaded yet.',
        tags: 'loading',
        always: { guard: 'isLoaded', target: 'editing' },
        on: {
          'draft.loaded': {
            target: 'editing',
            actions: [assign(({ context, event }) => withLoaded(context, event.value)), 'notifyChanged'],
          },
          'draft.leave': { actions: 'emitLeft' },
        },
      },
      editing: {
        initial: 'idle',
        states: {
          idle: {
            on: {
              'draft.edit': {
                actions: [assign(({ context, event }) => withEdit(context, event.change)), 'notifyChanged'],
              },
              'draft.discard': { actions: ['discard', 'notifyChanged'] },
              'draft.resolveConflict': {
                actions: [assign(({ context, event }) => withDecision(context, event)), 'notifyChanged'],
              },
              'draft.save': { guard: 'canSave', target: '#draft.saving' },
              'draft.leave': [{ guard: 'isModified', target: 'asking' }, { actions: 'emitLeft' }],
            },
          },
          asking: {
            description: 'Leaving would lose unsaved changes, so the user is asked whether to save or discard them.',
            tags: 'asking',
            entry: 'askBeforeLeaving',
            exit: 'withdrawQuestion',
            on: {
              'draft.stay': { target: 'idle', actions: 'emitStayed' },
              'draft.discardAndLeave': { target: 'idle', actions: ['discard', 'notifyChanged', 'emitLeft'] },
              'draft.saveAndLeave': [
                { guard: 'canSave', target: '#draft.saving', actions: 'markLeaving' },
                { target: 'idle', actions: 'emitStayed' },
              ],
            },
          },
        },
      },
      saving: {
        description: 'The draft is being saved. Editing stays possible.',
        tags: 'busy',
        entry: 'assignSent',
        invoke: {
          src: 'saveDraft',
          input: ({ context }) => loadedOf(context.sent),
          onDone: [
            {
              guard: ({ event }: { event: SaveDone }) => isReported && event.output.ok,
              target: 'awaiting',
              actions: 'notifySent',
            },
            {
              guard: ({ event }: { event: SaveDone }) => event.output.ok,
              target: 'editing',
              actions: ['notifySaved', 'assignSaved', 'notifyChanged', 'resolveLeaving'],
            },
            {
              target: 'editing',
              actions: [
                assign(({ event }) => ({ fault: faultOf(event.output), sent: undefined })),
                'notifyFailed',
                'resolveLeaving',
              ],
            },
          ],
          onError: {
            target: 'editing',
            actions: [assign({ fault: crash, sent: undefined }), 'notifyFailed', 'resolveLeaving'],
          },
        },
        on: {
          'draft.edit': { actions: [assign(({ context, event }) => withEdit(context, event.change)), 'notifyChanged'] },
          'draft.leave': { actions: 'markLeaving' },
        },
      },
      awaiting: {
        description: 'The change was sent. It counts as saved when it is reported back.',
        tags: ['busy', 'awaiting'],
        always: {
          guard: 'isTakenOver',
          target: 'editing',
          actions: ['notifySaved', assign(({ context }) => withTakenOver(context)), 'notifyChanged', 'resolveLeaving'],
        },
        after: {
          reportTime: {
            target: 'editing',
            actions: [
              { type: 'assignRefusal', params: t`The change was not confirmed in time.` },
              'notifyChanged',
              'resolveLeaving',
            ],
          },
        },
        on: {
          'draft.ignored': {
            target: 'editing',
            actions: [
              { type: 'assignRefusal', params: ({ event }) => event.because },
              'notifyChanged',
              'resolveLeaving',
            ],
          },
          'draft.edit': { actions: [assign(({ context, event }) => withEdit(context, event.change)), 'notifyChanged'] },
          'draft.leave': { actions: 'markLeaving' },
        },
      },
    },
  })
}

export type DraftLogic<T extends object> = ReturnType<typeof createDraftMachine<T>>
export type DraftRef<T extends object> = ActorRefFrom<DraftLogic<T>>
export type DraftSnapshot<T extends object> = SnapshotFrom<DraftLogic<T>>

function loadedOf<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The draft is not loaded.')
  return value
}

const crash: ApiFault = { kind: 'unreachable', message: t`the request could not be sent` }

function same<T>(draft: T): T {
  return draft
}
