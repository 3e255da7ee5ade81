import { t } from '@lingui/core/macro'
import type { DemoAccount } from '../machines/app/app.actors.ts'
import type { Provider } from '../machines/account/sign-in/sign-in.machine.ts'
import {
  asSocketUrl,
  below,
  parseBaseUrl,
  parseSocketUrl,
  parseWebUrl,
  type SocketUrl,
  type WebUrl,
} from '../protocol/url.ts'
import { fromPage, readDirectAddresses, settingReader } from './setting-sources.ts'

/**
 * All settings of a deployment. A build reads `VITE_…` variables; at run time a
 * `<meta name="foldboard:api-url" content="…">` in index.html overrides them.
 */
export type Settings = {
  /** Base address of the account API. */
  readonly apiUrl: WebUrl
  /** host:port of the client on this computer; '' for none. */
  readonly directAddress: string
  /** Other clients to connect to at start, such as those that the page's host passes through. */
  readonly otherDirectAddresses: readonly string[]
  /** Protocol of relay nodes: `ws` only for a node on this computer. */
  readonly nodeScheme: 'ws' | 'wss'
  /** Address of the file with the newest client version. */
  readonly versionUrl: WebUrl
  /** Sign-in providers of the API, such as 'google, github=GitHub'. */
  readonly providers: readonly Provider[]
  /** A demo account as 'email passphrase', offered by a server with simulated clients. */
  readonly demo?: DemoAccount | undefined
  /** The socket for points over time. */
  readonly statisticsUrl: SocketUrl
  /** Pictures of awards, with the query `user`, `team` and `type`. */
  readonly awardsUrl: WebUrl
  /** The source of the news: the API, or the older WordPress site. */
  readonly newsSource: 'api' | 'wordpress'
  /** Base address of the news. */
  readonly newsUrl: WebUrl
  /** Address of an article of the API, without its slug. */
  readonly articleUrl: WebUrl
  /** Limits of the recording of a session. */
  readonly journalEvents: number
  readonly journalMegabytes: number
  /** Whether a Foldboard server (docs/server.md) serves this page, and connects to its clients. */
  readonly hasServer?: boolean
}

export type ReadSettings = Settings & {
  /** Messages about invalid settings. */
  readonly errors: readonly string[]
}

const defaults = {
  apiUrl: 'https://api.foldingathome.org',
  nodeScheme: 'wss',
  versionUrl: 'https://download.foldingathome.org/releases/public/fah-client/meta.json',
  statisticsUrl: 'wss://ws.foldingathome.org/',
  awardsUrl: 'https://apps.foldingathome.org/awards',
  newsSource: 'api',
  articleUrl: 'https://foldingathome.org/news',
  journalEvents: 100_000,
  journalMegabytes: 32,
} as const

/**
 * Replaces an invalid address. The host cannot exist (RFC 2606): a page for private servers must not sign in at the
 * public ones because of a typing mistake.
 */
const UNREACHABLE = 'https://setting.invalid' as WebUrl

const WORDPRESS_URL = 'https://foldingathome.org/wp-json/wp/v2'

function demoOf(content: string): DemoAccount | undefined {
  const [, email, passphrase] = /^(\S+) (.+)$/.exec(content.trim()) ?? []
  return email === undefined || passphrase === undefined ? undefined : { email, secrets: { passphrase } }
}

function providersOf(list: string): readonly Provider[] {
  return list
    .split(',')
    .map(entry => entry.trim().split('='))
    .flatMap(([id = '', name = '']) =>
      id === '' ? [] : [{ id, name: name || id.charAt(0).toUpperCase() + id.slice(1) }],
    )
}

function countOf(text: string, fallback: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : fallback
}

/** Addresses that follow from a private API. Each can also be set by itself. */
function derivedUrls(apiUrl: WebUrl) {
  return apiUrl === defaults.apiUrl
    ? defaults
    : {
        statisticsUrl: asSocketUrl(below(apiUrl, '/ws')),
        awardsUrl: below(apiUrl, '/awards'),
        articleUrl: below(apiUrl, '/article'),
      }
}

export function readSettings(
  page: Pick<Document, 'querySelector'>,
  environment: Readonly<Record<string, unknown>>,
  location: Pick<Location, 'host' | 'href'>,
): ReadSettings {
  const errors: string[] = []
  const { href } = location
  const read = settingReader(page, environment)
  const parsed = <Url>(
    name: string,
    fallback: string,
    parse: (text: string) => Url | undefined,
    otherwise: Url,
  ): Url => {
    const text = read(name, fallback)
    const url = parse(text)
    if (url === undefined) errors.push(t`The setting ${name} is not a valid address: ${text}`)
    return url ?? otherwise
  }
  const base = (name: string, fallback: string): WebUrl =>
    parsed(name, fallback, text => parseBaseUrl(text, href), UNREACHABLE)
  const apiUrl = base('api-url', defaults.apiUrl)
  const derived = derivedUrls(apiUrl)
  const [directAddress = '', ...otherDirectAddresses] = readDirectAddresses(read, location).map(({ text, address }) => {
    const name = 'direct-address'
    if (address === undefined) errors.push(t`The setting ${name} is not a valid address: ${text}`)
    return address ?? ''
  })
  const newsSource = read('news-source', defaults.newsSource) === 'wordpress' ? 'wordpress' : 'api'
  return {
    apiUrl,
    directAddress,
    otherDirectAddresses: otherDirectAddresses.filter(address => address !== ''),
    nodeScheme: read('node-scheme', defaults.nodeScheme) === 'ws' ? 'ws' : 'wss',
    versionUrl: parsed('version-url', defaults.versionUrl, text => parseWebUrl(text, href), UNREACHABLE),
    providers: providersOf(read('providers', '')),
    demo: demoOf(read('demo', '')),
    statisticsUrl: parsed(
      'statistics-url',
      derived.statisticsUrl,
      text => parseSocketUrl(text, href.replace(/^http/, 'ws')),
      asSocketUrl(UNREACHABLE),
    ),
    awardsUrl: base('awards-url', derived.awardsUrl),
    newsSource,
    newsUrl: base('news-url', newsSource === 'api' ? apiUrl : WORDPRESS_URL),
    articleUrl: base('article-url', derived.articleUrl),
    journalEvents: countOf(read('journal-events', ''), defaults.journalEvents),
    journalMegabytes: countOf(read('journal-megabytes', ''), defaults.journalMegabytes),
    hasServer: fromPage(page)('server') !== undefined,
    errors,
  }
}

/** Origins that may serve pictures: those of news and projects. */
export function pictureOriginsOf({ apiUrl, newsUrl, articleUrl }: Settings): readonly string[] {
  return [...new Set([apiUrl, newsUrl, articleUrl].flatMap(url => (URL.canParse(url) ? [new URL(url).origin] : [])))]
}
