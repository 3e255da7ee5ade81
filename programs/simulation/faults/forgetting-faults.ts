import type { FleetClient } from '../../network/index.ts'
import type { Scene } from '../story/scene.ts'
import { MINUTE } from '../time/durations.ts'
import { nothing, type Fault } from './fault.ts'

/** Somebody at the machine links it to the account, as if it had never been. */
function link({ client }: FleetClient, token: string): void {
  const connection = client.attach(() => undefined)
  connection.receive({ cmd: 'link', token, name: client.name() })
  connection.detach()
}

/** Nobody is at a machine that is never on. */
async function linkAll(forgotten: Promise<ReadonlySet<string>>, { world, books }: Scene): Promise<void> {
  const ids = await forgotten
  const account = await world.network.stored()
  for (const one of books.clients()) if (ids.has(one.id) && !one.client.profile.offline) link(one, account?.token ?? '')
}

/** What nodes and the API lose. */
export const forgettingFaults: readonly Fault[] = [
  {
    name: 'node forgets',
    what: 'the relay node starts again without sessions and without what was told to all machines',
    lasts: [1, MINUTE],
    begin: ({ world }) => {
      const { relay } = world.network
      void relay.stop()
      return () => {
        relay.forgetBroadcasts()
        void relay.start()
      }
    },
  },
  {
    name: 'API forgets sessions',
    what: 'the API forgets who is signed in',
    lasts: [1, 1],
    begin: ({ world }) => {
      world.sessions.forgotten()
      void world.network.forget.sessions()
      return nothing
    },
  },
  {
    name: 'API forgets machines',
    what: 'the account has no machines any more, until each is linked again',
    lasts: [1, 20 * MINUTE],
    begin: scene => {
      const { network } = scene.world
      const forget = async (): Promise<ReadonlySet<string>> => {
        const account = await network.stored()
        await network.forget.machines()
        return new Set(account?.machines.map(({ id }) => id))
      }
      const forgotten = forget()
      return () => void linkAll(forgotten, scene)
    },
  },
]
