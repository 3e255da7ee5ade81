import { fromCallback, fromPromise } from 'xstate'
import { startChild } from '../child.ts'
import { answeringHost } from './answering-host.ts'
import type { ClientData, GroupConfig } from '../../src/protocol/client/client-data.ts'
import type { ClientFact } from '../../src/protocol/client/client-message.ts'
import type { ClientLinkCommand, LinkTarget } from '../../src/machines/connection/client/client.events.ts'
import type { ClientInput } from '../../src/machines/connection/client/client.context.ts'
import { clientSettingsMachine } from '../../src/machines/connection/client-settings/client-settings.machine.ts'
import { clientMachine } from '../../src/machines/connection/client/client.machine.ts'

export const START = Date.parse('2026-11-20T12:00:00.200Z')
const around = { account: undefined, latestVersion: undefined }
export const direct: ClientInput = { id: '__direct__', kind: 'direct', address: '127.0.0.1:7396', environment: around }
export const relayed: ClientInput = { id: 'abc', kind: 'relay', name: 'Attic', environment: around }

export function dataWith(config: GroupConfig = { paused: true }): ClientData {
  return {
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
    config: {},
    groups: { '': { config } },
    units: [],
  }
}

export function startClient(input: ClientInput, pingHost?: typeof answeringHost) {
  const links: { target: LinkTarget; sent: ClientLinkCommand[]; isOpen: boolean }[] = []
  const machine = clientMachine.provide({
    actors: {
      settings: clientSettingsMachine,
      clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ input: target, receive }) => {
        const link = { target, sent: [] as ClientLinkCommand[], isOpen: true }
        links.push(link)
        receive(command => link.sent.push(command))
        return () => {
          link.isOpen = false
        }
      }),
      pingHost: pingHost ?? answeringHost,
      readClock: fromPromise(() => Promise.resolve(START + clock.now())),
    },
  })
  const { actor, clock, received } = startChild(machine, input)
  const at = (): number => START + clock.now()
  return {
    actor,
    clock,
    links,
    received,
    open: (data: ClientData = dataWith()) =>
      actor.send({ type: 'link.reported', at: at(), facts: [{ type: 'snapshot.received', data }] }),
    change: (...changes: (readonly [...(string | number)[], never])[]) =>
      actor.send({ type: 'link.reported', at: at(), facts: [{ type: 'changes.received', changes }] }),
    report: (fact: ClientFact) => actor.send({ type: 'link.reported', at: at(), facts: [fact] }),
    close: () => actor.send({ type: 'link.closed', at: at(), trouble: 'closed' }),
    sent: () =>
      links
        .at(-1)
        ?.sent.flatMap(said => (said.type === 'link.send' ? [said] : []))
        .map(({ command, at: stamp }) => ({ ...command, second: Math.floor(stamp / 1000) - Math.floor(START / 1000) })),
  }
}
