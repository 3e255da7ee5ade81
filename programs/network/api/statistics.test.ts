import { afterAll, expect, test } from 'vitest'
import { insertCredits } from '../store/credits.ts'
import type { CreditEntry } from '../store/credits.ts'
import { PAGE, startTestApi, TEST_NOW } from '../../../test/network/api.ts'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import type { TestSocket } from '../../../test/network/test-socket.ts'

const api = await startTestApi()
const { ask, answer } = api
const sockets: TestSocket[] = []

afterAll(async () => {
  for (const socket of sockets) socket.drop()
  await api.stop()
})

const HOUR = 3_600_000
function ago(hours: number): string {
  return new Date(TEST_NOW - hours * HOUR).toISOString().replace('.000Z', 'Z')
}
const PASSKEY = 'ABCDEF0123456789abcdef0123456789'

let units = 0
function unit(changes: Partial<CreditEntry>): CreditEntry {
  units += 1
  return {
    machine: 'm-1',
    unit: `u-${units}`,
    user: 'Ida',
    team: 4_243,
    passkey: '',
    project: 18_420,
    run: 1,
    clone: 2,
    gen: units,
    code: 'Ok',
    credit: 1_000,
    assign_time: ago(5),
    credit_time: ago(1),
    ...changes,
  }
}

type Donor = {
  id: number
  pid: number
  rank: number
  score: number
  wus: number
  active_7: number
  active_50: number
  teams: { team: number; score: number; wus: number; trank: number; tscore: number; twus: number }[]
}
async function donor(name: string, query: Record<string, string> = {}): Promise<Donor> {
  const { status, body } = await ask('GET', `/user/${encodeURIComponent(name)}`, { query })
  expect(status).toBe(200)
  return body as Donor
}
async function team(number: number): Promise<{ score: number; wus: number; rank: number }> {
  return (await ask('GET', `/team/${number}`)).body as { score: number; wus: number; rank: number }
}

test('credits of clients count for the user, the team and the unit', async () => {
  const empty = await team(4_243)
  expect(await answer('GET', '/user/Ida')).toEqual({ status: 404, body: { error: 'User not found' } })
  await insertCredits(api.store, [
    unit({ gen: 700, credit: 1_500 }),
    unit({ gen: 701, passkey: PASSKEY, machine: 'm-2', credit_time: ago(24 * 8) }),
    unit({ gen: 702, code: 'Dumped', credit: 0 }),
  ])

  const ida = await donor('Ida')
  expect(ida).toEqual({
    id: ida.id,
    pid: 0,
    name: 'Ida',
    rank: expect.any(Number) as unknown,
    score: 2_500,
    wus: 2,
    active_7: 1,
    active_50: 2,
    teams: [
      {
        team: 4_243,
        name: 'Night Shift',
        url: '',
        logo: '',
        trank: expect.any(Number) as unknown,
        tscore: 2_500,
        twus: 2,
        score: 2_500,
        wus: 2,
      },
    ],
  })
  expect(await team(4_243)).toEqual({
    id: 4_243,
    name: 'Night Shift',
    url: '',
    logo: '',
    score: 2_500,
    wus: 2,
    rank: ida.teams[0]?.trank,
  })
  expect((await team(4_243)).rank).toBeLessThan(empty.rank)
  expect((await ask('GET', '/project/18420/run/1/clone/2/gen/700')).body).toContainEqual({
    code: 'Ok',
    user: 'Ida',
    team: 4_243,
    credit: 1_500,
    assign_time: ago(5),
    credit_time: ago(1),
  })
  expect((await ask('GET', '/project/18420/run/1/clone/2/gen/702')).body).toContainEqual({
    code: 'Dumped',
    user: 'Ida',
    team: 4_243,
    credit: 0,
    assign_time: ago(5),
    credit_time: ago(1),
  })
})

test('a unit is credited once, however often it is reported', async () => {
  const before = await donor('Ida')
  const entry = unit({ gen: 800 })
  await insertCredits(api.store, [entry, entry])
  await insertCredits(api.store, [{ ...entry, credit: 9_999 }])

  expect((await donor('Ida')).score).toBe(before.score + 1_000)
})

test('a passkey with credits has a number, in any case; others have none', async () => {
  const { pid } = await donor('Ida', { passkey: PASSKEY })

  expect(pid).toBeGreaterThan(0)
  expect((await donor('Ida', { passkey: PASSKEY.toLowerCase() })).pid).toBe(pid)
  expect((await donor('Ida', { passkey: '00000000000000000000000000000000' })).pid).toBe(0)
})

