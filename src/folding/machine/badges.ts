/*
 * The badges of a machine (docs/product.md §4): what deserves attention, why, and what can be done about it.
 */
import { t, plural } from '@lingui/core/macro'
import type { ClientView, Surroundings } from './client.ts'
import { clientResources, infoOf, isClientPaused, isLinked, isOutdated, isTooOld, unitsOf } from './client.ts'
import { failedText, failedUnits, groupsOf, groupTitle, whyGroupIsIdle } from './group.ts'
import type { Look } from '../shared/appearance.ts'
import { text } from '../shared/read.ts'
import { NO_RESOURCES } from './resources.ts'
import { formatRelative } from '../shared/times.ts'
import { deadlineRisk } from '../unit/unit-progress.ts'

export type BadgeKey = 'loading' | 'disconnected' | 'outdated' | 'unlinked' | 'no-work' | 'failed' | 'warning'

/** A badge in words: why it is there and what to do. */
export type BadgeWords = { readonly why: string; readonly todo: string }

/** All badges, in the order in which they are shown. */
export const BADGES: readonly BadgeKey[] = [
  'failed',
  'disconnected',
  'loading',
  'outdated',
  'unlinked',
  'no-work',
  'warning',
]

/** The badges that a machine has. The same set is always the same list, so that a selector may return it. */
export const clientBadges = (client: ClientView, around: Surroundings): readonly BadgeKey[] => {
  let bits = 0
  BADGES.forEach((key, index) => {
    if (HAS_BADGE[key](client, around)) bits |= 1 << index
  })
  return sharedList(bits)
}

/** How a badge looks. */
export const badgeLook = (key: BadgeKey): Look => BADGE_LOOKS[key]

/** Why the badge is there, for this machine, and what can be done. */
export const badgeWords = (key: BadgeKey, client: ClientView, around: Surroundings): BadgeWords =>
  BADGE_WORDS[key](client, around)

/** How much attention a machine needs: 0 none, 1 a note, 2 a warning, 3 an error. For 'problems first'. */
export type ProblemLevel = 0 | 1 | 2 | 3

/** The gravest of a machine's badges and of its units' deadlines. A machine that is told to pause is no problem for having no work. */
export const problemLevel = (client: ClientView, around: Surroundings): ProblemLevel => {
  const badges = clientBadges(client, around)
  if (badges.includes('failed')) return 3
  if (badges.includes('disconnected') || badges.includes('warning') || hasLateUnit(client, around.now)) return 2
  const ranDry = badges.includes('no-work') && !isClientPaused(client.data)
  return ranDry || isTooOld(client) ? 1 : 0
}

const hasLateUnit = (client: ClientView, now: number): boolean =>
  unitsOf(client.data).some(unit => {
    const risk = deadlineRisk(unit, now)
    return risk === 'deadline' || risk === 'passed'
  })

const groupEntries = (client: ClientView) => Object.entries(groupsOf(client.data))

const allFailedUnits = (client: ClientView): number =>
  groupEntries(client).reduce((sum, [, group]) => sum + failedUnits(group), 0)

const hasFailedGroup = (client: ClientView): boolean =>
  groupEntries(client).some(([, group]) => failedText(group) !== undefined)

const isLoading = (client: ClientView): boolean =>
  (client.isLoading === true && !client.isConnected) || (client.isConnected && client.data === undefined)

const HAS_BADGE: Readonly<Record<BadgeKey, (client: ClientView, around: Surroundings) => boolean>> = {
  loading: isLoading,
  disconnected: client => !client.isConnected && !isLoading(client),
  outdated: (client, { latest }) => isTooOld(client) || isOutdated(client, latest),
  unlinked: (client, { account }) =>
    text(account) !== undefined && client.data !== undefined && !isLinked(client, account),
  'no-work': client => client.isConnected && client.data !== undefined && unitsOf(client.data).length === 0,
  failed: hasFailedGroup,
  warning: client => !hasFailedGroup(client) && allFailedUnits(client) > 1,
}

const look = (word: string, icon: Look['icon'], tone: Look['tone'], hint: string): Look =>
  Object.freeze({ word, icon, tone, hint })

