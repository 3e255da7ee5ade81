import { assign, enqueueActions, fromCallback, sendTo, setup } from 'xstate'
import { lineAtTime, type LineFinding } from '../../../folding/log/log-days.ts'
import type { LogLines } from '../../../folding/log/log-lines.ts'
import { appendLineNumbers, type LineNumbers } from '../../../folding/log/line-numbers.ts'
import { isEmptyQuery, type LineMarks, type LogQuery, type MatchRanges } from '../../../folding/log/log-search.ts'
import type { ClientCommandEvent } from '../../connection/client/client.events.ts'
import type { ClientRef } from '../../connection/client/client.machine.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import {
  canLocate,
  placeAfter,
  isSeen,
  positionOfLine,
  queryOf,
  unmarked,
  initialContext,
  withFound,
  withMarks,
  type HeldResult,
  type LogContext,
} from './log.context.ts'
import type { LinesCommand, LocationFact, LogEvent, LogFact, SearchCommand, Viewport } from './log.events.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'

type Found = { readonly numbers: LineNumbers; readonly end: number }
export type SearchInput = { readonly readLog: () => LogLines }

/** Reports changes of the client's log, and finds lines by their time. The lines are not part of the event: there are too many. */
const followLog = fromCallback<LinesCommand, { readonly client: ClientRef | undefined }>(
  ({ input: { client }, sendBack, receive }) => {
    let reported: LogLines | undefined
    const report = (): void => {
      if (client === undefined) return
      const snapshot = client.getSnapshot()
      const { record, heardAt } = snapshot.context
      if (record.log === reported) return
      reported = record.log
      const { first, end } = record.log
      sendBack({
        type: 'log.changed',
        first,
        end,
        isWhole: snapshot.context.record.isLogWhole,
        at: heardAt ?? 0,
      } satisfies LogFact)
    }
    receive(({ at, numbers }) => {
      const { record, heardAt } = client?.getSnapshot().context ?? {}
      const finding = record === undefined ? undefined : lineAtTime(record.log, numbers, at, heardAt ?? 0)
      sendBack({ type: 'log.located', finding } satisfies LocationFact)
    })
    report()
    const subscription = client?.subscribe(report)
    return () => subscription?.unsubscribe()
  },
)

