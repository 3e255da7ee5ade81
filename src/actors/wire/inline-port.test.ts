import { webSocketUrl } from '../../../test/urls.ts'
import { expect, it } from 'vitest'
import { generateKeyPair } from '../../protocol/crypto/keys.ts'
import type { SocketListener } from './hub.types.ts'
import { inlinePort } from './inline-port.ts'
import type { LinkEntry, RelayEntry } from './wire.ts'
import { connectWire } from './wire.ts'

/** A wire over a hub on this thread, with a socket that the test moves by hand. */
function wireByHand() {
  const sockets: { url: string; listener: SocketListener; sent: string[]; isClosed: boolean }[] = []
  const clock = { now: 1000 }
  let painted = () => {}
  const wire = connectWire({
    port: inlinePort({
      openSocket(url, listener) {
        const socket = { url, listener, sent: [] as string[], isClosed: false }
        sockets.push(socket)
        return { send: text => socket.sent.push(text), close: () => (socket.isClosed = true) }
      },
      now: () => clock.now,
      random: () => 0,
      later: (_, run) => {
        const waiting = setImmediate(run)
        return () => clearImmediate(waiting)
      },
    }),
    requestFrame(run) {
      run()
      painted()
    },
    isHidden: () => false,
    now: () => 0,
    epochNow: () => clock.now,
  })
  const frame = () => new Promise<void>(resolve => (painted = resolve))
  return { wire, sockets, clock, frame }
}

it('a direct client sends and receives over a hub on the same thread, until the wire stops', async () => {
  const { wire, sockets, frame } = wireByHand()
  const entries: LinkEntry[] = []
  const link = wire.openDirect(webSocketUrl('ws://client'), entry => entries.push(entry))
  const [socket] = sockets
  const first = frame()
  socket?.listener.opened()
  await first
  const second = frame()
  socket?.listener.received('["config","user","x"]')
  await second
  link.send({ cmd: 'restart' })
  expect(entries).toEqual([
    { at: 1000, facts: [{ type: 'socket.opened', took: 0 }] },
    { at: 1000, facts: [{ type: 'changes.received', changes: [['config', 'user', 'x']] }] },
  ])
  expect(socket?.sent).toEqual(['{"cmd":"restart","time":"1970-01-01T00:00:01Z"}'])
  wire.stop()
  expect(socket?.isClosed).toBe(true)
})

it('a relay that receives anything is reported as alive, at most once a second', async () => {
  const { wire, sockets, clock, frame } = wireByHand()
  const entries: RelayEntry[] = []
  const opened = frame()
  wire.openRelay({ url: webSocketUrl('wss://node'), keys: await generateKeyPair(2048) }, entry => entries.push(entry))
  const [socket] = sockets
  socket?.listener.opened()
  await opened
  for (const now of [5000, 5500, 5999, 6000]) {
    clock.now = now
    const posted = frame()
    socket?.listener.received('{"type":"disconnect","id":"nobody"}')
    if (now % 1000 === 0) await posted
  }
  expect(entries.map(({ at, facts }) => ({ at, facts }))).toEqual([
    { at: 1000, facts: [{ type: 'socket.opened' }] },
    { at: 5000, facts: [] },
    { at: 6000, facts: [] },
  ])
})
