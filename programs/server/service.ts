import type { Logger } from 'pino'
import type { PageSettings } from '../host/settings.ts'
import { clonesOf } from '../../src/folding/client/client-key.ts'
import { createAccess } from './access/access.ts'
import type { EnrolledAccount } from './account/account-file.ts'
import { followAccountReaders } from './account/account-readers.ts'
import { createEnrolledAccount } from './account/enrolled-account.ts'
import type { Enrollment } from './account/enroll.ts'
import type { ClusterConnection } from './cluster/cluster.ts'
import { createCoordination, type Coordination } from './cluster/coordination.ts'
import { createFollower } from './cluster/follower.ts'
import { createMembership } from './cluster/membership.ts'
import { refuseForExcess, type PersonChange } from './cluster/peers.ts'
import { createCommands } from './commands.ts'
import type { Config } from './config/schema.ts'
import { startCoordinatedParts } from './coordinated-parts.ts'
import { createFleet } from './fleet.ts'
import { createOutlets, FOR_ALL } from './gateway/outlets.ts'
import { createPageSockets, MOST_PEER_MESSAGES } from './gateway/page-sockets.ts'
import { createApi } from './http/api.ts'
import { readCertificate } from './http/certificate.ts'
import { serveHost } from './http/host.ts'
import { createMetrics } from './http/metrics.ts'
import { followClients } from './client-news.ts'
import { createNews, type ServerNews } from './news.ts'
import type { LabelledClient, Place } from './place.ts'
import { ACCOUNT_PREFIX, countedOnce, createPlaces, labelsOf } from './places.ts'
import { readPushKeys } from './push/push-keys.ts'
import type { EndedUnit, ServerStore } from './store/store.ts'

export type ServiceOptions = {
  readonly config: Config
  readonly store: ServerStore
  /** The other servers of its database, where several can use it. */
  readonly cluster?: ClusterConnection | undefined
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly account?: EnrolledAccount | undefined
  /** Enrolls an account and keeps its key. Rejects with a StartError. Without it only a terminal can. */
  readonly enroll?: ((email: string, passphrase: string) => Promise<Enrollment>) | undefined
  /** Folder of the built dashboard. */
  readonly dist: string
  readonly version: string
  /** Settings of the page besides the addresses of its clients. */
  readonly pageSettings?: PageSettings
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** From 0 to 1. */
  readonly random?: () => number
}

export type Service = {
  readonly port: number
  readonly url: string
  readonly stop: () => Promise<void>
}

