import { expect, test, vi } from 'vitest'
import { startNetwork } from '../../network/index.ts'
import { openTestSocket } from '../../network/testing/test-socket.ts'
import {
  allConnected,
  callServer,
  machinesOf,
  saveSchedule,
  scheduleOf,
  statesSentTo,
  useServers,
  WAIT,
} from '../../test/server-cluster.ts'
import { accountApi } from '../account/account.ts'
import { enroll } from '../account/enroll.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

const HOUR = 3_600_000

test('a boundary of a schedule that falls into a takeover is kept by the server that takes over, once', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const attic = await client('attic')
  // Noon, long before midnight, where the day of the rule ends.
  const noon = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 12 * HOUR
  const started = Date.now()
  let passed = 0
  const now = (): number => noon + (Date.now() - started) + passed
  const first = await startServer(database, [attic], '', { now })
  await allConnected(first, 1)
  const today = new Date(noon).toISOString().slice(0, 10)
  const rule = { kind: 'dates', first: today, last: today, from: '00:00', until: '18:00', state: 'finish' }
  await saveSchedule(first, scheduleOf('warm', { rules: [rule] }))
  await vi.waitFor(() => expect(statesSentTo(attic)).toEqual(['finish']), WAIT)
  attic.say(['groups', '', 'config', 'finish', true])
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT outcome FROM actions')).toEqual([{ outcome: 'confirmed' }])
  }, WAIT)

  // While none coordinates it becomes seven in the evening.
  await first.stop()
  passed = 7 * HOUR
  expect(statesSentTo(attic)).toEqual(['finish'])
  const second = await startServer(database, [attic], '', { now })
  await vi.waitFor(() => expect(statesSentTo(attic)).toEqual(['finish', 'pause']), WAIT)
  attic.say(['groups', '', 'config', 'paused', true], ['groups', '', 'config', 'finish', false])
  await vi.waitFor(async () => {
    const { subjects } = (await (await callServer(second, 'schedules')).json()) as { subjects: { condition: string }[] }
    expect(subjects).toMatchObject([{ condition: 'kept', wanted: 'pause' }])
  }, WAIT)
  // A third server takes over what is kept already: nothing is sent again.
  const third = await startServer(database, [attic], '', { now })
  await allConnected(third, 1)
  await second.stop()
  await vi.waitFor(async () => {
    const answer = await callServer(third, 'schedules')
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { subjects: object[] }).subjects).toMatchObject([{ wanted: 'pause' }])
  }, WAIT)
  expect(statesSentTo(attic)).toEqual(['finish', 'pause'])
  expect(await query(database, 'SELECT who, command, outcome FROM actions ORDER BY id')).toEqual([
    { who: 'schedules', command: 'finish', outcome: 'confirmed' },
    { who: 'schedules', command: 'pause', outcome: 'confirmed' },
  ])
})

test('machines of an account are seen and controlled through a server that does not coordinate it', async ({
  skip,
}) => {
  const database = await newDatabase(skip)
  const network = stopLater(
    await startNetwork({
      port: 0,
      data: undefined,
      uniform: true,
      machines: 1,
      keyBits: 1024,
      accountKeyBits: 1024,
      client: { host: '127.0.0.1', port: 9 },
    }),
  )
  await network.online()
  const { account } = await enroll(accountApi(network.apiUrl), network.account.email, network.account.passphrase)
  const settings = `[account]\napi-url = "${network.apiUrl}"\nplain-node = true\ncommands = ["state"]\n`
  const attic = await client('attic')
  const first = await startServer(database, [attic], settings, { account })
  await allConnected(first, 2)
  const second = await startServer(database, [attic], settings, { account })
  await vi.waitFor(async () => expect(await machinesOf(second)).toHaveLength(2), WAIT)
  expect((await machinesOf(second)).map(({ number }) => number)).toEqual(
    (await machinesOf(first)).map(({ number }) => number),
  )

  const open = async () => {
    const origin = second.origin
    const page = await openTestSocket(`${origin.replace('http', 'ws')}/clients/2/api/websocket`, { Origin: origin })
    stopLater({ stop: () => page.drop() })
    return page
  }
  // The first attempt of a page makes the server connect.
  const page = await vi.waitFor(open, WAIT)
  const name = network.clients()[0]?.client.name()
  expect(JSON.parse(await page.next(text => text.startsWith('{')))).toMatchObject({ info: { mach_name: name } })
  page.send('{"cmd":"state","state":"pause"}')
  await page.next(text => text.startsWith('[') && text.includes('paused'))
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT who, command, outcome FROM actions')).toEqual([
      { who: 'local', command: 'pause', outcome: 'confirmed' },
    ])
  }, WAIT)
  // The account moves to the other server when the first one stops.
  await first.stop()
  await allConnected(second, 2)
}, 60_000)
