import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { createActor, fromPromise } from 'xstate'
import type { ActorRef, AnyMachineSnapshot } from 'xstate'
import type { PageSettings } from '../network/serve/settings.ts'
import { StartError } from '../network/start-error.ts'
import { formatAddress, parseAddress, socketUrl } from '../src/folding/shared/address.ts'
import { positive, text } from '../src/folding/shared/read.ts'
import { withJitter } from '../src/folding/shared/back-off.ts'
import { clientMachine } from '../src/machines/connection/client/client.machine.ts'
import type { Subject } from '../src/folding/schedule/schedule.ts'
import { clientWait } from '../src/machines/connection/client/client.setup.ts'
import { idOfAddress } from '../src/machines/connection/fleet/fleet.context.ts'
import type { FleetEvent, MachineEntry } from '../src/machines/connection/fleet/fleet.events.ts'
import { fleetMachine } from '../src/machines/connection/fleet/fleet.machine.ts'
import { accountApi, startAccount } from './account/account.ts'
import type { EnrolledAccount } from './account/account-file.ts'
import type { Enrollment } from './account/enroll.ts'
import { startAlerts } from './alerts/alerts.ts'
import { isToldToFold, watchedMachines } from './alerts/fleet-machines.ts'
import type { Cluster, ClusterConnection } from './cluster/cluster.ts'
import { createCoordination } from './cluster/coordination.ts'
import { createFollower } from './cluster/follower.ts'
import type { PersonChange } from './cluster/peers.ts'
import { COORDINATION } from './cluster/plan-holdings.ts'
import { createAccess, mayUse } from './access/access.ts'
import type { Identity } from './access/access.ts'
import type { Config, MachineConfig } from './config/schema.ts'
import { createExchange } from './gateway/exchange.ts'
import type { Exchange } from './gateway/exchange.ts'
import { machineLink, type LinkRoute } from './gateway/machine-link.ts'
import { describeCommand } from './gateway/page-command.ts'
import type { ControlRequest } from './gateway/page-command.ts'
import { createPageSockets, MOST_PEER_MESSAGES } from './gateway/page-sockets.ts'
import type { Later, Outcome } from './gateway/pacer.ts'
import { createApi } from './http/api.ts'
import type { ListedMachine, ServerNews } from './http/api.ts'
import { serveHost } from './http/host.ts'
import { createMetrics } from './http/metrics.ts'
import type { AccountNews } from './machines/account/account.events.ts'
import type { ScheduledMachine } from './machines/schedules/schedules.events.ts'
import { serverMachine } from './machines/server/server.machine.ts'
import { selectMember } from './machines/server/server.selectors.ts'
import type { FleetSnapshot } from './machines/server/server.selectors.ts'
import { emptySummary } from '../src/folding/machine/totals.ts'
import { readPushKeys } from './push/push-keys.ts'
import { createScheduling, type Scheduling } from './schedules/scheduling.ts'
import { followStandings } from './store/standings.ts'
import { recorder } from './store/recorder.ts'
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

/** One machine of the settings, or of the account. */
type Place = {
  readonly number: number
  /** The id of its connection in the fleet. */
  readonly member: string
  readonly config: MachineConfig
  /** The account no longer lists it. Its number is not used again. */
  isGone: boolean
  readonly address: string
  readonly exchange: Exchange
}