test('the requested team is included even without credits', async () => {
  const { teams } = await donor('Ida', { team: '4242' })
  const friends = await team(4_242)

  expect(teams.find(other => other.team === 4_242)).toMatchObject({
    score: 0,
    wus: 0,
    tscore: friends.score,
    twus: friends.wus,
    trank: friends.rank,
  })
  expect((await donor('Ida', { team: '999999' })).teams.map(other => other.team)).toEqual([4_243])
})

test('the demo donor and others have points; more points give a better rank', async () => {
  const [demo, ida] = [await donor('Demo_Donor', { team: '4242' }), await donor('Ida')]
  const friends = await team(4_242)

  expect(demo.score).toBeGreaterThan(500_000_000)
  expect(demo.rank).toBeGreaterThan(100)
  expect(demo.rank).toBeLessThan(10_000)
  expect(ida.rank).toBeGreaterThan(demo.rank)
  expect(friends.score).toBeGreaterThanOrEqual(31_650_240 + demo.score)
  expect(demo.teams).toEqual([expect.objectContaining({ team: 4_242, score: demo.score, tscore: friends.score })])
})

test('any user name is accepted, but not an invalid team number', async () => {
  const name = 'a/b <c>&d ?ü'
  await insertCredits(api.store, [unit({ user: name })])

  expect(await donor(name)).toMatchObject({ name, score: 1_000 })
  expect((await ask('GET', '/user/Ida', { query: { team: 'x' } })).status).toBe(400)
  expect(await answer('GET', '/team/abc')).toEqual({ status: 404, body: { error: 'Not found' } })
  expect(await answer('GET', '/team/0')).toEqual({ status: 404, body: { error: 'Team not found' } })
})

test('a unit that was not returned has no credits; an invalid unit is not found', async () => {
  expect(await answer('GET', '/project/18420/run/9/clone/9/gen/9')).toEqual({ status: 200, body: [] })
  expect((await ask('GET', '/project/18420/run/x/clone/9/gen/9')).status).toBe(404)
})

test('some units have an expired credit of another donor', async () => {
  const gens = Array.from({ length: 20 }, (_, index) => 900 + index)
  await insertCredits(
    api.store,
    gens.map(gen => unit({ gen, user: 'Sharing' })),
  )
  const lists = await Promise.all(
    gens.map(
      async gen =>
        (await ask('GET', `/project/18420/run/1/clone/2/gen/${gen}`)).body as {
          user: string
          code: string
          credit: number
          credit_time: string
        }[],
    ),
  )
  const others = lists.flat().filter(({ user }) => user !== 'Sharing')

  expect(others.length).toBeGreaterThan(2)
  expect(others.length).toBeLessThan(15)
  expect(
    others.every(({ code, credit, credit_time: time }) => code === 'Expired' && credit === 0 && time < ago(5)),
  ).toBe(true)
})

async function picture(query: Record<string, string>): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(`${api.base}/awards?${new URLSearchParams(query).toString()}`)
  return { status: response.status, type: response.headers.get('Content-Type'), text: await response.text() }
}

test('an award is a picture of the milestone, with the name escaped', async () => {
  const award = await picture({ user: 'Demo_Donor', team: '4242', type: 'wus' })
  expect({ status: award.status, type: award.type }).toEqual({ status: 200, type: 'image/svg+xml; charset=utf-8' })
  expect(award.text).toMatch(/Demo_Donor<\/text>[^]*has completed 5,000 work units[^]*for Foldboard Friends/)
  const odd = await picture({ user: 'a/b <c>&d ?ü' })
  expect(odd.text).toContain('>a/b &lt;c&gt;&amp;d ?ü</text>')
  expect(odd.text).toContain('has completed 1 work unit<')

  expect((await picture({ team: '4242', type: 'score' })).text).toContain('points')
})

test.each([{ user: 'Nobody' }, { team: '999999' }, {}])('there is no award for %j', async query => {
  expect((await picture(query)).status).toBe(404)
})

async function open(headers: Record<string, string> = { Origin: PAGE }): Promise<TestSocket> {
  const socket = await openTestSocket(`${api.base.replace('http', 'ws')}/statistics`, headers)
  sockets.push(socket)
  return socket
}

type SeriesMessage = { $ref?: string; data: { time: string; value: { score: number; wus: number } }[] }
async function askSocket(socket: TestSocket, message: object): Promise<SeriesMessage> {
  socket.send(JSON.stringify(message))
  return JSON.parse(await socket.next()) as SeriesMessage
}