/** The one place where the machines of `src` meet the actors of Node. Resolves when the server listens. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, store, log, now = Date.now, random = Math.random } = options
  const places = createPlaces(config, now, ({ label, address }, { limit, wait }) => {
    log.warn({ machine: label, address, limit, waitSeconds: wait / 1000 }, 'machine sent too much and was disconnected')
    metrics.countExcess(label, limit)
  })
  const membership = createMembership({
    connection: options.cluster,
    places,
    log,
    coordinate: isHeld => coordination.set(isHeld),
    onMoved: ({ member }) => fleet.snapshot()?.context.members[member]?.ref.send({ type: 'client.check' }),
  })

  const clients = (): readonly LabelledClient[] => places.list(fleet.snapshot())

  const { publish, follow } = createNews()
  /** Tells pages and programs of this server and of others. */
  const announce = (event: Extract<ServerNews, { readonly type: 'incidents' | 'schedules' | 'shared' }>): void => {
    publish(event)
    membership.notify(event.type)
  }
  const remove = async (session: string): Promise<void> => {
    await store.sessions.remove(session)
    membership.notify('sessions')
  }
  const access = createAccess(config, { ...store.sessions, remove }, now)
  const outlets = createOutlets()
  const sockets = createPageSockets(outlets)
  // Those of another server stand for all of its pages, and have budgets there.
  const peerSockets = createPageSockets(createOutlets(FOR_ALL, FOR_ALL), MOST_PEER_MESSAGES)
  // What several servers report is added up: each client is reported by one.
  const heldClients = () => countedOnce(membership.isAlone ? clients() : clients().filter(isHeldHere))
  const isHeldHere = ({ number }: LabelledClient): boolean => {
    const place = places.numbered(number)
    return place !== undefined && membership.holds(place)
  }
  const metrics = createMetrics({
    now,
    machines: heldClients,
    labels: () => labelsOf(countedOnce(clients()), storedMachines, places),
    sockets: () => sockets.count(),
    incidents: () => coordination.parts()?.alerts.incidents() ?? [],
    power: client => coordination.parts()?.power.of(client),
    currency: () => coordination.parts()?.power.settings().tariffs?.currency,
    alerts: () => coordination.parts()?.alerts.counts() ?? { waiting: 0, failing: 0, isAliveFailing: false },
  })

  /** Units that were stored, by whichever server. */
  const takeUnits = (units: readonly EndedUnit[]): void => {
    coordination.parts()?.alerts.addUnits(units)
    publish({ type: 'units', units })
  }
  const storedMachines = await store.machines()
  if (options.account !== undefined) places.placeAccount(await store.accountClients())
  store.onSetAside((table, error, rows = 1) => {
    log.error({ err: error, table, rows }, 'rows were set aside: the database refused them, or they cannot be read')
    metrics.countSetAside(table, rows)
  })

  const fleet = createFleet({
    links: {
      exchangeOf: url => places.byUrl.get(url)?.exchange,
      routeOf: url => {
        const place = places.byUrl.get(url)
        return place === undefined ? undefined : membership.routeOf(place, { url })
      },
      openSession: (client, report) => {
        const account = coordination.parts()?.account
        if (account === undefined) throw new Error('No account is enrolled.')
        return account.openLink(client, report)
      },
      elsewhere: client => {
        const place = places.account.get(client)
        return place === undefined || membership.coordinates()
          ? undefined
          : { exchange: place.exchange, route: membership.routeOf(place, undefined) }
      },
      now,
    },
    history: {
      store,
      machines: heldClients,
      held: () => (membership.isAlone ? undefined : new Set(heldClients().map(({ id }) => id))),
      rollsUp: membership.coordinates,
      onUnits: units => {
        metrics.countUnits(units)
        if (membership.isAlone) takeUnits(units)
        else membership.notify('units')
      },
    },
    addresses: places.all.map(({ address }) => address),
    clones: clonesOf(storedMachines.map(({ id }) => id)),
    settings: config.store,
    log,
    now,
    random,
  })
  if (membership.isAlone) metrics.countUnits(await store.unitTotals())
  const readers = followAccountReaders({
    isRead: () => [...places.account.values()].some(({ exchange }) => exchange.readers() > 0),
    pending: () =>
      places.account.size === 0
        ? []
        : (coordination.parts()?.scheduling.pending() ?? []).filter(({ machine: client }) =>
            client.startsWith(ACCOUNT_PREFIX),
          ),
    connect: (isWanted, isSending) => {
      coordination.parts()?.account?.setRead(isWanted || isSending)
      follower?.connectAccount(isWanted)
    },
    now,
  })

  const commands = createCommands({ store, metrics, log, now, onPersonChange: change => personChanged(change) })
  const pushKeys = config.channels.some(({ kind }) => kind === 'push') ? readPushKeys(config.store.folder) : undefined
  const account = createEnrolledAccount({
    settings: config.account,
    store,
    log,
    places,
    fleet,
    membership,
    coordination: () => coordination,
    account: options.account,
    enroll: options.enroll,
    now,
    random,
  })
  const coordination: Coordination = createCoordination(
    () =>
      startCoordinatedParts({
        config,
        store,
        log,
        version: options.version,
        places,
        fleet,
        machines: clients,
        commands,
        metrics,
        pushKeys,
        startAccount: account.start,
        coordination: () => coordination,
        announce,
        now,
        random,
      }),
    account.start,
  )
  const personChanged = (change: PersonChange): void => {
    const { subject, state, by } = change
    if (membership.coordinates()) coordination.parts()?.scheduling.personChanged(subject, state, by)
    else membership.notifyCoordinator(change)
  }

  const api = createApi({
    version: options.version,
    log,
    coordinated: coordination.needed,
    pushKey: pushKeys?.publicKey,
    access,
    outlets,
    config,
    store,
    metrics,
    enrolling: account.enrolling,
    now,
    machines: clients,
    command: (number, request, identity, reason) => {
      const place = places.numbered(number)
      return place === undefined ? Promise.resolve('forbidden') : commands.send(place, request, identity, reason)
    },
    coordinator: () => (coordination.parts() === undefined ? membership.forward : undefined),
    onShared: async () => {
      announce({ type: 'shared' })
      const parts = coordination.parts()
      await Promise.all([parts?.power.reload(), parts?.processors.reload(), parts?.reloadNames()]).catch(
        (error: unknown) => {
          log.error({ err: error }, 'what pages have in common could not be read')
        },
      )
    },
    follow,
  })

  const follower = membership.isAlone
    ? undefined
    : createFollower({
        store,
        onAccountClients: clients => {
          account.placeClients(clients)
          if (coordination.parts() !== undefined) return
          const listed = clients.filter(({ isListed }) => isListed)
          fleet.send({ type: 'fleet.machinesListed', account: '', machines: listed })
        },
        isCoordinating: () => coordination.parts() !== undefined,
        sendToFleet: fleet.send,
        publish,
        onUnits: takeUnits,
        lookAtSessions: access.lookAtSessions,
        now,
        onError: error => log.warn({ err: error }, 'news of other servers could not be read'),
      })
  /** A page reads a client, which is connected through the relay meanwhile. */
  const want = ({ member }: Place): void => {
    if (places.account.has(member)) readers.want()
  }

  const { address, port } = config.listen
  const certificate = readCertificate(config.listen)
  await membership.join({
    api,
    personChanged,
    openClient: named => {
      const place = places.at(named)
      if (place === undefined || place.isGone || !membership.holds(place)) return 404
      const excess = place.exchange.excess()
      if (excess !== undefined) return refuseForExcess(excess)
      want(place)
      return peerSockets.accept(place.exchange, {
        name: 'server',
        // Its sender was checked and recorded there.
        onCommand: request => place.exchange.command(request, () => undefined),
        whenOver: () => () => undefined,
      })
    },
    onTopic: topic => follower?.look(topic),
  })
  fleet.start()
  await membership.begin()
  const host = await serveHost({
    address,
    port,
    certificate,
    onCertificate: {
      onRenewed: () => log.info('the new certificate is used'),
      onUnusable: error =>
        log.error({ err: error }, 'the certificate changed and cannot be used: the one before is kept'),
    },
    dist: options.dist,
    access,
    outlets,
    api,
    machines: () => places.all.length,
    settings: options.pageSettings ?? {},
    openSocket: (number, identity) => {
      const place = places.numbered(number)
      if (place === undefined || place.isGone) return 404
      want(place)
      return sockets.accept(place.exchange, {
        name: identity.name,
        onCommand: request => commands.post(place, request, identity, 'page'),
        whenOver: end => access.whenOver(identity, end),
      })
    },
  })
  const stopNews = followClients(clients, (before, client) => {
    if (before.isConnected !== client.isConnected)
      log.info(
        { machine: client.label, address: client.address },
        client.isConnected ? 'machine connected' : 'machine lost',
      )
    publish({ type: 'machine', machine: client })
    // Pages read their session again, which names it while it is left alone.
    if (before.excess !== client.excess) publish({ type: 'shared' })
  })
  log.info({ address, port: host.port, machines: places.all.length, users: config.users.length }, 'server listens')
  return {
    port: host.port,
    url: `${certificate === undefined ? 'http' : 'https'}://${address === '127.0.0.1' || address === '0.0.0.0' ? 'localhost' : address}:${host.port}`,
    stop: async () => {
      stopNews()
      readers.stop()
      membership.stop()
      follower?.stop()
      sockets.stop()
      peerSockets.stop()
      await host.stop()
      await coordination.set(false)
      fleet.stop()
      await commands.stop()
      await membership.leave()
      await store.close()
    },
  }
}
