/*
 * Why something did not work, and what a person can do about it.
 */
import type { ClientAddress } from '../shared/address.ts'
import { formatAddress, isLocalNetwork, isLoopback } from '../shared/address.ts'
import { formatInterval } from '../shared/times.ts'

export type Advice = { readonly title: string; readonly why: string; readonly todo: string }

/** Why a command was sent and nothing came of it. Clients drop commands in silence (docs/protocol.md §5). */
export type IgnoredReason = 'wrong-clock' | 'overtaken' | 'not-connected' | 'no-answer'

export type IgnoredFacts = {
  /** Whether the client is connected now. */
  readonly isConnected: boolean
  /** The page's clock against the client's, seconds (page minus client); undefined when not known. */
  readonly clockOffset?: number | undefined
  /** Whether something else has changed the same setting meanwhile. */
  readonly wasOvertaken?: boolean | undefined
}

/** The likeliest reason why a command was ignored. */
export const ignoredReason = ({ isConnected, clockOffset, wasOvertaken }: IgnoredFacts): IgnoredReason => {
  if (!isConnected) return 'not-connected'
  if (clockOffset !== undefined && isClockWrong(clockOffset)) return 'wrong-clock'
  return wasOvertaken === true ? 'overtaken' : 'no-answer'
}

/** What to say about an ignored command. */
export const ignoredAdvice = (reason: IgnoredReason): Advice => IGNORED[reason]

/** From how many seconds on a difference of the clocks makes clients drop commands or relays refuse a login. */
export const CLOCK_LIMIT = 30

/** Whether a difference of the clocks (seconds) is large enough to be said. */
export const isClockWrong = (offset: number): boolean => Math.abs(offset) > CLOCK_LIMIT

/** A difference of the clocks in words: 'This computer’s clock is 5m 0s ahead of the machine’s.' */
export const clockWords = (offset: number): string =>
  `This computer’s clock is ${formatInterval(Math.abs(offset))} ${offset < 0 ? 'behind' : 'ahead of'} the machine’s.`

/**
 * Why a connection cannot be made. A browser says only that it failed (docs/protocol.md §17), so this is found by
 * trying.
 */
export type TroubleKey =
  | 'nothing-listens'
  | 'origin-refused'
  | 'mixed-content'
  | 'local-network-permission'
  | 'brave-shields'
  | 'safari'
  | 'insecure-page'
  | 'wrong-clock'

export type TroubleFacts = {
  readonly address: ClientAddress
  /** 'https:' or 'http:': how the page came. */
  readonly pageProtocol: string
  readonly browser?: 'brave' | 'safari' | 'other' | undefined
  /** What a plain request to the same address gave: an answer of any kind, or nothing; undefined when not tried. */
  readonly probe?: 'answered' | 'nothing' | undefined
  /** What the browser says about the local network; undefined when it has no such permission. */
  readonly permission?: 'granted' | 'denied' | 'prompt' | undefined
}

/** The likely causes of a direct connection that fails, likeliest first; never empty. */
export const troubleCauses = (facts: TroubleFacts): readonly TroubleKey[] => {
  const { address, pageProtocol, browser, probe, permission } = facts
  const isSecurePage = pageProtocol === 'https:'
  const causes: TroubleKey[] = []
  if (isSecurePage && browser === 'safari') causes.push('safari')
  else if (isSecurePage && !isLoopback(address)) causes.push('mixed-content')
  if (permission === 'denied' || permission === 'prompt') causes.push('local-network-permission')
  else if (permission === undefined && isLocalNetwork(address) && probe !== 'answered')
    causes.push('local-network-permission')
  if (probe === 'answered') causes.push('origin-refused')
  if (browser === 'brave' && probe !== 'answered') causes.push('brave-shields')
  if (probe !== 'answered') causes.push('nothing-listens')
  return causes
}

/** What to say about a cause; the address is where the connection was tried. */
export const troubleAdvice = (key: TroubleKey, address?: ClientAddress): Advice =>
  TROUBLE[key](address === undefined ? 'the address' : formatAddress(address))

const IGNORED: Readonly<Record<IgnoredReason, Advice>> = {
  'wrong-clock': {
    title: 'The machine ignored this',
    why: 'The clocks of this computer and of the machine differ, and a machine drops commands that seem to be old or from the future.',
    todo: 'Set the clocks of both computers by the network, then try again.',
  },
  overtaken: {
    title: 'Something else was faster',
    why: 'The same setting was changed from elsewhere in the same second, and a machine takes one change a second.',
    todo: 'Look at what it says now, and try again if it is not what you want.',
  },
  'not-connected': {
    title: 'The machine is out of reach',
    why: 'The connection was lost before the machine confirmed the command.',
    todo: 'Wait until it is connected again, then look whether the command is still needed.',
  },
  'no-answer': {
    title: 'The machine has not confirmed this',
    why: 'Ten seconds have passed without the machine doing it. Its clock or another computer’s may be wrong, or the connection is very slow.',
    todo: 'Check that the clocks of all computers that control the machine are right, then try again.',
  },
}

const TROUBLE: Readonly<Record<TroubleKey, (address: string) => Advice>> = {
  'nothing-listens': address => ({
    title: 'Nothing answers there',
    why: `No folding client answers at ${address}. It may not run, or listen only on its own computer, which is how it comes.`,
    todo: 'Start the folding client. For another computer, add its address to http-addresses and this computer to allow in its configuration.',
  }),
  'origin-refused': address => ({
    title: 'The client refuses this page',
    why: `Something answers at ${address}, but refuses this page. Folding clients accept pages from few places only.`,
    todo: 'Open this dashboard through its own server (npm start), or add this page’s address to the client’s allowed-origins and restart it.',
  }),
  'mixed-content': () => ({
    title: 'The browser blocks the connection',
    why: 'This page came over https, and a browser lets such a page reach other computers over encrypted connections only. Clients have none.',
    todo: 'Open this dashboard over http from your own computer, or sign in to reach the machine through the account.',
  }),
  'local-network-permission': () => ({
    title: 'The browser has not allowed it yet',
    why: 'This browser asks before a page may reach devices on the local network.',
    todo: 'Allow local network access for this page: the symbol beside the address, or the site settings. Then try again.',
  }),
  'brave-shields': () => ({
    title: 'Brave may be blocking it',
    why: 'Brave’s shields keep pages from reaching this computer and the local network.',
    todo: 'Turn the shields down for this page, then reload it.',
  }),
  safari: () => ({
    title: 'Safari blocks the connection',
    why: 'Safari lets a page that came over https reach no client, not even the one on this computer.',
    todo: 'Open this dashboard over http from your own computer, use another browser, or sign in.',
  }),
  'insecure-page': () => ({
    title: 'Signing in does not work from this address',
    why: 'Browsers offer cryptography only to pages that came over https or from this computer itself.',
    todo: 'Open the page as http://localhost or over https.',
  }),
  'wrong-clock': () => ({
    title: 'This computer’s clock is wrong',
    why: 'A sign-in carries the time, and the relay refuses one that is more than 15 minutes off.',
    todo: 'Set the clock by the network, then sign in again.',
  }),
}
