import type { Logger } from 'pino'
import { createActor, fromPromise } from 'xstate'
import { WebSocket } from 'ws'
import { fetchAccount } from '../../../src/actors/account/account-tasks.ts'
import { createApi, type Api } from '../../../src/actors/network/api.ts'
import { linkListener } from '../../../src/actors/network/client-link.ts'
import { pingHost } from '../../../src/actors/network/host-ping.ts'
import { relaySocket } from '../../../src/actors/network/relay-socket.ts'
import { inlinePort } from '../../../src/actors/wire/inline-port.ts'
import { openSocketWith } from '../../../src/actors/wire/socket.ts'
import { connectWire, type Wire } from '../../../src/actors/wire/wire.ts'
import { nodeSocketUrl } from '../../../src/folding/address/address.ts'
import { spreadDelay, withJitter } from '../../../src/folding/shared/back-off.ts'
import type { ClientLinkCommand, ClientLinkFact } from '../../../src/machines/connection/client/client.events.ts'
import type { ClientEntry } from '../../../src/machines/connection/fleet/fleet.events.ts'
import { relayMachine, relayWait } from '../../../src/machines/connection/relay/relay.machine.ts'
import { decodeClientContent } from '../../../src/protocol/client/client-message.ts'
import { decodeBase64 } from '../../../src/protocol/crypto/base64.ts'
import { importAccountKeys } from '../../../src/protocol/crypto/keys.ts'
import { MAX_MESSAGE_BYTES } from '../../../src/protocol/json.ts'
import { onSameHost, parseBaseUrl } from '../../../src/protocol/url.ts'
import { StartError } from '../../host/start-error.ts'
import type { Config } from '../config/schema.ts'
import type { Exchange } from '../gateway/exchange.ts'
import type { AccountList, AccountNews } from '../machines/account/account.events.ts'
import { accountMachine } from '../machines/account/account.machine.ts'
import { isThroughRelay } from '../machines/account/account.selectors.ts'
import type { EnrolledAccount } from './account-file.ts'

export type AccountDeps = {
  readonly account: EnrolledAccount
  readonly settings: Config['account']
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  /** The exchange of a client that the account lists; undefined for any other. */
  readonly exchangeOf: (client: string) => Exchange | undefined
  /** The clients of the account, whenever they are read. Called before the fleet is told. */
  readonly onListed: (clients: readonly ClientEntry[]) => Promise<void>
  readonly tellFleet: (event: AccountNews) => void
}

export type AccountConnection = {
  /** `clientLink` of clients of the account: an encrypted session through the relay. */
  readonly openLink: (
    client: string,
    report: (fact: ClientLinkFact) => void,
  ) => { readonly accept: (command: ClientLinkCommand) => void; readonly close: () => void }
  /** Whether the connection through the relay is meant to be open now. */
  readonly isOpen: () => boolean
  /** A page reads a client or a schedule changes one, or none does any more. */
  readonly setRead: (isRead: boolean) => void
  readonly stop: () => void
}

const API_TIMEOUT_MS = 30_000
const PING_TIMEOUT_MS = 5000
/** The statechart takes what arrives together: reports and samples need no more. */
const BATCH_MS = 250

/** Calls of the API of Folding@home. Throws a StartError for an address that is none. */
export function accountApi(url: string, session?: string): Api {
  const baseUrl = parseBaseUrl(url)
  if (baseUrl === undefined) throw new StartError(`account.api-url ${url} is no address.`)
  return createApi({
    fetch,
    baseUrl,
    session: () => session,
    compareClock: () => undefined,
    now: Date.now,
    timeout: API_TIMEOUT_MS,
  })
}

function wireOf({ now, random, exchangeOf }: Pick<AccountDeps, 'now' | 'random' | 'exchangeOf'>): Wire {
  return connectWire({
    port: inlinePort({
      openSocket: openSocketWith(
        url => new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES }),
      ),
      now,
      random,
      later: (ms, run) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      // Pages and statechart see the same messages in the same order.
      decode: (client, content) => exchangeOf(client)?.receive(content) ?? decodeClientContent(content),
    }),
    requestFrame: run => void setTimeout(run, BATCH_MS),
    isHidden: () => false,
    now: () => performance.now(),
    epochNow: now,
  })
}

