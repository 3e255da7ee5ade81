import { keepsHistory } from '../../../protocol/client/client-abilities.ts'
import { assign, enqueueActions, sendParent, sendTo, setup, type AnyActorLogic } from 'xstate'
import { groupsToResume } from '../../../folding/client/finishing.ts'
import { groupsOf } from '../../../folding/client/group.ts'
import { isLoopback, parseAddress } from '../../../folding/address/address.ts'
import { LOCAL, LOOKED_AT, REMOTE, askDelay, type BackOff } from '../../../folding/shared/back-off.ts'
import { emptyStructure, nextFrameToRequest, withStored, type Structure } from '../../../folding/molecule/structure.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import {
  enqueue as queued,
  markIgnored,
  removeCommand,
  markSent,
  nextToSend,
  confirmCommands,
  isEffectSeen,
  markOverdue,
  type CommandQueue,
  type QueuedCommand,
} from '../../../protocol/client/command-queue.ts'
import { completeCommand, isConfirmedBy, type Command, type FoldingState } from '../../../protocol/client/commands.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import { validateCommand } from '../../../protocol/client/validate-command.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { actorOf } from '../../shared/siblings.ts'
import { settingsSystemId, type ClientSettingsEvent } from '../client-settings/client-settings.events.ts'
import type { clientSettingsMachine } from '../client-settings/client-settings.machine.ts'
import type {
  ClientEvent,
  ClientReported,
  JobNotification,
  ClientHistoryAsked,
  ClientUnitsEnded,
  ClientLinkCommand,
  LinkTarget,
  DisconnectReason,
  MoleculeNotification,
  MoleculeReader,
  ClientEnvironment,
} from './client.events.ts'
import type { ClientContext, ClientInput, Job } from './client.context.ts'
import { withNames } from './client.names.ts'
import { evolveRecord, type ClientRecord } from './client.reducer.ts'
import {
  dropLost,
  ignoredConfig,
  LOST,
  lostGroupRefusal,
  settingsReport,
  settingsSources,
  withoutIgnoredConfigs,
} from './client.settings.ts'
import { ignoredReason, clientOf, mayChangeReport, reportOf, sendsPings } from './client.report.ts'
import { isSameList, isSameValue } from '../../../folding/shared/equal.ts'
import { commandFaultText } from '../../../folding/text/fault-text.ts'

type Reading = { readonly unit: string; readonly reader?: MoleculeReader | undefined }
type Viewing = Reading & { readonly kept?: Structure | undefined }
type SentState = { readonly state: FoldingState; readonly at: number }
type JobStep = { readonly job: Job | undefined; readonly notification: JobNotification | undefined }
type Bound = { readonly name: string; readonly secrets: { readonly token: string } }

/** Of so many requests without an answer, the last one is followed by an attempt. */
const UNANSWERED_APART = 10

const settingsPlaceholder: AnyActorLogic = actorPlaceholder('settings')

