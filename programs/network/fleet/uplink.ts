import type { SimulatedClient } from '../clients/types.ts'
import { idOfKey, readAccountKey, type RsaKey } from '../keys.ts'
import { isLoopbackHost } from '../../host/loopback.ts'
import type { Account } from './client-cipher.ts'
import type { ClientApi } from './client-api.ts'
import { connectToNode, type NodeConnection } from './node-connection.ts'

export type UplinkOptions = {
  client: SimulatedClient
  key: RsaKey
  /** An account token that this client has not used yet, or ''. */
  token: string
  api: ClientApi
  scheme: 'ws' | 'wss'
  ca: string | undefined
  commandDelayMs: number
  /**
   * Delay in ms after a lost connection, and after the first of several failures (docs/protocol.md §11: at once, then
   * 15 s and more).
   */
  reconnectMs: number
  retryMs: number
  now: () => number
  onTokenChange: (token: string) => void
}

const MAX_RETRY_MS = 240_000

type Attempt = 'unlinked' | 'failed' | 'ended'

/**
 * The account connection of one simulated client: links it, reads its account from the API and keeps it logged in at
 * the relay node.
 */
export function createUplink(options: UplinkOptions) {
  const { client, key, api, scheme, ca, commandDelayMs, reconnectMs, retryMs, now, onTokenChange } = options
  let token = options.token
  let name = client.name()
  let generation = 0
  let wake: (() => void) | undefined
  let connection: NodeConnection | undefined
  let online = false

  const setToken = (value: string): void => {
    token = value
    onTokenChange(value)
  }

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const linkIfNeeded = async (runGeneration: number): Promise<Attempt | 'linked'> => {
    const usedToken = token
    if (usedToken === '') return 'linked'
    const answer = await api.link(key, usedToken, name)
    if (runGeneration !== generation) return 'ended'
    if (answer.kind === 'failed') return 'failed'
    setToken('')
    return answer.kind === 'ok' ? 'linked' : 'unlinked'
  }

  const connect = (runGeneration: number, node: string, account: Account): Promise<Attempt> =>
    new Promise(resolve => {
      let opened = false
      connection = connectToNode({
        client,
        key,
        account,
        ca,
        commandDelayMs,
        now,
        url: `${scheme}://${node}/ws/client`,
        onOpen: () => {
          opened = online = true
        },
        onEnd: () => {
          if (runGeneration === generation) online = false
          resolve(opened ? 'ended' : 'failed')
        },
      })
    })

  const attempt = async (runGeneration: number): Promise<Attempt> => {
    const linked = await linkIfNeeded(runGeneration)
    if (linked !== 'linked') return linked
    const answer = await api.account(key.id)
    if (runGeneration !== generation) return 'ended'
    if (answer.kind === 'failed') return 'failed'
    const account = answer.kind === 'ok' ? readAccountKey(answer.value.pubkey) : undefined
    if (answer.kind === 'unknown' || account === undefined) return 'unlinked'
    // Simulated clients connect to this computer only, whatever node an account names.
    if (!isLoopbackHost(answer.value.node)) return 'failed'
    const { mach_name, user, team, passkey, cause } = answer.value
    const accountId = idOfKey(account)
    client.setAccount(accountId)
    client.configureFromAccount({
      ...(user === undefined ? {} : { user }),
      ...(team === undefined ? {} : { team }),
      ...(passkey === undefined ? {} : { passkey }),
      ...(cause === undefined ? {} : { cause }),
    })
    if (mach_name !== undefined) client.rename(mach_name)
    return connect(runGeneration, answer.value.node, { key: account, id: accountId })
  }

  const run = async (runGeneration: number, firstPause: number): Promise<void> => {
    let failures = 0
    if (firstPause > 0) await pause(firstPause)
    while (runGeneration === generation) {
      // For example an invalid node address: an account may name anything.
      const outcome = await attempt(runGeneration).catch((): Attempt => 'failed')
      if (runGeneration !== generation) return
      if (outcome === 'unlinked') {
        client.setAccount('')
        return
      }
      failures = outcome === 'failed' ? failures + 1 : 0
      await pause(failures === 0 ? reconnectMs : Math.min(MAX_RETRY_MS, retryMs * 1.5 ** (failures - 1)))
    }
  }

  const end = (): void => {
    generation += 1
    online = false
    wake?.()
    connection?.drop()
    connection = undefined
  }

  const restart = (firstPause: number): void => {
    end()
    void run(generation, firstPause)
  }

  return {
    start: (): void => restart(0),
    stop: end,
    /** Links the client with its token without logging in, for a client that is offline. */
    linkOnly: async (): Promise<void> => {
      await linkIfNeeded(generation)
    },
    link: (request: { readonly token: string; readonly name: string }): void => {
      name = request.name
      setToken(request.token)
      restart(0)
    },
    reconnect: (): void => restart(reconnectMs),
    isOnline: () => online,
  }
}

export type Uplink = ReturnType<typeof createUplink>
