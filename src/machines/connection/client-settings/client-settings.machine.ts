import { t } from '@lingui/core/macro'
import {
  assign,
  enqueueActions,
  sendParent,
  setup,
  type ActorRefFrom,
  type AnyActorRef,
  type DoneActorEvent,
  type SnapshotFrom,
} from 'xstate'
import { linkName } from '../../../folding/machine/client.ts'
import { withEdits, type Patch } from '../../../folding/shared/edits.ts'
import { faultText } from '../../../folding/shared/fault-text.ts'
import {
  checkGroupName,
  checkMachineForm,
  configToSend,
  needsClient,
  newGroup,
  seenWith,
  settledForm,
  type MachineForm,
} from '../../../folding/machine/machine-form.ts'
import { checkMachineName, newGroupName } from '../../../folding/shared/validation.ts'
import { faultOf, isSessionOver, mayHaveWorked, type ApiFault, type ApiResult } from '../../../protocol/api-fault.ts'
import type { AccountEvent } from '../../account/account/account.events.ts'
import { emptyTask } from '../../shared/actor-placeholder.ts'
import type { DialogsEvent, Message } from '../../shared/dialogs/dialogs.events.ts'
import type { DraftEvent } from '../../shared/draft/draft.events.ts'
import type { DraftSaving } from '../../shared/draft/draft.reducer.ts'
import { createDraftMachine, type DraftRef } from '../../shared/draft/draft.machine.ts'
import type {
  ClientSettingsEmitted,
  ClientSettingsEvent,
  ClientSettingsNews,
  SettingsReport,
} from './client-settings.events.ts'

export type MachineDraftRef = DraftRef<MachineForm>

export type ClientSettingsInput = {
  /** The client's id in the fleet. */
  readonly id: string
  readonly report: SettingsReport
}

export type ClientSettingsContext = {
  readonly id: string
  readonly report: SettingsReport
  readonly draft: MachineDraftRef
  /** What is on the screen. */
  readonly drafted: MachineForm
  readonly hindrance: string | undefined
  /** What the person has seen of what the machine reports. */
  readonly seen: MachineForm
  /** The resource group that is shown. */
  readonly group: string
  /** The name to link it under; undefined as long as nothing was typed. */
  readonly linkName: string | undefined
}

