import { t } from '@lingui/core/macro'
import {
  assign,
  enqueueActions,
  sendParent,
  setup,
  type ActorRefFrom,
  type DoneActorEvent,
  type SnapshotFrom,
} from 'xstate'
import { linkName } from '../../../folding/client/client.ts'
import { applyEdits, type Patch } from '../../../folding/shared/edits.ts'
import { apiFaultText } from '../../../folding/text/fault-text.ts'
import {
  checkGroupName,
  checkClientForm,
  configToSend,
  needsClient,
  newGroup,
  seenWith,
  settledForm,
} from '../../../folding/client/client-form-edits.ts'
import type { ClientForm } from '../../../folding/client/client-form.ts'
import { checkClientName, newGroupName } from '../../../folding/shared/validation.ts'
import {
  faultOf,
  isSessionOver,
  mayHaveWorked,
  type ApiFault,
  type ApiResult,
} from '../../../protocol/api/api-fault.ts'
import type { AccountEvent } from '../../account/account/account.events.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { Message } from '../../shared/dialogs/dialogs.events.ts'
import type { DraftEvent } from '../../shared/draft/draft.events.ts'
import type { DraftSaving } from '../../shared/draft/draft.reducer.ts'
import { createDraftMachine, type DraftRef } from '../../shared/draft/draft.machine.ts'
import { sendToSibling } from '../../shared/siblings.ts'
import {
  settingsSystemId,
  type ClientSettingsEmitted,
  type ClientSettingsEvent,
  type ClientSettingsNews,
  type SettingsReport,
} from './client-settings.events.ts'

export type ClientDraftRef = DraftRef<ClientForm>

export type ClientSettingsInput = {
  /** The client's id in the fleet. */
  readonly id: string
  readonly report: SettingsReport
}

export type ClientSettingsContext = {
  readonly id: string
  readonly report: SettingsReport
  readonly draft: ClientDraftRef
  /** The form on the screen. */
  readonly drafted: ClientForm
  /** Why the form cannot be saved now; undefined if it can. */
  readonly saveBlocker: string | undefined
  /** The reported form that the user has seen: what differs from it was changed elsewhere. */
  readonly seen: ClientForm
  /** The name of the resource group that is shown. */
  readonly group: string
  /** The typed name to link the client under; undefined until something is typed. */
  readonly linkName: string | undefined
}

export const machineDraftMachine = createDraftMachine<ClientForm>({
  id: 'machine',
  systemId: 'machine:draft',
  validate: checkClientForm,
  settle: settledForm,
  isReported: true,
})

type CallDone = DoneActorEvent<ApiResult<unknown>>
type Failure = { readonly operation: string; readonly fault: ApiFault }

