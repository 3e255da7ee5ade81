import { t } from '@lingui/core/macro'
import { problemLevel, type ProblemLevel } from '../../../folding/client/badges.ts'
import { actionBlockerOf } from '../../../folding/client/actions.ts'
import {
  clientName,
  infoOf,
  isTooOld,
  ownId,
  ownName,
  type ClientView,
  unitsOf,
} from '../../../folding/client/client.ts'
import { donorConfigOf, isSameDonor, type DonorConfig } from '../../../folding/account/donor.ts'
import { activeProjects } from '../../../folding/unit/unit-progress.ts'

import { archivedClient, type ArchivedClient } from '../../../folding/unit/archived-client.ts'
import { connectionKind, delayStep, type ConnectionKind } from '../../../folding/client/connections.ts'
import { finishBlocker } from '../../../folding/client/finishing.ts'
import { isSameTraits, traitsOf, type Traits } from '../../../folding/client/client-key.ts'
import { clientSummary } from '../../../folding/client/summary.ts'
import { isSameSummary, type Summary } from '../../../folding/client/totals.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import { compareVersions, parseVersion } from '../../../protocol/version.ts'
import type { ClientContext } from './client.context.ts'

/** Summary of a client for the fleet. */
export type ClientReport = {
  /** As it is shown. */
  readonly name: string
  /** Also where other clients have the same. */
  readonly ownName: string
  /** Where a direct client listens. */
  readonly address: string | undefined
  readonly traits: Traits
  readonly isConnected: boolean
  /** When it was connected last, if that is less than 5 minutes ago and it is not now. */
  readonly goneSince: number | undefined
  /** Whether a broadcast through the relay reaches it. */
  readonly isAtRelay: boolean
  /** How it is reached. */
  readonly way: ConnectionKind
  /** How long its own socket took to open, as a step of `delayStep`. */
  readonly delay: number | undefined
  /** The client's own id; known on a direct connection once the client has sent it. */
  readonly machine: string | undefined
  /** Id of the account that it is linked to; '' for none; undefined until known. */
  readonly account: string | undefined
  /** The donor in its own config. */
  readonly donor: DonorConfig | undefined
  /** Numbers of the projects that it is folding now, in order. */
  readonly projects: readonly number[]
  /** Whether its version is too old to be controlled. */
  readonly isTooOld: boolean
  /** Why a server does not pass on folding, pausing and finishing; undefined when it does. */
  readonly withheld: string | undefined
  readonly problem: ProblemLevel
  /** Whether a requested restart has not been sent yet. */
  readonly isRestartPending: boolean
  /** Whether `finish` would have an effect. */
  readonly hasWorkToFinish: boolean
  readonly summary: Summary
}

const LAST_WITHOUT_PINGS = '8.1.17'

/** Clients up to 8.1.17 send no pings, so their silence means nothing (docs/product.md §8). */
export function sendsPings(data: ClientData | undefined): boolean {
  const own = parseVersion(data?.info.version)
  const last = parseVersion(LAST_WITHOUT_PINGS)
  return own !== undefined && last !== undefined && compareVersions(own, last) > 0
}

const views = new WeakMap<ClientContext, ClientView>()

/** The client as the functions of src/folding take it. The same object for the same context. */
export function viewOf(context: ClientContext): ClientView {
  const known = views.get(context)
  if (known !== undefined) return known
  const view: ClientView = {
    id: context.id,
    isDirect: context.kind === 'direct',
    address: context.address,
    name: context.name,
    isConnected: context.connectedAt !== undefined,
    isRecent: context.isRecent,
    isLoading: context.isOpening && context.attempts <= 1,
    lastConnected: context.asOf ?? context.heardAt,
    data: context.record.data,
    limit: context.limit,
    excess: context.excess ?? context.limit?.excess,
    comparison: context.comparison,
  }
  views.set(context, view)
  return view
}

/** The current report; the last report object when nothing in it changed. */
export function reportOf(context: ClientContext): ClientReport {
  const view = viewOf(context)
  const now = context.heardAt ?? 0
  const { account, latestVersion } = context.environment
  const report: ClientReport = {
    name: clientName(view),
    ownName: ownName(view),
    address: context.address,
    traits: traitsOf(infoOf(view)),
    isConnected: view.isConnected,
    goneSince: view.isRecent === true ? context.lostAt : undefined,
    isAtRelay: context.isAtRelay,
    way: connectionKind(context),
    delay: context.openedIn === undefined ? undefined : delayStep(context.openedIn),
    machine: ownId(view),
    account: infoOf(view)?.account,
    donor: view.data === undefined ? undefined : donorConfigOf(view.data.config),
    projects: view.isConnected ? activeProjects(unitsOf(view.data)) : [],
    isTooOld: isTooOld(view),
    withheld: actionBlockerOf('state', view.limit),
    problem: problemLevel(view, { account, latest: latestVersion, now }),
    isRestartPending: context.isRestartPending,
    hasWorkToFinish: finishBlocker(view.data) === undefined,
    summary: clientSummary(view, now),
  }
  return context.report !== undefined && isSameReport(context.report, report) ? context.report : report
}

function isSameReport(a: ClientReport, b: ClientReport): boolean {
  return (
    a.name === b.name &&
    a.ownName === b.ownName &&
    a.address === b.address &&
    isSameTraits(a.traits, b.traits) &&
    a.isConnected === b.isConnected &&
    a.goneSince === b.goneSince &&
    a.isAtRelay === b.isAtRelay &&
    a.way === b.way &&
    a.delay === b.delay &&
    a.machine === b.machine &&
    a.account === b.account &&
    isSameDonor(a.donor, b.donor) &&
    a.isTooOld === b.isTooOld &&
    a.withheld === b.withheld &&
    a.problem === b.problem &&
    a.isRestartPending === b.isRestartPending &&
    a.hasWorkToFinish === b.hasWorkToFinish &&
    isSameSummary(a.summary, b.summary) &&
    a.projects.join() === b.projects.join()
  )
}

/** The client as the history stores it. */
export function clientOf(context: ClientContext): Omit<ArchivedClient, 'owner'> {
  return archivedClient(context.id, clientName(viewOf(context)), context.record.data)
}

const PROGRESS_KEYS: ReadonlySet<unknown> = new Set(['eta', 'wu_progress', 'progress', 'run_time', 'frames'])

/** Whether facts can change the report. Most changes of a folding client concern only its progress. */
export function mayChangeReport(facts: readonly ClientFact[]): boolean {
  return facts.some(fact => {
    if (fact.type === 'snapshot.received') return true
    if (fact.type !== 'changes.received') return false
    return fact.changes.some(change => !(change[0] === 'units' && change.length === 4 && PROGRESS_KEYS.has(change[2])))
  })
}

/**
 * The likely reason why a client ignored a command. It sends none (docs/protocol.md §5). `outlived`: its connection ended, and
 * the next one did not show the effect. `unknown`: what the client said since has not come.
 */
export function ignoredReason({ connectedAt }: ClientContext, how?: 'outlived' | 'unknown'): string {
  if (connectedAt === undefined || how === 'outlived')
    return t`The connection was lost before the machine could respond.`
  return how === 'unknown'
    ? t`No effect was seen within two minutes. The messages of the machine arrive late, so it may have obeyed.`
    : t`The machine did not respond within 10 seconds. Most likely the clock of this computer or of the machine is wrong, or another command reached it in the same second.`
}