/** Actors, delays, guards and actions of the client machine. */
export const clientSetup = setup({
  types: { context: {} as ClientContext, events: {} as ClientEvent, input: {} as ClientInput },
  actors: {
    clientLink: actorPlaceholder<ClientLinkCommand, LinkTarget>('clientLink'),
    pingHost: taskPlaceholder<undefined, { readonly url: SocketUrl }>('pingHost'),
    /** Corrected epoch milliseconds, for the time stamp of a command. */
    readClock: taskPlaceholder<number, undefined>('readClock'),
    /** With code that comes when its page is opened. */
    settings: settingsPlaceholder as typeof clientSettingsMachine,
  },
  delays: {
    /** A client's answer through a relay stands behind all that the client sent to others (docs/protocol.md §11.6). */
    connectTimeout: ({ context }) => (context.kind === 'direct' ? 20_000 : 120_000),
    reconnectDelay: ({ context }) => clientWait(context),
    silenceTimeout: 30_000,
    recentTime: 300_000,
    commandSpacing: ({ context }) => context.spacing,
    confirmationTime: 10_000,
    /** After that, for what the client said since: it may stand behind much that was sent to others. */
    answerTime: 110_000,
    /** A command may have been on its way when its connection ended. */
    outlivedTime: 2000,
    /** Time for a message to be encrypted and sent before its link may be closed. */
    deliveryTime: 1500,
  },
  guards: {
    hasNoData: ({ context }) => context.record.data === undefined,
    isViewed: ({ context: { viewed } }, { unit, reader = 'viewer' }: Reading) =>
      viewed?.unit === unit && viewed.reader === reader,
    // Most messages report progress, which matters neither to the history nor to the viewer.
    isMoreThanProgress: ({ context }, facts: readonly ClientFact[]) =>
      context.viewed !== undefined || facts.some(({ type }) => type !== 'changes.received'),
    // The first message is reported when the client counts as connected.
    mayChangeReport: ({ context }, facts: readonly ClientFact[]) =>
      context.connectedAt !== undefined && mayChangeReport(facts),
    hasFailed: ({ context }) => context.failures > 0,
    isDirect: ({ context }) => context.kind === 'direct',
    /** Something between may let sockets pass, and no requests. */
    mustTryAnyway: ({ context }) => (context.unanswered + 1) % UNANSWERED_APART === 0,
    isReleased: ({ context }) => context.isReleased,
    // What was typed there is saved over this connection.
    hasSettings: ({ context }) => context.settings !== undefined,
    includesSnapshot: (_, facts: readonly ClientFact[]) => facts.some(({ type }) => type === 'snapshot.received'),
    sendsPings: ({ context }) => context.kind === 'direct' && sendsPings(context.record.data),
    hasCommandFor: ({ context }, now: number) => isCommand(nextToSend(context.queue, now)),
    // A client sends its whole history whenever it is asked.
    keepsHistory: ({ context }) => keepsHistory(context.record.data?.info.version),
    reportsHistory: ({ context }) => context.collects,
    isFirstReader: ({ context }) => context.logReaders === 0,
    isLastReader: ({ context }) => context.logReaders === 1,
    // A client drops a command that is not at least one whole second later than the last one.
    isLaterThanLastState: ({ context }, at: number) => Math.floor(at / 1000) > (context.queue.lastSecond.state ?? 0),
    isFinish: (_, state: FoldingState) => state === 'finish',
    mustResumeFor: ({ context }, state: FoldingState) =>
      state === 'finish' && groupsToResume(context.record.data).length > 0,
    hasSettingsUpdate: ({ context }) =>
      context.settings !== undefined && !isSameList(context.sentSettingsSources, settingsSources(context)),
    hasJobNews: ({ context: { jobs, queue, record } }) =>
      jobs.some(job => jobStep(job, queue, record.data) !== undefined),
    hasIgnoredSettings: ({ context }) => context.settings !== undefined && ignoredConfig(context) !== undefined,
    mustWaitAt: ({ context }, now: number) => nextToSend(context.queue, now) !== undefined,
  },
  actions: {
    assignReport: assign(({ context }, { facts, at }: { facts: readonly ClientFact[]; at: number }) => {
      const record = withNames(context, evolveRecord(context.record, facts, at, context.environment.speed))
      const queue = record.data === undefined ? context.queue : confirmCommands(context.queue, record.data)
      const logAsOf = facts.some(({ type }) => type === 'log.received') ? context.asOf : context.logAsOf
      return { record, heardAt: at, queue, logAsOf }
    }),
    restoreRecord: assign(({ context }, { data, at }: { data: ClientData; at: number }) => ({
      record: withNames(context, { ...context.record, data }),
      isRestored: true,
      heardAt: at,
      lostAt: at,
    })),
    markConnected: assign(({ context }) => ({
      isRestored: false,
      connectedAt: context.heardAt,
      lostAt: undefined,
      asOf: undefined,
      logAsOf: undefined,
      trouble: undefined,
      excess: undefined,
      attempts: 0,
      unanswered: 0,
    })),
    countUnanswered: assign({ unanswered: ({ context }) => context.unanswered + 1 }),
    assignTrouble: assign((_, trouble: DisconnectReason) => ({ trouble, excess: undefined })),
    assignLostAt: assign(({ context }, at: number | undefined) =>
      // Only the end of a connection counts; a failed attempt does not change when it was last connected.
      at === undefined || context.attempts > 0 ? {} : { lostAt: context.asOf ?? at },
    ),
    markDisconnected: assign({
      connectedAt: undefined,
      lostAt: ({ context }) => context.asOf ?? context.heardAt,
      seenUntil: undefined,
      sessionState: undefined,
      queue: ({ context }) => dropLost(context.queue),
      collects: ({ context: { collects, kind } }) => collects && kind === 'direct',
    }),
    rememberRecent: enqueueActions(({ enqueue }) => {
      enqueue.assign({ isRecent: true })
      enqueue.raise({ type: 'client.longGone' }, { delay: 'recentTime', id: 'client.longGone' })
    }),
    forgetRecent: enqueueActions(({ enqueue }) => {
      enqueue.cancel('client.longGone')
      enqueue.assign({ isRecent: false })
    }),
    addWatcher: assign({ watchers: ({ context }) => context.watchers + 1 }),
    removeWatcher: assign({ watchers: ({ context }) => Math.max(0, context.watchers - 1) }),
    notifyLink: sendTo('link', ({ context }): ClientLinkCommand => ({
      type: 'link.watch',
      isWatched: context.watchers > 0,
    })),
    markReportingHistory: assign({ collects: true }),
    resumeHistory: enqueueActions(({ context, enqueue }) => {
      if (context.collects) enqueue.raise({ type: 'history.due' })
    }),
    notifyHistoryAsked: sendParent(({ context: { id } }): ClientHistoryAsked => ({ type: 'client.historyAsked', id })),
    notifyUnitsEnded: enqueueActions(({ context, enqueue }, facts: readonly ClientFact[]) => {
      const lists = facts.filter(fact => fact.type === 'history.received')
      const units = lists.flatMap(list => list.units)
      if (units.length > 0 || lists.some(({ replace }) => replace))
        enqueue.sendParent({
          type: 'client.unitsEnded',
          id: context.id,
          machine: clientOf(context),
          units,
        } satisfies ClientUnitsEnded)
    }),
    assignViewed: assign(({ context: { record } }, { unit, reader = 'viewer', kept: stored }: Viewing) => {
      const structure = record.structures.get(unit) ?? emptyStructure
      const structures = new Map([[unit, stored === undefined ? structure : withStored(structure, stored)]])
      return { viewed: { unit, reader, sentStructure: undefined }, record: { ...record, structures } }
    }),
    clearViewed: assign(({ context: { record } }) => ({
      viewed: undefined,
      record: { ...record, structures: new Map<string, Structure>() },
    })),
    requestFrames: enqueueActions(({ context, enqueue }) => {
      const command = vizCommand(context)
      if (command === undefined) return
      enqueue.assign(queueOrRefuse(context, command).change)
      enqueue.raise({ type: 'commands.waiting' })
    }),
    // A client without frames yet ignores the command, so it is sent again when the frame count changes.
    requestFirstFrames: enqueueActions(({ context, enqueue }, facts: readonly ClientFact[]) => {
      const command = vizCommand(context)
      if (command === undefined || !isStill(context) || !countsFrames(facts)) return
      enqueue.assign(queueOrRefuse(context, command).change)
      enqueue.raise({ type: 'commands.waiting' })
    }),
    notifyReader: enqueueActions(({ context: { id, viewed, record }, enqueue, system }) => {
      const reader = viewed === undefined ? undefined : actorOf(system, viewed.reader)
      const structure = viewed === undefined ? undefined : record.structures.get(viewed.unit)
      if (viewed === undefined || structure === undefined || structure === viewed.sentStructure) return
      enqueue.assign({ viewed: { ...viewed, sentStructure: structure } })
      if (reader !== undefined)
        enqueue.sendTo(reader, {
          type: 'molecule.changed',
          client: id,
          unit: viewed.unit,
          structure,
        } satisfies MoleculeNotification)
    }),
    addReader: assign({ logReaders: ({ context }) => context.logReaders + 1 }),
    removeReader: assign({ logReaders: ({ context }) => Math.max(0, context.logReaders - 1) }),
    resumeLog: enqueueActions(({ context, enqueue }) => {
      if (context.logReaders > 0) enqueue.raise({ type: 'log.due' })
    }),
    markRestartPending: assign({ isRestartPending: true }),
    clearRestartPending: enqueueActions(({ enqueue }) => {
      enqueue.cancel('restart.sent')
      enqueue.assign({ isRestartPending: false })
    }),
    resumeRestart: enqueueActions(({ context, enqueue }) => {
      if (context.isRestartPending) enqueue.raise({ type: 'restart.due' })
    }),
    assignAsOf: assign(({ context }, asOf: number | undefined) => ({
      asOf,
      logAsOf: asOf === undefined ? undefined : (context.logAsOf ?? asOf),
    })),
    assignSeenUntil: assign(({ context }, seenUntil: number) => ({
      seenUntil,
      queue: context.queue.entries
        .filter(entry => entry.status === 'asked' && entry.isOverdue === true && isEffectSeen(entry, seenUntil))
        .reduce((queue, { key }) => markIgnored(queue, key, ignoredReason(context)), context.queue),
    })),
    awaitOutlived: enqueueActions(({ context, enqueue }) => {
      const keys = context.queue.entries.flatMap(({ key, status }) => (status === 'asked' ? [key] : []))
      if (keys.length > 0) enqueue.raise({ type: 'commands.outlived', keys }, { delay: 'outlivedTime' })
    }),
    endOutlived: assign(({ context }, keys: readonly string[]) => ({
      // A server that a page is connected to again may still have the state from before.
      queue: context.queue.entries
        .filter(entry => entry.status === 'asked' && keys.includes(entry.key))
        .filter(entry => context.kind === 'relay' || !mayBeObeyed(context, entry))
        .reduce((queue, { key }) => markIgnored(queue, key, ignoredReason(context, 'outlived')), context.queue),
    })),
    noteAtRelay: assign((_, isAtRelay: boolean) => ({ isAtRelay })),
    noteReleased: assign((_, isReleased: boolean) => ({ isReleased })),
    assignEnvironment: assign(({ context }, environment: ClientEnvironment) => ({
      environment,
      record: withNames({ ...context, environment }, context.record),
    })),
    report: enqueueActions(({ context, enqueue }) => {
      const report = reportOf(context)
      if (report === context.report) return
      enqueue.assign({ report })
      enqueue.sendParent({ type: 'client.reported', id: context.id, report } satisfies ClientReported)
    }),
    enqueueCommand: enqueueActions(({ context, enqueue }, command: Command) => {
      const { change, isWaiting } = queueOrRefuse(context, command)
      enqueue.assign(change)
      if (isWaiting) enqueue.raise({ type: 'commands.waiting' })
    }),
    follow: assign({
      jobs: ({ context }, { to, command }: { to: string; command: Command }) => [
        ...jobsOfOthers(context, to),
        { to, keys: [], isSent: false, followed: { command, from: firstKeyOf(context, command) } },
      ],
    }),
    enqueueJob: enqueueActions(
      ({ context, enqueue }, { to, commands }: { to: string; commands: readonly Command[] }) => {
        let now = context
        const keys = commands.map(command => {
          const key = String(now.commandCount)
          now = { ...now, ...queueOrRefuse(now, command).change }
          return key
        })
        enqueue.assign({
          commandCount: now.commandCount,
          queue: now.queue,
          jobs: [...jobsOfOthers(context, to), { to, keys, isSent: false }],
        })
        enqueue.raise({ type: 'commands.waiting' })
      },
    ),
    withdrawJob: assign(({ context }, to: string) => ({
      jobs: jobsOfOthers(context, to),
      queue: isJobBegun(context, to)
        ? context.queue
        : keysOf(context, to).reduce((rest, key) => removeCommand(rest, key), context.queue),
    })),
    refuseJob: enqueueActions(({ enqueue, system }, to: string) => {
      const receiver = actorOf(system, to)
      if (receiver !== undefined)
        enqueue.sendTo(receiver, { type: 'job.ignored', because: LOST } satisfies JobNotification)
    }),
    notifyJobs: enqueueActions(({ context, enqueue, system }) => {
      const jobs: Job[] = []
      for (const job of context.jobs) {
        const step = jobStep(job, context.queue, context.record.data)
        const next = step === undefined ? job : step.job
        if (next !== undefined) jobs.push(next)
        const receiver = step?.notification === undefined ? undefined : actorOf(system, job.to)
        if (receiver !== undefined && step?.notification !== undefined) enqueue.sendTo(receiver, step.notification)
      }
      enqueue.assign({ jobs })
    }),
    enqueueFinish: enqueueActions(({ context, enqueue }, group: string | undefined) => {
      let now = context
      for (const command of finishCommands(context.record.data, group))
        now = { ...now, ...queueOrRefuse(now, command).change }
      enqueue.assign({ commandCount: now.commandCount, queue: now.queue })
      enqueue.raise({ type: 'commands.waiting' })
    }),
    reserveStateSecond: assign(({ context: { queue } }, at: number) => ({
      queue: {
        ...queue,
        lastSecond: { ...queue.lastSecond, state: Math.max(queue.lastSecond.state ?? 0, Math.floor(at / 1000)) },
      },
    })),
    sendNext: enqueueActions(({ context, enqueue }, now: number) => {
      const next = nextToSend(context.queue, now)
      if (!isCommand(next)) return
      enqueue.assign({ queue: markSent(context.queue, next.key, now, context.record.data) })
      const command = completeCommand(next.command, context.record.data)
      enqueue.sendTo('link', { type: 'link.send', command, at: now } satisfies ClientLinkCommand)
      if (command.cmd === 'restart')
        enqueue.raise({ type: 'restart.sent' }, { delay: 'deliveryTime', id: 'restart.sent' })
      enqueue.raise(
        { type: 'command.overdue', key: next.key },
        { delay: 'confirmationTime', id: `overdue:${next.key}` },
      )
    }),
    enqueueSentCommand: enqueueActions(({ context, enqueue }, { state, at }: SentState) => {
      const key = String(context.commandCount)
      const queue = queued(context.queue, stateCommand(state, undefined), key)
      enqueue.assign({ commandCount: context.commandCount + 1, queue: markSent(queue, key, at, context.record.data) })
      enqueue.raise({ type: 'command.overdue', key }, { delay: 'confirmationTime', id: `overdue:${key}` })
    }),
    enqueueMissedCommand: assign(({ context }, state: FoldingState) => {
      const key = String(context.commandCount)
      return {
        commandCount: context.commandCount + 1,
        queue: markIgnored(queued(context.queue, stateCommand(state, undefined), key), key, LOST),
      }
    }),
    // Sent without the queue: neither the queue nor a recording may hold a token.
    sendLink: enqueueActions(({ context, enqueue }, { name, secrets }: Bound) => {
      if (validateCommand({ cmd: 'link', token: secrets.token, name }, context.record.data) === undefined)
        enqueue.sendTo('link', { type: 'link.bind', name, secrets } satisfies ClientLinkCommand)
    }),
    assignSpacing: assign(({ context }, now: number) => {
      const next = nextToSend(context.queue, now)
      return { spacing: next !== undefined && 'waitMs' in next ? next.waitMs : 0 }
    }),
    judgeCommand: enqueueActions(({ context, enqueue }, key: string) => {
      const entry = context.queue.entries.find(one => one.key === key && one.status === 'asked')
      if (entry === undefined) return
      if (mayBeObeyed(context, entry)) {
        enqueue.assign({ queue: markOverdue(context.queue, key) })
        enqueue.sendTo('link', { type: 'link.check' } satisfies ClientLinkCommand)
        enqueue.raise({ type: 'command.unknown', key }, { delay: 'answerTime', id: `unknown:${key}` })
      } else enqueue.assign({ queue: markIgnored(context.queue, key, ignoredReason(context), !isThere(context)) })
    }),
    giveUpCommand: assign(({ context }, key: string) => ({
      queue: context.queue.entries.some(entry => entry.key === key && entry.status === 'asked')
        ? markIgnored(context.queue, key, ignoredReason(context, 'unknown'), true)
        : context.queue,
    })),
    openSettings: assign(({ context, spawn }) => {
      if (context.settings !== undefined) return {}
      const input = { id: context.id, report: settingsReport(context) }
      return {
        settings: spawn('settings', { id: 'settings', systemId: settingsSystemId(context.id), input }),
        sentSettingsSources: settingsSources(context),
      }
    }),
    closeSettings: enqueueActions(({ context, enqueue }) => {
      if (context.settings !== undefined) enqueue.stopChild(context.settings)
      enqueue.assign({ settings: undefined, sentSettingsSources: [] })
    }),
    notifySettings: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ sentSettingsSources: settingsSources(context) })
      if (context.settings !== undefined)
        enqueue.sendTo(context.settings, {
          type: 'settings.reported',
          report: settingsReport(context),
        } satisfies ClientSettingsEvent)
    }),
    notifySettingsIgnored: enqueueActions(({ context, enqueue }) => {
      const because = ignoredConfig(context)?.reason ?? ''
      enqueue.assign({ queue: withoutIgnoredConfigs(context.queue) })
      if (context.settings !== undefined)
        enqueue.sendTo(context.settings, { type: 'settings.ignored', because } satisfies ClientSettingsEvent)
    }),
    dismiss: assign(({ context }, key: string) => ({ queue: removeCommand(context.queue, key) })),
  },
})

