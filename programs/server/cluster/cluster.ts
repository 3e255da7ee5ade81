import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { createActor, fromPromise } from 'xstate'
import { StartError } from '../../host/start-error.ts'
import type { Config } from '../config/schema.ts'
import type { Holdings } from '../machines/lease/lease.events.ts'
import { leaseMachine, type LeaseRef } from '../machines/lease/lease.machine.ts'
import { selectHasOtherSettings, selectHolder, selectLease } from '../machines/lease/lease.selectors.ts'
import { openHints, openLeaseStore, type Topic } from '../store/lease-store.ts'
import { openPostgres } from '../store/postgres.ts'
import { storeOf, type ServerStore } from '../store/store.ts'
import { createPeers, servePeers, type Peers, type PeerServerOptions } from './peers.ts'

export type ClusterParts = Omit<PeerServerOptions, 'cluster'> & {
  /** Clients of the settings, by their addresses. */
  readonly machines: readonly string[]
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Holdings have changed, of this server or of another: what depends on those that it has no more ends at once. */
  readonly onChange: () => void
  /** Another server reports that something has changed. */
  readonly onTopic: (topic: Topic) => void
}

/** This server among those of one database. */
export type Cluster = {
  /** `here`, the address of the server that holds it, or undefined when none is known. */
  readonly holderOf: (resource: string) => string | undefined
  readonly peers: Peers
  readonly notify: (topic: Topic) => void
  /** Ends the lease: others take over at once. */
  readonly stop: () => Promise<void>
}

/** A database that several servers can use, before this one takes part. */
export type ClusterConnection = {
  readonly store: ServerStore
  /** Takes part. Rejects with a StartError when it cannot. */
  readonly start: (parts: ClusterParts) => Promise<Cluster>
}

/** Opens and migrates the database of the settings. */
export async function openCluster(url: string, cluster: Config['cluster']): Promise<ClusterConnection> {
  let lease: (() => string | undefined) | undefined
  const store = storeOf(await openPostgres(url, () => lease?.()))
  return {
    store,
    start: parts => join(url, cluster, parts, read => (lease = read)),
  }
}

async function join(
  url: string,
  cluster: Config['cluster'],
  parts: ClusterParts,
  setLease: (read: () => string | undefined) => void,
): Promise<Cluster> {
  const { machines: clients, log } = parts
  const duration = cluster['lease-seconds'] * 1000
  const isOpen = cluster.secret !== undefined
  const port = isOpen ? await servePeers({ ...parts, cluster }) : undefined
  const ownUrl = port === undefined ? '' : (cluster.url ?? `http://${hostOf(cluster.address)}:${port.port}`)
  const leases = openLeaseStore(url, { url: ownUrl, settings: settingsOf(clients), machines: clients, duration })
  let former: string | undefined
  let trouble: unknown
  const actor = createActor(
    leaseMachine.provide({
      actors: {
        join: fromPromise<Holdings, undefined>(async () => {
          const id = randomUUID()
          try {
            const holdings = await leases.join(id, former)
            former = id
            return holdings
          } catch (error) {
            trouble = error
            log.warn({ err: error }, 'this server has no lease')
            throw error
          }
        }),
        renew: fromPromise<Holdings | undefined, { readonly server: string }>(({ input }) =>
          leases.renew(input.server),
        ),
        release: fromPromise<undefined, { readonly server: string; readonly resources: readonly string[] }>(
          async ({ input }) => {
            await leases.release(input.server, input.resources)
            return undefined
          },
        ),
      },
    }),
    { input: { duration } },
  )
  setLease(() => selectLease(actor.getSnapshot()))
  let hadOtherSettings = false
  actor.subscribe(snapshot => {
    const hasOtherSettings = selectHasOtherSettings(snapshot)
    if (hasOtherSettings && !hadOtherSettings)
      log.error('another server has other machines in its settings: their numbers differ')
    hadOtherSettings = hasOtherSettings
    parts.onChange()
  })
  const hints = openHints(url, topic => {
    if (topic === 'holdings') actor.send({ type: 'lease.hinted' })
    else parts.onTopic(topic)
  })
  const stop = async (): Promise<void> => {
    actor.stop()
    await hints.stop()
    if (former !== undefined)
      await leases.leave(former).catch((error: unknown) => log.warn({ err: error }, 'the lease was not ended'))
    await leases.close()
    await port?.close()
  }
  actor.start()
  // Long enough for the end of another server's lease.
  const hasJoined = await holdingWithin(actor, duration * 2)
  if (!hasJoined) {
    await stop()
    throw new StartError(trouble instanceof Error ? trouble.message : 'This server got no lease.')
  }
  return {
    holderOf: resource => selectHolder(actor.getSnapshot(), resource),
    peers: createPeers(cluster.secret ?? ''),
    notify: hints.notify,
    stop,
  }
}

function holdingWithin(actor: LeaseRef, ms: number): Promise<boolean> {
  return new Promise(done => {
    const isHolding = (): boolean => selectLease(actor.getSnapshot()) !== undefined
    const end = (): void => {
      clearTimeout(timer)
      subscription.unsubscribe()
      done(isHolding())
    }
    const timer = setTimeout(end, ms)
    const subscription = actor.subscribe(() => {
      if (isHolding()) end()
    })
    if (isHolding()) end()
  })
}

/** The name of this computer when it listens at all of its addresses. */
function hostOf(address: string): string {
  if (address === '0.0.0.0' || address === '::') return hostname()
  return address.includes(':') ? `[${address}]` : address
}

function settingsOf(clients: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(clients)).digest('hex').slice(0, 16)
}
