/*
 * A client's badges (docs/product.md §4): what needs attention, why, and what to do about it.
 */
import { t } from '@lingui/core/macro'
import {
  type BadgeContext,
  type ClientView,
  clientResources,
  infoOf,
  isClientPaused,
  isIdleOnPurpose,
  isLinked,
  isOutdated,
  isTooOld,
  unitsOf,
} from './client.ts'
import { failedText, groupProblem, groupsOf, groupTitleOf, groupIdleReason } from './group.ts'
import { appearance, type StateAppearance } from '../shared/appearance.ts'
import { text } from '../shared/read.ts'
import { NO_RESOURCES } from './resources.ts'
import { formatRelative } from '../text/times.ts'
import { failingAdvice, failingEvidence, failingText } from '../incidents/failures.ts'
import { deadlineRisk } from '../unit/unit-progress.ts'
import { formatClauses } from '../text/format.ts'

export type BadgeKey =
  | 'loading'
  | 'disconnected'
  | 'left-over'
  | 'same-id'
  | 'outdated'
  | 'unlinked'
  | 'no-work'
  | 'failed'
  | 'warning'

/** Why a badge is there, and what to do about it. */
export type BadgeText = { readonly reason: string; readonly remedy: string }

/** All badges, in display order. */
export const BADGES: readonly BadgeKey[] = [
  'failed',
  'disconnected',
  'left-over',
  'same-id',
  'loading',
  'outdated',
  'unlinked',
  'no-work',
  'warning',
]

/** A client's badges. Equal sets are the same list, so that selectors may return it. */
export function clientBadges(client: ClientView, context: BadgeContext): readonly BadgeKey[] {
  let bits = 0
  BADGES.forEach((key, index) => {
    if (HAS_BADGE[key](client, context)) bits |= 1 << index
  })
  return badgesOfBits(bits)
}

/** The label, icon, tone and hint of a badge. */
export function badgeAppearance(key: BadgeKey): StateAppearance {
  return BADGE_LOOKS[key]
}

/** Why this client has the badge, and what to do about it. */
export function badgeText(key: BadgeKey, client: ClientView, context: BadgeContext): BadgeText {
  return BADGE_WORDS[key](client, context)
}

/** How much attention a client needs: 0 none, 1 notice, 2 warning, 3 error. For the order 'problems first'. */
export type ProblemLevel = 0 | 1 | 2 | 3

/** The worst of a client's badges and its units' deadlines. A paused client without work is not a problem. */
export function problemLevel(client: ClientView, context: BadgeContext): ProblemLevel {
  const badges = clientBadges(client, context)
  if (badges.includes('failed')) return 3
  if (badges.includes('disconnected') || badges.includes('warning') || hasLateUnit(client, context.now)) return 2
  if (badges.includes('same-id')) return 2
  const lacksWork = badges.includes('no-work') && !isIdleOnPurpose(client)
  return lacksWork || isTooOld(client) || badges.includes('left-over') ? 1 : 0
}

/** The level of a client that is loading: its connection, and how its units are now, are unknown. */
export function problemOfAwaited(level: ProblemLevel): ProblemLevel {
  return level === 2 ? 0 : level
}

function hasLateUnit(client: ClientView, now: number): boolean {
  return unitsOf(client.data).some(unit => {
    const risk = deadlineRisk(unit, now)
    return risk === 'deadline' || risk === 'passed'
  })
}

function groupEntries(client: ClientView) {
  return Object.entries(groupsOf(client.data))
}

function hasGroupWith(client: ClientView, problem: ReturnType<typeof groupProblem>): boolean {
  return groupEntries(client).some(([, group]) => groupProblem(group) === problem)
}

function isLoading(client: ClientView): boolean {
  return (client.isLoading === true && !client.isConnected) || (client.isConnected && client.data === undefined)
}

/** A client of the account that is most likely there under another id. */
function isLeftOver(client: ClientView): boolean {
  return client.comparison?.isLeftOver === true && !client.isConnected && !isLoading(client)
}

const HAS_BADGE: Readonly<Record<BadgeKey, (client: ClientView, context: BadgeContext) => boolean>> = {
  loading: isLoading,
  disconnected: client => !client.isConnected && !isLoading(client) && !isLeftOver(client),
  'left-over': isLeftOver,
  'same-id': ({ comparison }) => comparison?.sameId !== undefined,
  outdated: (client, { latest }) => isTooOld(client) || isOutdated(client, latest),
  unlinked: (client, { account }) =>
    text(account) !== undefined && client.data !== undefined && !isLinked(client, account),
  'no-work': client => client.isConnected && client.data !== undefined && unitsOf(client.data).length === 0,
  failed: client => hasGroupWith(client, 'error'),
  warning: client => hasGroupWith(client, 'warning'),
}

