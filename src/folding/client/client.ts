/*
 * One client: its name, system, resources, folding state, and whether it can be controlled.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, ClientInfo } from '../../protocol/client/client-data.ts'
import type { FoldingState } from '../../protocol/client/commands.ts'
import { compareVersions, isAtLeast, MIN_VERSION_FOR_ACTIONS, parseVersion } from '../../protocol/client/version.ts'
import { UNKNOWN } from '../text/format.ts'
import { groupsOf, groupState, isGroupEmpty, isIdleOnPurpose as isGroupIdleOnPurpose } from './group.ts'
import { list, ownValue, record, text } from '../shared/read.ts'
import { boundedId, boundedText } from '../text/vocabulary.ts'
import { markedName, type Comparison } from './identity.ts'
import type { Excess } from './client-excess.ts'
import { cappedCpus, configuredCpus, enabledGpus, gpuModel, osTitle, resourcesText } from './resources.ts'
import { isHeld } from '../unit/unit-meaning.ts'

/** The id of the connection to the client on this computer (docs/product.md §3). */
export const DIRECT_ID = '__direct__'

/** The ids of the connections that the page's settings name, by their position from 0. */
export function directId(position: number): string {
  return position === 0 ? DIRECT_ID : `${DIRECT_ID}${position + 1}`
}

/** The position of such a connection from 1; undefined for others. */
export function directNumber(id: string): number | undefined {
  const [, number] = /^__direct__(\d{0,5})$/.exec(id) ?? []
  return number === undefined ? undefined : number === '' ? 1 : Number(number)
}

/** The project's abbreviation, in titles. */
const PROJECT_ABBREVIATION = 'FAH'

/** A client as the functions here take it. */
export type ClientView = {
  /** The client's id in the account, or the id of a direct connection. */
  readonly id: string
  readonly isDirect: boolean
  /** Where a direct client listens, as `host:port`. */
  readonly address?: string | undefined
  /** Its name in the account. */
  readonly name?: string | undefined
  /** From the first full message until the connection is lost. */
  readonly isConnected: boolean
  /** Whether it was connected less than 5 minutes ago, and is not now. */
  readonly isRecent?: boolean
  /** Connecting for the first time. */
  readonly isLoading?: boolean | undefined
  /** When the last message was received, epoch milliseconds. */
  readonly lastConnected?: number | undefined
  /** The last known state; it stays after the connection is lost. */
  readonly data: ClientData | undefined
  /** What the server that connects to it lets this page do; undefined without such a server. */
  readonly limit?: ClientLimit | undefined
  /** Of what it sent too much, so that the server leaves it alone for a while. */
  readonly excess?: Excess | undefined
  /** What comparing it with the other clients told. */
  readonly comparison?: Comparison | undefined
  /** Whether a person put it away until it connects. */
  readonly isPutAway?: boolean
}

/** Whether nobody waits for it to connect: most likely it is there under another id, or a person put it away. */
export function isWrittenOff({ comparison, isPutAway }: ClientView): boolean {
  return comparison?.isLeftOver === true || isPutAway === true
}

/** Commands that a server passes on, and why others are not: the role of the user, or the settings of this client. */
export type ClientLimit = {
  readonly commands: readonly string[]
  readonly because: 'role' | 'settings'
  /** Its name in those settings, as in what the server shows and sends. */
  readonly name?: string | undefined
  /** Of what the client sent too much, while the server leaves it alone for that. */
  readonly excess?: Excess | undefined
}

/** What badges depend on besides the client. */
export type BadgeContext = {
  /** The id of the account that is signed in. */
  readonly account?: string | undefined
  /** The newest client version, as text or as the download host's list; undefined while not known. */
  readonly latest?: unknown
  /** Epoch milliseconds. */
  readonly now: number
}

/** The client's `info`; undefined before the first message. */
export function infoOf(client: ClientView): ClientInfo | undefined {
  return record(client.data?.info) === undefined ? undefined : client.data?.info
}

/** 'Direct client at {address}' or 'FAH ID {id}' (docs/product.md §2). */
export function clientTitle(client: ClientView): string {
  return client.isDirect
    ? t`Direct client at ${text(client.address) ?? UNKNOWN}`
    : `${PROJECT_ABBREVIATION} ID ${client.id}`
}

export function ownId(client: ClientView): string | undefined {
  const id = text(infoOf(client)?.id)
  return id === undefined ? undefined : boundedId(id)
}

