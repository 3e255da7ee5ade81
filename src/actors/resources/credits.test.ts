import { expect, it } from 'vitest'
import { webUrl } from '../../../test/urls.ts'
import { createApi } from '../network/api.ts'
import { askCredit } from './credits.ts'

const task = { key: 'k', name: { project: 1, run: 2, clone: 3, gen: 4 }, assigned: undefined, donors: ['Ada'] }

it.each([
  ['is what the API logged', 200, [{ user: 'Ada', credit: 5 }], { at: 9, points: 5 }],
  ['is unknown where the API has nothing', 404, {}, { at: 9, points: undefined }],
  ['is unknown where the API answers with an error', 200, { error: 'No such unit' }, { at: 9, points: undefined }],
  ['is asked for later when the API is too busy', 429, {}, undefined],
])('a credit %s', async (_, status, json, expected) => {
  const paths: string[] = []
  const api = createApi({
    fetch: input => {
      paths.push(new URL(input instanceof Request ? input.url : input).pathname)
      return Promise.resolve(new Response(JSON.stringify(json), { status }))
    },
    baseUrl: webUrl('https://api.test'),
    session: () => undefined,
    compareClock: () => undefined,
    now: () => 9,
    timeout: 1000,
  })
  expect(await askCredit({ api, now: () => 9 }, task)).toEqual(expected)
  expect(paths).toEqual(['/project/1/run/2/clone/3/gen/4'])
})
