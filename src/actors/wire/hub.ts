import { isoTime } from '../../protocol/iso-time.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type Direct, openDirect } from './direct.ts'
import type { ChannelId, HubCommand, HubDeps } from './hub.types.ts'
import { createOutbox } from './outbox.ts'
import { type Relay, openRelay } from './relay.ts'
import type { Session } from './session.ts'
import type { SocketUrl } from '../../protocol/url.ts'

export type Hub = {
  receive(command: HubCommand): void
  /** Closes all channels. Nothing is posted afterwards. */
  stop(): void
}

type OpenChannel =
  | { readonly kind: 'direct'; readonly socket: Direct }
  | { readonly kind: 'relay'; readonly relay: Relay }
  | { readonly kind: 'session'; readonly session: Session }

/** Owns all sockets: decrypts, decodes, verifies and batches. Runs in a worker or, for tests, inline (`inline-port.ts`). */
export function createHub(deps: HubDeps): Hub {
  const channels = new Map<ChannelId, OpenChannel>()
  const outbox = createOutbox(deps)
  let offset = 0

  const correctedNow = () => deps.now() + offset
  const stamped = (command: JsonObject): JsonObject =>
    Object.hasOwn(command, 'time') ? command : { ...command, time: isoTime(correctedNow()) }

  const openClient = (channel: ChannelId, url: SocketUrl) => {
    const socket = openDirect(
      url,
      deps,
      () => offset,
      (at, facts) => outbox.add(channel, at, facts),
    )
    channels.set(channel, { kind: 'direct', socket })
  }

  const openSession = (channel: ChannelId, relay: ChannelId, client: string) => {
    const through = channels.get(relay)
    const notify = (at: number, facts: Parameters<typeof outbox.add>[2]) => outbox.add(channel, at, facts)
    if (through?.kind === 'relay')
      channels.set(channel, { kind: 'session', session: through.relay.openSession(client, notify) })
    else notify(deps.now(), [{ type: 'session.closed' }])
  }

  const close = (channel: ChannelId) => {
    const open = channels.get(channel)
    channels.delete(channel)
    outbox.drop(channel)
    switch (open?.kind) {
      case 'direct':
        open.socket.close()
        break
      case 'relay':
        open.relay.close()
        break
      case 'session':
        open.session.close()
        break
      case undefined:
        break
    }
  }

  const send = (channel: ChannelId, command: JsonObject) => {
    const open = channels.get(channel)
    if (open?.kind === 'direct') open.socket.send(stamped(command))
    else if (open?.kind === 'session') open.session.send(stamped(command))
  }

  const watch = (channel: ChannelId, isWatched: boolean) => {
    outbox.watch(channel, isWatched)
    const open = channels.get(channel)
    if (open?.kind === 'session') open.session.watch(isWatched)
  }

  const check = (channel: ChannelId) => {
    const open = channels.get(channel)
    if (open?.kind === 'session') open.session.check()
  }

  const withRelay = (channel: ChannelId, run: (relay: Relay) => void) => {
    const open = channels.get(channel)
    if (open?.kind === 'relay') run(open.relay)
  }

  return {
    receive(command) {
      switch (command.type) {
        case 'direct.open':
          openClient(command.channel, command.url)
          break
        case 'relay.open': {
          const { channel } = command
          const relay = openRelay(
            command,
            deps,
            () => offset,
            (at, facts) => outbox.addRelay(channel, at, facts),
          )
          channels.set(channel, { kind: 'relay', relay })
          break
        }
        case 'session.open':
          openSession(command.channel, command.relay, command.client)
          break
        case 'close':
          close(command.channel)
          break
        case 'watch':
          watch(command.channel, command.isWatched)
          break
        case 'check':
          check(command.channel)
          break
        case 'send':
          send(command.channel, command.command)
          break
        case 'broadcast':
          withRelay(command.channel, relay => relay.broadcast(command.payload))
          break
        case 'probe':
          withRelay(command.channel, relay => relay.probe(command.client))
          break
        case 'relay.logInAgain':
          withRelay(command.channel, relay => relay.logInAgain())
          break
        case 'relay.sample':
          withRelay(command.channel, relay => relay.sample(command.interval))
          break
        case 'clock.correct':
          offset = command.offset
          break
        case 'take':
          outbox.take()
          break
      }
    },
    stop() {
      for (const channel of [...channels.keys()]) close(channel)
    },
  }
}
