import { t } from '@lingui/core/macro'
import { enqueueActions, setup, type DoneActorEvent } from 'xstate'
import { apiFaultText } from '../../../folding/text/fault-text.ts'
import type { BulkWork } from '../../../folding/fleet/bulk-action.ts'
import {
  faultOf,
  isSessionOver,
  mayHaveWorked,
  type ApiFault,
  type ApiResult,
} from '../../../protocol/api/api-fault.ts'
import type { ClientEvent } from '../../connection/client/client.events.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling, siblingOf } from '../../shared/siblings.ts'
import type { BulkPartEvent, BulkPartInput, BulkPartNotification, PartOutcome } from './bulk-part.events.ts'

/** The part of a bulk action that calls the account's API. */
export type AccountWork = Exclude<BulkWork, { readonly kind: 'commands' | 'follow' | 'note' | 'tag' }>

type CallDone = DoneActorEvent<ApiResult<unknown>>

/** The system id of a client's part. `id`: the client's id in the fleet. */
export function partSystemId(id: string): string {
  return `bulk:${id}`
}

/** A client’s queue sends a command of a kind a second. */
const TIMEOUT = 15_000
/** A client says after two minutes at the latest what became of a command. */
const ANSWER_TIMEOUT = 150_000

const LEFT = t`It left.`
const NOT_SENT = t`It could not be sent in time.`
const NO_ANSWER = t`The machine did not respond.`
const PAGE_FAILED = t`This page could not call the account.`

/** A call whose response was lost may have worked. */
function outcomeOf(fault: ApiFault): PartOutcome {
  return {
    kind: mayHaveWorked(fault) ? 'ignored' : 'failed',
    because: apiFaultText(fault),
  }
}

export const bulkPartMachine = setup({
  types: { context: {} as BulkPartInput, events: {} as BulkPartEvent, input: {} as BulkPartInput },
  actors: { callAccount: taskPlaceholder<ApiResult<unknown>, AccountWork>('callAccount') },
  delays: {
    timeout: ({ context: { work } }) => TIMEOUT + (work.kind === 'commands' ? work.commands.length : 0) * 1000,
    answerTimeout: ANSWER_TIMEOUT,
  },
  guards: {
    isForClient: ({ context: { work } }) => work.kind === 'commands' || work.kind === 'follow',
  },
  actions: {
    sendCommands: enqueueActions(({ context: { id, work }, enqueue, system, self }) => {
      const client = siblingOf(system, `client:${id}`)
      if (work.kind !== 'commands' && work.kind !== 'follow') return
      if (client === undefined) enqueue.sendTo(self, { type: 'part.left' } satisfies BulkPartEvent)
      else
        enqueue.sendTo(
          client,
          (work.kind === 'follow'
            ? { type: 'client.follow', to: partSystemId(id), command: work.command }
            : { type: 'client.run', to: partSystemId(id), commands: work.commands }) satisfies ClientEvent,
        )
    }),
    /** The client learns its new name, or that it has no account, when it connects to its account again. */
    restartClient: enqueueActions(args => {
      sendToSibling(args, `client:${args.context.id}`, { type: 'client.restart' })
    }),
    endSession: enqueueActions((args, fault: ApiFault) => {
      if (isSessionOver(fault)) sendToSibling(args, 'account', { type: 'account.sessionEnded' })
    }),
    notifySent: enqueueActions(({ context: { id }, enqueue }) => {
      enqueue.sendParent({ type: 'part.sent', id } satisfies BulkPartNotification)
    }),
    notifySettled: enqueueActions(({ context: { id }, enqueue }, outcome: PartOutcome) => {
      enqueue.sendParent({ type: 'part.settled', id, outcome } satisfies BulkPartNotification)
    }),
  },
}).createMachine({
  id: 'bulkPart',
  description: 'The part of one machine in a bulk action: asked, then confirmed, ignored or failed.',
  context: ({ input }) => input,
  initial: 'deciding',
  states: {
    deciding: { always: [{ guard: 'isForClient', target: 'waiting' }, { target: 'calling' }] },
    waiting: {
      description: 'The commands wait in the client’s queue: it takes one of a kind a second.',
      entry: 'sendCommands',
      on: {
        'job.sent': { target: 'asked', actions: 'notifySent' },
        'job.confirmed': 'confirmed',
        'job.ignored': {
          target: 'failed',
          actions: { type: 'notifySettled', params: ({ event }) => ({ kind: 'failed', because: event.because }) },
        },
        'part.left': {
          target: 'failed',
          actions: { type: 'notifySettled', params: { kind: 'failed', because: LEFT } },
        },
      },
      after: {
        timeout: {
          target: 'failed',
          actions: { type: 'notifySettled', params: { kind: 'failed', because: NOT_SENT } },
        },
      },
    },
    asked: {
      on: {
        'job.confirmed': 'confirmed',
        'job.ignored': {
          target: 'ignored',
          actions: { type: 'notifySettled', params: ({ event }) => ({ kind: 'ignored', because: event.because }) },
        },
        'part.left': {
          target: 'ignored',
          actions: { type: 'notifySettled', params: { kind: 'ignored', because: LEFT } },
        },
      },
      after: {
        answerTimeout: {
          target: 'ignored',
          actions: { type: 'notifySettled', params: { kind: 'ignored', because: NO_ANSWER } },
        },
      },
    },
    calling: {
      entry: 'notifySent',
      invoke: {
        src: 'callAccount',
        input: ({ context: { work } }) => work as AccountWork,
        onDone: [
          {
            guard: ({ event }: { event: CallDone }) => event.output.ok,
            target: 'confirmed',
            actions: 'restartClient',
          },
          {
            target: 'failed',
            actions: [
              { type: 'endSession', params: ({ event }) => faultOf(event.output) },
              { type: 'notifySettled', params: ({ event }) => outcomeOf(faultOf(event.output)) },
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'notifySettled', params: { kind: 'failed', because: PAGE_FAILED } },
        },
      },
    },
    confirmed: {
      type: 'final',
      entry: { type: 'notifySettled', params: { kind: 'confirmed' } },
    },
    ignored: { type: 'final' },
    failed: { type: 'final' },
  },
})
