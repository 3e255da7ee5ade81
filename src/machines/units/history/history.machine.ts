import { t } from '@lingui/core/macro'
import {
  assign,
  enqueueActions,
  not,
  sendParent,
  sendTo,
  setup,
  type ActorRefFrom,
  type DoneActorEvent,
  type SnapshotFrom,
} from 'xstate'
import { loadErrorText } from '../../../folding/shared/load-fault.ts'
import { clonesOf } from '../../../folding/client/client-key.ts'
import { isOfAccount, SIMULATION, type ArchivedClient } from '../../../folding/unit/archived-client.ts'
import {
  emptyHistory,
  withoutSimulated,
  endOf,
  belongsToOtherAccount,
  latestEnd,
  newInReport,
  withExcerpt,
  withoutClients,
  withoutExcerpt,
  type Excerpt,
  type History,
} from '../../../folding/unit/history.ts'
import { rowsOf, viewRows, type UnitView } from '../../../folding/unit/unit-rows.ts'
import { creditedExcerpt, leftOutExcerpt } from '../../../folding/unit/credits.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'
import { nextToRequest, wantsMore, type WantedClients } from './history.requests.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type {
  CutOffs,
  Durability,
  Exported,
  ExportTask,
  FileOutcome,
  HistoryEvent,
  HistoryNotification,
  HistoryReader,
  ImportResult,
  ImportTask,
  HistoryStoreCommand,
  HistoryStoreFault,
} from './history.events.ts'

export type HistoryContext = {
  readonly history: History
  readonly cutOffs: CutOffs
  /** What simulated clients did: part of the history once one of them is connected. */
  readonly apart: Excerpt
  /** Id of the signed-in account; null when signed out, undefined until known. */
  readonly account: string | null | undefined
  /** Why nothing is stored; undefined when storing works. */
  readonly storeFault: HistoryStoreFault | undefined
  /** Undefined until there is a history. */
  readonly durability: Durability | undefined
  /** What clients reported before the stored units were loaded. */
  readonly early: readonly Report[]
  /** The connections of clients that were asked and have not answered yet. */
  readonly awaited: readonly string[]
  readonly outcome: FileOutcome | undefined
  /** What the last file brought, until that is dismissed. */
  readonly imported: Excerpt | undefined
  readonly wanted: WantedClients
  /** Whether more clients of the account are asked than `MOST_REQUESTED`. */
  readonly isUnlimited: boolean
  readonly isPageHidden: boolean
  /** The client of the account that is asked next. */
  readonly next: string | undefined
}

type Report = { readonly connection: string; readonly machine: ArchivedClient; readonly units: readonly Unit[] }
type Wanted = { readonly reader: HistoryReader; readonly machines: readonly string[] | 'all' }
type ImportDone = DoneActorEvent<ImportResult>

function refused(reason: string): { readonly outcome: FileOutcome } {
  return { outcome: { kind: 'refused', reason } }
}

const noExcerpt: Excerpt = { machines: [], units: [] }

