import { expect, it } from 'vitest'
import { runActor } from '../../../test/run-actor.ts'
import type { RelaySocketFact } from '../../machines/connection/relay/relay.events.ts'
import type { RelayEntry, Wire } from '../wire/wire.ts'
import { relaySocket } from './relay-socket.ts'

it('corrects all times that are by this computer’s clock', async () => {
  let arrives: (entry: RelayEntry) => void = () => undefined
  const wire: Pick<Wire, 'openRelay'> = {
    openRelay: (_, listen) => {
      arrives = listen
      const ignore = (): void => undefined
      return { broadcast: ignore, probe: ignore, logInAgain: ignore, sample: ignore, close: ignore }
    },
  }
  const socket = runActor<RelaySocketFact>(relaySocket({ wire, offset: () => 900_000 }))
  arrives({ at: 9000, facts: [{ type: 'client.connected', id: 'm' }] })
  expect(await socket.next(() => true)).toEqual({ type: 'relay.clientConnected', id: 'm', at: 909_000 })
  expect(await socket.next(() => true)).toEqual({ type: 'relay.dataReceived', at: 909_000 })
  socket.stop()
})
