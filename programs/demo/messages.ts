/** What a page or its worker asks the network for: over a port of its own each. */
export type Asked =
  | { readonly type: 'socket'; readonly url: string }
  | { readonly type: 'call'; readonly url: string; readonly request: Request }
  /** Another one that asks. */
  | { readonly type: 'peer' }

type Request = Pick<RequestInit, 'method' | 'mode' | 'credentials'> & {
  readonly headers: Readonly<Record<string, string>>
  readonly body: ArrayBuffer | undefined
}

/** What comes of a socket: a text or bytes, or that something happened to it. The page sends a text, or that it closes it. */
export type SocketNews =
  | { readonly type: 'message'; readonly data: string | ArrayBuffer }
  | { readonly type: 'open' | 'error' | 'close' }

/** Undefined: there was no answer. */
export type Answered =
  | { readonly status: number; readonly headers: readonly [string, string][]; readonly body: ArrayBuffer }
  | undefined

/** A worker that gets the port of the network. */
export type PortGift = { readonly type: 'demo.network'; readonly port: MessagePort }

export const PORTS = { api: 7401, node: 7402, client: 7403 } as const

/** Whether an address is one of the network, in its worker, rather than of a host. */
export function isOfNetwork(url: string): boolean {
  const { hostname, port } = new URL(url)
  return hostname === '127.0.0.1' && Object.values(PORTS).some(each => String(each) === port)
}
