import { afterAll, beforeAll, describe, it } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { startNetwork, type Network, type NetworkOptions } from '../../../programs/network/index.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../journey.ts'
import { QUICK_NETWORK, startHeadlessApp, type HeadlessApp } from '../../headless-app.ts'

const small: NetworkOptions = { ...QUICK_NETWORK, machines: 1 }

type Drive<Model extends AnyStateMachine> = (
  app: HeadlessApp,
  network: Network,
) => Driver<Model> | Promise<Driver<Model>>

/** Each simple path of a model, walked by a person of its own on one network. */
export function walkInProcess<Model extends AnyStateMachine>(title: string, model: Model, drive: Drive<Model>): void {
  describe(`${title}, in process`, () => {
    let network: Network
    beforeAll(async () => {
      network = await startNetwork(small)
    })
    afterAll(() => network.stop())
    for (const journey of simpleJourneysOf(model)) {
      it(journey.title, async () => {
        const app = startHeadlessApp(network)
        try {
          await walkJourney(await drive(app, network), journey)
        } finally {
          app.leave()
        }
      })
    }
  })
}

type Own = {
  readonly options: NetworkOptions
  /** host:port of the client that the person's page looks for. */
  readonly directAddress?: (network: Network) => string
}

function walkOnOwnNetworks<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  drive: Drive<Model>,
  { options, directAddress }: Own,
): void {
  describe.concurrent(`${title}, in process`, () => {
    for (const journey of simpleJourneysOf(model)) {
      it(journey.title, async () => {
        const network = await startNetwork({ ...small, ...options })
        const app = startHeadlessApp(
          network,
          directAddress === undefined ? {} : { directAddress: directAddress(network) },
        )
        try {
          await walkJourney(await drive(app, network), journey)
        } finally {
          app.leave()
          await network.stop()
        }
      })
    }
  })
}

/** The same for what changes the client on this computer: each path has a network, and so a client, of its own. */
export function walkBesideClient<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  drive: Drive<Model>,
  options: NetworkOptions = {},
): void {
  return walkOnOwnNetworks(title, model, drive, {
    options: { machines: 0, ...options },
    directAddress: network => network.directAddress,
  })
}

/** The same for what changes clients of the account, of which there are so many, all alike; the client on this computer is not looked for. */
export function walkWithMachines<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  machines: number,
  drive: Drive<Model>,
  options: NetworkOptions = {},
): void {
  return walkOnOwnNetworks(title, model, drive, { options: { machines, uniform: true, ...options } })
}