export const clientSettingsMachine = setup({
  types: {
    context: {} as ClientSettingsContext,
    events: {} as ClientSettingsEvent,
    input: {} as ClientSettingsInput,
    emitted: {} as ClientSettingsEmitted,
  },
  actors: {
    /** Saving calls the account API if the name changed. The other settings are sent to the client afterwards. */
    machineDraft: machineDraftMachine,
    unlinkMachine: taskPlaceholder<ApiResult<unknown>, { readonly machine: string }>('unlinkMachine'),
  },
  /** A client retries to reach its account and never reports a failure (docs/protocol.md §11.1). */
  delays: { linkTimeout: 20_000 },
  guards: {
    canLink: ({ context }) => linkBlocker(context) === undefined,
    canUnlink: ({ context: { report } }) => report.isLinked && report.machine !== undefined,
    isLinkedNow: ({ context: { report } }) => report.isLinked,
    isUnlinkedNow: ({ context: { report } }) => !report.isLinked,
  },
  actions: {
    loadDraft: enqueueActions(({ context: { draft, report }, enqueue }) => {
      enqueue.sendTo(draft, { type: 'draft.loaded', value: report.form } satisfies DraftEvent<ClientForm>)
    }),
    /** What the account alone saves can be saved while the client is disconnected. */
    updateSaveBlocker: enqueueActions(({ context: { draft, drafted, report, saveBlocker }, enqueue }) => {
      const because = !report.isConnected && needsClient(drafted, report.form) ? DISCONNECTED : undefined
      if (because === saveBlocker) return
      enqueue.assign({ saveBlocker: because })
      enqueue.sendTo(draft, { type: 'draft.blocked', because } satisfies DraftEvent<ClientForm>)
    }),
    editDraft: enqueueActions(({ context: { draft }, enqueue }, change: Patch<ClientForm>) => {
      enqueue.sendTo(draft, { type: 'draft.edit', change } satisfies DraftEvent<ClientForm>)
    }),
    discardDraft: enqueueActions(({ context: { draft }, enqueue }) => {
      enqueue.sendTo(draft, { type: 'draft.discard' } satisfies DraftEvent<ClientForm>)
    }),
    assignShownGroup: assign((_, group: string) => ({ group })),
    addGroup: enqueueActions(({ context: { draft, drafted, report }, enqueue }, name: string) => {
      if (Object.hasOwn(drafted.groups ?? {}, name)) return
      const reportedGroups = report.form.groups ?? {}
      // A group whose deletion is not saved yet comes back as it was.
      const group =
        (Object.hasOwn(reportedGroups, name) ? reportedGroups[name] : undefined) ?? newGroup(reportedGroups[''])
      enqueue.sendTo(draft, {
        type: 'draft.edit',
        change: { groups: { [name]: group } },
      } satisfies DraftEvent<ClientForm>)
    }),
    /** Changes made elsewhere stay listed when something else is saved here. */
    assignSavedSeen: assign(({ context: { seen } }, { before, value }: DraftSaving<ClientForm>) => ({
      seen: applyEdits(seen, before, value),
    })),
    configureClient: enqueueActions(({ context: { report }, enqueue }, value: ClientForm) => {
      const config = configToSend(value, report.form)
      if (config !== undefined) enqueue.sendParent({ type: 'client.configure', ...config } satisfies ClientSettingsNews)
    }),
    restartClient: sendParent({ type: 'client.restart' } satisfies ClientSettingsNews),
    // The client may have been unlinked though no answer came. To reconnect does no harm.
    restartIfUncertain: enqueueActions(({ enqueue }, fault: ApiFault) => {
      if (mayHaveWorked(fault)) enqueue.sendParent({ type: 'client.restart' } satisfies ClientSettingsNews)
    }),
    showStillLinkedMessage: enqueueActions(({ context: { report }, enqueue, system }) => {
      const message = stillLinkedMessage(report.name)
      if (!report.isConnected) sendToSibling({ enqueue, system }, 'dialogs', { type: 'dialogs.showMessage', message })
    }),
    reportIgnored: enqueueActions(({ context: { draft }, enqueue }, because: string) => {
      enqueue.sendTo(draft, { type: 'draft.ignored', because } satisfies DraftEvent<ClientForm>)
    }),
    toAccount: enqueueActions((args, event: AccountEvent) => {
      sendToSibling(args, 'account', event)
    }),
    linkClient: enqueueActions(args => {
      const { id } = args.context
      sendToSibling(args, 'account', { type: 'account.linkClient', id, name: nameToLink(args.context), isAsked: true })
    }),
    showLinkFailure: enqueueActions(args => {
      sendToSibling(args, 'dialogs', { type: 'dialogs.showMessage', message: linkFailureMessage })
    }),
    showFailure: enqueueActions((args, { operation, fault }: Failure) => {
      if (isSessionOver(fault)) sendToSibling(args, 'account', { type: 'account.sessionEnded' })
      else
        sendToSibling(args, 'dialogs', {
          type: 'dialogs.showMessage',
          message: { level: 'error', title: t`${operation} failed`, text: apiFaultText(fault) },
        })
      if (mayHaveWorked(fault)) sendToSibling(args, 'account', { type: 'account.refresh' })
    }),
    emitUnlinked: enqueueActions(({ context: { report }, enqueue }) => {
      if (!report.isDirect) enqueue.emit({ type: 'settings.unlinked' })
    }),
  },
}).createMachine({
  id: 'clientSettings',
  description: 'The settings of one machine while its page is open: its draft, and its link to the account.',
  context: ({ input: { id, report }, spawn }) => {
    const systemId = `${settingsSystemId(id)}:draft`
    const draft = spawn('machineDraft', { id: 'draft', systemId, input: { value: report.form, systemId } })
    return {
      id,
      report,
      draft,
      drafted: report.form,
      saveBlocker: undefined,
      seen: report.form,
      group: '',
      linkName: undefined,
    }
  },
  initial: 'settled',
  on: {
    'settings.reported': {
      actions: [
        assign(({ context, event }) => ({
          report: event.report,
          seen: seenWith(context.seen, event.report.form),
        })),
        'loadDraft',
        'updateSaveBlocker',
      ],
    },
    'settings.ignored': { actions: { type: 'reportIgnored', params: ({ event }) => event.because } },
    'settings.showGroup': { actions: { type: 'assignShownGroup', params: ({ event }) => event.name } },
    'settings.addGroup': {
      guard: ({ context: { drafted }, event }) =>
        checkGroupName(event.typed, Object.keys(drafted.groups ?? {})) === undefined,
      actions: [
        { type: 'addGroup', params: ({ event }) => newGroupName(event.typed) },
        { type: 'assignShownGroup', params: ({ event }) => newGroupName(event.typed) },
      ],
    },
    'settings.deleteGroup': {
      actions: [
        { type: 'editDraft', params: ({ event }) => ({ groups: { [event.name]: undefined } }) },
        { type: 'assignShownGroup', params: '' },
      ],
    },
    'settings.nameLink': { actions: assign(({ event }) => ({ linkName: event.name })) },
    'settings.dismiss': { actions: assign(({ context: { report } }) => ({ seen: report.form })) },
    'draft.changed': { actions: [assign(({ event }) => ({ drafted: event.value })), 'updateSaveBlocker'] },
    'draft.sent': [
      {
        guard: ({ event }) => event.before.linked?.name !== event.value.linked?.name,
        actions: [
          { type: 'configureClient', params: ({ event }) => event.value },
          'restartClient',
          { type: 'toAccount', params: { type: 'account.refresh' } },
        ],
      },
      { actions: { type: 'configureClient', params: ({ event }) => event.value } },
    ],
    'draft.saved': { actions: { type: 'assignSavedSeen', params: ({ event }) => event } },
    'draft.failed': {
      actions: {
        type: 'showFailure',
        params: ({ event }) => ({ operation: t`Renaming the machine`, fault: event.fault }),
      },
    },
  },
  states: {
    settled: {
      on: {
        'settings.link': { guard: 'canLink', target: 'linking' },
        'settings.unlink': { guard: 'canUnlink', target: 'unlinking' },
      },
    },
    linking: {
      description: 'The machine was sent the token of the account. It is linked when it reports the account.',
      tags: 'linking',
      entry: 'linkClient',
      always: {
        guard: 'isLinkedNow',
        target: 'settled',
        actions: { type: 'toAccount', params: { type: 'account.refresh' } },
      },
      after: { linkTimeout: { target: 'settled', actions: 'showLinkFailure' } },
    },
    unlinking: {
      tags: 'unlinking',
      invoke: {
        src: 'unlinkMachine',
        input: ({ context: { report } }) => ({ machine: report.machine ?? '' }),
        onDone: [
          {
            guard: ({ event }: { event: CallDone }) => event.output.ok,
            target: 'unlinked',
            actions: [
              'discardDraft',
              'restartClient',
              'showStillLinkedMessage',
              { type: 'toAccount', params: { type: 'account.refresh' } },
            ],
          },
          {
            target: 'settled',
            actions: [
              {
                type: 'showFailure',
                params: ({ event }) => ({ operation: t`Unlinking the machine`, fault: faultOf(event.output) }),
              },
              { type: 'restartIfUncertain', params: ({ event }) => faultOf(event.output) },
            ],
          },
        ],
        onError: 'settled',
      },
    },
    unlinked: {
      description:
        'The account no longer has the machine. A direct client stays, and soon reports that it has no account.',
      tags: 'unlinking',
      entry: 'emitUnlinked',
      always: { guard: 'isUnlinkedNow', target: 'settled' },
      after: { linkTimeout: 'settled' },
    },
  },
})