/** The jobs that stay when an actor begins another one: an actor of the same system id may have been stopped before its end. */
function jobsOfOthers({ jobs }: ClientContext, to: string): readonly Job[] {
  return jobs.filter(job => job.to !== to)
}

function keysOf({ jobs }: ClientContext, to: string): readonly string[] {
  return jobs.find(job => job.to === to)?.keys ?? []
}

/** Whether a command that the actor `to` had queued was sent: the others are then sent too, as they belong together. */
export function isJobBegun(context: ClientContext, to: string): boolean {
  const keys = keysOf(context, to)
  const waiting = context.queue.entries.filter(({ key, status }) => status === 'waiting' && keys.includes(key))
  return waiting.length < keys.length || context.jobs.some(job => job.to === to && job.isBegun === true)
}

/** The key of the command where it is under way, else the next key. */
function firstKeyOf({ queue, commandCount }: ClientContext, command: Command): number {
  const open = queue.entries.findLast(
    entry => (entry.status === 'waiting' || entry.status === 'asked') && isSameValue(entry.command, command),
  )
  return open === undefined ? commandCount : Number(open.key)
}

/**
 * A job after a change of the queue, with what its actor is to be told; undefined when nothing changed. A command that is
 * no longer queued was lost with the connection.
 */
function jobStep(job: Job, { entries }: CommandQueue, data: ClientData | undefined): JobStep | undefined {
  if (job.followed !== undefined) {
    const { command, from } = job.followed
    if (data !== undefined && isConfirmedBy(command, data))
      return { job: undefined, notification: { type: 'job.confirmed' } }
    const sent = entries.findLast(entry => Number(entry.key) >= from && isSameValue(entry.command, command))
    if (sent?.status === 'ignored')
      return { job: undefined, notification: { type: 'job.ignored', because: sent.reason ?? LOST } }
    return sent?.status === 'asked' && !job.isSent
      ? { job: { ...job, isSent: true }, notification: { type: 'job.sent' } }
      : undefined
  }
  const commands = job.keys.map(key => entries.find(entry => entry.key === key))
  const failed = commands.find(command => command === undefined || command.status === 'ignored')
  if (failed !== undefined || commands.includes(undefined))
    return { job: undefined, notification: { type: 'job.ignored', because: failed?.reason ?? LOST } }
  const open = commands.flatMap(command => (command === undefined || command.status === 'confirmed' ? [] : [command]))
  if (open.length === 0) return { job: undefined, notification: { type: 'job.confirmed' } }
  const keys = open.map(({ key }) => key)
  if (!job.isSent && open.every(({ status }) => status === 'asked'))
    return { job: { ...job, keys, isBegun: true, isSent: true }, notification: { type: 'job.sent' } }
  return keys.length === job.keys.length ? undefined : { job: { ...job, keys, isBegun: true }, notification: undefined }
}

