/*
 * A diagnosis in words: what is wrong, why, and the one thing to do, for this browser and this operating system.
 */
import { t } from '@lingui/core/macro'
import { formatAddress, isLoopback } from '../address/address.ts'
import { browserLabel, type Browser, type SystemName } from '../shared/browser.ts'
import { formatInterval } from '../text/times.ts'
import { MIN_VERSION_FOR_ACTIONS } from '../../protocol/client/version.ts'
import {
  diagnose,
  isOwnServer,
  PROBES,
  type CheckFacts,
  type Diagnosis,
  type ProbeName,
  type ProbeResults,
} from './connection-diagnosis.ts'

export type DiagnosisText = {
  readonly title: string
  readonly why: string
  readonly todo: string
  /** To be copied as they are. */
  readonly lines: readonly DiagnosisLine[]
}

export type DiagnosisLine = { readonly label: string; readonly text: string }

export function diagnosisText(diagnosis: Diagnosis, facts: CheckFacts): DiagnosisText {
  return {
    lines: [],
    ...TEXTS[diagnosis](facts),
  }
}

type Text = Omit<DiagnosisText, 'lines'> & Partial<Pick<DiagnosisText, 'lines'>>

/** Where a client reads its settings when it starts. */
const CONFIG_FILES: Readonly<Record<SystemName, string>> = {
  linux: '/etc/fah-client/config.xml',
  windows: '%PROGRAMDATA%\\FAHClient\\config.xml',
  macos: t`/Library/Application Support/FAHClient/config.xml`,
  android: 'config.xml',
  ios: 'config.xml',
  other: 'config.xml',
}

function isOnThisComputer({ address }: CheckFacts): boolean {
  return isLoopback(address)
}

/** What a client is told in its configuration file, or when it is started. */
function optionLines(option: string, value: string, system: SystemName): readonly DiagnosisLine[] {
  return [
    {
      label: t`In ${CONFIG_FILES[system]}, between <config> and </config>`,
      text: ['<', option, ' v="', value, '"/>'].join(''),
    },
    { label: t`Or on the command line`, text: ['fah-client', `--${option}`, `"${value}"`].join(' ') },
  ]
}

function restartText({ system }: Browser): string {
  switch (system) {
    case 'linux':
      return t`Then restart it: sudo systemctl restart fah-client`
    case 'windows':
      return t`Then restart it: quit it from its icon in the notification area, and open it again from the Start menu.`
    case 'macos':
      return t`Then restart it: quit it from its icon in the menu bar, and open it again from the Applications folder.`
    default:
      return t`Then restart it.`
  }
}

function startText({ system }: Browser): string {
  switch (system) {
    case 'linux':
      return t`Start the client with the command below.`
    case 'windows':
      return t`Start the client: open Folding@home from the Start menu.`
    case 'macos':
      return t`Start the client: open Folding@home from the Applications folder.`
    default:
      return t`Start the client on the computer that is to fold. Clients run on Windows, macOS and Linux.`
  }
}

/** Where the browser keeps what a page may do. */
function permissionText({ name, system }: Browser): string {
  switch (name) {
    case 'chrome':
    case 'edge':
    case 'opera':
    case 'brave':
      return system === 'android'
        ? t`Press the icon to the left of the address, choose Permissions, and allow local network access. Then check again.`
        : t`Press the icon to the left of the address, open Site settings, set Local network access (also called Apps on device) to Allow, and reload the page.`
    case 'firefox':
      return t`Press the permissions icon to the left of the address, remove the block for the local network, and reload the page.`
    default:
      return t`Allow access to the local network for this page in the settings of the browser, and reload the page.`
  }
}

function whereText(facts: CheckFacts): string {
  const { host } = facts.results
  return host?.outcome === 'passes' ? host.clientAddress : formatAddress(facts.address)
}

