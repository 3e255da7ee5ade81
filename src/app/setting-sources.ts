import { MAX_DIRECT_CLIENTS } from '../folding/client/direct-clients.ts'
import { formatAddress, parseAddress } from '../folding/address/address.ts'

/*
 * Where settings come from, and the addresses that are connected to at start: src/app/start.ts reads them before the app does.
 */

type Source = (name: string) => string | undefined

/** `VITE_API_URL` for `api-url`. */
function fromBuild(environment: Readonly<Record<string, unknown>>): Source {
  return name => {
    const value = environment[`VITE_${name.toUpperCase().replaceAll('-', '_')}`]
    return typeof value === 'string' ? value : undefined
  }
}

export function fromPage(page: Pick<Document, 'querySelector'>): Source {
  return name => page.querySelector(`meta[name="foldboard:${name}"]`)?.getAttribute('content') ?? undefined
}

type SettingReader = (name: string, fallback: string) => string

/** A setting of the page comes before that of the build. */
export function settingReader(
  page: Pick<Document, 'querySelector'>,
  environment: Readonly<Record<string, unknown>>,
): SettingReader {
  const sources = [fromPage(page), fromBuild(environment)]
  return (name, fallback) => sources.map(source => source(name)).find(value => value !== undefined) ?? fallback
}

type DirectAddress = {
  readonly text: string
  /** The canonical `host:port`; '' for none, undefined when the text is not an address. */
  readonly address: string | undefined
}

/** The clients to connect to at start. */
export function readDirectAddresses(
  read: SettingReader,
  { host, href }: Pick<Location, 'host' | 'href'>,
): readonly DirectAddress[] {
  return read('direct-address', '127.0.0.1:7396')
    .split(',')
    .slice(0, MAX_DIRECT_CLIENTS)
    .map(part => {
      const text = part.trim()
      return { text, address: directAddressOf(text, hostWithPort(host, href)) }
    })
}

/** A client's default port is not that of web pages. */
function hostWithPort(host: string, href: string): string {
  return host === '' || /:\d+$/.test(host) ? host : `${host}:${href.startsWith('https:') ? 443 : 80}`
}

/** 'self' is the page's host, and 'self/2' the second client that it passes through. '' for none. */
function directAddressOf(text: string, host: string): string | undefined {
  if (text === '' || text === 'self') return text === '' ? '' : host
  const nth = /^self\/(\d+)$/.exec(text)?.[1]
  const address = parseAddress(nth === undefined ? text : `${host}/clients/${nth}`)
  return address === undefined ? undefined : formatAddress(address)
}
