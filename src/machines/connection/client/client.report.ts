import { t } from '@lingui/core/macro'
import { problemLevel } from '../../../folding/client/badges.ts'
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
import { donorConfigOf } from '../../../folding/account/donor.ts'
import { activeProjects } from '../../../folding/unit/unit-progress.ts'
import { archivedClient, type ArchivedClient } from '../../../folding/unit/archived-client.ts'
import { isPutAway } from '../../../folding/client/put-away.ts'
import { connectionKind, delayStep } from '../../../folding/client/connections.ts'
import { finishBlocker } from '../../../folding/client/finishing.ts'
import { traitsOf } from '../../../folding/client/client-key.ts'
import { clientSummary } from '../../../folding/client/summary.ts'
import { computedOnce } from '../../../folding/shared/computed-once.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import { compareVersions, parseVersion } from '../../../protocol/client/version.ts'
import type { ClientContext } from './client.context.ts'
import type { ClientReport } from './client.events.ts'

const LAST_WITHOUT_PINGS = '8.1.17'

/** Clients up to 8.1.17 send no pings, so their silence means nothing (docs/product.md §8). */
export function sendsPings(data: ClientData | undefined): boolean {
  const current = parseVersion(data?.info.version)
  const last = parseVersion(LAST_WITHOUT_PINGS)
  return current !== undefined && last !== undefined && compareVersions(current, last) > 0
}

/** The client as the functions of src/folding take it. The same object for the same context. */
export const viewOf = computedOnce(newView)

/** As `viewOf`, but not kept: there are thousands of contexts a second, and each kept view delays the garbage collector. */
export function newView(context: ClientContext): ClientView {
  return {
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
    isPutAway: isPutAway(context.environment.putAway, {
      key: context.kind === 'relay' ? context.id : context.record.data?.info.id,
      isConnected: context.connectedAt !== undefined,
      heardAt: context.heardAt,
    }),
  }
}

/** The current report; the last report object when nothing in it changed. */
export function reportOf(context: ClientContext): ClientReport {
  const view = newView(context)
  const now = context.heardAt ?? 0
  const { account, latestVersion } = context.environment
  const report: ClientReport = {
    name: clientName(view),
    ownName: ownName(view),
    address: context.address,
    traits: traitsOf(infoOf(view)),
    isConnected: view.isConnected,
    isPutAway: view.isPutAway === true,
    goneSince: view.isRecent === true ? context.lostAt : undefined,
    isAtRelay: context.isAtRelay,
    way: connectionKind(context),
    delay: context.openedIn === undefined ? undefined : delayStep(context.openedIn),
    machine: ownId(view),
    account: infoOf(view)?.account,
    isSimulated: infoOf(view)?.simulated === true,
    donor: view.data === undefined ? undefined : donorConfigOf(view.data.config),
    projects: view.isConnected ? activeProjects(unitsOf(view.data)) : [],
    isTooOld: isTooOld(view),
    withheld: actionBlockerOf('state', view.limit),
    problem: problemLevel(view, { account, latest: latestVersion, now }),
    isRestartPending: context.isRestartPending,
    hasWorkToFinish: finishBlocker(view.data) === undefined,
    summary: clientSummary(view, now),
  }
  return context.report !== undefined && isSameValue(context.report, report) ? context.report : report
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