export const historyMachine = setup({
  types: { context: {} as HistoryContext, events: {} as HistoryEvent },
  actors: {
    historyStore: actorPlaceholder<HistoryStoreCommand, undefined>('historyStore'),
    exportUnits: taskPlaceholder<Exported, ExportTask>('exportUnits'),
    importUnits: taskPlaceholder<ImportResult, ImportTask>('importUnits'),
  },
  // A client sends all that it keeps, up to 500 units (docs/protocol.md §7), so those of an account are asked slowly.
  // A client of a version that knows no history never answers.
  delays: { requestPace: 1000, searchPace: 10_000, answerTimeout: 10_000 },
  guards: {
    wantsMore: ({ context }) => wantsMore(context),
    haveAllAnswered: ({ context }) => context.awaited.length === 0,
    isOneDue: ({ context }) => context.next !== undefined,
  },
  actions: {
    loadStored: sendTo('historyStore', { type: 'store.load' } satisfies HistoryStoreCommand),
    notifyClones: enqueueActions(({ context: { history }, enqueue }) => {
      const clones = clonesOf(history.machines.keys())
      if (Object.keys(clones).length > 0)
        enqueue.sendParent({ type: 'history.clonesFound', clones } satisfies HistoryNotification)
    }),
    notifyRequested: sendParent({ type: 'history.requested' } satisfies HistoryNotification),
    assignWanted: assign(({ context }, { reader, machines: clients }: Wanted) => ({
      wanted: { ...context.wanted, [reader]: clients },
    })),
    requestNext: enqueueActions(({ context: { next }, enqueue }) => {
      if (next !== undefined)
        enqueue.sendParent({ type: 'history.requested', ids: [next] } satisfies HistoryNotification)
    }),
    await: assign(({ context: { awaited } }, connection: string) => ({ awaited: [...awaited, connection] })),
    assignStored: assign(({ context }, { excerpt, cutOffs }: { excerpt: Excerpt; cutOffs: CutOffs }) => {
      const { real, apart } = withoutSimulated(excerpt)
      return {
        history: withoutClients(withExcerpt(context.history, real), client => isForeign(context, client)),
        apart,
        cutOffs: { ...cutOffs, ...context.cutOffs },
      }
    }),
    addSimulated: assign(({ context: { history, apart } }) => ({
      history: withExcerpt(history, apart),
      apart: noExcerpt,
    })),
    addReported: enqueueActions(({ context, enqueue }, { machine: client, units }: Report) => {
      if (isForeign(context, client)) return
      const cutOff = cutOffOf(context.cutOffs, client)
      const excerpt = newInReport(
        context.history,
        client,
        units.filter(unit => cutOff === undefined || (endOf(unit) ?? 0) > cutOff),
      )
      if (excerpt.machines.length === 0 && excerpt.units.length === 0) return
      enqueue.assign({ history: withExcerpt(context.history, excerpt) })
      enqueue.sendTo('historyStore', { type: 'store.save', excerpt } satisfies HistoryStoreCommand)
    }),
    addEarlyReports: enqueueActions(({ context: { early }, enqueue }) => {
      for (const report of early) enqueue.raise({ ...report, type: 'history.reported' })
      enqueue.assign({ early: [] })
    }),
    changeAccount: enqueueActions(({ context, enqueue }, account: string | null) => {
      if (context.account === account) return
      const cutOffs: CutOffs = context.cutOffs.direct === undefined ? {} : { direct: context.cutOffs.direct }
      enqueue.assign({
        account,
        history: withoutClients(context.history, client => belongsToOtherAccount(client, account ?? undefined)),
        ...(account === null ? { cutOffs } : {}),
      })
      enqueue.sendTo('historyStore', {
        type: 'store.deleteOthers',
        account: account ?? undefined,
      } satisfies HistoryStoreCommand)
    }),
    clear: enqueueActions(({ context, enqueue }) => {
      const cutOffs = cutOffsAfter(context)
      enqueue.assign({ history: emptyHistory, apart: noExcerpt, cutOffs })
      enqueue.sendTo('historyStore', { type: 'store.clear', cutOffs } satisfies HistoryStoreCommand)
    }),
    assignRefused: assign((_, reason: string) => refused(reason)),
    note: enqueueActions(({ context, enqueue }, excerpt: Excerpt) => {
      if (excerpt.units.length === 0) return
      enqueue.assign({ history: withExcerpt(context.history, excerpt) })
      enqueue.sendTo('historyStore', { type: 'store.save', excerpt } satisfies HistoryStoreCommand)
    }),
    dismiss: assign({ outcome: undefined, imported: undefined }),
    undoImport: enqueueActions(({ context: { history, imported }, enqueue }) => {
      if (imported === undefined) return
      enqueue.assign({ history: withoutExcerpt(history, imported), outcome: undefined, imported: undefined })
      enqueue.sendTo('historyStore', { type: 'store.remove', excerpt: imported } satisfies HistoryStoreCommand)
    }),
    assignImported: enqueueActions(({ context, enqueue }, reading: ImportResult) => {
      if (!reading.ok) {
        enqueue.assign(refused(reading.reason))
        return
      }
      const { excerpt, unusable } = reading
      const newExcerpt = newsOfFile(context.history, excerpt)
      const added = newExcerpt.units.length
      enqueue.assign({
        history: withExcerpt(context.history, newExcerpt),
        outcome: { kind: 'imported', added, known: excerpt.units.length - added, unusable },
        imported: {
          ...newExcerpt,
          units: newExcerpt.units.filter(({ key }) => !context.history.units.has(key)),
        },
      })
      enqueue.sendTo('historyStore', { type: 'store.save', excerpt: newExcerpt } satisfies HistoryStoreCommand)
    }),
  },
}).createMachine({
  id: 'history',
  description: 'Work units that ended, of all machines: stored ones and those that machines report.',
  context: {
    history: emptyHistory,
    apart: noExcerpt,
    cutOffs: {},
    account: undefined,
    storeFault: undefined,
    durability: undefined,
    early: [],
    awaited: [],
    outcome: undefined,
    imported: undefined,
    wanted: {},
    isUnlimited: false,
    isPageHidden: false,
    next: undefined,
  },
  invoke: { src: 'historyStore', id: 'historyStore' },
  type: 'parallel',
  on: {
    'history.accountSignedIn': { actions: { type: 'changeAccount', params: ({ event }) => event.account } },
    'history.accountSignedOut': { actions: { type: 'changeAccount', params: null } },
    'store.failed': { actions: assign(({ event }) => ({ storeFault: event.trouble })) },
    'store.durabilityFound': { actions: assign(({ event }) => ({ durability: event.durability })) },
    'history.keep': { actions: sendTo('historyStore', { type: 'store.keep' } satisfies HistoryStoreCommand) },
    'history.dismiss': { actions: 'dismiss' },
    'history.undoImport': { actions: 'undoImport' },
    'history.want': { actions: { type: 'assignWanted', params: ({ event }) => event } },
    'history.wantUnlimited': { actions: assign({ isUnlimited: true }) },
    'history.pageHidden': { actions: assign({ isPageHidden: true }) },
    'history.pageShown': { actions: assign({ isPageHidden: false }) },
  },
  states: {
    stored: {
      initial: 'notLoaded',
      states: {
        notLoaded: { on: { 'history.open': 'loading' } },
        loading: {
          description:
            'Loading stored units. What machines report meanwhile waits, so that only new units are written.',
          tags: 'loading',
          entry: 'loadStored',
          on: {
            'store.loaded': { target: 'loaded', actions: { type: 'assignStored', params: ({ event }) => event } },
            'history.reported': { actions: assign(({ context: { early }, event }) => ({ early: [...early, event] })) },
          },
        },
        loaded: {
          entry: ['addEarlyReports', 'notifyClones', 'notifyRequested'],
          on: {
            'history.reported': [
              {
                guard: ({ context, event }) => event.machine.owner === SIMULATION && context.apart.units.length > 0,
                actions: ['addSimulated', { type: 'addReported', params: ({ event }) => event }],
              },
              { actions: { type: 'addReported', params: ({ event }) => event } },
            ],
            'history.credited': {
              actions: {
                type: 'note',
                params: ({ context, event }) => creditedExcerpt(context.history, event.answers),
              },
            },
            'history.leaveOut': {
              actions: {
                type: 'note',
                params: ({ context, event }) => leftOutExcerpt(context.history, event.key, event.reason),
              },
            },
            'history.clear': { actions: 'clear' },
          },
          initial: 'resting',
          states: {
            resting: {
              description: 'No machine of the account is to be asked, or nobody looks at the page.',
              always: { guard: 'wantsMore', target: 'searching' },
            },
            searching: {
              description: 'Finds the next machine of the account to ask, also among those that connect later.',
              entry: assign(({ context, system }) => ({ next: nextToRequest(context, system) })),
              always: [
                { guard: not('wantsMore'), target: 'resting' },
                { guard: 'isOneDue', target: 'asking' },
              ],
              on: {
                'history.want': {
                  target: 'searching',
                  reenter: true,
                  actions: { type: 'assignWanted', params: ({ event }) => event },
                },
                'history.wantUnlimited': {
                  target: 'searching',
                  reenter: true,
                  actions: assign({ isUnlimited: true }),
                },
              },
              after: { searchPace: { target: 'searching', reenter: true } },
            },
            asking: {
              description: 'One machine a second.',
              entry: 'requestNext',
              after: { requestPace: 'searching' },
            },
          },
        },
      },
    },
    answers: {
      initial: 'complete',
      states: {
        complete: {
          on: {
            'history.asked': { target: 'awaited', actions: { type: 'await', params: ({ event }) => event.connection } },
          },
        },
        awaited: {
          description: 'Machines were asked, so units that are not shown may still come.',
          always: { guard: 'haveAllAnswered', target: 'complete' },
          on: {
            'history.asked': {
              target: 'awaited',
              reenter: true,
              actions: { type: 'await', params: ({ event }) => event.connection },
            },
            'history.reported': {
              actions: assign(({ context: { awaited }, event }) => ({
                awaited: awaited.filter(other => other !== event.connection),
              })),
            },
          },
          after: { answerTimeout: { target: 'complete', actions: assign({ awaited: [] }) } },
        },
      },
    },
    files: {
      initial: 'idle',
      states: {
        idle: { on: { 'history.export': 'exporting', 'history.import': 'importing' } },
        exporting: {
          tags: 'busy',
          entry: 'dismiss',
          invoke: {
            src: 'exportUnits',
            input: ({ context, event }) => exportTaskOf(context, event),
            onDone: {
              target: 'idle',
              actions: assign(({ event }: { event: DoneActorEvent<Exported> }) => ({
                outcome: { kind: 'exported' as const, ...event.output },
              })),
            },
            onError: {
              target: 'idle',
              actions: {
                type: 'assignRefused',
                params: ({ event }) => loadErrorText(event.error) ?? t`The file could not be written.`,
              },
            },
          },
        },
        importing: {
          tags: 'busy',
          entry: 'dismiss',
          invoke: {
            src: 'importUnits',
            input: ({ event }) => importTaskOf(event),
            onDone: {
              target: 'idle',
              actions: { type: 'assignImported', params: ({ event }: { event: ImportDone }) => event.output },
            },
            onError: {
              target: 'idle',
              actions: {
                type: 'assignRefused',
                params: ({ event }) => loadErrorText(event.error) ?? t`The file could not be read.`,
              },
            },
          },
        },
      },
    },
  },
})

