import type { Logger } from 'pino'
import type { PageSettings } from '../network/serve/settings.ts'
import { StartError } from '../network/start-error.ts'
import { clonesOf } from '../src/folding/machine/machine-key.ts'
import type { MachineEntry } from '../src/machines/connection/fleet/fleet.events.ts'
import { createAccess } from './access/access.ts'
import { startAccount } from './account/account.ts'
import type { EnrolledAccount } from './account/account-file.ts'
import { followAccountReaders } from './account/account-readers.ts'
import type { Enrollment } from './account/enroll.ts'
import type { Cluster, ClusterConnection } from './cluster/cluster.ts'
import { createCoordination, type Coordination } from './cluster/coordination.ts'
import { createFollower } from './cluster/follower.ts'
import type { PersonChange } from './cluster/peers.ts'
import { COORDINATION } from './cluster/plan-holdings.ts'
import { createCommands } from './commands.ts'
import type { Config } from './config/schema.ts'
import { startCoordinatedParts } from './coordinated-parts.ts'
import { createFleet } from './fleet.ts'
import type { LinkRoute } from './gateway/machine-link.ts'
import { createOutlets, FOR_ALL } from './gateway/outlets.ts'
import { createPageSockets, MOST_PEER_MESSAGES } from './gateway/page-sockets.ts'
import { createApi } from './http/api.ts'
import { readCertificate } from './http/certificate.ts'
import { serveHost } from './http/host.ts'
import { createMetrics } from './http/metrics.ts'
import { followMachines } from './machine-news.ts'
import { ACCOUNT_PREFIX, countedOnce, createPlaces, labelsOf, type LabelledMachine, type Place } from './places.ts'
import type { ServerNews } from './news.ts'
import { readPushKeys } from './push/push-keys.ts'
import type { AccountMachine, EndedUnit, ServerStore } from './store/store.ts'

