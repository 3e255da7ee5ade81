import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTES = 12
const TYPE_ADDRESS = 1
const ANSWER = 0x8180
/** The name of the question, an address of the internet for a minute, and its four bytes. */
const LOOPBACK = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_ADDRESS, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])

/** Says of every name that it is this computer (RFC 1035). `scripts/test-peers.mjs` has clients ask it. */
export async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    let end = HEADER_BYTES
    while ((query[end] ?? 0) > 0) end += (query[end] ?? 0) + 1
    end += 5
    const answers = query.readUInt16BE(end - 4) === TYPE_ADDRESS ? [LOOPBACK] : []
    const answer = Buffer.from(query.subarray(0, end))
    answer.writeUInt16BE(ANSWER, 2)
    answer.writeUInt16BE(answers.length, 6)
    answer.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([answer, ...answers]), port, address)
  })
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
  return { stop: () => socket.close() }
}
