import { t } from '@lingui/core/macro'
import { problemLevel, type ProblemLevel } from '../../../folding/machine/badges.ts'
import { clientName, infoOf, isTooOld, unitsOf, type ClientView } from '../../../folding/machine/client.ts'
import { donorConfigOf, isSameDonor, type DonorConfig } from '../../../folding/account/donor.ts'
import { activeProjects } from '../../../folding/unit/unit-progress.ts'

import { keptMachine, type KeptMachine } from '../../../folding/unit/history.ts'
import { wayKind, type WayKind } from '../../../folding/machine/connections.ts'
import { whyNothingToFinish } from '../../../folding/machine/finishing.ts'
import { clientSummary } from '../../../folding/machine/summary.ts'
import { isSameSummary, type Summary } from '../../../folding/machine/totals.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import { compareVersions, parseVersion } from '../../../protocol/version.ts'
import type { ClientContext } from './client.context.ts'

/** What a client says of itself to the fleet. */
export type ClientReport = {
  readonly name: string
  readonly isConnected: boolean
  /** How it is reached. */
  readonly way: WayKind
  /** The machine's own id, which a direct connection learns from the client. */
  readonly machine: string | undefined
  /** The id of the account that it says it is linked to, '' when to none. */
  readonly account: string | undefined
  /** Whom its own config says that it folds for. */
  readonly donor: DonorConfig | undefined
  /** Numbers of the projects that it is folding for at this moment, in order. */
  readonly projects: readonly number[]
  /** Whether it is below the version that may be told anything. */
  readonly isTooOld: boolean
  readonly problem: ProblemLevel
  /** Whether a restart was asked for that could not be sent yet. */
  readonly owesRestart: boolean
  /** Whether telling it to finish would do anything. */
  readonly hasWorkToFinish: boolean
  readonly summary: Summary
}

const LAST_WITHOUT_PINGS = '8.1.17'

/** Clients up to 8.1.17 send no pings, so their silence means nothing (docs/product.md §8). */
export const sendsPings = (data: ClientData | undefined): boolean => {
  const own = parseVersion(data?.info.version)
  const last = parseVersion(LAST_WITHOUT_PINGS)
  return own !== undefined && last !== undefined && compareVersions(own, last) > 0
}

const views = new WeakMap<ClientContext, ClientView>()

/** The client as folding's functions want it: the same object for the same context. */
export const viewOf = (context: ClientContext): ClientView => {
  const known = views.get(context)
  if (known !== undefined) return known
  const view: ClientView = {
    id: context.id,
    isDirect: context.kind === 'direct',
    address: context.address,
    name: context.name,
    isConnected: context.connectedAt !== undefined,
    isLoading: context.isOpening && context.attempts <= 1,
    lastConnected: context.heardAt,
    data: context.record.data,
  }
  views.set(context, view)
  return view
}

/** What to report now; the last report itself when it still says the same. */
export const reportOf = (context: ClientContext): ClientReport => {
  const view = viewOf(context)
  const now = context.heardAt ?? 0
  const { account, latestVersion } = context.surroundings
  const report: ClientReport = {
    name: clientName(view),
    isConnected: view.isConnected,
    way: wayKind(context),
    machine: infoOf(view)?.id,
    account: infoOf(view)?.account,
    donor: view.data === undefined ? undefined : donorConfigOf(view.data.config),
    projects: view.isConnected ? activeProjects(unitsOf(view.data)) : [],
    isTooOld: isTooOld(view),
    problem: problemLevel(view, { account, latest: latestVersion, now }),
    owesRestart: context.owesRestart,
    hasWorkToFinish: whyNothingToFinish(view.data) === undefined,
    summary: clientSummary(view, now),
  }
  return context.report !== undefined && isSameReport(context.report, report) ? context.report : report
}

const isSameReport = (a: ClientReport, b: ClientReport): boolean =>
  a.name === b.name &&
  a.isConnected === b.isConnected &&
  a.way === b.way &&
  a.machine === b.machine &&
  a.account === b.account &&
  isSameDonor(a.donor, b.donor) &&
  a.isTooOld === b.isTooOld &&
  a.problem === b.problem &&
  a.owesRestart === b.owesRestart &&
  a.hasWorkToFinish === b.hasWorkToFinish &&
  isSameSummary(a.summary, b.summary) &&
  a.projects.join() === b.projects.join()

/** What the history remembers it as. */
export const machineOf = (context: ClientContext): Omit<KeptMachine, 'owner'> =>
  keptMachine(context.id, clientName(viewOf(context)), context.record.data)

const QUIET_KEYS: ReadonlySet<unknown> = new Set(['eta', 'wu_progress', 'progress', 'run_time', 'frames'])

/** Whether what a client said can change its report. Most of what a folding client says is how far it is. */
export const mayChangeReport = (facts: readonly ClientFact[]): boolean =>
  facts.some(fact => {
    if (fact.type === 'snapshot.received') return true
    if (fact.type !== 'changes.received') return false
    return fact.changes.some(change => !(change[0] === 'units' && change.length === 4 && QUIET_KEYS.has(change[2])))
  })

/** The likely reason why a client did not obey. It never says (docs/protocol.md §5). */
export const ignoredReason = ({ connectedAt }: ClientContext): string =>
  connectedAt === undefined
    ? t`The connection was lost before the machine could answer.`
    : t`The machine did not obey within 10 seconds. Most likely the clock of this computer or of the machine is wrong, or somebody else gave it another command in the same second.`
