import type { Logger } from 'pino'
import { createActor, fromPromise, type ActorRef, type AnyActor, type AnyMachineSnapshot } from 'xstate'
import type { Clones } from '../../src/folding/client/client-key.ts'
import { REMOTE, withJitter } from '../../src/folding/shared/back-off.ts'
import { clientMachine, urlOf } from '../../src/machines/connection/client/client.machine.ts'
import { clientWait } from '../../src/machines/connection/client/client.setup.ts'
import type { FleetEvent } from '../../src/machines/connection/fleet/fleet.events.ts'
import { fleetMachine } from '../../src/machines/connection/fleet/fleet.machine.ts'
import type { Config } from './config/schema.ts'
import { clientLink, type ClientLinkDeps } from './gateway/client-link.ts'
import type { AccountNews } from './machines/account/account.events.ts'
import { serverMachine } from './machines/server/server.machine.ts'
import type { FleetSnapshot } from './machines/server/server.selectors.ts'
import { recorder, type RecorderDeps } from './store/recorder.ts'
import { indexTimers, stopChildren } from './timers-by-actor.ts'

export type FleetDeps = {
  readonly links: ClientLinkDeps
  readonly history: Omit<RecorderDeps, 'sampleSeconds' | 'keepSamplesDays' | 'keepHoursDays' | 'now' | 'onError'>
  /** Addresses of direct connections. */
  readonly addresses: readonly string[]
  /** Ids that several computers were found to have. */
  readonly clones: Clones
  readonly settings: Config['store']
  readonly log: Pick<Logger, 'error'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

export type Fleet = {
  readonly start: () => void
  readonly stop: () => void
  /** Undefined before the start. */
  readonly snapshot: () => FleetSnapshot | undefined
  /** What the relay of the account reports. */
  readonly send: (event: AccountNews) => void
}

/** Milliseconds between attempts to reach machines, all of them together: an attempt costs about 3 ms of processor time. */
const ATTEMPT_SPACING = 20

/** The root statechart of the server with the fleet, its client machines and the recorder of the history. */
export function createFleet({ links, history, addresses, clones, settings, log, now, random }: FleetDeps): Fleet {
  const unreachable = new Set<string>()
  const server = createActor(
    serverMachine.provide({
      actors: {
        fleet: fleetMachine.provide({
          // Names of the settings are labels here: the fleet would compare all names with each report.
          actions: { renameDirect: () => undefined },
          actors: {
            client: clientMachine.provide({
              delays: {
                reconnectDelay: ({ context }) => {
                  if (context.kind === 'direct') unreachable.add(urlOf(context))
                  return withJitter(Math.max(clientWait(context, REMOTE), unreachable.size * ATTEMPT_SPACING), random())
                },
              },
              actors: {
                clientLink: clientLink({
                  ...links,
                  routeOf: url => {
                    unreachable.delete(url)
                    return links.routeOf(url)
                  },
                }),
                // Sockets of Node.js are delayed by nothing.
                pingHost: fromPromise(() => Promise.resolve(undefined)),
                readClock: fromPromise(() => Promise.resolve(now())),
              },
            }),
          },
        }),
        recorder: recorder({
          ...history,
          sampleSeconds: settings['sample-seconds'],
          keepSamplesDays: settings['keep-samples-days'],
          keepHoursDays: settings['keep-hours-days'],
          now,
          onError: error => log.error({ err: error }, 'history could not be written'),
        }),
      },
    }),
    {
      input: {
        clients: addresses.map(address => ({ address, name: undefined })),
        clones,
        samplePeriod: settings['sample-seconds'] * 1000,
      },
    },
  )
  indexTimers(server)
  server.subscribe({ error: error => log.error({ err: error }, 'the statechart of the server failed') })
  return {
    start: () => void server.start(),
    stop: () => {
      const fleet = server.system.get('fleet') as AnyActor | undefined
      if (fleet !== undefined) stopChildren(fleet)
      server.stop()
    },
    snapshot: () => (server.system.get('fleet') as { getSnapshot: () => FleetSnapshot } | undefined)?.getSnapshot(),
    send: event => {
      const fleet = server.system.get('fleet') as ActorRef<AnyMachineSnapshot, AccountNews | FleetEvent> | undefined
      fleet?.send(event)
      // Over the relay a client reports the units that ended only when it is asked, until its connection ends.
      if (event.type === 'relay.clientConnected') fleet?.send({ type: 'fleet.reportHistory', ids: [event.id] })
    },
  }
}