/** Milliseconds until the next attempt, without random jitter. `remote`: for clients on other computers. */
export function clientWait(
  { attempts, unanswered, isPageHidden, address }: ClientContext,
  remote: BackOff = LOOKED_AT,
): number {
  const parsed = address === undefined ? undefined : parseAddress(address)
  const looked = parsed !== undefined && isLoopback(parsed) ? LOCAL : remote
  return askDelay(unanswered, attempts, isPageHidden ? REMOTE : looked)
}

/** Fold, pause or finish one group, or all groups without `group`. */
export function stateCommand(state: FoldingState, group: string | undefined): Command {
  return group === undefined ? { cmd: 'state', state } : { cmd: 'state', state, group }
}

/** A paused group that holds units stays paused on `finish`, so `fold` is sent first. */
function finishCommands(data: ClientData | undefined, group: string | undefined): readonly Command[] {
  const paused = groupsToResume(data, group)
  const areAll = group === undefined && paused.length === Object.keys(groupsOf(data)).length
  const resuming = areAll && paused.length > 0 ? [undefined] : paused
  return [...resuming.map(name => stateCommand('fold', name)), stateCommand('finish', group)]
}

/** The context change that queues a command, or marks it as refused. */
function queueOrRefuse(context: ClientContext, command: Command) {
  const key = String(context.commandCount)
  const queue = queued(context.queue, command, key)
  const { data } = context.record
  const fault = validateCommand(completeCommand(command, data), data)
  const refusal = lostGroupRefusal(command, context) ?? (fault === undefined ? undefined : commandFaultText(fault))
  return {
    isWaiting: refusal === undefined,
    change: {
      commandCount: context.commandCount + 1,
      queue: refusal === undefined ? queue : markIgnored(queue, key, refusal),
    },
  }
}