export type ClientSettingsRef = ActorRefFrom<typeof clientSettingsMachine>
export type ClientSettingsSnapshot = SnapshotFrom<typeof clientSettingsMachine>

const DISCONNECTED = t`The machine is not connected. Your changes stay here until it is back.`

const linkFailureMessage: Message = {
  level: 'error',
  title: t`Linking the machine failed`,
  text: t`The machine did not confirm the link. It may be offline, or unable to reach the account server; its log says which.`,
}

function stillLinkedMessage(name: string): Message {
  return {
    level: 'info',
    title: t`The machine does not know yet`,
    text: t`${name} no longer belongs to your account, but it is not connected now. It is informed as soon as this page can reach it, or when it next connects.`,
  }
}

export function nameToLink({ linkName: typed, report }: ClientSettingsContext): string {
  return typed ?? linkName(report.name)
}

/** Why the client cannot be linked now; undefined if it can. */
export function linkBlocker(context: ClientSettingsContext): string | undefined {
  const { isConnected, isSignedIn, isLinked, isOverBorder } = context.report
  if (!isSignedIn) return t`You are not logged in.`
  if (isLinked) return t`This machine is already linked.`
  if (isConnected && isOverBorder) return t`Simulated and real do not mix: this machine cannot belong to this account.`
  return isConnected ? checkClientName(nameToLink(context)) : t`The machine is not connected.`
}