/** Lets a client listen to its network, and take connections from it. */
function networkLines({ address: { host, port } }: CheckFacts): readonly DiagnosisLine[] {
  const [, network = '192.168.0'] = /^((?:\d+\.){2}\d+)\.\d+$/.exec(host) ?? []
  return [
    ...optionLines('http-addresses', `0.0.0.0:${port}`, 'linux').slice(0, 1),
    ...optionLines('allow', `127.0.0.1 ::1 ${network}.0/24`, 'linux').slice(0, 1),
  ]
}

function clockText({ results: { api } }: CheckFacts): string {
  const offset = api?.outcome === 'answered' ? (api.offset ?? 0) : 0
  const difference = formatInterval(Math.abs(offset) / 1000)
  return offset > 0
    ? t`This computer’s clock is ${difference} behind.`
    : t`This computer’s clock is ${difference} ahead.`
}

const TEXTS: Readonly<Record<Diagnosis, (facts: CheckFacts) => Text>> = {
  connected: facts => ({
    title: t`The connection works`,
    why: t`A folding client answers at ${whereText(facts)} and lets this page in.`,
    todo: t`Close this dialog. The machine appears by itself.`,
  }),
  clientNotRunning: facts =>
    isOnThisComputer(facts)
      ? {
          title: t`No folding client is running`,
          why: t`Nothing answers at ${whereText(facts)}.`,
          todo: startText(facts.browser),
          lines:
            facts.browser.system === 'linux'
              ? [{ label: t`Command`, text: ['sudo', 'systemctl', 'start', 'fah-client'].join(' ') }]
              : [],
        }
      : {
          title: t`No folding client answers there`,
          why: t`Nothing answers at ${whereText(facts)}. A client listens only to its own computer until it is told otherwise.`,
          todo: t`Start the client on that computer, and let it listen to your network with the lines below. Every computer that “allow” names can then control it, so name only those that you trust.`,
          lines: networkLines(facts),
        },
  noAnswer: facts => ({
    title: t`There is no answer`,
    why: t`${whereText(facts)} neither accepts nor refuses a connection. The computer may be off, or a firewall may drop what comes.`,
    todo: isOnThisComputer(facts)
      ? t`Restart the folding client. If that does not help, let it through your firewall or security software.`
      : t`See that the computer is on and in this network, and let port ${String(facts.address.port)} through its firewall.`,
  }),
  hostAway: facts => ({
    title: t`The server of this page has stopped`,
    why: t`This page came from ${facts.page.origin}, which passes it on to the client and does not answer any more.`,
    todo: t`Start the server again, then check again.`,
  }),
  originRefused: facts => ({
    title: t`The client does not trust this page`,
    why: t`A client answers at ${whereText(facts)}, but refuses pages from ${facts.page.origin}. Clients since 8.5.7 accept only pages that they were told to trust.`,
    todo: t`Add this page’s address to the client’s settings. ${restartText(facts.browser)}`,
    lines: optionLines('allowed-origins', facts.page.origin, isOnThisComputer(facts) ? facts.browser.system : 'other'),
  }),
  mixedContent: facts => ({
    title: t`The browser blocks the connection`,
    why: t`This page came over HTTPS. Browsers let such a page open plain connections to this computer only, and a client at ${whereText(facts)} has no other.`,
    todo: t`Log in and link the machine to your account, or open Foldboard over HTTP from a computer of your network.`,
  }),
  permissionDenied: facts => ({
    title: t`The browser does not allow it`,
    why: t`Access to the local network, where ${whereText(facts)} is, was denied to this page.`,
    todo: permissionText(facts.browser),
  }),
  permissionPending: facts => ({
    title: t`The browser waits for your permission`,
    why: t`It asks before a page may reach the local network, where ${whereText(facts)} is.`,
    todo: t`Press “Check again” and choose Allow when the browser asks. If it does not ask: ${permissionText(facts.browser)}`,
  }),
  insecurePage: facts => ({
    title: t`This page cannot ask for permission`,
    why: t`The browser asks before a page may reach the local network, and only for pages that came over HTTPS or from this computer. This one came from ${facts.page.origin}.`,
    todo: t`Start Foldboard on this computer and open it as http://localhost, or open it over HTTPS.`,
  }),
  braveShields: facts => ({
    title: t`Brave blocks the connection`,
    why: t`Brave’s Shields keep pages away from ${whereText(facts)}.`,
    todo: t`Press the Shields icon in the address bar, turn Shields down for this page, and reload it.`,
  }),
  safari: () => ({
    title: t`Safari blocks the connection`,
    why: t`Safari lets no page that came over HTTPS reach a client, not even one on this computer.`,
    todo: t`Use Chrome, Edge or Firefox, or open Foldboard over HTTP from this computer.`,
  }),
  wrongPort: ({ address, results, ...facts }) => ({
    title: t`The address is wrong`,
    why: t`Nothing that is a client answers at ${whereText({ address, results, ...facts })}, but something answers at ${results.elsewhere ?? ''}, where clients usually are.`,
    todo: isOwnServer({ address, ...facts })
      ? t`Start Foldboard with the option below.`
      : t`Connect to ${results.elsewhere ?? ''} instead.`,
    lines: isOwnServer({ address, ...facts })
      ? [{ label: t`Command`, text: ['npm', 'start', '--', '--client', results.elsewhere].join(' ') }]
      : [],
  }),
  otherProgram: facts => ({
    title: t`Another program answers there`,
    why: t`Something answers at ${whereText(facts)}, but not as a folding client does.`,
    todo: t`Check the address and the port. If a client does run there and serves its own pages, let this page in with the line below.`,
    lines: optionLines('allowed-origins', facts.page.origin, facts.browser.system).slice(0, 1),
  }),
  socketBlocked: facts => ({
    title: t`Something blocks the connection`,
    why: t`A client answers at ${whereText(facts)}, but no lasting connection (WebSocket) to it can be opened. Extensions, proxies and security software do that.`,
    todo: t`Turn off extensions that block content for this page, and let ${facts.page.origin} through your security software.`,
  }),
  clientTooOld: facts => {
    const { socket } = facts.results
    const version = socket?.outcome === 'client' ? (socket.version ?? '') : ''
    return {
      title: t`The client is too old`,
      why: t`The client at ${whereText(facts)} has version ${version}. Foldboard controls clients from ${MIN_VERSION_FOR_ACTIONS} on.`,
      todo: t`Install the newest client from https://foldingathome.org/start-folding/`,
    }
  },
  clockWrong: facts => ({
    title: t`This computer’s clock is wrong`,
    why: t`${clockText(facts)} Clients ignore commands from the wrong time, and relays refuse logins.`,
    todo: clockSettingText(facts.browser),
  }),
  apiUnreachable: () => ({
    title: t`The account server cannot be reached`,
    why: t`It knows your machines and how to reach them. It gave no answer.`,
    todo: t`See whether this computer has a network, and whether a content blocker or a firewall keeps this page from the server. It is tried again by itself.`,
  }),
  relayUnreachable: () => ({
    title: t`The relay cannot be reached`,
    why: t`The account server answers, but the relay through which your account’s machines are reached does not.`,
    todo: t`Wait a few minutes: it is tried again by itself. If it stays so, see whether a firewall blocks it, or choose another node in the account settings.`,
  }),
  tokenWrong: facts => ({
    title: t`The client is not linked to your account`,
    why: t`The client at ${whereText(facts)} works, but belongs to no account. A client that was linked with a wrong or renewed token forgets it and does not say so.`,
    todo: t`Link it again in its settings: Foldboard then sends it the token that is valid now.`,
  }),
}

