import { isLoopbackAddress, isLoopbackHost } from '../../host/loopback.ts'
import type { Config } from '../config/schema.ts'

/**
 * What a request asks for. `health`: whether the process answers. `file`: of the program, without settings and data.
 * `page`: what may be opened by a link. `data`: anything else that is read. `change`: a method that is not GET or HEAD.
 */
export type Ask = 'health' | 'file' | 'page' | 'data' | 'change' | 'socket'

/** Everything that decides whether a request is looked at; who asks, and what they may do, comes after it. */
export type CallFacts = {
  readonly hasUsers: boolean
  /** Nothing in it can be understood in two ways. */
  readonly isOrdinary: boolean
  /** `proxy`: one of the settings. */
  readonly peer: 'loopback' | 'proxy' | 'other'
  /** Headers say that it was passed on. */
  readonly isForwarded: boolean
  /** Others on the network could read it, and the settings do not allow that. Of `peer: 'other'` only. */
  readonly isReadable: boolean
  /** Which name of the server it uses: one of this computer, one of `listen.origins`, or another. */
  readonly host: 'loopback' | 'listed' | 'unknown'
  readonly origin: 'absent' | 'own' | 'foreign'
  /** `link`: a page of another site led a browser here. */
  readonly site: 'own' | 'link' | 'foreign'
  /** `token`: it is right. `proxy`: a proxy of the settings named a user of the settings. */
  readonly credential: 'none' | 'token' | 'proxy' | 'refused'
  readonly asks: Ask
}

type Rule = {
  readonly refuses: (call: CallFacts) => boolean
  readonly status: 400 | 401 | 403 | 421
  /** For the caller. */
  readonly text: string
  /** For the settings, when callers whom they invite would be refused. */
  readonly needs?: string
}

/** Who is refused before anything else. The first rule that applies answers; `health` is exempt from all of them. */
export const RULES: readonly Rule[] = [
  {
    refuses: ({ isOrdinary }) => !isOrdinary,
    status: 400,
    text: 'The request is ambiguous: its address must begin with a slash, and Host, Authorization and Origin may come once.',
  },
  {
    refuses: ({ hasUsers, peer }) => !hasUsers && peer !== 'loopback',
    status: 403,
    text: 'This server has no users, so it answers its own computer only.',
    needs: 'users: see docs/server.md',
  },
  {
    refuses: ({ hasUsers, peer, isForwarded }) => !hasUsers && peer === 'loopback' && isForwarded,
    status: 403,
    text: 'This server has no users, so it refuses what a proxy passes on. See docs/server.md.',
    needs: 'users: see docs/server.md',
  },
  {
    refuses: ({ hasUsers, peer, host }) => !hasUsers && peer === 'loopback' && host === 'listed',
    status: 421,
    text: 'This server has no users, so it answers under the names of its own computer only.',
    needs: 'users: see docs/server.md',
  },
  {
    refuses: ({ peer, isForwarded, host }) => peer !== 'proxy' && isForwarded && host === 'loopback',
    status: 403,
    text: 'A proxy that this server does not know changed Host: see proxy.addresses in its settings.',
  },
  {
    refuses: ({ credential }) => credential === 'refused',
    status: 401,
    text: 'The credentials are not valid.',
  },
  {
    refuses: ({ host, credential }) => host === 'unknown' && credential !== 'token',
    status: 421,
    text: 'This server does not answer under that host name: see listen.origins in its settings.',
    needs: 'listen.origins: the addresses under which browsers open it',
  },
  {
    refuses: ({ peer, isReadable, credential }) => peer === 'other' && isReadable && credential !== 'token',
    status: 403,
    text: 'This server is opened by TLS or through its proxy: see listen.plain-http in its settings.',
    needs: 'TLS (listen.certificate and listen.private-key), a proxy (proxy.addresses), or listen.plain-http = true',
  },
  {
    refuses: ({ origin }) => origin === 'foreign',
    status: 403,
    text: 'Another origin',
  },
  {
    // Browsers send an Origin with every socket and every form; a token is never sent by a browser on its own.
    refuses: ({ origin, asks, credential }) =>
      origin === 'absent' && (asks === 'change' || asks === 'socket') && credential !== 'token',
    status: 403,
    text: 'The Origin is missing',
  },
  {
    // A socket says where it comes from by its Origin.
    refuses: ({ site, asks }) => asks !== 'socket' && (site === 'foreign' || (site === 'link' && asks !== 'page')),
    status: 403,
    text: 'Another site',
  },
]

export function refusalOf(call: CallFacts): Rule | undefined {
  return call.asks === 'health' ? undefined : RULES.find(({ refuses }) => refuses(call))
}

/** Callers whom settings invite, who would be refused: by the same rules as requests. */
export function admissionMistakes({ listen, proxy, users }: Pick<Config, 'listen' | 'proxy' | 'users'>): readonly {
  readonly path: readonly (string | number)[]
  readonly message: string
}[] {
  const isBeyondLoopback = !isLoopbackAddress(listen.address)
  const foreign = listen.origins.filter(origin => !isLoopbackHost(new URL(origin).host))
  const page: CallFacts = {
    hasUsers: users.length > 0,
    isOrdinary: true,
    peer: proxy.addresses.length > 0 ? 'proxy' : isBeyondLoopback ? 'other' : 'loopback',
    isForwarded: proxy.addresses.length > 0,
    isReadable: listen.certificate === undefined && !listen['plain-http'],
    host: listen.origins.length > 0 ? 'listed' : isBeyondLoopback ? 'unknown' : 'loopback',
    origin: 'own',
    site: 'own',
    credential: 'none',
    asks: 'change',
  }
  const invited: readonly { readonly path: readonly (string | number)[]; readonly what: string; call: CallFacts }[] = [
    ...(isBeyondLoopback
      ? [{ path: ['listen', 'address'], what: `${listen.address} is visible to other computers`, call: page }]
      : foreign.map(origin => ({
          path: ['listen', 'origins', listen.origins.indexOf(origin)],
          what: `${origin} is an address that other computers can open`,
          call: page,
        }))),
    ...proxy.addresses.map((address, at) => ({
      path: ['proxy', 'addresses', at],
      what: `${address} passes requests of other computers on`,
      call: { ...page, peer: 'proxy' as const, isForwarded: true, host: 'loopback' as const },
    })),
  ]
  return invited.flatMap(({ path, what, call }) =>
    RULES.flatMap(({ refuses, needs }) =>
      refuses(call)
        ? [{ path, message: `${path.slice(0, 2).join('.')} ${what}, which needs ${needs ?? 'other settings'}.` }]
        : [],
    ),
  )
}