export const machineDraftMachine = createDraftMachine<MachineForm>({
  id: 'machine',
  systemId: 'machine:draft',
  complaintsOf: checkMachineForm,
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
    /** Saving is a call of the account where the name changes, and nothing else; the rest is told to the client afterwards. */
    machineDraft: machineDraftMachine,
    unlinkMachine: emptyTask<ApiResult<unknown>, { readonly machine: string }>('unlinkMachine'),
  },
  /**
   * Long enough for a client that asks its account again and again; it never says that it failed
   * (docs/protocol.md §11.1).
   */
  delays: { linkTime: 20_000 },
  guards: {
    isDone: (_, result: ApiResult<unknown>) => result.ok,
    canLink: ({ context }) => whyNotLinked(context) === undefined,
    canUnlink: ({ context: { report } }) => report.isLinked && report.machine !== undefined,
    isLinkedNow: ({ context: { report } }) => report.isLinked,
    isUnlinkedNow: ({ context: { report } }) => !report.isLinked,
    isGroupName: ({ context: { drafted } }, typed: string) =>
      checkGroupName(typed, Object.keys(drafted.groups ?? {})) === undefined,
    renames: (_, { before, value }: DraftSaving<MachineForm>) => before.linked?.name !== value.linked?.name,
  },
  actions: {
    take: assign(({ context }, report: SettingsReport) => ({ report, seen: seenWith(context.seen, report.form) })),
    load: enqueueActions(({ context: { draft, report }, enqueue }) => {
      enqueue.sendTo(draft, { type: 'draft.loaded', value: report.form } satisfies DraftEvent<MachineForm>)
    }),
    note: assign((_, { value }: { value: MachineForm }) => ({ drafted: value })),
    /** What concerns the account alone can be saved while the machine is away. */
    hinder: enqueueActions(({ context: { draft, drafted, report, hindrance }, enqueue }) => {
      const because = !report.isConnected && needsClient(drafted, report.form) ? DISCONNECTED : undefined
      if (because === hindrance) return
      enqueue.assign({ hindrance: because })
      enqueue.sendTo(draft, { type: 'draft.hindered', because } satisfies DraftEvent<MachineForm>)
    }),
    edit: enqueueActions(({ context: { draft }, enqueue }, change: Patch<MachineForm>) => {
      enqueue.sendTo(draft, { type: 'draft.edit', change } satisfies DraftEvent<MachineForm>)
    }),
    discard: enqueueActions(({ context: { draft }, enqueue }) => {
      enqueue.sendTo(draft, { type: 'draft.discard' } satisfies DraftEvent<MachineForm>)
    }),
    show: assign((_, group: string) => ({ group })),
    addGroup: enqueueActions(({ context: { draft, drafted, report }, enqueue }, name: string) => {
      if (Object.hasOwn(drafted.groups ?? {}, name)) return
      const known = report.form.groups ?? {}
      // One that was deleted here only, and not saved yet, comes back as it was.
      const group = (Object.hasOwn(known, name) ? known[name] : undefined) ?? newGroup(known[''])
      enqueue.sendTo(draft, {
        type: 'draft.edit',
        change: { groups: { [name]: group } },
      } satisfies DraftEvent<MachineForm>)
    }),
    nameLink: assign((_, name: string) => ({ linkName: name })),
    seeAll: assign(({ context: { report } }) => ({ seen: report.form })),
    /** What was changed elsewhere is still news, though something else was saved here. */
    seeSaved: assign(({ context: { seen } }, { before, value }: DraftSaving<MachineForm>) => ({
      seen: withEdits(seen, before, value),
    })),
    tellClient: enqueueActions(({ context: { report }, enqueue }, value: MachineForm) => {
      const config = configToSend(value, report.form)
      if (config !== undefined) enqueue.sendParent({ type: 'client.configure', ...config } satisfies ClientSettingsNews)
    }),
    restartClient: sendParent({ type: 'client.restart' } satisfies ClientSettingsNews),
    // The machine may have been taken from the account though no answer came. To reconnect does it no harm.
    restartIfUnsure: enqueueActions(({ enqueue }, fault: ApiFault) => {
      if (mayHaveWorked(fault)) enqueue.sendParent({ type: 'client.restart' } satisfies ClientSettingsNews)
    }),
    tellUntold: enqueueActions(({ context: { report }, enqueue, system }) => {
      const dialogs = system.get('dialogs') as AnyActorRef | undefined
      if (dialogs !== undefined && !report.isConnected)
        enqueue.sendTo(dialogs, { type: 'dialogs.tell', message: untoldMessage(report.name) } satisfies DialogsEvent)
    }),
    refuse: enqueueActions(({ context: { draft }, enqueue }, because: string) => {
      enqueue.sendTo(draft, { type: 'draft.ignored', because } satisfies DraftEvent<MachineForm>)
    }),
    toAccount: enqueueActions(({ enqueue, system }, event: AccountEvent) => {
      const account = system.get('account') as AnyActorRef | undefined
      if (account !== undefined) enqueue.sendTo(account, event)
    }),
    linkClient: enqueueActions(({ context, enqueue, system }) => {
      const account = system.get('account') as AnyActorRef | undefined
      const event: AccountEvent = {
        type: 'account.linkClient',
        id: context.id,
        name: nameToLink(context),
        isAsked: true,
      }
      if (account !== undefined) enqueue.sendTo(account, event)
    }),
    tellNotLinked: enqueueActions(({ enqueue, system }) => {
      const dialogs = system.get('dialogs') as AnyActorRef | undefined
      if (dialogs !== undefined)
        enqueue.sendTo(dialogs, { type: 'dialogs.tell', message: notLinkedMessage } satisfies DialogsEvent)
    }),
    tellFailure: enqueueActions(({ enqueue, system }, { operation, fault }: Failure) => {
      const dialogs = system.get('dialogs') as AnyActorRef | undefined
      const account = system.get('account') as AnyActorRef | undefined
      if (account !== undefined && isSessionOver(fault))
        enqueue.sendTo(account, { type: 'account.sessionEnded' } satisfies AccountEvent)
      else if (dialogs !== undefined)
        enqueue.sendTo(dialogs, {
          type: 'dialogs.tell',
          message: { level: 'error', title: `${operation} failed`, text: faultText(fault) },
        } satisfies DialogsEvent)
      if (account !== undefined && mayHaveWorked(fault))
        enqueue.sendTo(account, { type: 'account.refresh' } satisfies AccountEvent)
    }),
    tellUnlinked: enqueueActions(({ context: { report }, enqueue }) => {
      if (!report.isDirect) enqueue.emit({ type: 'settings.unlinked' })
    }),
  },
}).createMachine({
  id: 'clientSettings',
  description: 'What can be changed of one machine, while its page is open: its draft, and whose it is.',
  context: ({ input: { id, report }, spawn }) => {
    const systemId = `${settingsSystemId(id)}:draft`
    const draft = spawn('machineDraft', { id: 'draft', systemId, input: { value: report.form, systemId } })
    return {
      id,
      report,
      draft,
      drafted: report.form,
      hindrance: undefined,
      seen: report.form,
      group: '',
      linkName: undefined,
    }
  },
  initial: 'settled',
  on: {
    'settings.reported': { actions: [{ type: 'take', params: ({ event }) => event.report }, 'load', 'hinder'] },
    'settings.ignored': { actions: { type: 'refuse', params: ({ event }) => event.because } },
    'settings.showGroup': { actions: { type: 'show', params: ({ event }) => event.name } },
    'settings.addGroup': {
      guard: { type: 'isGroupName', params: ({ event }) => event.typed },
      actions: [
        { type: 'addGroup', params: ({ event }) => newGroupName(event.typed) },
        { type: 'show', params: ({ event }) => newGroupName(event.typed) },
      ],
    },
    'settings.deleteGroup': {
      actions: [
        { type: 'edit', params: ({ event }) => ({ groups: { [event.name]: undefined } }) },
        { type: 'show', params: '' },
      ],
    },
    'settings.nameLink': { actions: { type: 'nameLink', params: ({ event }) => event.name } },
    'settings.dismiss': { actions: 'seeAll' },
    'draft.changed': { actions: [{ type: 'note', params: ({ event }) => event }, 'hinder'] },
    'draft.sent': [
      {
        guard: { type: 'renames', params: ({ event }) => event },
        actions: [
          { type: 'tellClient', params: ({ event }) => event.value },
          'restartClient',
          { type: 'toAccount', params: { type: 'account.refresh' } },
        ],
      },
      { actions: { type: 'tellClient', params: ({ event }) => event.value } },
    ],
    'draft.saved': { actions: { type: 'seeSaved', params: ({ event }) => event } },
    'draft.failed': {
      actions: {
        type: 'tellFailure',
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
      description: 'It was told the token of the account. It is linked when it says whose it is.',
      tags: 'linking',
      entry: 'linkClient',
      always: {
        guard: 'isLinkedNow',
        target: 'settled',
        actions: { type: 'toAccount', params: { type: 'account.refresh' } },
      },
      after: { linkTime: { target: 'settled', actions: 'tellNotLinked' } },
    },
    unlinking: {
      tags: 'unlinking',
      invoke: {
        src: 'unlinkMachine',
        input: ({ context: { report } }) => ({ machine: report.machine ?? '' }),
        onDone: [
          {
            guard: { type: 'isDone', params: ({ event }: { event: CallDone }) => event.output },
            target: 'unlinked',
            actions: [
              'discard',
              'restartClient',
              'tellUntold',
              { type: 'toAccount', params: { type: 'account.refresh' } },
            ],
          },
          {
            target: 'settled',
            actions: [
              {
                type: 'tellFailure',
                params: ({ event }) => ({ operation: 'Unlinking the machine', fault: faultOf(event.output) }),
              },
              { type: 'restartIfUnsure', params: ({ event }) => faultOf(event.output) },
            ],
          },
        ],
        onError: 'settled',
      },
    },
    unlinked: {
      description:
        'The account does not have it any more. One that is reached directly stays, and says soon that it belongs to nobody.',
      tags: 'unlinking',
      entry: 'tellUnlinked',
      always: { guard: 'isUnlinkedNow', target: 'settled' },
      after: { linkTime: 'settled' },
    },
  },
})

export type ClientSettingsRef = ActorRefFrom<typeof clientSettingsMachine>
export type ClientSettingsSnapshot = SnapshotFrom<typeof clientSettingsMachine>

/** Under which the answers to questions find the settings of a client. */
export const settingsSystemId = (client: string): string => `client:${client}:settings`

const DISCONNECTED = t`The machine is not connected. What you typed is kept until it is back.`

const notLinkedMessage: Message = {
  level: 'error',
  title: t`Linking the machine failed`,
  text: t`The machine has not said that it was linked. It may be offline, or unable to reach the account server. It does not say which; its log does.`,
}

const untoldMessage = (name: string): Message => ({
  level: 'info',
  title: t`The machine does not know it yet`,
  text: t`${name} does not belong to your account any more, but it is not connected now. It is told as soon as it can be reached from this page; otherwise it finds out when it next connects.`,
})

/** The name that it would be linked under. */
export const nameToLink = ({ linkName: typed, report }: ClientSettingsContext): string => typed ?? linkName(report.name)

/** Why it cannot be linked now; undefined when it can. */
export const whyNotLinked = (context: ClientSettingsContext): string | undefined => {
  const { isConnected, isSignedIn, isLinked } = context.report
  if (!isSignedIn) return t`Nobody is logged in.`
  if (isLinked) return t`It is linked already.`
  return isConnected ? checkMachineName(nameToLink(context)) : t`The machine is not connected.`
}