function clockSettingText({ system }: Browser): string {
  switch (system) {
    case 'linux':
      return t`Have the clock set by the network: sudo timedatectl set-ntp true`
    case 'windows':
      return t`Open Settings, Time & language, Date & time, and press “Sync now”.`
    case 'macos':
      return t`Open System Settings, General, Date & Time, and turn on “Set time and date automatically”.`
    default:
      return t`Have the clock set by the network in the system’s settings.`
  }
}

/** What a probe is called while it runs and when it is done. */
export function probeLabel(name: ProbeName): string {
  return PROBE_LABELS[name]
}

const PROBE_LABELS: Readonly<Record<ProbeName, string>> = {
  permission: t`Permission of the browser`,
  socket: t`Connection to the client`,
  request: t`Anything at the address`,
  reading: t`Answer that this page may read`,
  redirect: t`Behavior of a folding client`,
  elsewhere: t`Usual addresses`,
  host: t`Server of this page`,
  api: t`Account server`,
  relay: t`Relay`,
}

/** What a probe found, in a few words; undefined when it was not made. */
export function probeText(name: ProbeName, results: ProbeResults): string | undefined {
  switch (name) {
    case 'permission':
      return results.permission === undefined ? undefined : PERMISSIONS[results.permission]
    case 'socket': {
      const { socket } = results
      if (socket === undefined) return undefined
      if (socket.outcome !== 'client') return SOCKETS[socket.outcome]
      return socket.version === undefined ? t`Works` : t`Works, client ${socket.version}`
    }
    case 'request':
      return results.request === undefined ? undefined : REQUESTS[results.request]
    case 'reading':
      return results.reading === undefined ? undefined : READINGS[results.reading]
    case 'redirect':
      return results.redirect === undefined ? undefined : REDIRECTS[results.redirect]
    case 'elsewhere':
      if (!('elsewhere' in results)) return undefined
      return results.elsewhere === undefined ? t`Nothing answers` : t`Something answers at ${results.elsewhere}`
    case 'host': {
      const { host } = results
      if (host === undefined) return undefined
      if (host.outcome !== 'passes') return HOSTS[host.outcome]
      return t`Passes on to ${host.clientAddress}: ${PEERS[host.peer]}`
    }
    case 'api': {
      const { api } = results
      if (api === undefined) return undefined
      if (api.outcome === 'failed') return t`No answer`
      return api.offset === undefined
        ? t`Answers`
        : t`Answers; clocks differ by ${formatInterval(Math.abs(api.offset) / 1000)}`
    }
    case 'relay':
      return results.relay === undefined ? undefined : RELAYS[results.relay]
  }
}