const NEWS_MS = 1000
/** The address of a machine of the account has this before the machine's id. */
const ACCOUNT_PREFIX = 'account:'
/** After a page asked for a machine of the account, or a schedule decided about one. */
const WANTED_MS = 120_000
/** Who commands of a broker come from: the settings of each machine say what it may do. */
const MQTT_PROGRAM: Identity = { name: 'mqtt', role: 'operator' }

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** The one place where the machines of `src` meet the actors of Node. Resolves when the server listens. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { config, store, log, now = Date.now, random = Math.random } = options
  const places = config.machines.map((machine, at) => placeOf(machine, at + 1, now))
  const byUrl = new Map(places.map(place => [urlOf(place.address), place]))
  const accountPlaces = new Map<string, Place>()
  const joined: { cluster: Cluster | undefined } = { cluster: undefined }
  /** `here`, the address of the server that holds it, or undefined when nobody is known to. */
  const holderOf = (resource: string): string | undefined =>
    options.cluster === undefined ? 'here' : joined.cluster?.holderOf(resource)
  const isHeld = ({ member, address }: Pick<Place, 'member' | 'address'>): boolean =>
    holderOf(accountPlaces.has(member) ? COORDINATION : address) === 'here'
  const routeOf = (address: string, holder: string | undefined, own: LinkRoute | undefined): LinkRoute | undefined =>
    holder === 'here' ? own : holder === undefined ? undefined : joined.cluster?.peers.machine(holder, address)

  const fleetSnapshot = (): FleetSnapshot | undefined =>
    (server.system.get('fleet') as { getSnapshot: () => FleetSnapshot } | undefined)?.getSnapshot()
  const machines = (): readonly (ListedMachine & { readonly label: string })[] => {
    const snapshot = fleetSnapshot()
    const stateOf = ({ member, address }: Place) =>
      snapshot === undefined ? undefined : selectMember(snapshot, member, address)
    // The direct way is preferred: a machine of the settings is not listed once more for the account.
    const direct = new Set(places.flatMap(place => (accountPlaces.has(place.member) ? [] : (stateOf(place)?.id ?? []))))
    return places.flatMap(place => {
      const {
        number,
        config: { name, commands, tags },
        address,
        member,
        isGone,
      } = place
      if (isGone || (accountPlaces.has(member) && direct.has(member))) return []
      const state = stateOf(place)
      return {
        ...UNKNOWN,
        ...state,
        name: name ?? state?.name ?? address,
        number,
        address,
        commands,
        tags,
        label: name ?? address,
      }
    })
  }

  const listeners = new Set<(news: ServerNews) => void>()
  const tell = (news: ServerNews): void => {
    for (const listen of listeners) listen(news)
  }
  const access = createAccess(config, store.sessions, now)
  const sockets = createPageSockets()
  const peerSockets = createPageSockets(MOST_PEER_MESSAGES)
  // What several servers report is added up: each machine is reported by one.
  const heldMachines = () =>
    options.cluster === undefined ? machines() : machines().filter(({ number }) => isHeldNumber(number))
  const isHeldNumber = (number: number): boolean => {
    const place = places[number - 1]
    return place !== undefined && isHeld(place)
  }
  const metrics = createMetrics({
    machines: heldMachines,
    sockets: () => sockets.count(),
    incidents: () => coordination.alerts.incidents(),
    alerts: () => coordination.alerts.counts(),
  })

  /** Units that were stored, by whichever server. */
  const takeUnits = (units: readonly EndedUnit[]): void => {
    coordination.alerts.addUnits(units)
    tell({ type: 'units', units })
  }
  const labelOf = (id: string): string => machines().find(machine => machine.id === id)?.label ?? id
  const known = new Map((await store.machines()).map(({ id, name }) => [id, name]))
  const totals = options.cluster === undefined ? await store.unitTotals() : []
  for (const { machine, result, units, credit } of totals)
    metrics.countUnits(known.get(machine) ?? machine, result, units, credit)

  const server = createActor(
    serverMachine.provide({
      actors: {
        fleet: fleetMachine.provide({
          actors: {
            client: clientMachine.provide({
              delays: { reconnectDelay: ({ context }) => withJitter(clientWait(context), random()) },
              actors: {
                clientLink: machineLink({
                  exchangeOf: url => byUrl.get(url)?.exchange,
                  routeOf: url => {
                    const place = byUrl.get(url)
                    return place === undefined ? undefined : routeOf(place.address, holderOf(place.address), { url })
                  },
                  openSession: (machine, report) => {
                    const account = coordination.parts()?.account
                    if (account === undefined) throw new Error('No account is enrolled.')
                    return account.openLink(machine, report)
                  },
                  elsewhere: machine => {
                    const place = accountPlaces.get(machine)
                    const holder = holderOf(COORDINATION)
                    return place === undefined || holder === 'here'
                      ? undefined
                      : { exchange: place.exchange, route: routeOf(place.address, holder, undefined) }
                  },
                  now,
                }),
                readClock: fromPromise(() => Promise.resolve(now())),
              },
            }),
          },
        }),
        recorder: recorder({
          store,
          machines: heldMachines,
          holds: id => options.cluster === undefined || heldMachines().some(machine => machine.id === id),
          rollsUp: () => holderOf(COORDINATION) === 'here',
          sampleSeconds: config.store['sample-seconds'],
          keepSamplesDays: config.store['keep-samples-days'],
          keepHoursDays: config.store['keep-hours-days'],
          now,
          onUnits: units => {
            for (const { machine, result, credit } of units)
              metrics.countUnits(labelOf(machine), result, 1, credit ?? 0)
            if (joined.cluster === undefined) takeUnits(units)
            else joined.cluster.tell('units')
          },
          onError: error => log.error({ err: error }, 'history could not be written'),
        }),
      },
    }),
    {
      input: {
        // Names of the settings are labels here: the fleet would compare all names with each report.
        clients: places.map(({ address }) => ({ address, name: undefined })),
        samplePeriod: config.store['sample-seconds'] * 1000,
      },
    },
  )
  server.subscribe({ error: error => log.error({ err: error }, 'the statechart of the server failed') })

  const tellFleet = (news: AccountNews): void => {
    const fleet = server.system.get('fleet') as ActorRef<AnyMachineSnapshot, AccountNews | FleetEvent> | undefined
    fleet?.send(news)
    // Over the relay a client reports the units that ended only when it is asked, until its connection ends.
    if (news.type === 'relay.clientConnected') fleet?.send({ type: 'fleet.reportHistory', ids: [news.id] })
  }
  /** Numbers of machines are the same on all servers, and stay. */
  const placeAccountMachines = (machines: readonly AccountMachine[]): void => {
    for (const { id, name, isListed } of machines) {
      const known = accountPlaces.get(id)
      if (known !== undefined) {
        known.isGone = !isListed
        continue
      }
      const place: Place = {
        number: places.length + 1,
        member: id,
        config: {
          address: `${ACCOUNT_PREFIX}${id}`,
          name: name === '' ? undefined : name,
          ...accountMachineSettings(config.account, id),
        },
        address: `${ACCOUNT_PREFIX}${id}`,
        isGone: !isListed,
        exchange: createExchange({ now, later }),
      }
      places.push(place)
      accountPlaces.set(id, place)
    }
    coordination.scheduling.setMachines(places.filter(({ isGone }) => !isGone).map(scheduledMachine))
  }
  const listAccountMachines = async (listed: readonly MachineEntry[]): Promise<void> => {
    placeAccountMachines(await store.listAccountMachines(listed))
    const ids = new Set(listed.map(({ id }) => id))
    const unknown = config.account.machines.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
    if (unknown.length > 0) log.warn({ machines: unknown }, 'account.machines has ids that the account does not list')
    joined.cluster?.tell('account')
  }
  /** A page that could not read a machine tries again soon: the relay is connected for it meanwhile. */
  let wantedUntil = 0
  /** Decisions of schedules for which the relay was connected. A machine that is away is tried again with each sample. */
  let woken: ReadonlySet<string> = new Set()
  const followReaders = setInterval(() => {
    const isRead = [...accountPlaces.values()].some(({ exchange }) => exchange.readers() > 0)
    const pending = coordination.scheduling.pending().filter(({ machine }) => machine.startsWith(ACCOUNT_PREFIX))
    if (pending.some(({ key }) => !woken.has(key))) wantedUntil = now() + WANTED_MS
    woken = new Set(pending.map(({ key }) => key))
    const isWanted = isRead || now() < wantedUntil
    coordination.parts()?.account?.setRead(isWanted || pending.some(({ isSending }) => isSending))
    follower?.connectAccount(isWanted)
  }, NEWS_MS)

  /** Sends a command if its sender and the settings allow it, once it has been recorded. */
  const command = async (
    place: Place,
    request: ControlRequest,
    identity: Identity,
    reason: string,
  ): Promise<Outcome | 'forbidden'> => {
    const facts = {
      who: identity.name,
      machine: place.config.name ?? place.address,
      command: describeCommand(request),
      reason,
    }
    if (!mayUse(identity, 'control') || !place.config.commands.includes(request.cmd)) {
      log.warn(facts, 'command not allowed')
      return 'forbidden'
    }
    const id = await store.addAction({ at: now(), ...facts })
    const outcome = await new Promise<Outcome>(done => place.exchange.command(request, done))
    log.info({ ...facts, outcome }, 'command')
    metrics.countCommand(outcome)
    await store.settleAction(id, outcome)
    if (request.cmd === 'state' && outcome === 'confirmed' && identity !== SCHEDULES)
      personChanged({ subject: subjectOf(place, request.group), state: request.state, by: identity.name })
    return outcome
  }

  const labels = new Map(
    places.flatMap(place => (place.config.name === undefined ? [] : [[place.address, place.config.name] as const])),
  )
  const pushKeys = config.channels.some(({ kind }) => kind === 'push') ? readPushKeys(config.store.folder) : undefined
  const startIncidents = () =>
    startAlerts({
      settings: config,
      store,
      log,
      version: options.version,
      now,
      random,
      readMachines: () => {
        const snapshot = fleetSnapshot()
        return snapshot === undefined
          ? []
          : watchedMachines(snapshot, labels, coordination.parts()?.account?.isOpen() === true)
      },
      listMachines: () =>
        machines().map(({ id, number, address: at, name, isConnected, summary, data, commands }) => ({
          id,
          number,
          address: at,
          name,
          isConnected,
          ppd: summary.ppd,
          runningUnits: summary.running + summary.finishing,
          failedUnits: summary.failedUnits,
          isFolding: isToldToFold(data),
          canAct: commands.includes('state'),
          version: data?.info.version,
        })),
      act: (number, state) => {
        const place = places[number - 1]
        if (place === undefined) return
        command(place, { cmd: 'state', state }, MQTT_PROGRAM, 'MQTT').catch((error: unknown) => {
          log.error({ err: error }, 'a command was not sent, since it could not be recorded')
        })
      },
      inputs: {
        known: name => coordination.scheduling.input(name),
        receive: (name, value) => {
          coordination.scheduling.receiveInput(name, value).catch((error: unknown) => {
            log.error({ err: error }, 'an input could not be stored')
          })
        },
      },
      pushKeys,
      origin: config.listen.origins[0],
      onIncidents: incidents => {
        tell({ type: 'incidents', incidents })
        joined.cluster?.tell('incidents')
      },
      onSettled: (channel, how) => metrics.countAlert(channel, how),
    })
  const startScheduling = async () =>
    createScheduling({
      store,
      kept: await store.schedules.load(now()),
      machines: places.filter(({ isGone }) => !isGone).map(scheduledMachine),
      watched: machines,
      send: ({ machine, group }, state, who, reason) => {
        const place = places.find(each => each.address === machine)
        const request: ControlRequest = { cmd: 'state', state, ...(group === undefined ? {} : { group }) }
        return place === undefined
          ? Promise.resolve('forbidden')
          : command(place, request, SCHEDULES, who === SCHEDULES.name ? reason : `${reason}: ${who}`)
      },
      now,
      onChange: () => {
        tell({ type: 'schedules' })
        joined.cluster?.tell('schedules')
      },
      onError: error => log.error({ err: error }, 'schedules failed'),
    })

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
            const place = accountPlaces.get(machine)
            return place?.isGone === false ? place.exchange : undefined
          },
          onListed: listAccountMachines,
          // After the account's own step: the fleet is not its child.
          tellFleet: news => queueMicrotask(() => tellFleet(news)),
        })

  const startStandings = () =>
    config.statistics.hourly
      ? followStandings({
          store: store.standings,
          api: accountApi(config.account['api-url']),
          folders: () =>
            machines().flatMap(({ data }) =>
              data === undefined
                ? []
                : [
                    {
                      user: text(data.config.user) ?? '',
                      team: positive(data.config.team) ?? 0,
                      passkey: text(data.config.passkey) ?? '',
                    },
                  ],
            ),
          log,
          now,
          random,
        })
      : undefined

  const coordination = createCoordination(async () => {
    const alerts = await startIncidents()
    let scheduling: Scheduling | undefined
    try {
      scheduling = await startScheduling()
      return { alerts, scheduling, account: await startEnrolled(), stopStandings: startStandings() }
    } catch (error) {
      // It is tried again as a whole.
      await alerts.stop()
      await scheduling?.stop()
      throw error
    }
  }, startEnrolled)
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
    alerts: coordination.alerts,
    pushKey: pushKeys?.publicKey,
    access,
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
      const place = places[number - 1]
      return place === undefined ? Promise.resolve('forbidden') : command(place, request, identity, reason)
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
    onShared: () => {
      tell({ type: 'shared' })
      joined.cluster?.tell('shared')
    },
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
            tellFleet({ type: 'fleet.machinesListed', account: '', machines: listed })
          },
          isCoordinating: () => coordination.parts() !== undefined,
          tellFleet,
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
    for (const { address, member } of byUrl.values()) {
      const holder = holderOf(address)
      if (routes.get(address) === holder) continue
      routes.set(address, holder)
      fleetSnapshot()?.context.members[member]?.ref.send({ type: 'client.check' })
    }
  }
  /** A page reads a machine, which is connected through the relay meanwhile. */
  const want = ({ member }: Place): void => {
    if (!accountPlaces.has(member)) return
    wantedUntil = now() + WANTED_MS
    coordination.parts()?.account?.setRead(true)
    follower?.connectAccount(true)
  }
  const holdings = setInterval(followHoldings, NEWS_MS)

  const { address, port } = config.listen
  const tls = readCertificate(config.listen)
  joined.cluster = await options.cluster?.start({
    machines: [...byUrl.values()].map(place => place.address),
    log,
    api,
    personChanged,
    openMachine: named => {
      const place = places.find(each => each.address === named)
      if (place === undefined || place.isGone || !isHeld(place)) return 404
      want(place)
      return peerSockets.accept(place.exchange, {
        // Whoever sent it was checked and recorded there.
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
  server.start()
  if (joined.cluster === undefined) await coordination.set(true)
  else followHoldings()
  const host = await serveHost({
    address,
    port,
    tls,
    dist: options.dist,
    access,
    api,
    machines: () => places.length,
    settings: options.pageSettings ?? {},
    openSocket: (number, identity) => {
      const place = places[number - 1]
      if (place === undefined || place.isGone) return 404
      want(place)
      return sockets.accept(place.exchange, {
        onCommand: request => {
          command(place, request, identity, 'page').catch((error: unknown) => {
            log.error({ err: error }, 'a command was not sent, since it could not be recorded')
          })
        },
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
  log.info({ address, port: host.port, machines: places.length, users: config.users.length }, 'server listens')
  return {
    port: host.port,
    url: `${tls === undefined ? 'http' : 'https'}://${address === '127.0.0.1' || address === '0.0.0.0' ? 'localhost' : address}:${host.port}`,
    stop: async () => {
      stopNews()
      clearInterval(followReaders)
      isStopping = true
      clearInterval(holdings)
      follower?.stop()
      sockets.stop()
      peerSockets.stop()
      await host.stop()
      await coordination.set(false)
      server.stop()
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

/** What may be sent to a machine of the account, and the tags by which schedules name it. */
const accountMachineSettings = (
  { machines, commands, tags }: Config['account'],
  id: string,
): Pick<MachineConfig, 'commands' | 'tags'> => {
  const own = machines.find(machine => machine.id === id)
  return { commands: own?.commands ?? commands, tags: own?.tags ?? tags }
}

/** Schedules act as an operator does: only where the settings allow it. */
const SCHEDULES: Identity = { name: 'schedules', role: 'operator' }

const scheduledMachine = ({ address, config: { commands, tags } }: Place): ScheduledMachine => ({
  address,
  tags,
  mayAct: commands.includes('state'),
})

const subjectOf = ({ address }: Place, group: string | undefined): Subject => ({
  machine: address,
  ...(group === undefined ? {} : { group }),
})

const UNKNOWN = {
  id: undefined,
  isConnected: false,
  problem: 0,
  summary: { ...emptySummary, clients: 1 },
  data: undefined,
  heardAt: undefined,
} as const

const urlOf = (address: string): string => {
  const parsed = parseAddress(address)
  return parsed === undefined ? address : socketUrl(parsed)
}

const placeOf = (config: MachineConfig, number: number, now: () => number): Place => {
  const parsed = parseAddress(config.address)
  const address = parsed === undefined ? config.address : formatAddress(parsed)
  const exchange = createExchange({ now, later })
  return { number, member: idOfAddress(address), config, address, isGone: false, exchange }
}

/** Compares the machines every second: their reports change with every update, and readers need no more. */
const followMachines = <Machine extends ListedMachine>(
  machines: () => readonly Machine[],
  onChange: (before: Machine, machine: Machine) => void,
): (() => void) => {
  let last = machines()
  const timer = setInterval(() => {
    const current = machines()
    const earlier = new Map(last.map(machine => [machine.number, machine]))
    current.forEach(machine => {
      const before = earlier.get(machine.number)
      const isSame =
        before === undefined ||
        (before.isConnected === machine.isConnected &&
          before.summary === machine.summary &&
          before.name === machine.name)
      if (!isSame) onChange(before, machine)
    })
    last = current
  }, NEWS_MS)
  return () => clearInterval(timer)
}

const readCertificate = (listen: Config['listen']): { readonly key: string; readonly cert: string } | undefined => {
  const { certificate, 'private-key': key } = listen
  if (certificate === undefined || key === undefined) return undefined
  try {
    return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
  } catch (error) {
    throw new StartError(`The certificate cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`)
  }
}
