import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const SCRIPT = `
  const { createServer } = require('node:net')
  const { WebSocket } = require('ws')
  const topics = Array.from({ length: Number(process.argv[1]) }, (_, index) => 'meter/' + index)
  const lines = require('node:readline').createInterface({ input: process.stdin })
  lines.on('close', () => process.exit())
  lines.on('line', async line => {
    const { origin, cookies, sockets } = JSON.parse(line)
    const url = origin.replace('http', 'ws')
    for (const cookie of cookies) {
      await new Promise(resolve => setTimeout(resolve, 1000))
      const headers = { Origin: origin, Cookie: cookie }
      for (let number = 1; number <= sockets; number++) {
        const path = number === 1 ? '/api/websocket' : '/clients/' + number + '/api/websocket'
        new WebSocket(url + path, { headers }).on('error', () => undefined)
      }
      const read = async () => {
        const { body } = await fetch(origin + '/api/server/events', { headers })
        for await (const part of body) void part
      }
      read().catch(() => undefined)
    }
  })
  import('aedes').then(async ({ Aedes }) => {
    const broker = await Aedes.createBroker()
    const server = createServer(broker.handle)
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))
    setInterval(() => {
      for (const topic of topics)
        broker.publish({ topic, payload: String(Math.random()), qos: 0, retain: false }, () => undefined)
    }, 1000)
  })`

/**
 * A process of its own with an MQTT broker, on which each of the topics `meter/0`, `meter/1` … has a value a second, and with pages
 * that read what a server sends.
 */
export async function startOthersAtServer(topics: number) {
  const child = spawn(process.execPath, ['-e', SCRIPT, String(topics)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { value: port } = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()) as {
    value: string
  }
  return {
    brokerUrl: `mqtt://127.0.0.1:${port}`,
    /** A page for each cookie, a second apart, with sockets to the first machines and the stream of events. */
    openPages: (origin: string, cookies: readonly string[], sockets: number): void =>
      void child.stdin.write(`${JSON.stringify({ origin, cookies, sockets })}\n`),
    stop: () => void child.kill(),
  }
}