const BADGE_LOOKS: Readonly<Record<BadgeKey, StateAppearance>> = {
  loading: appearance(t`Loading`, 'loading', 'unknown', t`Connecting to the machine.`),
  disconnected: appearance(t`Disconnected`, 'offline', 'failed', t`Not connected; showing the last known state.`),
  'left-over': appearance(
    t`Left over`,
    'dump',
    'waiting',
    t`Never connected since another machine of its name is there.`,
  ),
  'same-id': appearance(t`Same ID`, 'unknown', 'waiting', t`Another computer has the same machine ID.`),
  outdated: appearance(t`Outdated`, 'outdated', 'waiting', t`A newer version of the folding client is available.`),
  unlinked: appearance(t`Unlinked`, 'unlinked', 'waiting', t`Not linked to your account.`),
  'no-work': appearance(t`No work`, 'empty', 'waiting', t`The machine has no work unit.`),
  failed: appearance(t`Failed`, 'fail', 'failed', t`Paused after too many failed work units.`),
  warning: appearance(t`Warning`, 'warning', 'waiting', t`Several work units failed in a row.`),
}

const BADGE_WORDS: Readonly<Record<BadgeKey, (client: ClientView, context: BadgeContext) => BadgeText>> = {
  loading: () => ({
    reason: t`Connecting…`,
    remedy: t`If this takes long, check that the machine is switched on and online.`,
  }),
  disconnected: ({ lastConnected }, { now }) => ({
    reason:
      lastConnected === undefined
        ? t`Not connected since this page was opened.`
        : t`Last contact: ${formatRelative(lastConnected, now)}. Showing the state from then.`,
    remedy: t`Check that it is switched on and online, and that its folding client is running. It reconnects automatically.`,
  }),
  'left-over': ({ lastConnected }, { now }) => ({
    reason:
      lastConnected === undefined
        ? t`It did not connect, but another machine of its name is connected.`
        : t`Last contact: ${formatRelative(lastConnected, now)}. Since then, another machine of its name is connected, on the same computer.`,
    remedy: t`Most likely this is what is left of a machine that got a new ID, as after the operating system was installed again. If so, unlink it from the account in its menu.`,
  }),
  'same-id': ({ comparison }) => ({
    reason: t`Another computer has the same machine ID (${formatClauses(comparison?.sameId ?? [])}): most likely the disk of one was copied to the other. The account holds both as one machine, and their work units can get in each other’s way.`,
    remedy: t`On one of the two computers, let the client finish its work units, stop it, delete its key (the row “key” in the table “config” of client.db), and start it again. It then gets an ID of its own.`,
  }),
  outdated: client => ({
    reason: isTooOld(client)
      ? t`Version ${versionOf(client)} is too old to be controlled from here.`
      : t`Version ${versionOf(client)} is installed; a newer one is available.`,
    remedy: t`Download the latest client and install it on the machine.`,
  }),
  unlinked: () => ({
    reason: t`Not linked to your account, so it can only be reached from its own computer.`,
    remedy: t`Link it in its settings.`,
  }),
  'no-work': noWorkText,
  failed: client => ({
    reason: failedGroups(client),
    remedy: t`If the machine was off for long, they expired: nothing is wrong with it, press Fold. Otherwise check its log for the cause and fix it, then press Fold to reset the count.`,
  }),
  warning: failuresText,
}

/** What the incident of each failing group says, without what only its memory knows. */
function failuresText(client: ClientView): BadgeText {
  const failing = groupEntries(client)
    .filter(([, group]) => groupProblem(group) === 'warning')
    .map(([group, config]) => failingEvidence(group, config))
  return {
    reason: failing.map(evidence => failingText({ evidence })).join(' '),
    remedy: failingAdvice(failing[0] ?? {}),
  }
}

function noWorkText(client: ClientView, { now }: BadgeContext): BadgeText {
  if (clientResources(client.data) === NO_RESOURCES) {
    return { reason: t`No CPUs or GPUs are enabled.`, remedy: t`Enable some in the machine’s settings.` }
  }
  if (isClientPaused(client.data)) return { reason: t`The machine is paused.`, remedy: t`Press Fold to get work.` }
  const reasons = groupEntries(client).map(([name, group]) => {
    const reason = groupIdleReason(group, infoOf(client), now)
    return reason === undefined ? undefined : `${groupTitleOf(infoOf(client), name)}: ${reason}`
  })
  const knownReasons = reasons.filter(reason => reason !== undefined)
  return {
    reason: knownReasons.length === 0 ? t`The machine is set to fold but has no work unit.` : knownReasons.join(' '),
    remedy: isIdleOnPurpose(client)
      ? t`Nothing needs to be done: its settings say so.`
      : t`Wait a moment. If nothing changes, check the machine’s log.`,
  }
}

function failedGroups(client: ClientView): string {
  return groupEntries(client)
    .filter(([, group]) => failedText(group) !== undefined)
    .map(([name, group]) => `${groupTitleOf(infoOf(client), name)}: ${failedText(group) ?? ''}`)
    .join(' ')
}

function versionOf(client: ClientView): string {
  return text(infoOf(client)?.version) ?? ''
}

const lists = new Map<number, readonly BadgeKey[]>()

function badgesOfBits(bits: number): readonly BadgeKey[] {
  const cached = lists.get(bits)
  if (cached !== undefined) return cached
  const made = Object.freeze(BADGES.filter((_, index) => (bits & (1 << index)) !== 0))
  lists.set(bits, made)
  return made
}
