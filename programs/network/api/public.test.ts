import { get } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { PAGE, startTestApi } from '../../../test/network/api.ts'

const api = await startTestApi()
const { ask, answer, signIn } = api

afterAll(() => api.stop())

test('the first cause means none', async () => {
  const { status, body } = await ask('GET', '/project/cause')

  expect({ status, body }).toEqual({
    status: 200,
    body: [
      'unspecified',
      'alzheimers',
      'cancer',
      'covid-19',
      'diabetes',
      'high-priority',
      'huntingtons',
      'influenza',
      'parkinsons',
    ],
  })
})

test('project descriptions are public', async () => {
  const { status, body } = await ask('GET', '/project/18420')

  expect(status).toBe(200)
  expect(body).toEqual({
    id: 18_420,
    manager: 'mlindqvist',
    institution: 'Institute of Simulated Biophysics',
    cause: 'alzheimers',
    thumb: `${api.base}/asset/project-18420/web`,
    mthumb: '',
    description: expect.stringContaining('Crambin') as unknown,
    mdescription: expect.stringContaining('embedded network') as unknown,
  })
  expect(await answer('GET', '/project/1')).toEqual({ status: 404, body: { error: 'Project not found' } })
  expect(await answer('GET', '/project/villin')).toEqual({ status: 404, body: { error: 'Not found' } })
})

test('the newest client version is three numbers', async () => {
  expect((await answer('GET', '/release/latest.json')).body).toMatchObject([{ version: [8, 5, 7] }])
})

test('pages of known origins may call with credentials, and see the server’s clock', async () => {
  const asked = await ask('OPTIONS', '/account', {
    headers: {
      Origin: PAGE,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  })
  expect(asked.status).toBe(204)
  expect(Object.fromEntries([...asked.headers].filter(([name]) => name.startsWith('access-control-')))).toEqual({
    'access-control-allow-origin': PAGE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, PUT, POST, DELETE',
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-expose-headers': 'Date, Retry-After',
    'access-control-max-age': '600',
  })
  const refused = await ask('GET', '/account', { headers: { Origin: PAGE } })

  expect({ status: refused.status, origin: refused.headers.get('Access-Control-Allow-Origin') }).toEqual({
    status: 401,
    origin: PAGE,
  })
})

test.each(['https://evil.example', 'http://localhost:7401', 'null', `${PAGE}.evil.example`])(
  'a page of %s gets nothing, and what it asks is not done',
  async origin => {
    const session = await signIn()
    const refused = await ask('PUT', '/logout', { session, headers: { Origin: origin } })

    expect({
      status: refused.status,
      body: refused.body,
      cors: refused.headers.get('Access-Control-Allow-Origin'),
    }).toEqual({ status: 403, body: undefined, cors: null })
    expect((await ask('GET', '/account', { session })).status).toBe(200)
  },
)

test.each([
  ['evil.example', 403],
  ['evil.example:7401', 403],
  ['localhost', 200],
  ['127.0.0.1:7401', 200],
  ['[::1]:7401', 200],
])('for the host %s it answers %i', async (host, status) => {
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    get(`${api.base}/project/cause`, { headers: { Host: host } }, response => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

  expect(answered).toBe(status)
})

test('unknown paths give a JSON error, and personal data is not cached', async () => {
  expect(await answer('GET', '/nothing')).toEqual({ status: 404, body: { error: 'Not found' } })
  expect((await ask('GET', '/account', { session: await signIn() })).headers.get('Cache-Control')).toBe('no-store')
  expect((await ask('GET', '/project/cause')).headers.get('Cache-Control')).toBe('public, max-age=3600')
})