const PERMISSIONS = {
  granted: t`Given`,
  denied: t`Denied`,
  prompt: t`Not asked for yet`,
  none: t`Not needed`,
} as const

const SOCKETS = {
  other: t`Opened, but not to a client`,
  silent: t`Opened, but nothing came`,
  failed: t`Refused`,
  blocked: t`Blocked by the browser`,
  timeout: t`No answer in time`,
} as const

const REQUESTS = {
  answered: t`Something answers`,
  failed: t`Nothing answers`,
  blocked: t`Blocked by the browser`,
  timeout: t`No answer in time`,
} as const

const READINGS = {
  client: t`A client’s answer`,
  other: t`Another program’s answer`,
  unreadable: t`Not allowed to this page`,
} as const

const REDIRECTS = {
  leaves: t`Sends browsers elsewhere, as clients do`,
  stays: t`Serves pages itself`,
  unknown: t`Cannot be told`,
} as const

const HOSTS = { none: t`Passes nothing on`, away: t`Does not answer` } as const

const PEERS = {
  client: t`a client answers`,
  simulated: t`a simulated client answers`,
  none: t`nothing listens there`,
  silent: t`no answer in time`,
  other: t`another program answers`,
} as const

const RELAYS = { answered: t`Answers`, failed: t`No answer`, none: t`Not in use` } as const

/** The result of a check as plain text, for a bug report. */
export function checkReport(facts: CheckFacts): string {
  const { title, why, todo, lines } = diagnosisText(diagnose(facts), facts)
  const rows = PROBES.flatMap(name => {
    const found = probeText(name, facts.results)
    return found === undefined ? [] : [`- ${probeLabel(name)}: ${found}`]
  })
  return [
    t`Foldboard connection check`,
    t`Page: ${facts.page.origin}`,
    t`Client: ${formatAddress(facts.address)}`,
    t`Browser: ${browserLabel(facts.browser)}`,
    '',
    title,
    why,
    todo,
    ...lines.map(({ label, text }) => `${label}: ${text}`),
    '',
    ...rows,
  ].join('\n')
}
