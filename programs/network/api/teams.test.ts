import { afterAll, expect, test } from 'vitest'
import { startTestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask, answer } = api
const session = await api.signIn()

afterAll(() => api.stop())

async function teams(): Promise<{ team: number; name: string }[]> {
  return (await api.accountOf(session))['teams'] as { team: number; name: string }[]
}

async function found(json: object): Promise<number> {
  const { status, body } = await ask('POST', '/account/teams', { session, json })
  expect(status).toBe(200)
  return (body as { team: number }).team
}

test('a team is created, public, edited and deleted', async () => {
  const logo = 'data:image/webp;base64,AAAA'
  const team = await found({ name: 'Night Owls é', url: 'owls.example/home', logo })
  const shown = { name: 'Night Owls é', url: 'https://owls.example/home', logo }
  expect(await teams()).toContainEqual({ team, ...shown, wus: 0, score: 0 })
  expect(await answer('GET', `/team/${team}`)).toEqual({
    status: 200,
    body: { id: team, ...shown, wus: 0, score: 0, rank: expect.any(Number) as unknown },
  })

  expect(await answer('PUT', `/account/teams/${team}`, { session, json: { name: 'Day Owls', url: '' } })).toEqual({
    status: 200,
    body: {},
  })
  expect(await teams()).toContainEqual({ team, name: 'Day Owls', url: '', logo, wus: 0, score: 0 })
  expect(await answer('DELETE', `/account/teams/${team}`, { session })).toEqual({ status: 200, body: {} })
  expect(await answer('GET', `/team/${team}`)).toEqual({ status: 404, body: { error: 'Team not found' } })
  expect((await teams()).map(other => other.team)).toEqual([4_242, 4_243])
})

test('a team number is never used twice', async () => {
  const first = await found({ name: 'Short-lived' })
  await ask('DELETE', `/account/teams/${first}`, { session })
  const second = await found({ name: 'Successor' })

  expect(second).toBeGreaterThan(first)
})

test('a team that has folded cannot be deleted', async () => {
  expect(await answer('DELETE', '/account/teams/4242', { session })).toEqual({
    status: 409,
    body: { error: 'Only teams with no points can be deleted' },
  })
  expect((await ask('GET', '/team/4242')).status).toBe(200)
})

test('team names are unique in any case; a team may keep its own', async () => {
  const team = await found({ name: 'Only Ones' })
  const conflict = { status: 409, body: { error: 'A team of this name exists already' } }

  expect(await answer('POST', '/account/teams', { session, json: { name: 'only ones' } })).toEqual(conflict)
  expect(await answer('PUT', '/account/teams/4243', { session, json: { name: 'ONLY ONES' } })).toEqual(conflict)
  expect(
    (await ask('PUT', `/account/teams/${team}`, { session, json: { name: 'Only Ones', url: 'https://x.example' } }))
      .status,
  ).toBe(200)
})

test('others’ teams can be neither edited nor deleted', async () => {
  const notFound = { status: 404, body: { error: 'Team not found' } }
  expect((await ask('GET', '/team/101')).status).toBe(200)

  expect(await answer('PUT', '/account/teams/101', { session, json: { name: 'Mine now' } })).toEqual(notFound)
  expect(await answer('DELETE', '/account/teams/101', { session })).toEqual(notFound)
})

test.each([
  [{ name: 'x' }, 'name: Team name must be between 2 and 100 characters'],
  [{ name: ` ${'x'.repeat(101)}` }, 'name: Team name must be between 2 and 100 characters'],
  [{ name: 'a"b' }, 'name: Team name cannot contain any of the following: <>;&"\'\\`'],
  [{ name: 'fine', url: 'javascript:alert(1)' }, 'url: Invalid team URL'],
  [{ name: 'fine', url: 'javascript://x%0aalert(1)' }, 'url: Invalid team URL'],
  [{ name: 'fine', url: 'https://a.example/<b>' }, 'url: Invalid team URL'],
  [{ name: 'fine', logo: 'data:text/html;base64,AAAA' }, 'logo: The logo is not an image'],
  [{ name: 'fine', logo: 'http://a.example/logo.png' }, 'logo: The logo is not an image'],
])('no team is created from %j', async (json, error) => {
  expect(await answer('POST', '/account/teams', { session, json })).toEqual({ status: 400, body: { error } })
})
