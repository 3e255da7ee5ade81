import { assign, enqueueActions, setup, type SnapshotFrom } from 'xstate'
import { t } from '@lingui/core/macro'
import { isSameList } from '../../../folding/shared/equal.ts'
import { shardedGet } from '../../../folding/shared/sharded-map.ts'
import type { BulkAction } from '../../../folding/fleet/bulk-action.ts'
import type { ClientEvent } from '../../connection/client/client.events.ts'
import { isJobBegun } from '../../connection/client/client.setup.ts'
import type { ClientGone } from '../../connection/fleet/fleet.events.ts'
import type { BulkPartEvent } from '../bulk-part/bulk-part.events.ts'
import { actorOf, sendToSibling, siblingOf } from '../../shared/siblings.ts'
import { bulkPartMachine, partSystemId } from '../bulk-part/bulk-part.machine.ts'
import {
  EMPTY,
  asksSomething,
  fleetOf,
  fleetState,
  followingRun,
  hasForm,
  idleCommands,
  isComplete,
  isFinished,
  isPlain,
  noteCommands,
  planNow,
  startRun,
  stopRun,
  tagCommands,
  unconfirmedIds,
  undoOf,
  withState,
  withLocalDone,
  type BulkContext,
  type Draft,
  type PartState,
} from './bulk.context.ts'
import type { BulkEvent, BulkQuick } from './bulk.events.ts'

/** How many clients are begun at once: a thousand in one turn would block the page. */
const PART = 100

type Opening = { readonly action: BulkAction; readonly ids: readonly string[] }