test('a subscriber to a team gets its hourly points, newest first, then each new one', async () => {
  const socket = await open()
  const { $ref, data } = await askSocket(socket, {
    type: 'subscribe',
    timeseries: 'team.score',
    team: 4_242,
    $ref: 'team-4242',
    max_count: 500,
  })
  const scores = data.map(({ value }) => value.score)
  expect($ref).toBe('team-4242')
  expect(data.slice(0, 3).map(({ time }) => time)).toEqual([
    '2026-11-20T21:00:00Z',
    '2026-11-20T20:00:00Z',
    '2026-11-20T19:00:00Z',
  ])
  expect(scores).toHaveLength(500)
  expect([...scores].sort((one, other) => other - one)).toEqual(scores)

  await insertCredits(api.store, [unit({ team: 4_242, user: 'Demo_Donor', credit: 77_777 })])
  await api.announce()
  const point = JSON.parse(await socket.next()) as unknown
  const now = await team(4_242)
  expect(point).toEqual({
    $ref: 'team-4242',
    data: { time: '2026-11-20T21:30:00Z', value: { score: now.score, wus: now.wus } },
  })
  expect(now.score).toBe((scores[0] ?? 0) + 77_777)
})

test('a user’s points rise with each credit, at its time', async () => {
  await insertCredits(api.store, [
    unit({ user: 'Steps', credit: 10, credit_time: ago(3) }),
    unit({ user: 'Steps', credit: 5, credit_time: ago(1.2) }),
  ])
  const { id } = await donor('Steps')
  const { data } = await askSocket(await open(), {
    type: 'subscribe',
    timeseries: 'user.score',
    uid: id,
    pid: 0,
    $ref: 'user',
  })

  expect(data.map(({ time, value }) => `${time.slice(11, 13)} ${value.score} ${value.wus}`)).toEqual([
    '21 15 2',
    '20 10 1',
    '19 10 1',
    '18 0 0',
  ])
})

test('since leaves out older points', async () => {
  const { data } = await askSocket(await open(), {
    type: 'subscribe',
    timeseries: 'team.score',
    team: 4_242,
    $ref: 't',
    since: '2026-11-20T18:00:00Z',
  })

  expect(data.map(({ time }) => time)).toEqual(['2026-11-20T21:00:00Z', '2026-11-20T20:00:00Z', '2026-11-20T19:00:00Z'])
})

test('nothing is sent after unsubscribing', async () => {
  const socket = await open()
  await askSocket(socket, { type: 'subscribe', timeseries: 'team.score', team: 4_242, $ref: 'one', max_count: 1 })
  await askSocket(socket, { type: 'subscribe', timeseries: 'team.score', team: 4_243, $ref: 'two', max_count: 1 })
  socket.send(JSON.stringify({ type: 'unsubscribe', $ref: 'one' }))
  // The answer to a later message shows that the earlier one was read.
  await askSocket(socket, { type: 'subscribe', timeseries: 'team.score', team: 101, $ref: 'three', max_count: 1 })
  await api.announce()

  expect(
    [JSON.parse(await socket.next()), JSON.parse(await socket.next())].map((message: SeriesMessage) => message.$ref),
  ).toEqual(['two', 'three'])
})

test.each([
  [
    { type: 'subscribe', timeseries: 'team.score', team: 999_999, $ref: 'a' },
    { $ref: 'a', data: { message: 'Team not found' } },
  ],
  [
    { type: 'subscribe', timeseries: 'user.score', uid: 999_999, pid: 1, $ref: 'b' },
    { $ref: 'b', data: { message: 'User not found' } },
  ],
  [
    { type: 'subscribe', timeseries: 'team.score', team: 'x', $ref: 'c' },
    { $ref: 'c', data: { message: 'This message is not understood' } },
  ],
  [
    { type: 'subscribe', timeseries: 'team.score', team: 4_242, since: 'soon', $ref: 'd' },
    { $ref: 'd', data: { message: 'This message is not understood' } },
  ],
  [[1], { data: { message: 'This message is not understood' } }],
])('an invalid message is answered with an error: %j', async (message, answer) => {
  expect(await askSocket(await open(), message)).toEqual(answer)
})

test('invalid JSON is answered, and the number of subscriptions is limited', async () => {
  const socket = await open()
  socket.send('{')
  expect(JSON.parse(await socket.next())).toEqual({ data: { message: 'This message is not understood' } })
  for (let count = 0; count < 65; count++)
    socket.send(
      JSON.stringify({ type: 'subscribe', timeseries: 'team.score', team: 4_242, $ref: `r${count}`, max_count: 1 }),
    )

  expect(await socket.next(text => text.startsWith('{"$ref":"r64"'))).toBe(
    '{"$ref":"r64","data":{"message":"Too many subscriptions"}}',
  )
})

test.each([
  ['another page', { Origin: 'https://evil.example' }],
  ['a stranger’s name', { Host: 'evil.example' }],
])('%s cannot subscribe', async (_who, headers) => {
  await expect(openTestSocket(`${api.base.replace('http', 'ws')}/statistics`, headers)).rejects.toThrow('403')
})
