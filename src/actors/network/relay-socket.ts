import type { RelaySocketFact, RelaySocketCommand, RelayTarget } from '../../machines/connection/relay/relay.events.ts'
import { factActor } from '../fact-actor.ts'
import { HIDDEN_PAGE_SAMPLE } from '../pacing.ts'
import type { RelayEntry, Wire } from '../wire/wire.ts'

/** The account's socket to its relay node. Logs in when it opens. `offset`: milliseconds to add to this computer's clock. */
export function relaySocket({
  wire,
  offset,
}: {
  readonly wire: Pick<Wire, 'openRelay'>
  readonly offset: () => number
}) {
  return factActor<RelaySocketCommand, RelayTarget, RelaySocketFact>(({ input, report, receive }) => {
    const listen = ({ at: receivedAt, facts }: RelayEntry): void => {
      const at = receivedAt + offset()
      for (const fact of facts) report(relayFactOf(fact, at))
      if (!facts.some(({ type }) => type === 'login.sent')) report({ type: 'relay.dataReceived', at })
    }
    const relay = wire.openRelay(input, listen)
    receive(command => {
      if (command.type === 'relaySocket.broadcast') relay.broadcast(command.secrets.payload)
      else if (command.type === 'relaySocket.probe') relay.probe(command.client)
      else if (command.type === 'relaySocket.logInAgain') relay.logInAgain()
      else relay.sample(command.isHidden ? HIDDEN_PAGE_SAMPLE : undefined)
    })
    return () => relay.close()
  })
}

function relayFactOf(fact: RelayEntry['facts'][number], at: number): RelaySocketFact {
  switch (fact.type) {
    case 'socket.opened':
      return { type: 'relay.opened', at }
    case 'socket.closed':
      return { type: 'relay.closed', at }
    case 'client.connected':
      return { type: 'relay.clientConnected', id: fact.id, at }
    case 'client.disconnected':
      return { type: 'relay.clientDisconnected', id: fact.id, at }
    case 'broadcast.received':
      return { type: 'relay.broadcastReceived', cmd: fact.cmd, time: fact.time, at }
    case 'login.sent':
      return { type: 'relay.loginSent', at }
    case 'login.answered':
      return { type: 'relay.dataReceived', at }
    case 'fault.found':
      return { type: 'relay.faultFound', fault: fact.fault, at }
  }
}