export const logSetup = setup({
  types: { context: {} as LogContext, events: {} as LogEvent },
  actors: { followLog, logSearch: actorPlaceholder<SearchCommand, SearchInput>('logSearch') },
  delays: {
    /** Longer than a pointer that only passes by. */
    hoverDelay: 60,
    /** How long a prefetched log is streamed before it is opened. */
    prefetchTimeout: 5000,
    /** How long the search may be busy with the previous request. */
    busyTimeout: 400,
    /** Until a search in a new worker must have started. */
    startTimeout: 5000,
    /** The browser delivers keys that wait before a timer, so a result is drawn for the last of them only. */
    typingPause: 2,
    /** A pattern that does not finish within this time is slow. */
    searchTimeout: 1000,
    addressDelay: 300,
  },
  guards: {
    isSure: (_, isSure: boolean) => isSure,
    isSameClient: ({ context }, client: ClientRef) => client === context.client,
    isOtherClient: ({ context }, client: ClientRef) => client !== context.client,
    isWhole: (_, isWhole: boolean) => isWhole,
    isAtEnd: (_, viewport: Viewport) => viewport.isAtEnd,
    isSeen: ({ context }, number: number | undefined) => number !== undefined && isSeen(context, number),
    isDefined: (_, number: number | undefined) => number !== undefined,
    hasSelectedMatch: ({ context }) => context.found !== undefined && context.selected !== undefined,
    isSearchNeeded: ({ context }) => !isEmptyQuery(queryOf(context)),
    isTypingPaused: ({ context: { text, settledText } }) => text === settledText,
    isLatestRequest: ({ context }, id: number) => id === context.requestId,
    isLastReply: ({ context }, id: number) => id === context.requestId && context.pendingReplies <= 1,
    hasEarlierResult: ({ context }) => context.found !== undefined && !isSameValue(context.foundQuery, context.query),
    hasTarget: ({ context }) => context.target !== undefined,
    canLocate: ({ context }) => canLocate(context),
    isFinding: (_, finding: LineFinding | undefined) => finding !== undefined,
    hasUnmarked: ({ context }) => unmarked(context).length > 0,
  },
  actions: {
    open: assign((_, { client, text = '', at }: { client: ClientRef; text?: string; at?: number }): LogContext => ({
      ...initialContext,
      client,
      target: at,
      text,
      settledText: text,
      addressText: text,
    })),
    setText: enqueueActions(({ enqueue }, text: string) => {
      if (text === '') return
      enqueue.assign({ text, settledText: text, addressText: text })
      enqueue.raise({ type: 'log.setText', text })
    }),
    locate: sendTo('lines', ({ context: { target = 0, found, foundQuery } }): LinesCommand => ({
      type: 'lines.locate',
      at: target,
      numbers: isEmptyQuery(foundQuery) ? undefined : found,
    })),
    clearTarget: assign({ target: undefined }),
    assignLocated: assign(({ context }, finding: LineFinding | undefined) => ({
      target: undefined,
      located: finding === undefined ? undefined : { ...finding, at: context.target ?? 0 },
    })),
    clearAll: assign((): LogContext => initialContext),
    subscribeLog: enqueueActions(({ context: { client }, enqueue }) => {
      if (client === undefined) return
      enqueue.sendTo(client, { type: 'client.watch' } satisfies ClientCommandEvent)
      enqueue.sendTo(client, { type: 'client.subscribeLog' } satisfies ClientCommandEvent)
    }),
    unsubscribeLog: enqueueActions(({ context: { client }, enqueue }) => {
      // A machine that was removed has stopped.
      if (client?.getSnapshot().status !== 'active') return
      enqueue.sendTo(client, { type: 'client.unsubscribeLog' } satisfies ClientCommandEvent)
      enqueue.sendTo(client, { type: 'client.unwatch' } satisfies ClientCommandEvent)
    }),

    assignLog: enqueueActions(({ context, enqueue }, { first, end, isWhole, at }: LogFact) => {
      enqueue.assign({
        first,
        end,
        isWhole,
        heardAt: at,
        seenEnd: Math.max(first, context.seenEnd),
        place: placeAfter(context, first, isWhole),
      })
      enqueue.raise({ type: 'log.assigned' })
    }),

    type: assign(({ context }, text: string) => ({
      text,
      // Nothing is searched for without a text, so there is no result to wait for.
      settledText: text === '' ? text : context.settledText,
      isSlow: false,
      searchFault: undefined,
      showsContext: false,
      located: undefined,
    })),
    filter: assign(
      (
        { context },
        { errors = context.errors, warnings = context.warnings }: Partial<Pick<LogContext, 'errors' | 'warnings'>>,
      ) => ({
        errors,
        warnings,
        isSlow: false,
        searchFault: undefined,
        showsContext: false,
      }),
    ),
    reset: assign({
      text: '',
      settledText: '',
      errors: false,
      warnings: false,
      isSlow: false,
      searchFault: undefined,
      showsContext: false,
      selected: undefined,
    }),

    assignViewport: assign((_, viewport: Viewport) => ({ viewport, place: viewport.place })),
    select: assign((_, number: number | undefined) => ({ selected: number })),
    scrollToSelected: assign(({ context }) =>
      context.selected === undefined ? {} : { place: positionOfLine(context, context.selected) },
    ),
    showContext: assign((_, showsContext: boolean) => ({ showsContext })),

    sendToSearch: sendTo('search', (_, command: SearchCommand) => command),
    startSearch: enqueueActions(({ context, enqueue }, { query, restarts }: { query: LogQuery; restarts: boolean }) => {
      const id = context.requestId + 1
      enqueue.assign({ requestId: id, query: query, pendingReplies: 0, held: undefined })
      const { viewport } = context
      enqueue.sendTo('search', {
        type: restarts ? 'search.restart' : 'search.find',
        id,
        query,
        ...(viewport === undefined || viewport.isAtEnd ? {} : { near: viewport.place.number }),
      } satisfies SearchCommand)
    }),
    requestUpdate: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ pendingReplies: context.pendingReplies + 1 })
      enqueue.sendTo('search', { type: 'search.update' } satisfies SearchCommand)
    }),
    requestMarks: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ pendingReplies: context.pendingReplies + 1 })
      enqueue.sendTo('search', {
        type: 'search.mark',
        id: context.requestId,
        numbers: unmarked(context),
      } satisfies SearchCommand)
    }),
    showHeld: assign(({ context }) => (context.held === undefined ? {} : withFound(context, context.held))),
    assignFound: assign(({ context }, result: HeldResult) => withFound(context, result)),
    addFound: assign(({ context }, { numbers, end }: Found) => ({
      searchedEnd: end,
      found: appendLineNumbers(context.found ?? numbers.subarray(0, 0), numbers, context.first),
      pendingReplies: Math.max(0, context.pendingReplies - 1),
    })),
    assignMarks: assign(({ context }, marks: readonly LineMarks[]) => ({
      marks: withMarks(context.marks, marks),
      pendingReplies: Math.max(0, context.pendingReplies - 1),
    })),
    clearFound: assign({
      found: undefined,
      marks: new Map<number, MatchRanges>(),
      showsContext: false,
      selected: undefined,
    }),
    markPatternSlow: assign({ isSlow: true, pendingReplies: 0 }),
  },
})
