import type { ClientLinkCommand, ClientLinkFact, LinkTarget } from '../../machines/connection/client/client.events.ts'
import type { ClientFact } from '../../protocol/client/client-message.ts'
import { stampCommand } from '../../protocol/client/commands.ts'
import { factActor } from '../fact-actor.ts'
import type { LinkEntry, Wire } from '../wire/wire.ts'

/** Reports entries of a link as facts of a client machine. `offset`: milliseconds to add to this computer's clock. */
export function linkListener(report: (fact: ClientLinkFact) => void, offset: () => number): (entry: LinkEntry) => void {
  let hasOpened = false
  return ({ at: receivedAt, facts }) => {
    const at = receivedAt + offset()
    const reported: ClientFact[] = []
    const flush = (): void => {
      if (reported.length > 0) report({ type: 'link.reported', at, facts: reported.splice(0) })
    }
    for (const fact of facts) {
      if (fact.type === 'socket.opened' || fact.type === 'session.opened') {
        hasOpened = true
        report({ type: 'link.opened', at, ...(fact.type === 'socket.opened' ? { took: fact.took } : {}) })
      } else if (fact.type === 'socket.closed' || fact.type === 'session.closed') {
        flush()
        const isSilent = fact.type === 'session.closed' && fact.isSilent === true
        report({ type: 'link.closed', at, trouble: isSilent ? 'silent' : hasOpened ? 'closed' : 'unreachable' })
      } else if (fact.type === 'session.dated') {
        flush()
        report({ type: 'link.dated', at, asOf: fact.asOf === undefined ? undefined : fact.asOf + offset() })
      } else if (fact.type === 'session.seen') {
        flush()
        report({ type: 'link.seen', until: fact.until })
      } else if (fact.type === 'session.entered') report({ type: 'link.entered', state: fact.state })
      else reported.push(fact)
    }
    flush()
  }
}

/** A client's connection: a socket of its own, or a session through the open relay. */
export function clientLink({ wire, offset }: { readonly wire: Wire; readonly offset: () => number }) {
  return factActor<ClientLinkCommand, LinkTarget, ClientLinkFact>(({ input, report, receive }) => {
    const listen = linkListener(report, offset)
    const link = input.kind === 'direct' ? wire.openDirect(input.url, listen) : wire.openSession(input.client, listen)
    if (input.isWatched) link.watch(true)
    receive(command => {
      if (command.type === 'link.send') link.send(stampCommand(command.command, command.at))
      else if (command.type === 'link.bind')
        link.send({ cmd: 'link', token: command.secrets.token, name: command.name })
      else if (command.type === 'link.check') link.check()
      else link.watch(command.isWatched)
    })
    return () => link.close()
  })
}
