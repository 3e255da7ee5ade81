import type { Provider } from '../machines/account/sign-in/sign-in.machine.ts'

/**
 * Everything that a deployment can set, in one place. A build takes it from `VITE_…` variables; at run time a
 * `<meta name="foldboard:api-url" content="…">` in index.html overrides the build.
 */
export type Settings = {
  /** Base address of the account API, without a slash at its end. */
  readonly apiUrl: string
  /** host:port of the client on this computer; '' looks for none, 'self' is the page's own origin. */
  readonly directAddress: string
  /** How relay nodes are spoken to: `ws` only for a node on this computer. */
  readonly nodeScheme: 'ws' | 'wss'
  /** Where the newest client's version is told. */
  readonly versionUrl: string
  /** Who else can vouch for a person: 'google, github=GitHub' names two of the API's providers. */
  readonly providers: readonly Provider[]
  /** The socket that tells points over time. */
  readonly statisticsUrl: string
  /** Pictures of awards: `user`, `team` and `type` go along as query. */
  readonly awardsUrl: string
  /** Whose calls tell the news: the API's, or those of the older WordPress site. */
  readonly newsSource: 'api' | 'wordpress'
  /** What the news' paths are appended to, without a slash at its end. */
  readonly newsUrl: string
  /** Where an article of the API is read, before its slug. */
  readonly articleUrl: string
  /** How much of a session is kept for looking back: at most so many events, and about so much memory. */
  readonly journalEvents: number
  readonly journalMegabytes: number
}

const defaults: Omit<Settings, 'newsUrl'> = {
  apiUrl: 'https://api.foldingathome.org',
  directAddress: '127.0.0.1:7396',
  nodeScheme: 'wss',
  versionUrl: 'https://download.foldingathome.org/releases/public/fah-client/meta.json',
  providers: [],
  statisticsUrl: 'wss://api.foldingathome.org/ws',
  awardsUrl: 'https://apps.foldingathome.org/awards',
  newsSource: 'api',
  articleUrl: 'https://foldingathome.org/article',
  journalEvents: 100_000,
  journalMegabytes: 32,
}

const WORDPRESS_URL = 'https://foldingathome.org/wp-json/wp/v2'

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

export const readSettings = (
  page: Pick<Document, 'querySelector'>,
  environment: Readonly<Record<string, unknown>>,
  ownHost: string,
): Settings => {
  const sources = [fromPage(page), fromBuild(environment)]
  const read = (name: string, fallback: string): string =>
    sources.map(source => source(name)).find(value => value !== undefined) ?? fallback
  const directAddress = read('direct-address', defaults.directAddress)
  const base = (name: string, fallback: string): string => read(name, fallback).replace(/\/+$/, '')
  const apiUrl = base('api-url', defaults.apiUrl)
  const newsSource = read('news-source', defaults.newsSource) === 'wordpress' ? 'wordpress' : 'api'
  return {
    apiUrl,
    directAddress: directAddress === 'self' ? ownHost : directAddress,
    nodeScheme: read('node-scheme', defaults.nodeScheme) === 'ws' ? 'ws' : 'wss',
    versionUrl: read('version-url', defaults.versionUrl),
    providers: providersOf(read('providers', '')),
    statisticsUrl: read('statistics-url', defaults.statisticsUrl),
    awardsUrl: read('awards-url', defaults.awardsUrl),
    newsSource,
    newsUrl: base('news-url', newsSource === 'api' ? apiUrl : WORDPRESS_URL),
    articleUrl: base('article-url', defaults.articleUrl),
    journalEvents: countOf(read('journal-events', ''), defaults.journalEvents),
    journalMegabytes: countOf(read('journal-megabytes', ''), defaults.journalMegabytes),
  }
}

/** The servers that this page asks for news and projects may also give their pictures. */
export const pictureOriginsOf = ({ apiUrl, newsUrl, articleUrl }: Settings): readonly string[] => [
  ...new Set([apiUrl, newsUrl, articleUrl].flatMap(url => (URL.canParse(url) ? [new URL(url).origin] : []))),
]
