import type { CreatePages } from '../../host/pages.ts'
import type { PageSettings } from '../../host/settings.ts'
import { startNetwork } from '../../network/index.ts'
import type { Network } from '../../network/index.ts'

/** Milliseconds. The process of the network is not killed, so nothing needs to be written but what others read: a month. */
const SAVE = 30 * 86_400_000

export type NetworkOptions = {
  readonly port: number
  readonly seed: number
  readonly machines: number
  readonly report: (line: string) => void
}

export type StartedNetwork = {
  readonly network: Network
  /** What its pages find in their meta tags. */
  readonly settings: () => Readonly<Record<string, string>>
}

/** The embedded network with keys of 1,024 bits, and otherwise as for `npm start`. */
export const start = async (options: NetworkOptions): Promise<StartedNetwork> => {
  let settings = (): PageSettings => ({})
  // The dashboard's files are not part of the world: its pages are programs of their own.
  const createPages: CreatePages = given => {
    ;({ settings } = given)
    return {
      answer: (_request, response) => void response.writeHead(404).end(),
      upgrade: () => 404,
      stop: () => Promise.resolve(),
    }
  }
  const network = await startNetwork({
    ...options,
    listen: '127.0.0.1',
    data: undefined,
    dist: '/',
    createPages,
    keyBits: 1024,
    saveMs: SAVE,
    accountKeyBits: 1024,
    client: { host: '127.0.0.1', port: 9 },
  })
  return { network, settings: () => ({ ...settings(), 'direct-address': network.directAddress }) }
}

export type NetworkProgram = { readonly start: typeof start }
