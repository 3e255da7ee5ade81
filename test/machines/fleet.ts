import { fromCallback, fromPromise } from 'xstate'
import type { DirectClient } from '../../src/folding/client/direct-clients.ts'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import { startChild } from '../child.ts'
import { answeringHost } from './answering-host.ts'
import type { ClientLinkCommand, LinkTarget } from '../../src/machines/connection/client/client.events.ts'
import { clientSettingsMachine } from '../../src/machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../src/machines/connection/client/client.machine.ts'
import type { FleetInput } from '../../src/machines/connection/fleet/fleet.context.ts'
import { fleetMachine } from '../../src/machines/connection/fleet/fleet.machine.ts'
import { selectShownIds } from '../../src/machines/connection/fleet/fleet.selectors.ts'

export const LOCAL_URL = 'ws://127.0.0.1:7396/api/websocket'

function idOf(target: LinkTarget): string {
  return target.kind === 'session' ? target.client : target.url
}

export function unnamed(address: string): DirectClient {
  return { address, name: undefined }
}

export function dataOf(id: string, name: string, version = '8.5.7'): ClientData {
  return {
    info: { version, id, mach_name: name, cpus: 8 },
    config: {},
    groups: { '': { config: { paused: false, cpus: 4 } } },
    units: [{ id: `${id}-1`, state: 'RUN', cpus: 4, ppd: 1000 }],
  }
}

export function startFleet(input: FleetInput = { defaultAddress: '127.0.0.1:7396', addresses: [] }) {
  const links = new Map<string, { commands: ClientLinkCommand[] }>()
  const saved: (readonly DirectClient[])[] = []
  const client = clientMachine.provide({
    actors: {
      settings: clientSettingsMachine,
      clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ input: target, receive }) => {
        const link = { commands: [] as ClientLinkCommand[] }
        links.set(idOf(target), link)
        receive(command => link.commands.push(command))
        return () => links.delete(idOf(target))
      }),
      pingHost: answeringHost,
      readClock: fromPromise(() => Promise.resolve(1000)),
    },
  })
  const machine = fleetMachine.provide({
    actors: { client },
    actions: { keepAddresses: (_, addresses) => saved.push(addresses) },
  })
  const { actor, clock, received } = startChild(machine, input)
  const member = (id: string) => {
    const found = actor.getSnapshot().context.members[id]
    if (found === undefined) throw new Error(`There is no client ${id}.`)
    return found.ref
  }
  return {
    actor,
    clock,
    links,
    saved,
    received,
    member,
    says: (id: string, data: ClientData) =>
      member(id).send({ type: 'link.reported', at: 10, facts: [{ type: 'snapshot.received', data }] }),
    list: (...ids: string[]) =>
      actor.send({
        type: 'fleet.machinesListed',
        account: 'me',
        machines: ids.map(id => ({ id, name: id.toUpperCase() })),
      }),
    sent: () =>
      Object.fromEntries(
        [...links].map(([id, { commands }]) => [
          id,
          commands.flatMap(said =>
            said.type === 'link.send' && said.command.cmd === 'state' ? [said.command.state] : [],
          ),
        ]),
      ),
    shown: () => selectShownIds('usual')(actor.getSnapshot()),
  }
}
