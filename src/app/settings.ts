import { t } from '@lingui/core/macro'
import { formatAddress, parseAddress } from '../folding/shared/address.ts'
import type { DemoAccount } from '../machines/app/app/app.actors.ts'
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

/**
 * Everything that a deployment can set, in one place. A build takes it from `VITE_…` variables; at run time a
 * `<meta name="foldboard:api-url" content="…">` in index.html overrides the build.
 */
export type Settings = {
  /** Base address of the account API. */
  readonly apiUrl: WebUrl
  /** host:port of the client on this computer; '' looks for none, 'self' is the page's own origin. */
  readonly directAddress: string
  /** How relay nodes are spoken to: `ws` only for a node on this computer. */
  readonly nodeScheme: 'ws' | 'wss'
  /** Where the newest client's version is told. */
  readonly versionUrl: WebUrl
  /** Who else can vouch for a person: 'google, github=GitHub' names two of the API's providers. */
  readonly providers: readonly Provider[]
  /** An account to look at, as 'email passphrase': what a server with simulated machines offers. */
  readonly demo?: DemoAccount | undefined
  /** The socket that tells points over time. */
  readonly statisticsUrl: SocketUrl
  /** Pictures of awards: `user`, `team` and `type` go along as query. */
  readonly awardsUrl: WebUrl
  /** Whose calls tell the news: the API's, or those of the older WordPress site. */
  readonly newsSource: 'api' | 'wordpress'
  /** What the news' paths are appended to. */
  readonly newsUrl: WebUrl
  /** Where an article of the API is read, before its slug. */
  readonly articleUrl: WebUrl
  /** How much of a session is kept for looking back: at most so many events, and about so much memory. */
  readonly journalEvents: number
  readonly journalMegabytes: number
}

export type ReadSettings = Settings & {
  /** What is set to something that it cannot be, for whoever set it. */
  readonly mistakes: readonly string[]
}

const defaults = {
  apiUrl: 'https://api.foldingathome.org',
  directAddress: '127.0.0.1:7396',
  nodeScheme: 'wss',
  versionUrl: 'https://download.foldingathome.org/releases/public/fah-client/meta.json',
  statisticsUrl: 'wss://api.foldingathome.org/ws',
  awardsUrl: 'https://apps.foldingathome.org/awards',
  newsSource: 'api',
  articleUrl: 'https://foldingathome.org/article',
  journalEvents: 100_000,
  journalMegabytes: 32,
} as const

/**
 * What stands in for an address that is set and is none. Nobody can be reached there (RFC 2606): a page that was meant
 * for somebody's own servers must not sign in at the public ones because of a typing mistake.
 */
const NOWHERE = 'https://setting.invalid' as WebUrl

const WORDPRESS_URL = 'https://foldingathome.org/wp-json/wp/v2'

const demoOf = (told: string): DemoAccount | undefined => {
  const [, email, passphrase] = /^(\S+) (.+)$/.exec(told.trim()) ?? []
  return email === undefined || passphrase === undefined ? undefined : { email, secrets: { passphrase } }
}

const providersOf = (list: string): readonly Provider[] =>
  list
    .split(',')
    .map(entry => entry.trim().split('='))
    .flatMap(([id = '', name = '']) =>
      id === '' ? [] : [{ id, name: name || id.charAt(0).toUpperCase() + id.slice(1) }],
    )

const countOf = (text: string, fallback: number): number => (/^\d{1,9}$/.test(text) ? Number(text) : fallback)

type Source = (name: string) => string | undefined

/** `VITE_API_URL` for `api-url`. */
const fromBuild =
  (environment: Readonly<Record<string, unknown>>): Source =>
  name => {
    const value = environment[`VITE_${name.toUpperCase().replaceAll('-', '_')}`]
    return typeof value === 'string' ? value : undefined
  }

const fromPage =
  (page: Pick<Document, 'querySelector'>): Source =>
  name =>
    page.querySelector(`meta[name="foldboard:${name}"]`)?.getAttribute('content') ?? undefined

/** What an own API stands for as well; each can be set by itself. The public API has these at several hosts. */
const besides = (apiUrl: WebUrl) =>
  apiUrl === defaults.apiUrl
    ? defaults
    : {
        statisticsUrl: asSocketUrl(below(apiUrl, '/ws')),
        awardsUrl: below(apiUrl, '/awards'),
        articleUrl: below(apiUrl, '/article'),
      }

export const readSettings = (
  page: Pick<Document, 'querySelector'>,
  environment: Readonly<Record<string, unknown>>,
  { host, href }: Pick<Location, 'host' | 'href'>,
): ReadSettings => {
  const mistakes: string[] = []
  const sources = [fromPage(page), fromBuild(environment)]
  const read = (name: string, fallback: string): string =>
    sources.map(source => source(name)).find(value => value !== undefined) ?? fallback
  const parsed = <Url>(
    name: string,
    fallback: string,
    parse: (text: string) => Url | undefined,
    otherwise: Url,
  ): Url => {
    const text = read(name, fallback)
    const url = parse(text)
    if (url === undefined) mistakes.push(t`The setting ${name} is no address that can be used: ${text}`)
    return url ?? otherwise
  }
  const base = (name: string, fallback: string): WebUrl =>
    parsed(name, fallback, text => parseBaseUrl(text, href), NOWHERE)
  const apiUrl = base('api-url', defaults.apiUrl)
  const own = besides(apiUrl)
  const newsSource = read('news-source', defaults.newsSource) === 'wordpress' ? 'wordpress' : 'api'
  return {
    apiUrl,
    directAddress: parsed(
      'direct-address',
      defaults.directAddress,
      text => (text === 'self' ? host : spelledAddress(text)),
      '',
    ),
    nodeScheme: read('node-scheme', defaults.nodeScheme) === 'ws' ? 'ws' : 'wss',
    versionUrl: parsed('version-url', defaults.versionUrl, text => parseWebUrl(text, href), NOWHERE),
    providers: providersOf(read('providers', '')),
    demo: demoOf(read('demo', '')),
    statisticsUrl: parsed(
      'statistics-url',
      own.statisticsUrl,
      text => parseSocketUrl(text, href.replace(/^http/, 'ws')),
      asSocketUrl(NOWHERE),
    ),
    awardsUrl: base('awards-url', own.awardsUrl),
    newsSource,
    newsUrl: base('news-url', newsSource === 'api' ? apiUrl : WORDPRESS_URL),
    articleUrl: base('article-url', own.articleUrl),
    journalEvents: countOf(read('journal-events', ''), defaults.journalEvents),
    journalMegabytes: countOf(read('journal-megabytes', ''), defaults.journalMegabytes),
    mistakes,
  }
}

/** The servers that this page asks for news and projects may also give their pictures. */
export const pictureOriginsOf = ({ apiUrl, newsUrl, articleUrl }: Settings): readonly string[] => [
  ...new Set([apiUrl, newsUrl, articleUrl].flatMap(url => (URL.canParse(url) ? [new URL(url).origin] : []))),
]
const spelledAddress = (text: string): string | undefined => {
  const address = parseAddress(text)
  if (text.trim() === '') return ''
  return address === undefined ? undefined : formatAddress(address)
}
