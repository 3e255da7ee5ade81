import { once } from 'node:events'
import { WebSocket } from 'ws'
import { textOf } from '../../programs/host/abrupt-socket.ts'
import { expect, expectReport, pausedOf, test, versionOf } from './fixtures.ts'
import { ask, sendCommand } from './client-report.ts'
import { CLIENT_PORT } from './real-client.ts'

/** Titles are those of the table in docs/protocol.md §19. Each test prints whether the client confirms its row. */

const AT = `127.0.0.1:${CLIENT_PORT}`

/** Sends a text, and tells whether the client ends the connection because of it. */
async function closes(text: string): Promise<boolean> {
  const socket = new WebSocket(`ws://${AT}/api/websocket`, { origin: `http://${AT}`, perMessageDeflate: false })
  socket.on('error', () => undefined)
  await once(socket, 'message')
  socket.send(text)
  // What comes after it is obeyed only by an open connection.
  socket.send(JSON.stringify({ cmd: 'log', enable: true }))
  const isClosed = await Promise.race([
    once(socket, 'close').then(() => true),
    new Promise<boolean>(resolve =>
      socket.on('message', data => {
        if (textOf(data).replaceAll(/\s/gu, '').startsWith('["log"')) resolve(false)
      }),
    ),
  ])
  socket.terminate()
  return isClosed
}

function second(offset: number): string {
  return new Date(Date.now() + offset * 1000).toISOString().slice(0, 19)
}

let client = ''

test.beforeEach(async ({ startClient }) => {
  await startClient()
  client = await versionOf()
})

test.afterEach(({}, { title, status }) => {
  console.log(`${status === 'passed' ? 'Confirmed' : 'NOT confirmed'} by client ${client}: ${title} (protocol §19)`)
})

test('fraction of a time', async () => {
  const at = second(5)
  await sendCommand({ cmd: 'state', state: 'fold', time: `${at}.100Z` }, report => pausedOf(report) === false)
  expect(await closes(JSON.stringify({ cmd: 'state', state: 'pause', time: `${at}.900Z` }))).toBe(false)
  expect(pausedOf(await ask())).toBe(false)
  await sendCommand({ cmd: 'state', state: 'pause', time: `${second(7)}Z` }, report => pausedOf(report) === true)
})

test('times far ahead', async () => {
  expect(await closes(JSON.stringify({ cmd: 'state', state: 'fold', time: `${second(70 * 60)}Z` }))).toBe(false)
  expect(pausedOf(await ask())).toBe(true)
})

test('groups that a config leaves out', async () => {
  await sendCommand(
    { cmd: 'config', config: { groups: { '': {}, night: { cpus: 1 } } }, time: `${second(1)}Z` },
    ({ groups }) => groups.has('night'),
  )
  await sendCommand(
    { cmd: 'config', config: { groups: { '': {} } }, time: `${second(3)}Z` },
    ({ groups }) => !groups.has('night'),
  )
})

test('control characters', async () => {
  const command = { cmd: 'config', config: { groups: { '': {}, 'two\nlines': {} } }, time: `${second(1)}Z` }
  await sendCommand(command, ({ groups }) => groups.has('two\nlines'))
  await sendCommand(
    { cmd: 'state', state: 'fold', group: 'two\nlines' },
    ({ groups }) => groups.get('two\nlines')?.['paused'] === false,
  )
  await expectReport(pausedOf, true)
  expect(await closes('{"cmd":"config","config":{"user":"a\nb"}}')).toBe(true)
})

test('what closes the socket', async () => {
  const harmful = ['"ping"', '', 'no JSON', '{"cmd":"dump","unit":"none"}', '{"cmd":"state"}']
  for (const text of harmful) expect(await closes(text), text).toBe(true)
  expect(await closes('{"cmd":"unknown"}')).toBe(false)
})

test('ping', async () => {
  const asked = async (path: string) => {
    const answer = await fetch(`http://${AT}${path}`, { redirect: 'manual' })
    return [answer.status, answer.status === 200 ? await answer.text() : answer.headers.get('Location')]
  }
  expect(await asked('/ping?callback=f')).toEqual([200, expect.stringMatching(/^\s*f\(\{"redirect":/)])
  expect(await asked('/ping')).toEqual([307, expect.stringMatching(/^https:\/\/v8-\d+\.foldingathome\.org\/$/)])
})

test('origins', async () => {
  const status = async (origin: string) =>
    (await fetch(`http://${AT}/ping?callback=f`, { headers: { Origin: origin } })).status
  const origins = [
    'https://foldingathome.org',
    'https://x.foldingathome.org',
    'http://localhost:1',
    'http://x.foldingathome.org',
  ]
  expect(await Promise.all(origins.map(status))).toEqual([200, 200, 401, 401])
})