/** Requests the molecule from its first missing frame on. */
function vizCommand({ viewed, record }: Pick<ClientContext, 'viewed' | 'record'>): Command | undefined {
  const frame = viewed === undefined ? undefined : nextFrameToRequest(structureOf(record, viewed.unit))
  return viewed === undefined || frame === undefined ? undefined : { cmd: 'viz', unit: viewed.unit, frame }
}

function structureOf({ structures }: ClientRecord, unit: string): Structure {
  return structures.get(unit) ?? emptyStructure
}

/** Whether nothing of the molecule has arrived yet. */
function isStill({ viewed, record }: Pick<ClientContext, 'viewed' | 'record'>): boolean {
  const { topology, trajectory } = structureOf(record, viewed?.unit ?? '')
  return topology === undefined && trajectory.count === 0
}

function countsFrames(facts: readonly ClientFact[]): boolean {
  return facts.some(
    fact =>
      fact.type === 'changes.received' &&
      fact.changes.some(change => change[0] === 'units' && change.at(-2) === 'frames'),
  )
}

/** Whether it may have been obeyed since what is known of the client. A socket of its own has no delay, unless a server says its age. */
function mayBeObeyed({ connectedAt, kind, asOf, seenUntil }: ClientContext, entry: QueuedCommand): boolean {
  const isDelayed = connectedAt !== undefined && (kind === 'relay' || asOf !== undefined)
  return isDelayed && !isEffectSeen(entry, seenUntil)
}

function isThere({ connectedAt }: ClientContext): boolean {
  return connectedAt !== undefined
}

function isCommand(next: ReturnType<typeof nextToSend>): next is { key: string; command: Command } {
  return next !== undefined && 'command' in next
}