/** Connects to the clients of an enrolled account. Throws a StartError when its key cannot be used. */
export async function startAccount(deps: AccountDeps): Promise<AccountConnection> {
  const { account, settings, log, now, random, exchangeOf } = deps
  const pkcs8 = decodeBase64(account.privateKey)
  if (pkcs8 === undefined) throw new StartError('The key of the account cannot be read. Enroll again.')
  const keys = await importAccountKeys(pkcs8, account.publicKey)
  const api = accountApi(settings['api-url'], account.session)
  const wire = wireOf(deps)
  const ping = pingHost({ fetch, timeout: PING_TIMEOUT_MS })

  const readList = async (): Promise<AccountList> => {
    const answer = await fetchAccount({ api, now })
    const isOver = answer.ok
      ? answer.value.account.created === undefined || answer.value.account.pubkey !== account.publicKey
      : answer.fault.kind === 'refused' && answer.fault.status === 401
    if (isOver) {
      // The session or the keys were revoked: this server must stop at once.
      log.error('the session of the account is over, or the account has new keys: its machines are left. Enroll again')
      await deps.onListed([])
      return { machines: [], node: undefined }
    }
    if (!answer.ok) {
      log.warn({ reason: answer.fault.kind }, 'the machines of the account could not be read')
      throw new Error('The API does not answer.')
    }
    const { machines: clients = [], node = '' } = answer.value.account
    const listed = clients.map(({ id, name = '' }) => ({ id, name }))
    await deps.onListed(listed)
    return { machines: listed, node: nodeSocketUrl(node, settings['plain-node'] ? 'ws' : 'wss') }
  }

  const actor = createActor(
    accountMachine.provide({
      actors: {
        relay: relayMachine.provide({
          delays: {
            reconnectDelay: ({ context }) => withJitter(relayWait(context), random()),
            spreadDelay: () => spreadDelay(random()),
          },
          actors: {
            relaySocket: relaySocket({ wire, offset: () => 0 }),
            pingNode: fromPromise(({ input, signal }) => ping(onSameHost(input.url, '/ping'), signal)),
          },
        }),
        readList: fromPromise<AccountList, undefined>(() => readList()),
      },
      actions: { tellFleet: (_, event) => deps.tellFleet(event) },
    }),
    {
      input: {
        keys,
        samplePeriod: settings['sample-minutes'] * 60_000,
        staysConnected: settings['stay-connected'],
      },
    },
  )
  actor.subscribe({ error: error => log.error({ err: error }, 'the statechart of the account failed') })
  actor.start()

  return {
    isOpen: () => isThroughRelay(actor.getSnapshot()),
    setRead: isRead => actor.send({ type: 'account.read', isRead }),
    openLink: (client, report) => {
      const exchange = exchangeOf(client)
      if (exchange === undefined) throw new Error('The account does not list this machine.')
      const excess = exchange.excess()
      if (excess !== undefined) {
        const timer = setTimeout(() => report({ type: 'link.closed', at: now(), trouble: 'excessive', excess }))
        return { accept: () => undefined, close: () => clearTimeout(timer) }
      }
      const toFacts = linkListener(report, () => 0)
      const link = wire.openSession(client, entry => {
        for (const fact of entry.facts)
          if (fact.type === 'session.closed') exchange.close()
          else if (fact.type === 'session.dated') exchange.date(fact.asOf)
        exchange.timed(() => toFacts(entry))
      })
      exchange.open(
        message => link.send(message),
        limit => {
          link.close()
          exchange.close()
          report({ type: 'link.closed', at: now(), trouble: 'excessive', excess: limit })
        },
      )
      return {
        accept: command => {
          if (command.type === 'link.send') exchange.command(command.command, () => undefined)
          else if (command.type === 'link.bind')
            exchange.command({ cmd: 'link', token: command.secrets.token, name: command.name }, () => undefined)
        },
        close: () => {
          exchange.close()
          link.close()
        },
      }
    },
    stop: () => {
      actor.stop()
      wire.stop()
    },
  }
}
