import { buildText, type Build } from './build.ts'

/** A connection to a client, without its name and address. */
export type ReportedConnection = {
  readonly way: 'direct' | 'relay'
  readonly isConnected: boolean
  /** Of the folding client; undefined while it has not reported. */
  readonly version: string | undefined
}

export type BugReportFacts = {
  readonly build: Pick<Build, 'version' | 'commit'>
  /** As the browser calls itself. */
  readonly browser: string
  /** Of the page's address. */
  readonly protocol: string
  /** Whether the page came from this computer. */
  readonly isLocal: boolean
  readonly isSecure: boolean
  readonly isOnline: boolean
  readonly isStoredOffline: boolean
  readonly isUpdateKnown: boolean
  readonly isSignedIn: boolean
  readonly relay: string
  /** Milliseconds that this computer's clock differs from the network's. */
  readonly clockOffset: number
  readonly connections: readonly ReportedConnection[]
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

function connectionText({ way, isConnected, version }: ReportedConnection): string {
  return [way, isConnected ? 'connected' : 'disconnected', `client ${version ?? 'unknown'}`].join(', ')
}

/** Equal connections are one line with their number: an account may have a thousand clients. */
function connectionLines(connections: readonly ReportedConnection[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const connection of connections) {
    const text = connectionText(connection)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => `- ${count} × ${text}`)
}

/**
 * What helps to find an error, as text to copy. In English, since maintainers read it. Without names, addresses, keys and
 * ids, since reports are public.
 */
export function bugReportText(facts: BugReportFacts): string {
  return [
    `Foldboard: ${buildText(facts.build)}`,
    `Browser: ${facts.browser}`,
    `Page: ${facts.protocol.replace(':', '')}, from ${facts.isLocal ? 'this computer' : 'another host'}`,
    `Secure page: ${yesNo(facts.isSecure)}`,
    `Network: ${facts.isOnline ? 'online' : 'offline'}`,
    `Stored for use without a network: ${yesNo(facts.isStoredOffline)}`,
    `New version available: ${yesNo(facts.isUpdateKnown)}`,
    `Signed in: ${yesNo(facts.isSignedIn)}`,
    `Relay: ${facts.relay}`,
    `Clock difference: ${Math.round(facts.clockOffset / 1000)} s`,
    `Connections: ${facts.connections.length}`,
    ...connectionLines(facts.connections),
  ].join('\n')
}