export const bulkMachine = setup({
  types: { context: {} as BulkContext, events: {} as BulkEvent },
  actors: { part: bulkPartMachine },
  delays: { nextTurn: 0, refreshPace: 2000 },
  guards: {
    isFilledIn: ({ context: { draft } }) => draft !== undefined && isComplete(draft.action),
    hasDraftForm: ({ context: { draft } }) => draft !== undefined && hasForm(draft.action) && !draft.isRetry,
    isPlain: ({ context: { plan } }) => plan !== undefined && isPlain(plan),
    changesSomething: ({ context: { plan } }) => plan !== undefined && plan.counts.change > 0,
    isFinished: ({ context: { run } }) => run === undefined || isFinished(run),
    hasNext: ({ context }) => context.next.length > 0,
    isAboutGroup: (_, { group }: BulkQuick) => group !== undefined,
    hasUnconfirmed: ({ context: { run } }) => run !== undefined && run.counts.ignored + run.counts.failed > 0,
    canUndo: ({ context: { run } }) => run !== undefined && undoOf(run) !== undefined,
  },
  actions: {
    askOrHold: enqueueActions(({ context, enqueue, system }, quick: BulkQuick) => {
      const { action, ids, group } = quick
      if (action.kind !== 'state' || (group === undefined && asksSomething(planNow(quick, system)))) {
        // Of several for the same clients the last one counts.
        enqueue.assign({ next: [...context.next.filter(other => !isSameList(other.ids, ids)), { action, ids }] })
        return
      }
      const event = { type: 'client.setState', state: action.state, ...(group === undefined ? {} : { group }) } as const
      for (const id of ids) {
        const client = siblingOf(system, `client:${id}`)
        if (client !== undefined) enqueue.sendTo(client, event satisfies ClientEvent)
      }
    }),
    openNext: assign(({ context: { next } }) => {
      const [first, ...others] = next
      return { next: others, draft: first === undefined ? undefined : { ...first, isRetry: false } }
    }),
    open: assign((_, { action, ids }: Opening) => ({ draft: { action, ids, isRetry: false } })),
    edit: assign(({ context: { draft } }, action: BulkAction) =>
      draft === undefined || draft.action.kind !== action.kind ? {} : { draft: { ...draft, action } },
    ),
    plan: assign(({ context: { draft }, system }) => ({
      plan: draft === undefined ? undefined : planNow(draft, system),
    })),
    start: enqueueActions(({ context: { draft, plan, run: last }, enqueue, system }) => {
      if (draft === undefined || plan === undefined) return
      const run = startRun(draft, plan, planNow(draft, system), last)
      const state = draft.isRetry ? undefined : fleetState(run, fleetOf(system), draft.ids)
      enqueue.assign({ run: state === undefined ? withLocalDone(run) : followingRun(run, state) })
      for (const command of tagCommands(run)) sendToSibling({ enqueue, system }, 'tags', command)
      for (const command of noteCommands(run)) sendToSibling({ enqueue, system }, 'processors', command)
      for (const command of idleCommands(run)) sendToSibling({ enqueue, system }, 'idleTimes', command)
      if (state !== undefined && run.waiting.length > 0)
        sendToSibling({ enqueue, system }, 'fleet', { type: 'fleet.setState', state })
    }),
    closeDraft: assign({ draft: undefined, plan: undefined }),
    /** Clients that left cannot be changed; one that is shown over another connection is. */
    follow: assign(({ context: { draft } }, clients: readonly ClientGone[]) => {
      if (draft === undefined) return {}
      const gone = new Map(clients.map(client => [client.id, client]))
      return {
        draft: {
          ...draft,
          ids: [...new Set(draft.ids.flatMap(id => (gone.has(id) ? (gone.get(id)?.shownAs ?? []) : [id])))],
        },
      }
    }),
    prepareRetry: assign(({ context: { run } }) => ({
      draft:
        run === undefined
          ? undefined
          : ({ action: run.action, ids: unconfirmedIds(run), isRetry: true } satisfies Draft),
    })),
    clear: assign(EMPTY),
    spawnNext: assign(({ context: { run }, spawn }) => {
      if (run === undefined) return {}
      for (const id of run.waiting.slice(0, PART)) {
        const work = shardedGet(run.entries, id)?.work
        if (work !== undefined) spawn('part', { id, systemId: partSystemId(id), input: { id, work } })
      }
      return { run: { ...run, waiting: run.waiting.slice(PART) } }
    }),
    scheduleNext: enqueueActions(({ context: { run }, enqueue }) => {
      if (run !== undefined && run.waiting.length > 0)
        enqueue.raise({ type: 'bulk.next' }, { delay: 'nextTurn', id: 'bulk.next' })
    }),
    note: assign(({ context: { run } }, { id, state }: { id: string; state: PartState }) =>
      run === undefined ? {} : { run: withState(run, id, state) },
    ),
    stopPart: enqueueActions(({ enqueue }, id: string) => {
      enqueue.stopChild(id)
    }),
    /** Takes back what waits in the queues of clients. */
    stopParts: enqueueActions(({ context: { run }, enqueue, self, system }) => {
      enqueue.cancel('bulk.next')
      const begun = new Set<string>()
      for (const id of Object.keys((self.getSnapshot() as BulkSnapshot).children)) {
        enqueue.stopChild(id)
        const client = siblingOf(system, `client:${id}`)
        if (client === undefined) continue
        const to = partSystemId(id)
        if (isJobBegun(client.getSnapshot().context, to)) begun.add(id)
        enqueue.sendTo(client, { type: 'client.withdraw', to } satisfies ClientEvent)
      }
      enqueue.assign({ run: run === undefined ? undefined : stopRun(run, id => begun.has(id)) })
    }),
    endPartsOfLeftClients: enqueueActions(({ enqueue, system }, clients: readonly ClientGone[]) => {
      for (const { id, shownAs } of clients) {
        const part = shownAs === undefined ? actorOf(system, partSystemId(id)) : undefined
        if (part !== undefined) enqueue.sendTo(part, { type: 'part.left' } satisfies BulkPartEvent)
      }
    }),
    /** The account's list has other names, or fewer clients. */
    refreshAccount: enqueueActions(({ context: { run }, enqueue, system }) => {
      const kind = run?.action.kind === 'undo' ? run.action.of : run?.action.kind
      if (kind === 'rename' || kind === 'unlink')
        sendToSibling({ enqueue, system }, 'account', { type: 'account.refresh' })
    }),
  },
}).createMachine({
  id: 'bulk',
  description: 'One action on many machines: prepared, previewed, done by a part for each machine, and undone.',
  context: EMPTY,
  initial: 'idle',
  on: {
    'bulk.reset': { target: '.idle', actions: ['stopParts', 'clear'] },
    'bulk.quick': { actions: { type: 'askOrHold', params: ({ event }) => event } },
    'bulk.machinesGone': {
      actions: [
        { type: 'follow', params: ({ event }) => event.machines },
        { type: 'endPartsOfLeftClients', params: ({ event }) => event.machines },
      ],
    },
  },
  states: {
    idle: {
      description: 'Nothing is prepared. The result of the last action stays until it is dismissed.',
      tags: 'ready',
      always: { guard: 'hasNext', target: 'judging', actions: 'openNext' },
      on: {
        'bulk.open': [
          {
            guard: ({ event }) => hasForm(event.action),
            target: 'form',
            actions: { type: 'open', params: ({ event }) => event },
          },
          { target: 'preview', actions: { type: 'open', params: ({ event }) => event } },
        ],
        'bulk.quick': [
          {
            guard: { type: 'isAboutGroup', params: ({ event }) => event },
            actions: { type: 'askOrHold', params: ({ event }) => event },
          },
          { target: 'judging', actions: { type: 'open', params: ({ event }) => event } },
        ],
        'bulk.retry': { guard: 'hasUnconfirmed', target: 'preview', actions: 'prepareRetry' },
        'bulk.undo': {
          guard: 'canUndo',
          target: 'judging',
          actions: assign(({ context: { run } }) => ({ draft: run === undefined ? undefined : undoOf(run) })),
        },
        'bulk.dismiss': { actions: 'clear' },
      },
    },
    judging: {
      description: 'Decides whether the action needs a preview.',
      entry: 'plan',
      always: [{ guard: 'isPlain', target: 'running', actions: 'start' }, { target: 'preview' }],
    },
    form: {
      tags: 'form',
      on: {
        'bulk.edit': { actions: { type: 'edit', params: ({ event }) => event.action } },
        'bulk.showPreview': { guard: 'isFilledIn', target: 'preview' },
        'bulk.cancel': { target: 'idle', actions: 'closeDraft' },
      },
    },
    preview: {
      tags: 'preview',
      entry: 'plan',
      on: {
        'bulk.edit': {
          target: 'preview',
          reenter: true,
          actions: { type: 'edit', params: ({ event }) => event.action },
        },
        'bulk.machinesGone': {
          target: 'preview',
          reenter: true,
          actions: { type: 'follow', params: ({ event }) => event.machines },
        },
        'bulk.showForm': { guard: 'hasDraftForm', target: 'form' },
        'bulk.confirm': { guard: 'changesSomething', target: 'running', actions: 'start' },
        'bulk.cancel': { target: 'idle', actions: 'closeDraft' },
      },
      // Clients change while the preview is read.
      after: { refreshPace: { target: 'preview', reenter: true } },
    },
    running: {
      tags: 'running',
      entry: ['closeDraft', 'spawnNext', 'scheduleNext'],
      always: { guard: 'isFinished', target: 'idle', actions: 'refreshAccount' },
      on: {
        'bulk.next': { actions: ['spawnNext', 'scheduleNext'] },
        'part.sent': { actions: { type: 'note', params: ({ event }) => ({ id: event.id, state: { kind: 'asked' } }) } },
        'part.settled': {
          actions: [
            { type: 'note', params: ({ event }) => ({ id: event.id, state: event.outcome }) },
            { type: 'stopPart', params: ({ event }) => event.id },
          ],
        },
        'xstate.error.actor.*': {
          actions: {
            type: 'note',
            params: ({ event }) => ({ id: event.actorId, state: { kind: 'failed', because: PAGE_FAILED } }),
          },
        },
        'bulk.stop': { actions: 'stopParts' },
      },
    },
  },
})

const PAGE_FAILED = t`A part of this page failed.`

export type BulkSnapshot = SnapshotFrom<typeof bulkMachine>