export type HistoryRef = ActorRefFrom<typeof historyMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly history: HistoryRef
  }
}
export type HistorySnapshot = SnapshotFrom<typeof historyMachine>

function isForeign({ account }: HistoryContext, client: ArchivedClient): boolean {
  return account !== undefined && belongsToOtherAccount(client, account ?? undefined)
}

function cutOffOf(cutOffs: CutOffs, client: ArchivedClient): number | undefined {
  return isOfAccount(client) ? cutOffs.account : cutOffs.direct
}

/** The new entries of a file. Known data of a client is not overwritten. */
function newsOfFile(history: History, { machines: clients, units }: Excerpt): Excerpt {
  const excerpts = clients.map(client => {
    const clientUnits = units.flatMap(({ machine: id, unit }) => (id === client.id ? [unit] : []))
    return newInReport(history, history.machines.get(client.id) ?? client, clientUnits)
  })
  return {
    machines: excerpts.flatMap(({ machines: some }) => some),
    units: excerpts.flatMap(({ units: some }) => some),
  }
}

/** Cut-offs that keep cleared units away although clients still report them. */
function cutOffsAfter({ history, cutOffs }: HistoryContext): CutOffs {
  const units = [...history.units.values()]
  const isOwned = (client: string): boolean => isOfAccount(history.machines.get(client) ?? { owner: undefined })
  const direct = latestEnd(units.filter(({ machine: client }) => !isOwned(client))) ?? cutOffs.direct
  const account = latestEnd(units.filter(({ machine: client }) => isOwned(client))) ?? cutOffs.account
  return { ...(direct === undefined ? {} : { direct }), ...(account === undefined ? {} : { account }) }
}

function exportTaskOf({ history }: HistoryContext, event: HistoryEvent): ExportTask {
  if (event.type !== 'history.export') throw new Error(`'${event.type}' exports nothing.`)
  return {
    format: event.format,
    excerpt: shownExcerpt(history, event.view, event.at),
    withMachineIds: event.format === 'json' || event.withMachineIds === true,
  }
}

function importTaskOf(event: HistoryEvent): ImportTask {
  if (event.type !== 'history.import') throw new Error(`'${event.type}' imports nothing.`)
  return { file: event.file }
}

function shownExcerpt(history: History, view: UnitView, at: number): Excerpt {
  const units = viewRows(rowsOf(history), view, at).flatMap(({ key }) => history.units.get(key) ?? [])
  const ids = new Set(units.map(({ machine: client }) => client))
  return { units, machines: [...ids].flatMap(id => history.machines.get(id) ?? []) }
}