/** Identifies the client in the history, tags and incidents; undefined until it has sent its id. */
export function clientKeyOf(client: ClientView): string | undefined {
  return client.comparison?.key ?? (client.isDirect ? ownId(client) : client.id)
}

/**
 * Its name, also where other clients have the same: the account's or this browser's, else the server's, else the client's
 * own, else the host name, else its title.
 */
export function ownName(client: ClientView): string {
  return boundedText(
    text(client.name) ??
      text(client.limit?.name) ??
      text(infoOf(client)?.mach_name) ??
      text(infoOf(client)?.hostname) ??
      clientTitle(client),
  )
}

/** Its display name, which tells it from other shown clients of the same name. */
export function clientName(client: ClientView): string {
  return markedName(ownName(client), client.comparison?.mark)
}

/** The operating system's display name: 'linux' → 'Linux'; an unknown one unchanged. */
export function osName(info: ClientInfo | undefined): string | undefined {
  const os = text(info?.os)
  return os === undefined ? undefined : osTitle(os)
}

/** The operating system with its version: 'Linux 6.18'; `???` when not known. */
export function osText(info: ClientInfo | undefined): string {
  const name = osName(info)
  const version = text(info?.os_version)
  return name === undefined ? UNKNOWN : [name, version].filter(part => part !== undefined).join(' ')
}

/** The CPUs and GPUs of all groups, capped at what the client has: '12 CPUs, NVIDIA GeForce RTX 4090', 'No resources'. */
export function clientResources(data: ClientData | undefined, locale?: string): string {
  const configs = Object.values(groupsOf(data)).map(group => group.config)
  const cpus = configs.reduce((sum, config) => sum + configuredCpus(config), 0)
  const gpus = new Set(configs.flatMap(enabledGpus))
  return resourcesText(
    cappedCpus(cpus, data?.info),
    [...gpus].sort().map(id => gpuModel(data?.info, id)),
    locale,
  )
}

/** Whether the client belongs to the account: a direct one reports its account, others always do (docs/product.md §4). */
export function isLinked(client: ClientView, account: string | undefined): boolean {
  return !client.isDirect || (text(account) !== undefined && infoOf(client)?.account === account)
}

/** Whether the client is older than the latest version. False while either is unknown. */
export function isOutdated(client: ClientView, latest: unknown): boolean {
  const current = parseVersion(infoOf(client)?.version)
  const newest = parseVersion(latest)
  return current !== undefined && newest !== undefined && compareVersions(current, newest) < 0
}

/** Whether the client's version is known and too old to be controlled (below 8.3.0): its actions are hidden. */
export function isTooOld(client: ClientView): boolean {
  const version = infoOf(client)?.version
  return parseVersion(version) !== undefined && !isAtLeast(version, MIN_VERSION_FOR_ACTIONS)
}

/** The folding state of the client's groups: 'mixed' when they differ, undefined without groups. */
export function clientState(data: ClientData | undefined): FoldingState | 'mixed' | undefined {
  const states = new Set(Object.values(groupsOf(data)).map(groupState))
  const [state] = states
  return states.size > 1 ? 'mixed' : state
}

/** Whether all groups are paused. False without groups. */
export function isClientPaused(data: ClientData | undefined): boolean {
  return clientState(data) === 'pause'
}

/** Whether the client is connected and has a unit that nothing holds back (docs/product.md §4). */
export function isActive(client: ClientView): boolean {
  return client.isConnected && unitsOf(client.data).some(unit => !isHeld(unit))
}

/** Whether all of its groups that could fold are kept from work by their settings, so that having none is no problem. */
export function isIdleOnPurpose({ data }: ClientView): boolean {
  const groups = Object.values(groupsOf(data)).filter(group => !isGroupEmpty(group, data?.info))
  return groups.length > 0 && groups.every(group => isGroupIdleOnPurpose(group, data?.info))
}

/** Whether its donor is known to have no passkey, so that no bonus is earned. What is stored of a client has no secrets. */
export function lacksPasskey(data: ClientData | undefined): boolean {
  return ownValue(data?.config, 'passkey') === ''
}

export function unitsOf(data: ClientData | undefined): ClientData['units'] {
  return list(data?.units).length === 0 ? NO_UNITS : (data?.units ?? NO_UNITS)
}

const NO_UNITS: ClientData['units'] = Object.freeze([])

/** A valid client name: characters other than letters, digits, underscores, dashes and dots become a dash. */
export function linkName(name: string): string {
  return (
    name
      .trim()
      .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
      .slice(0, 64) || 'machine'
  )
}