export type ServiceOptions = {
  readonly config: Config
  readonly store: ServerStore
  /** The other servers of its database, where several can use it. */
  readonly cluster?: ClusterConnection | undefined
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** The account that was enrolled, if one was. */
  readonly account?: EnrolledAccount | undefined
  /** Enrolls an account and keeps its key. Rejects with a StartError. Without it only a terminal can. */
  readonly enroll?: ((email: string, passphrase: string) => Promise<Enrollment>) | undefined
  /** Folder of the built dashboard. */
  readonly dist: string
  readonly version: string
  /** Settings of the page besides the addresses of its machines. */
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

const NEWS_MS = 1000
/** The one place where the machines of `src` meet the actors of Node. Resolves when the server listens. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { config, store, log, now = Date.now, random = Math.random } = options
  const places = createPlaces(config, now, ({ label, address }, { limit, wait }) => {
    log.warn({ machine: label, address, limit, waitSeconds: wait / 1000 }, 'machine sent too much and was disconnected')
    metrics.countExcess(label, limit)
    // Pages read their session again, which names it until it is tried again.
    announce({ type: 'shared' })
    setTimeout(() => {
      if (!isStopping) announce({ type: 'shared' })
    }, wait + NEWS_MS).unref()
  })
  const joined: { cluster: Cluster | undefined } = { cluster: undefined }
  /** `here`, the address of the server that holds it, or undefined when none is known. */
  const holderOf = (resource: string): string | undefined =>
    options.cluster === undefined ? 'here' : joined.cluster?.holderOf(resource)
  const isHeld = ({ member, address }: Pick<Place, 'member' | 'address'>): boolean =>
    holderOf(places.account.has(member) ? COORDINATION : address) === 'here'
  const routeOf = (address: string, holder: string | undefined, own: LinkRoute | undefined): LinkRoute | undefined =>
    holder === 'here' ? own : holder === undefined ? undefined : joined.cluster?.peers.machine(holder, address)

  const machines = (): readonly LabelledMachine[] => places.list(fleet.snapshot())

  const listeners = new Set<(news: ServerNews) => void>()
  const tell = (news: ServerNews): void => {
    for (const listen of listeners) listen(news)
  }
  /** Tells pages and programs of this server and of others. */
  const announce = (news: Extract<ServerNews, { readonly type: 'incidents' | 'schedules' | 'shared' }>): void => {
    tell(news)
    joined.cluster?.tell(news.type)
  }
  const access = createAccess(config, store.sessions, now)
  const outlets = createOutlets()
  const sockets = createPageSockets(outlets)
  // Those of another server stand for all of its pages, and have budgets there.
  const peerSockets = createPageSockets(createOutlets(FOR_ALL, FOR_ALL), MOST_PEER_MESSAGES)
  // What several servers report is added up: each machine is reported by one.
  const heldMachines = () =>
    countedOnce(options.cluster === undefined ? machines() : machines().filter(({ number }) => isHeldNumber(number)))
  const isHeldNumber = (number: number): boolean => {
    const place = places.numbered(number)
    return place !== undefined && isHeld(place)
  }
  const metrics = createMetrics({
    machines: heldMachines,
    labels: () => labelsOf(countedOnce(machines()), known, places),
    sockets: () => sockets.count(),
    incidents: () => coordination.alerts.incidents(),
    alerts: () => coordination.alerts.counts(),
  })

  /** Units that were stored, by whichever server. */
  const takeUnits = (units: readonly EndedUnit[]): void => {
    coordination.alerts.addUnits(units)
    tell({ type: 'units', units })
  }
  const known = await store.machines()
  if (options.account !== undefined) places.placeAccount(await store.accountMachines())
  store.onSetAside((table, error) => {
    log.error({ err: error, table }, 'a row was set aside: the database refused it, or it cannot be read')
    metrics.countSetAside(table)
  })

  const fleet = createFleet({
    links: {
      exchangeOf: url => places.byUrl.get(url)?.exchange,
      routeOf: url => {
        const place = places.byUrl.get(url)
        return place === undefined ? undefined : routeOf(place.address, holderOf(place.address), { url })
      },
      openSession: (machine, report) => {
        const account = coordination.parts()?.account
        if (account === undefined) throw new Error('No account is enrolled.')
        return account.openLink(machine, report)
      },
      elsewhere: machine => {
        const place = places.account.get(machine)
        const holder = holderOf(COORDINATION)
        return place === undefined || holder === 'here'
          ? undefined
          : { exchange: place.exchange, route: routeOf(place.address, holder, undefined) }
      },
      now,
    },
    history: {
      store,
      machines: heldMachines,
      holds: id => options.cluster === undefined || heldMachines().some(machine => machine.id === id),
      rollsUp: () => holderOf(COORDINATION) === 'here',
      onUnits: units => {
        metrics.countUnits(units)
        if (joined.cluster === undefined) takeUnits(units)
        else joined.cluster.tell('units')
      },
    },
    addresses: places.all.map(({ address }) => address),
    clones: clonesOf(known.map(({ id }) => id)),
    settings: config.store,
    log,
    now,
    random,
  })
  if (options.cluster === undefined) metrics.countUnits(await store.unitTotals())
  /** Numbers of machines are the same on all servers, and stay. */
  const placeAccountMachines = (machines: readonly AccountMachine[]): void => {
    places.placeAccount(machines)
    coordination.scheduling.setMachines(places.scheduled())
  }
  const listAccountMachines = async (listed: readonly MachineEntry[]): Promise<void> => {
    placeAccountMachines(await store.listAccountMachines(listed))
    const ids = new Set(listed.map(({ id }) => id))
    const unknown = config.account.machines.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
    if (unknown.length > 0) log.warn({ machines: unknown }, 'account.machines has ids that the account does not list')
    joined.cluster?.tell('account')
  }
  const readers = followAccountReaders({
    isRead: () => [...places.account.values()].some(({ exchange }) => exchange.readers() > 0),
    pending: () => coordination.scheduling.pending().filter(({ machine }) => machine.startsWith(ACCOUNT_PREFIX)),
    connect: (isWanted, isSending) => {
      coordination.parts()?.account?.setRead(isWanted || isSending)
      follower?.connectAccount(isWanted)
    },
    now,
  })

  const commands = createCommands({ store, metrics, log, now, onPersonChange: change => personChanged(change) })
  const pushKeys = config.channels.some(({ kind }) => kind === 'push') ? readPushKeys(config.store.folder) : undefined
  let { account: enrolled } = options
  const startEnrolled = async () =>
    enrolled === undefined
      ? undefined
      : startAccount({
          account: enrolled,
          settings: config.account,
          log,
          now,
          random,
          exchangeOf: machine => {
            const place = places.account.get(machine)
            return place?.isGone === false ? place.exchange : undefined
          },
          onListed: listAccountMachines,
          // After the account's own step: the fleet is not its child.
          tellFleet: news => queueMicrotask(() => fleet.tell(news)),
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
        machines,
        commands,
        metrics,
        pushKeys,
        startAccount: startEnrolled,
        coordination: () => coordination,
        announce,
        now,
        random,
      }),
    startEnrolled,
  )
  const personChanged = (change: PersonChange): void => {
    const { subject, state, by } = change
    const holder = holderOf(COORDINATION)
    if (holder === 'here') coordination.scheduling.personChanged(subject, state, by)
    else if (holder !== undefined)
      // If it does not arrive, the change is seen, as one that was made at the machine.
      joined.cluster?.peers.personChanged(holder, change).catch((error: unknown) => {
        log.warn({ err: error }, 'the coordinating server was not told of a command')
      })
  }

  const api = createApi({
    version: options.version,
    log,
    alerts: coordination.alerts,
    pushKey: pushKeys?.publicKey,
    access,
    outlets,
    config,
    store,
    metrics,
    scheduling: coordination.scheduling,
    enrolling: {
      isEnrolled: () => enrolled !== undefined,
      blocked: whyNotEnroll(options),
      enroll: async (email, passphrase, { name }) => {
        if (options.enroll === undefined) throw new StartError('Enroll in a terminal.')
        const { account, machines: count } = await options.enroll(email, passphrase)
        const id = await store.addAction({
          at: now(),
          who: name,
          machine: '',
          command: 'enroll an account',
          reason: 'page',
        })
        log.info({ who: name, machines: count }, 'an account was enrolled')
        enrolled = account
        await coordination.restartAccount()
        await store.settleAction(id, 'confirmed')
        return count
      },
    },
    now,
    machines,
    command: (number, request, identity, reason) => {
      const place = places.numbered(number)
      return place === undefined ? Promise.resolve('forbidden') : commands.send(place, request, identity, reason)
    },
    coordinator: () => {
      if (coordination.parts() !== undefined) return undefined
      const holder = holderOf(COORDINATION)
      const takesOver = () => Response.json({ error: 'Another server takes over: try again' }, { status: 503 })
      return async (request, identity, body) =>
        holder === undefined || holder === 'here' || joined.cluster === undefined
          ? takesOver()
          : joined.cluster.peers.forward(holder, request, identity, body).catch(takesOver)
    },
    onShared: () => announce({ type: 'shared' }),
    follow: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })

  const follower =
    options.cluster === undefined
      ? undefined
      : createFollower({
          store,
          onAccountMachines: machines => {
            placeAccountMachines(machines)
            if (coordination.parts() !== undefined) return
            const listed = machines.filter(({ isListed }) => isListed)
            fleet.tell({ type: 'fleet.machinesListed', account: '', machines: listed })
          },
          isCoordinating: () => coordination.parts() !== undefined,
          tellFleet: fleet.tell,
          tell,
          onUnits: takeUnits,
          now,
          onError: error => log.warn({ err: error }, 'news of other servers could not be read'),
        })
  const routes = new Map<string, string | undefined>()
  let isStopping = false
  const followHoldings = (): void => {
    if (joined.cluster === undefined || isStopping) return
    coordination.set(holderOf(COORDINATION) === 'here').catch((error: unknown) => {
      log.error({ err: error }, 'this server could not begin to coordinate')
    })
    for (const { address, member } of places.byUrl.values()) {
      const holder = holderOf(address)
      if (routes.get(address) === holder) continue
      routes.set(address, holder)
      fleet.snapshot()?.context.members[member]?.ref.send({ type: 'client.check' })
    }
  }
  /** A page reads a machine, which is connected through the relay meanwhile. */
  const want = ({ member }: Place): void => {
    if (places.account.has(member)) readers.want()
  }
  const holdings = setInterval(followHoldings, NEWS_MS)

  const { address, port } = config.listen
  const certificate = readCertificate(config.listen)
  joined.cluster = await options.cluster?.start({
    machines: [...places.byUrl.values()].map(place => place.address),
    log,
    api,
    personChanged,
    openMachine: named => {
      const place = places.at(named)
      if (place === undefined || place.isGone || !isHeld(place)) return 404
      want(place)
      return peerSockets.accept(place.exchange, {
        name: 'server',
        // Its sender was checked and recorded there.
        onCommand: request => place.exchange.command(request, () => undefined),
        whenOver: () => () => undefined,
      })
    },
    onChange: () => followHoldings(),
    // Their links end at once, and what they reported is stored under the same keys as by the next server.
    letGo: () => {
      followHoldings()
      return Promise.resolve()
    },
    onTopic: topic => follower?.look(topic),
  })
  fleet.start()
  if (joined.cluster === undefined) await coordination.set(true)
  else followHoldings()
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
  const stopNews = followMachines(machines, (before, machine) => {
    if (before.isConnected !== machine.isConnected)
      log.info(
        { machine: machine.label, address: machine.address },
        machine.isConnected ? 'machine connected' : 'machine lost',
      )
    tell({ type: 'machine', machine })
  })
  log.info({ address, port: host.port, machines: places.all.length, users: config.users.length }, 'server listens')
  return {
    port: host.port,
    url: `${certificate === undefined ? 'http' : 'https'}://${address === '127.0.0.1' || address === '0.0.0.0' ? 'localhost' : address}:${host.port}`,
    stop: async () => {
      stopNews()
      readers.stop()
      isStopping = true
      clearInterval(holdings)
      follower?.stop()
      sockets.stop()
      peerSockets.stop()
      await host.stop()
      await coordination.set(false)
      fleet.stop()
      await commands.stop()
      await joined.cluster?.stop()
      await store.close()
    },
  }
}

const whyNotEnroll = ({ cluster, enroll }: Pick<ServiceOptions, 'cluster' | 'enroll'>): string | undefined => {
  if (cluster !== undefined)
    return 'Several servers can use this database, and each needs the files of the account: enroll in a terminal, and copy them.'
  return enroll === undefined ? 'This server has an account of its own.' : undefined
}
