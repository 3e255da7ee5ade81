// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { serverShared } from './server-shared.ts'

const notes = [{ group: '', state: 'pause', cpus: 4, at: 1 }]

type Sent = { readonly type?: string; readonly mode?: string }

/** A server that answers with a status, and what it was sent. */
function start(status = 200, content: unknown = {}) {
  const sent: Sent[] = []
  const shared = serverShared({
    storage: localStorage,
    fetch: (_, init) => {
      if (typeof init?.body === 'string') sent.push(JSON.parse(init.body) as Sent)
      return status === 0
        ? Promise.reject(new TypeError('no network'))
        : Promise.resolve(Response.json(content, { status }))
    },
  })
  return { shared, sent }
}

beforeEach(() => localStorage.clear())

describe('tags and views at the server', () => {
  it('get those of this browser once, when the server takes them', async () => {
    localStorage.setItem('foldboard.tags', '{"a":["attic"]}')
    localStorage.setItem('foldboard.views', '{"views":[{"name":"Paused","params":{}}]}')
    localStorage.setItem('foldboard.power', '{"machines":{"a":{"idle":{"watts":50,"origin":"entered"},"gpus":{}}}}')
    localStorage.setItem('foldboard.processors', `{"a":${JSON.stringify(notes)}}`)
    const away = start(0)
    await away.shared.giveOwn()
    const { shared, sent } = start()
    await shared.giveOwn()
    await shared.giveOwn()
    expect(sent).toEqual([
      { type: 'tags.import', tags: { a: ['attic'] }, mode: 'merge' },
      { type: 'views.import', views: { views: [{ name: 'Paused', params: {} }] }, mode: 'missing' },
      { type: 'power.import', power: { machines: { a: { idle: { watts: 50, origin: 'entered' }, gpus: {} } } } },
      { type: 'processors.import', processors: { a: notes } },
    ])
  })

  it('are read, and say what became of a change', async () => {
    const content = {
      revision: '3',
      tags: { a: ['attic'] },
      views: { views: [] },
      power: { machines: {} },
      processors: {},
    }
    expect(await start(200, content).shared.read()).toEqual({
      kind: 'known',
      shared: {
        revision: '3',
        tags: { a: ['attic'] },
        views: { views: [], chosen: undefined },
        power: { machines: {}, tariffs: undefined },
        processors: {},
      },
    })
    const change = { type: 'tags.add', machines: ['a'], tag: 'x' } as const
    expect(await start().shared.send(change)).toEqual({ kind: 'taken' })
    expect(await start(403, { error: 'Not allowed' }).shared.send(change)).toEqual({
      kind: 'refused',
      reason: 'Not allowed',
    })
    expect(await start(0).shared.send(change)).toEqual({ kind: 'unreachable' })
    expect(await start(200, { revision: 1 }).shared.read()).toEqual({ kind: 'unreachable' })
  })
})