const BADGE_LOOKS: Readonly<Record<BadgeKey, Look>> = {
  loading: look(t`Loading`, 'loading', 'unknown', t`The machine has not said anything yet.`),
  disconnected: look(
    t`Disconnected`,
    'offline',
    'failed',
    t`The machine is out of reach; what is shown is its last known state.`,
  ),
  outdated: look(t`Outdated`, 'outdated', 'waiting', t`There is a newer version of the folding client.`),
  unlinked: look(t`Unlinked`, 'unlinked', 'waiting', t`The machine does not belong to your account.`),
  'no-work': look(t`No work`, 'empty', 'waiting', t`The machine holds no work unit.`),
  failed: look(t`Failed`, 'fail', 'failed', t`The machine has given up after too many failed units.`),
  warning: look(t`Warning`, 'warning', 'waiting', t`More than one unit failed in a row.`),
}

const BADGE_WORDS: Readonly<Record<BadgeKey, (client: ClientView, around: Surroundings) => BadgeWords>> = {
  loading: () => ({
    why: t`The connection is being made.`,
    todo: t`Wait a moment. If it stays so, see whether the machine is switched on and online.`,
  }),
  disconnected: ({ lastConnected }, { now }) => ({
    why:
      lastConnected === undefined
        ? t`The machine has not been reached since this page was opened.`
        : t`The machine was last heard from ${formatRelative(lastConnected, now)}; what is shown is from then.`,
    todo: t`See whether it is switched on, online, and whether the folding client runs. It reconnects by itself.`,
  }),
  outdated: client => ({
    why: isTooOld(client)
      ? t`Version ${versionOf(client)} is too old to be controlled from here.`
      : t`The machine runs version ${versionOf(client)}; there is a newer one.`,
    todo: t`Download the newest client and install it on the machine.`,
  }),
  unlinked: () => ({
    why: t`The machine does not belong to your account, so it can only be reached from its own computer.`,
    todo: t`Link it in its settings.`,
  }),
  'no-work': noWorkWords,
  failed: client => ({
    why: failedGroups(client),
    todo: t`Look into the machine’s log for the reason, put it right, then press Fold: that starts the count anew.`,
  }),
  warning: client => ({
    why: t`${plural(allFailedUnits(client), { one: '# unit has', other: '# units have' })} failed in a row.`,
    todo: t`Look into the machine’s log for the reason. An overclocked or hot GPU and an old driver are the usual ones.`,
  }),
}

function noWorkWords(client: ClientView, { now }: Surroundings): BadgeWords {
  if (clientResources(client.data) === NO_RESOURCES) {
    return { why: t`No CPUs and no GPUs are enabled.`, todo: t`Enable some in the machine’s settings.` }
  }
  if (isClientPaused(client.data)) return { why: t`The machine is paused.`, todo: t`Press Fold to fetch work.` }
  const reasons = groupEntries(client).map(([name, group]) => {
    const reason = whyGroupIsIdle(group, infoOf(client), now)
    return reason === undefined ? undefined : `${groupTitle(name)}: ${reason}`
  })
  const known = reasons.filter(reason => reason !== undefined)
  return {
    why: known.length === 0 ? t`The machine is told to fold, but holds no unit.` : known.join(' '),
    todo: t`Wait a moment. If it stays so, look into the machine’s log.`,
  }
}

const failedGroups = (client: ClientView): string =>
  groupEntries(client)
    .filter(([, group]) => failedText(group) !== undefined)
    .map(([name, group]) => `${groupTitle(name)}: ${failedText(group) ?? ''}`)
    .join(' ')

const versionOf = (client: ClientView): string => text(infoOf(client)?.version) ?? ''

const lists = new Map<number, readonly BadgeKey[]>()

const sharedList = (bits: number): readonly BadgeKey[] => {
  const known = lists.get(bits)
  if (known !== undefined) return known
  const made = Object.freeze(BADGES.filter((_, index) => (bits & (1 << index)) !== 0))
  lists.set(bits, made)
  return made
}
