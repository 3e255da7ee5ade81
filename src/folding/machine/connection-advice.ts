/*
 * Why a connection or a command failed, and what the user can do about it.
 */
import { t } from '@lingui/core/macro'
import type { ClientAddress } from '../shared/address.ts'
import { formatAddress, isLocalNetwork, isLoopback } from '../shared/address.ts'
import { formatInterval } from '../shared/times.ts'

export type Advice = { readonly title: string; readonly why: string; readonly todo: string }

/** Why a client did not obey a command. Clients drop commands silently (docs/protocol.md §5). */
export type IgnoredReason = 'wrong-clock' | 'overtaken' | 'not-connected' | 'no-answer'

export type IgnoredFacts = {
  readonly isConnected: boolean
  /** The page's clock minus the client's, seconds; undefined when unknown. */
  readonly clockOffset?: number | undefined
  /** Whether the same setting was changed elsewhere meanwhile. */
  readonly wasOvertaken?: boolean | undefined
}

/** The likeliest reason. */
export const ignoredReason = ({ isConnected, clockOffset, wasOvertaken }: IgnoredFacts): IgnoredReason => {
  if (!isConnected) return 'not-connected'
  if (clockOffset !== undefined && isClockWrong(clockOffset)) return 'wrong-clock'
  return wasOvertaken === true ? 'overtaken' : 'no-answer'
}

export const ignoredAdvice = (reason: IgnoredReason): Advice => IGNORED[reason]

/** Clock difference in seconds beyond which clients may drop commands. */
export const CLOCK_LIMIT = 30

export const isClockWrong = (offset: number): boolean => Math.abs(offset) > CLOCK_LIMIT

/** 'This computer’s clock is 5m 0s ahead of the machine’s.' `offset` in seconds. */
export const clockText = (offset: number): string =>
  offset < 0
    ? t`This computer’s clock is ${formatInterval(-offset)} behind the machine’s.`
    : t`This computer’s clock is ${formatInterval(offset)} ahead of the machine’s.`

/** Why a direct connection fails. Browsers do not report it (docs/protocol.md §17), so it is inferred. */
export type ConnectionProblem =
  | 'nothing-listens'
  | 'origin-refused'
  | 'mixed-content'
  | 'local-network-permission'
  | 'brave-shields'
  | 'safari'
  | 'insecure-page'
  | 'wrong-clock'

export type ConnectionFacts = {
  readonly address: ClientAddress
  /** The page's own protocol: 'https:' or 'http:'. */
  readonly pageProtocol: string
  readonly browser?: 'brave' | 'safari' | 'other' | undefined
  /** Whether a plain request to the address got any response; undefined when not tried. */
  readonly probe?: 'answered' | 'nothing' | undefined
  /** The browser's local network permission; undefined when it has none. */
  readonly permission?: 'granted' | 'denied' | 'prompt' | undefined
}

/** The likely problems of a failed direct connection, likeliest first; never empty. */
export const connectionProblems = (facts: ConnectionFacts): readonly ConnectionProblem[] => {
  const { address, pageProtocol, browser, probe, permission } = facts
  const isSecurePage = pageProtocol === 'https:'
  const problems: ConnectionProblem[] = []
  if (isSecurePage && browser === 'safari') problems.push('safari')
  else if (isSecurePage && !isLoopback(address)) problems.push('mixed-content')
  if (permission === 'denied' || permission === 'prompt') problems.push('local-network-permission')
  else if (permission === undefined && isLocalNetwork(address) && probe !== 'answered')
    problems.push('local-network-permission')
  if (probe === 'answered') problems.push('origin-refused')
  if (browser === 'brave' && probe !== 'answered') problems.push('brave-shields')
  if (probe !== 'answered') problems.push('nothing-listens')
  return problems
}

/** Advice for a cause. `address`: where the connection was tried. */
export const connectionAdvice = (problem: ConnectionProblem, address?: ClientAddress): Advice =>
  PROBLEMS[problem](address === undefined ? t`the address` : formatAddress(address))

const IGNORED: Readonly<Record<IgnoredReason, Advice>> = {
  'wrong-clock': {
    title: t`The machine ignored this`,
    why: t`This computer’s clock and the machine’s differ, and machines drop commands that seem old or from the future.`,
    todo: t`Set both clocks automatically from the network, then try again.`,
  },
  overtaken: {
    title: t`Changed elsewhere`,
    why: t`The same setting was changed elsewhere in the same second, and a machine accepts one change per second.`,
    todo: t`Check its current value, and try again if it is not what you want.`,
  },
  'not-connected': {
    title: t`The machine is disconnected`,
    why: t`The connection was lost before the machine confirmed the command.`,
    todo: t`Wait until it is connected again, then check whether the command is still needed.`,
  },
  'no-answer': {
    title: t`The machine has not confirmed this`,
    why: t`The machine did not obey within ten seconds. Its clock or another computer’s may be wrong, or the connection is very slow.`,
    todo: t`Check the clocks of all computers that control the machine, then try again.`,
  },
}

const PROBLEMS: Readonly<Record<ConnectionProblem, (address: string) => Advice>> = {
  'nothing-listens': address => ({
    title: t`No response`,
    why: t`No folding client responds at ${address}. It may not be running, or it accepts connections only from its own computer, which is the default.`,
    todo: t`Start the folding client. On another computer, add its address to http-addresses and this computer to allow in its configuration.`,
  }),
  'origin-refused': address => ({
    title: t`The client refuses this page`,
    why: t`The client at ${address} does not accept connections from this page’s address.`,
    todo: t`Open this dashboard through its own server (npm start), or add this page’s address to the client’s allowed-origins and restart the client.`,
  }),
  'mixed-content': () => ({
    title: t`The browser blocks the connection`,
    why: t`This page was loaded over https, so the browser allows only encrypted connections to other computers. Clients do not offer them.`,
    todo: t`Open this dashboard over http from your own computer, or sign in to reach the machine through your account.`,
  }),
  'local-network-permission': () => ({
    title: t`Permission needed`,
    why: t`This browser asks before a page may reach devices on the local network.`,
    todo: t`Allow local network access for this page in the address bar or the site settings, then try again.`,
  }),
  'brave-shields': () => ({
    title: t`Brave may block the connection`,
    why: t`Brave’s shields keep pages from reaching this computer and the local network.`,
    todo: t`Turn shields down for this page, then reload it.`,
  }),
  safari: () => ({
    title: t`Safari blocks the connection`,
    why: t`On pages loaded over https, Safari blocks connections to clients, even on this computer.`,
    todo: t`Open this dashboard over http from your own computer, use another browser, or sign in.`,
  }),
  'insecure-page': () => ({
    title: t`Sign-in does not work at this address`,
    why: t`Browsers offer cryptography only to pages loaded over https or from this computer.`,
    todo: t`Open the page as http://localhost or over https.`,
  }),
  'wrong-clock': () => ({
    title: t`This computer’s clock is wrong`,
    why: t`A sign-in contains the time, and the relay rejects one that is more than 15 minutes off.`,
    todo: t`Set the clock automatically from the network, then sign in again.`,
  }),
}
